public import Observe
public import PostgreSQL
internal import Primitives
internal import Router
internal import SQLiteCore

/// Reports the commits of a PostgreSQL database, so that routes and other values stay up to date.
///
/// A ``PostgreSQLRouteExecutor`` creates a source by itself. Create one to select the method, or to share it:
///
/// ```swift
/// let changes = PostgreSQLChangeSource(database, publication: "app")
/// let executor = PostgreSQLRouteExecutor(database, changes: changes)
/// for try await change in changes.changes(in: .table(TableName(schema: "public", "todos"))) { print(change) }
/// ```
///
/// The source is connected while something is observed, and for ``idleTime`` afterwards. If the connection is lost, it
/// connects again, and everything that is observed is fetched again, because commits may have been missed.
///
/// With ``Method/replication``, the server decodes its log. This needs `wal_level = logical`, a role with the attribute
/// `REPLICATION`, and a publication of the observed tables:
///
/// ```sql
/// CREATE PUBLICATION holt FOR TABLE todos, lists;
/// ```
///
/// The slot is temporary: it ends with the connection, and can't fill the server's disk. With ``Method/notifications``,
/// triggers report the names of changed tables, without rows: see ``installTriggers(on:)``.
public final class PostgreSQLChangeSource: ChangeSource {
  /// The way in which the server reports changes.
  public enum Method: String, Hashable, Sendable, CaseIterable {
    /// Replication if the server and the role allow it and the publication exists; otherwise notifications, if a table
    /// has the trigger.
    case automatic
    /// Logical decoding of the server's log, which reports rows.
    case replication
    /// `NOTIFY` by triggers, which reports tables.
    case notifications
  }

  /// A change of the connection that reports commits.
  public enum Event: Sendable {
    /// Commits are reported from now on, by replication or notifications.
    case connected(Method)
    /// Commits are not reported until the next connection.
    case disconnected(any Error)
  }

  public let publisher = ChangePublisher()
  /// The database.
  public let database: PostgreSQLDatabase
  /// The method that was requested.
  public let method: Method
  /// The name of the publication.
  public let publication: String
  /// The name of the channel for notifications.
  public let channel: String
  /// The time for which the source stays connected without observations.
  public let idleTime: Duration

  private struct State {
    /// Opened when commits are reported for the first time; `nil` if the source is not connected.
    var gate: StartGate?
    var task: Task<Void, Never>?
    /// The way in which changes are reported.
    var reported: ChangeChannel?
    var dependencies: [[TableName]: TableDependencies] = [:]
    /// The number of reported changes of the schema.
    var schemaVersion = 0

    /// Forgets the connection, and returns its task.
    mutating func reset() -> Task<Void, Never>? {
      defer {
        gate = nil
        task = nil
        reported = nil
        dependencies = [:]
      }
      return task
    }
  }

  private let state = Mutex(State())
  private let onEvent: (@Sendable (Event) -> Void)?

  /// Creates a source. It connects when something is observed.
  ///
  /// - Parameters:
  ///   - database: The database. Its pool's connections must be to the primary server.
  ///   - method: The way in which the server reports changes.
  ///   - publication: The name of the publication that contains the observed tables, for replication.
  ///   - channel: The name of the channel, for notifications.
  ///   - idleTime: The time for which the source stays connected without observations.
  ///   - onEvent: Called when the connection begins or ends.
  public init(
    _ database: PostgreSQLDatabase, method: Method = .automatic, publication: String = "holt",
    channel: String = "holt", idleTime: Duration = .seconds(1),
    onEvent: (@Sendable (Event) -> Void)? = nil
  ) {
    self.database = database
    self.method = method
    self.publication = publication
    self.channel = channel
    self.idleTime = idleTime
    self.onEvent = onEvent
  }

  deinit { state.withLock { $0.task }?.cancel() }

  // MARK: ChangeSource

  public func beginObserving() async throws {
    let (gate, isNew) = state.withLock { state in
      if let gate = state.gate { return (gate, false) }
      let gate = StartGate()
      state.gate = gate
      return (gate, true)
    }
    if isNew {
      let connection = ChangeConnection(self, onEvent: onEvent)
      let task = Task.detached { [weak self] in
        await connection.run(gate) { [weak self] in self?.didConnect($0, gate) }
        self?.didEnd(gate)
      }
      state.withLock { if $0.gate === gate { $0.task = task } else { task.cancel() } }
    }
    if !gate.isOpen { try await gate.wait() }
  }

  public func endObserving() {
    Task { [weak self, idleTime] in
      try? await Task.sleep(for: idleTime)
      self?.disconnectIfIdle()
    }
  }

  /// Closes the connection that reports commits, unless something is observed.
  private func disconnectIfIdle() {
    let task = state.withLock { publisher.isObserved ? nil : $0.reset() }
    task?.cancel()
  }

  private func didConnect(_ channel: ChangeChannel, _ gate: StartGate) {
    state.withLock { state in
      guard state.gate === gate else { return }
      state.reported = channel
      state.dependencies = [:]
    }
  }

  private func didEnd(_ gate: StartGate) {
    state.withLock { if $0.gate === gate { _ = $0.reset() } }
  }

  /// Ends all observations with an error of code `closed`, and closes the connection that reports commits. A later
  /// observation connects again.
  public func close() async {
    publisher.end(
      throwing: PostgreSQLError(code: .closed, message: "the source of changes is closed"))
    let task = state.withLock { $0.reset() }
    task?.cancel()
    await task?.value
  }

