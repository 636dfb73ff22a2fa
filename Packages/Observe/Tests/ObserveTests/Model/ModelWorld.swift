import ObserveTesting
import SQLiteCore
import Testing

@testable import Observe

/// A database, its writers and its observers, step by step.
///
/// The seed determines each step, except for the order of concurrent writes.
final class ModelWorld {
  private struct Member {
    let observer: ModelObserver
    let task: Task<Void, Never>
    /// The last commit when the observer began.
    let start: UInt64
    /// The number of elements at the last check, and whether the observer was paused then or later.
    var counted = 0
    var hasBeenSettled = false
    var staysPaused = false
    var hasBeenPaused = false
  }

  /// An observer that has ended. It must not receive or fetch another value.
  private struct Gone {
    let observer: ModelObserver
    var state: ModelLog.State?
  }

  let ledger = ModelLedger()
  private let database: Database
  private let writers: [ModelWriter]
  private let clock = TestClock()
  private var random: ModelRandom
  private var members: [Member] = []
  private var gone: [Gone] = []
  private var listeners: [(listener: ModelListener, task: Task<Void, Never>)] = []
  private var events: (events: ModelEvents, task: Task<Void, Never>)?
  private var lastNumber = 0
  private var position: UInt64 = 0
  private var commits = 0

  /// - Parameter databases: The first is observed; all are written to.
  init(_ databases: [Database], seed: UInt64) async throws {
    database = databases[0]
    random = ModelRandom(seed: seed)
    var script = ModelDefinitions.fixed + ModelDefinitions.text + ";"
    for name in ModelDefinitions.tableNames.dropLast() {
      script += ModelDefinitions.table(name, &random) + ";"
    }
    let schema = script
    try await database.writeWithoutTransaction { try $0.execute(SQL(unsafe: schema)) }
    var writers: [ModelWriter] = []
    for database in databases { writers.append(try await ModelWriter(database, ledger)) }
    self.writers = writers
    try await database.startObserving()
    try await waitUntilIdle()
  }

  func end() async {
    for member in members { await stop(member) }
    for listener in listeners {
      listener.task.cancel()
      await listener.task.value
    }
    await stopEvents()
  }

  // MARK: Steps

  func step() async throws {
    switch random.below(100) {
    case 0..<46: await write()
    case 46..<54: try await writeAtOnce()
    case 54..<66: try await observe()
    case 66..<72: await stopOne()
    case 72..<78: controlOne()
    case 78..<82: await read()
    case 82..<84: try await listen()
    case 84..<88: await stopListening()
    default: try await waitUntilIdle()
    }
  }

  private func write() async {
    guard let writer = random.pick(writers) else { return }
    await writer.write(seed: random.seed())
  }

  /// Several tasks write and others read, while observers start and stop.
  private func writeAtOnce() async throws {
    let jobs = (0...random.below(3)).compactMap { _ in
      random.pick(writers).map {
        (writer: $0, seeds: (0...random.below(2)).map { _ in random.seed() })
      }
    }
    let isCancelled = random.once(in: 4)
    ledger.trace("{ at once")
    let tasks = jobs.map { job in
      Task { for seed in job.seeds { await job.writer.write(seed: seed) } }
    }
    if isCancelled { tasks.last?.cancel() }
    await read()
    if random.once(in: 2) { try await observe() }
    if random.once(in: 3) { await stopOne() }
    controlOne()
    await read()
    for task in tasks { await task.value }
    ledger.trace("} at once")
  }

  /// A read sees all committed changes, and no others.
  private func read() async {
    guard let query = try? await query() else { return }
    guard let value = try? await database.read({ try query.value($0) }) else { return }
    if value.isPoisoned { ledger.report("a read returned rolled back rows: \(query)") }
  }

  private func query() async throws -> ModelQuery? {
    let schema = try await database.read { try ModelSchema($0) }
    return ModelQuery(schema, &random)
  }

  // MARK: Observers

  private func observe() async throws {
    // Sometimes there are few observers, so that most writes affect none.
    guard members.count < [2, 8, 14][lastNumber / 20 % 3], let query = try await query() else {
      return
    }
    lastNumber += 1
    let observer = ModelObserver(lastNumber, query, ledger, &random)
    let start = ChangeHub.of(database).position ?? 0
    members.append(
      Member(
        observer: observer, task: observer.start(database, ledger, clock), start: start,
        staysPaused: observer.control.isPaused, hasBeenPaused: observer.control.isPaused))
  }

  private func stopOne() async {
    guard !members.isEmpty else { return }
    let member = members.remove(at: random.below(members.count))
    await stop(member)
    gone.append(Gone(observer: member.observer))
  }

  private func stop(_ member: Member) async {
    member.task.cancel()
    member.observer.gate.open()
    await member.task.value
  }

  private func controlOne() {
    let controlled = members.indices.filter { members[$0].observer.isControlled }
    guard let index = random.pick(controlled) else { return }
    let control = members[index].observer.control
    if control.isPaused {
      control.resume()
      members[index].staysPaused = false
    } else {
      control.pause()
      members[index].hasBeenPaused = true
    }
  }