  /// The time for which a snapshot is requested again if the server is not available.
  private static let reconnectionTime = Duration.seconds(30)

  public func withSnapshot(
    _ body: @Sendable (PostgreSQLConnection, @Sendable (UInt64) -> Bool) async -> Void
  ) async throws {
    let hasBegun = Atomic(false)
    let start = ContinuousClock.now
    var delay = Duration.milliseconds(20)
    while true {
      do {
        let options = PostgreSQLTransactionOptions(isolation: .repeatableRead, isReadOnly: true)
        return try await database.transaction(options) { connection in
          let snapshot = try await Self.snapshot(of: connection)
          hasBegun.store(true, ordering: .relaxed)
          await body(connection) { snapshot.shows(UInt32(truncatingIfNeeded: $0)) }
        }
      } catch {
        guard !hasBegun.load(ordering: .relaxed), isTemporary(error),
          start.duration(to: .now) < Self.reconnectionTime
        else { throw error }
        try await Task.sleep(for: delay)
        delay = min(delay * 2, .seconds(1))
      }
    }
  }

  private static func snapshot(
    of connection: PostgreSQLConnection
  ) async throws -> TransactionSnapshot {
    var text: String?
    var isStandby = false
    try await connection.result(
      of: "SELECT pg_catalog.pg_current_snapshot()::text, pg_catalog.pg_is_in_recovery()"
    ).forEach { row in
      text = try row.read(String.self, at: 0)
      isStandby = try row.read(Bool.self, at: 1)
    }
    guard !isStandby else {
      throw RouterError(
        code: .unsupported,
        message: """
          live values can't be read from a standby: use a database with \
          `PostgreSQLConfiguration.targetSession` `.primary`
          """)
    }
    guard let snapshot = text.flatMap(TransactionSnapshot.init) else {
      throw RouterError(code: .mismatch, message: "the server's snapshot has an unknown format")
    }
    return snapshot
  }

  public func isTemporary(_ error: any Error) -> Bool {
    if error is RepeatableFetchError { return true }
    return (error as? PostgreSQLError)?.isTemporary == true
  }

  // MARK: Dependencies

  /// The age at which dependencies are read again.
  private static let maximumAge = Duration.seconds(60)

  /// Returns the dependencies of tables.
  ///
  /// - Throws: `RouterError` with code `unsupported` if the changes of a table are not reported; errors of the server.
  func dependencies(
    of tables: Set<TableName>, on access: some PostgreSQLAccess
  ) async throws -> TableDependencies {
    let names = tables.sorted { ($0.schema, $0.name) < ($1.schema, $1.name) }
    let (reported, known) = state.withLock { ($0.reported, $0.dependencies[names]) }
    if let known, known.age < Self.maximumAge { return known }
    // Before the first connection, the method is not known.
    let channel: ChangeChannel
    if let reported {
      channel = reported
    } else {
      channel = try await ChangeChannel.find(for: self, on: access)
    }
    let found = try await TableDependencies(of: names, reportedBy: channel, on: access)
    state.withLock { state in
      if state.reported == channel { state.dependencies[names] = found }
    }
    return found
  }

  /// Discards the known dependencies, because the schema has changed.
  func schemaDidChange() {
    state.withLock { state in
      state.dependencies = [:]
      state.schemaVersion += 1
    }
  }

  /// The number of changes of the schema that were reported.
  var schemaVersion: Int { state.withLock { $0.schemaVersion } }
}

/// The failure of a fetch that succeeds if it is repeated in another snapshot.
struct RepeatableFetchError: Error {}

extension PostgreSQLError {
  /// Indicates whether the server is not available at the moment.
  var isTemporary: Bool {
    switch kind {
    case .unavailable: code != .closed && code != .accessEnded
    case .busy, .limitExceeded, .conflict: true
    default: false
    }
  }
}

/// A place where tasks wait for the first connection.
final class StartGate: Sendable {
  private struct State {
    var result: Result<Void, any Error>?
    var waiters: [UInt64: CheckedContinuation<Void, any Error>] = [:]
    var lastID: UInt64 = 0
  }

  private let state = Mutex(State())

  var isOpen: Bool {
    state.withLock { state in
      if case .success = state.result { true } else { false }
    }
  }

  /// Ends all waits.
  ///
  /// - Returns: `false` if they were ended before.
  @discardableResult
  func open(_ result: Result<Void, any Error>) -> Bool {
    let waiters: [CheckedContinuation<Void, any Error>]? = state.withLock { state in
      guard state.result == nil else { return nil }
      state.result = result
      defer { state.waiters = [:] }
      return Array(state.waiters.values)
    }
    for waiter in waiters ?? [] { waiter.resume(with: result) }
    return waiters != nil
  }

  /// Waits until the gate is opened.
  func wait() async throws {
    let id = state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let result: Result<Void, any Error>? = state.withLock { state in
          if let result = state.result { return result }
          if Task.isCancelled { return .failure(CancellationError()) }
          state.waiters[id] = continuation
          return nil
        }
        if let result { continuation.resume(with: result) }
      }
    } onCancel: {
      state.withLock { $0.waiters.removeValue(forKey: id) }?
        .resume(throwing: CancellationError())
    }
  }
}