  /// Starts a copy, or a listener for transactions, while no task writes. Without listeners, less
  /// is recorded.
  private func listen() async throws {
    try await waitUntilIdle()
    let position = ChangeHub.of(database).position ?? 0
    if random.once(in: 3) {
      await stopEvents()
      let new = ModelEvents(ledger, from: position)
      events = (new, new.start(database))
    } else if listeners.count < 3 {
      lastNumber += 1
      let listener = ModelListener(lastNumber, ledger, from: position)
      let rows = try await database.read { try ModelListener.rows($0) }
      _ = listener.check(rows, at: position)
      listeners.append((listener, listener.start(database)))
    }
  }

  private func stopListening() async {
    if random.once(in: 2) { return await stopEvents() }
    guard let last = listeners.popLast() else { return }
    last.task.cancel()
    await last.task.value
  }

  private func stopEvents() async {
    events?.task.cancel()
    await events?.task.value
    events = nil
  }

  // MARK: Checks

  /// Waits until all observers have the committed changes, and compares them with a new fetch.
  func waitUntilIdle() async throws {
    for member in members {
      while !member.observer.log.state.hasBegun { await Task.yield() }
      member.observer.gate.open()
    }
    await database.waitUntilIdle(includingConsumers: true)
    // Throttled observers request the next value.
    clock.advance(by: .seconds(1))
    await database.waitUntilIdle(includingConsumers: true)
    for member in members { member.observer.gate.close() }
    try await check()
  }

  private func check() async throws {
    let now = ChangeHub.of(database).position ?? 0
    let commits = Int(now - position)
    let rows = try await database.read { try ModelListener.rows($0) }
    let reported = listeners.map { $0.listener.check(rows, at: now) }.first
    events?.events.check(at: now)
    if commits > ledger.commits - self.commits {
      ledger.report("\(commits) of \(ledger.commits - self.commits) commits were reported")
    }
    let queries = members.map(\.observer.query)
    let fresh = try await database.read { connection in
      queries.map { query in Result { try query.rows(connection) } }
    }
    var kept: [Member] = []
    for (var member, fresh) in zip(members, fresh) {
      let state = member.observer.log.state
      check(member, state, reported, commits: commits)
      if state.hasEnded {
        await member.task.value
        gone.append(Gone(observer: member.observer))
        checkEnd(member, state)
        continue
      }
      if !member.observer.control.isPaused { compare(member.observer, state, fresh) }
      member.counted = state.count
      member.hasBeenSettled = true
      member.staysPaused = member.observer.control.isPaused
      member.hasBeenPaused = member.observer.control.isPaused
      kept.append(member)
    }
    members = kept
    for index in gone.indices { checkGone(index) }
    if gone.count > 20 { gone.removeFirst(10) }
    position = now
    self.commits = ledger.commits
  }

  /// Checks the number of elements, and the commits they belong to.
  private func check(
    _ member: Member, _ state: ModelLog.State, _ reported: [ChangeSet]?, commits: Int
  ) {
    let log = member.observer.log
    for version in log.takeVersions() where !ledger.isCommitted(version) {
      log.report("a value is of transaction \(version), which was not committed")
    }
    let new = state.count - member.counted
    let most =
      member.hasBeenSettled
      ? commits : 1 + Int((ChangeHub.of(database).position ?? 0) - member.start)
    // An observer that became idle while paused may still have to receive its first value.
    let first = member.hasBeenSettled && member.counted == 0 ? 1 : 0
    let stale = member.hasBeenPaused ? 1 : 0
    if new > most + first + stale { log.report("received \(new) elements for \(most) commits") }
    if member.staysPaused, new > 0 { log.report("received an element while paused") }
    guard member.hasBeenSettled, !member.hasBeenPaused, let reported,
      let region = member.observer.query.region,
      !reported.contains(where: { region.overlaps($0) })
    else { return }
    if new > 0 { log.report("received an element for irrelevant changes") }
  }

  private func checkEnd(_ member: Member, _ state: ModelLog.State) {
    let log = member.observer.log
    if state.failure == nil, state.count == member.observer.limit { return }
    guard !member.observer.hasResults, let error = state.failure as? SQLiteError,
      error.code.primary == .error
    else {
      log.report("it ended: \(state.failure.map { "\($0)" } ?? "without an error")")
      return
    }
  }

  private func compare(
    _ observer: ModelObserver, _ state: ModelLog.State, _ fresh: Result<[[SQLiteValue]], any Error>
  ) {
    switch (state.last, fresh) {
    case (.success(let value)?, .success(let rows)) where value.rows == rows: break
    case (.failure?, .failure): break
    default: observer.log.report("has \(state.last.map { "\($0)" } ?? "nothing"), and not \(fresh)")
    }
  }

  private func checkGone(_ index: Int) {
    let state = gone[index].observer.log.state
    defer { gone[index].state = state }
    guard let before = gone[index].state else { return }
    let log = gone[index].observer.log
    if state.count != before.count { log.report("received an element after its end") }
    if state.fetches != before.fetches { log.report("fetched after its end") }
  }
}
