import SQLiteCore

@testable import Relations

/// A list's state with an array as its database, in which every call pauses at each of its suspension points.
///
/// Each step advances one of the running calls or begins another one, so that all their parts interleave. The expected
/// result is an array to which each edit is applied by key.
struct ListMachine {
  typealias State = ManyRelation<Tune>.State
  typealias Element = ManyRelation<Tune>.Element

  private struct Link {
    var position: Int64
    let target: Int
  }

  /// A call and its progress.
  private enum Call {
    case waitingLoad(ListSchedule.LoadID, ManyRelation<Tune>.Load)
    case reading(
      ListSchedule.LoadID, ManyRelation<Tune>.Load, ManyRelation<Tune>.ReadRequest, revision: UInt64
    )
    case loaded(
      ListSchedule.LoadID, ManyRelation<Tune>.Load, ManyRelation<Tune>.ReadRequest,
      revision: UInt64,
      [Link])
    /// A read of many lists in one statement, which does not wait for other loads.
    case readingAll(revision: UInt64)
    case loadedAll(revision: UInt64, [Link])
    case saving(State, fails: Bool)
    case saved(SavedList<Tune>, LinkChanges)
    case failed
    case following(version: UInt64, count: Int)
    case followed(version: UInt64, [Link], isComplete: Bool)
    case deleting(Int)
    case deleted(Int)

    var isSave: Bool {
      switch self {
      case .saving, .saved, .failed, .deleting, .deleted: true
      default: false
      }
    }
    var isFollower: Bool {
      switch self {
      case .following, .followed: true
      default: false
      }
    }
  }

  private let owner: RelationOwner
  private let table: LinkTable
  private let metadata: TableMetadata
  private var random: ModelRandom
  private var state = State()
  private var links: [Link] = []
  private var calls: [Call] = []
  private var waiting: Set<ListSchedule.LoadID> = []
  private var clock: UInt64 = 1
  private var isTouched = false
  /// A Boolean value that indicates whether steps no longer fail.
  private var isFinishing = false
  private var last = 100

  /// All songs, whether they are fetched or saved.
  private var wanted: [Int]
  /// The songs that were last shown, with the edits since.
  private var seen: [Int] = []
  private(set) var failures: [String] = []
  private(set) var log: [String] = []
  /// The number of steps of each kind.
  private(set) var counts: [String: Int] = [:]

  init(seed: UInt64, session: ModelSession) throws {
    random = ModelRandom(seed: seed)
    owner = RelationOwner(session: session, type: Playlist.Value.self, key: .integer(7))
    metadata = try TableMetadata.of(Playlist.Value.self)
    table = LinkTable(
      owner: metadata, property: "songs", target: Tune.self,
      onDeleteTarget: .cascade)
    wanted = Array(1..<(1 + Int.random(in: 0...9, using: &random)))
    links = wanted.map { Link(position: Int64($0) * 10, target: $0) }
    state.metadata.owner = owner
  }

  private mutating func chance(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

  private mutating func note(_ step: String, _ detail: String = "") {
    counts[step, default: 0] += 1
    log.append(detail.isEmpty ? step : "\(step) \(detail)")
  }

  private mutating func tick() -> UInt64 {
    clock += 1
    return clock
  }

  // MARK: Steps

  mutating func step() {
    if !calls.isEmpty, chance(3) > 0 { return advance(chance(calls.count)) }
    switch chance(14) {
    case 0, 1: beginLoad(.next)
    case 2: beginLoad(.again)
    case 3: beginLoad(.first(chance(2) == 0 ? nil : 1 + chance(6)))
    case 4:
      note("reads all")
      calls.append(.readingAll(revision: tick()))
    case 5, 6: beginSave()
    case 7: follow()
    case 8: beginDeletion()
    case 9, 10: look()
    default: edit()
    }
  }

  /// Advances all calls to their ends.
  mutating func settle() {
    var steps = 0
    while !calls.isEmpty || isTouched {
      if isTouched { follow() }
      if !calls.isEmpty { advance(chance(calls.count)) }
      steps += 1
      if steps > 10_000 { return failures.append("calls do not end: \(calls.count)") }
    }
  }

  /// Saves and fetches everything, and compares the result with the expected songs.
  mutating func finish() {
    isFinishing = true
    settle()
    look()
    beginSave()
    settle()
    if links.map(\.target) != wanted {
      failures.append("it is stored as \(links.map(\.target)), and is \(wanted)")
    }
    isTouched = true
    settle()
    look()
    for _ in 0..<1_000 {
      beginLoad(.next)
      settle()
      look()
      if !state.hasMore { break }
    }
    if seen != wanted { failures.append("all of it is \(seen), and should be \(wanted)") }
    if state.isChanged { failures.append("nothing is left to be saved") }
  }

  private mutating func advance(_ index: Int) {
    let call = calls.remove(at: index)
    switch call {
    case .waitingLoad(let id, let load):
      if waiting.contains(id) { return calls.append(call) }
      read(id, load)
    case .reading(let id, let load, let reading, let revision):
      note("load reads")
      calls.append(.loaded(id, load, reading, revision: revision, rows(reading)))
    case .loaded(let id, let load, let reading, let revision, let found):
      guard isFinishing || chance(12) > 0 else {
        note("load fails")
        return end(id)
      }
      guard reading.cursor != nil || state.isEnough(reading.limit),
        state.schedule.finishRead(at: revision)
      else {
        note("load reads again")
        return begin(id, load)
      }
      note("load shows", "\(found.map(\.target))")
      show(found, reading)
      end(id)
      // A load of fewer rows than there were is followed by a read.
      if case .first(_?) = load { look() }
    case .readingAll(let revision): calls.append(.loadedAll(revision: revision, links))
    case .loadedAll(let revision, let found):
      guard state.schedule.isIdle, state.schedule.finishRead(at: revision) else {
        note("read of all is refused")
        return beginLoad(.first(nil))
      }
      note("read of all shows", "\(found.map(\.target))")
      show(found, ManyRelation.ReadRequest(limit: nil, cursor: nil))
    case .saving(let planned, let fails):
      if fails {
        note("save fails")
        return calls.append(.failed)
      }
      note("save commits")
      isTouched = true
      let saved = SavedList(planned, [:], isChecked: true)
      calls.append(.saved(saved, write(planned)))
    case .saved(let saved, let changes):
      note("save is noted")
      state.preserveShownOrder()
      state.applySavedPositions(saved, changes, FlushResult())
      state.updateIsChanged()
      state.schedule.recordWrite(at: tick())
      drop()
      endSave()
    case .failed: endSave()
    case .following(let version, let count):
      let whole = links.count <= count
      let shown = Set(state.elements.compactMap { $0.position == nil ? nil : $0.object.id })
      let some = Array(links.prefix(count + 1))
      let isEnough = whole || shown.isSubset(of: some.map(\.target))
      calls.append(
        .followed(version: version, isEnough ? some : links, isComplete: whole || !isEnough))
    case .followed(let version, let found, let isComplete):
      guard state.metadata.version == version else {
        note("arrival is refused")
        isTouched = true
        return
      }
      note("arrival", "\(found.map(\.target))")
      let answer = (
        rows: found.map(Self.found), isComplete: isComplete
      )
      if state.isShown(answer) { return }
      state.metadata.version += 1
      state.pendingResult = answer
    case .deleting(let id):
      note("deletes", "\(id)")
      links.removeAll { $0.target == id }
      calls.append(.deleted(id))
    case .deleted(let id):
      wanted.removeAll { $0 == id }
      _ = state.applyDeletion(KeyMap<Void>([[.integer(Int64(id))]], .binary), at: tick())
      isTouched = true
    }
  }

  // MARK: Loading

  private mutating func beginLoad(_ load: ManyRelation<Tune>.Load) {
    note("load", "\(load)")
    begin(state.schedule.makeID(), load)
  }

  private mutating func begin(_ id: ListSchedule.LoadID, _ load: ManyRelation<Tune>.Load) {
    if state.schedule.begin(id) { return read(id, load) }
    note("load waits")
    waiting.insert(id)
    calls.append(.waitingLoad(id, load))
  }

  private mutating func read(_ id: ListSchedule.LoadID, _ load: ManyRelation<Tune>.Load) {
    absorb()
    let reading = state.readRequest(load, initial: 3, limit: 2)
    calls.append(.reading(id, load, reading, revision: tick()))
  }

  private mutating func end(_ id: ListSchedule.LoadID) { resume(state.schedule.end(id)) }

  private mutating func endSave() { resume(state.schedule.endSave()) }

  private mutating func resume(_ id: ListSchedule.LoadID?) {
    guard let id else { return }
    if waiting.remove(id) == nil { failures.append("a load is resumed that does not wait") }
  }

  private func rows(_ reading: ManyRelation<Tune>.ReadRequest) -> [Link] {
    var found = links
    if let cursor = reading.cursor, case .integer(let position) = cursor.first {
      found.removeAll { $0.position <= position }
    }
    return reading.limit.map { Array(found.prefix($0 + 1)) } ?? found
  }

  private mutating func show(_ found: [Link], _ reading: ManyRelation<Tune>.ReadRequest) {
    let rows = found.prefix(reading.limit ?? found.count)
    if state.pendingResult != nil { isTouched = true }
    state.show(
      rows.map { Element(position: $0.position, object: Tune(id: $0.target)) },
      ManyRelation.Page(
        isFirst: reading.cursor == nil, hasMore: found.count > rows.count,
        last: rows.last.map { [.integer($0.position)] }), hasPositions: true)
  }

  // MARK: Saving

  private mutating func beginSave() {
    // Saves and deletions of a session are serialized.
    guard !calls.contains(where: \.isSave) else { return }
    if state.schedule.isIdle { absorb() }
    guard state.isChanged else { return }
    note("save", "\(state.elements.map(\.object.id)) and \(state.tail.map(\.object.id))")
    state.numberElements()
    state.schedule.beginSave()
    calls.append(.saving(state, fails: !isFinishing && chance(6) == 0))
  }

  private mutating func beginDeletion() {
    guard !calls.contains(where: \.isSave), let link = links.randomElement(using: &random) else {
      return
    }
    calls.append(.deleting(link.target))
  }

  /// Writes the plan of a list, identifying links by the keys of their rows, which are distinct.
  private mutating func write(_ planned: State) -> LinkChanges {
    let write = LinkWrite(
      planned, table,
      ListOwner(
        owner: owner, metadata: metadata, property: "songs", key: [.integer(7)], step: nil),
      [:])
    func id(_ key: [SQLiteValue]?) -> Int {
      if case .integer(let id)? = key?.first { Int(id) } else { 0 }
    }
    let shown = Set(write.kept.map { id($0.target) })
    for removed in write.removed { links.removeAll { $0.target == id(removed.target) } }
    var changes = LinkChanges()
    var order = links.map(\.target)
    for run in write.insertions {
      var place = 0
      for known in write.kept.prefix(run.after.map { $0 + 1 } ?? 0).reversed() {
        guard let found = order.firstIndex(of: id(known.target)) else { continue }
        place = found + 1
        break
      }
      order.insert(contentsOf: run.elements.map { id($0.key) }, at: place)
    }
    order += write.appended.map { id($0.key) }
    // Sometimes all positions change.
    let first = Int64(chance(3)) * 5
    let isSpread = !write.insertions.isEmpty || !write.onlyAppends && chance(2) == 0
    var next = links.last?.position ?? 0
    links = order.enumerated().map { index, target in
      if isSpread { return Link(position: first + Int64(index + 1) * 10, target: target) }
      if let link = links.first(where: { $0.target == target }) { return link }
      next += 10
      return Link(position: next, target: target)
    }
    let positions = Dictionary(uniqueKeysWithValues: links.map { ($0.target, $0.position) })
    let new = write.insertions.flatMap(\.elements) + write.appended
    for element in new { changes.addedPositions[element.number] = positions[id(element.key)] }
    if !write.onlyAppends {
      let known = planned.elements.filter { $0.position != nil }
      changes.keptPositions = known.map { positions[$0.object.id] }
    }
    let all = Set(planned.elements.map(\.object.id)).union(shown)
    changes.hasOthers = links.contains { !all.contains($0.target) }
    let lastShown = links.lastIndex { all.contains($0.target) } ?? 0
    changes.hasOthersBefore = links.prefix(lastShown).contains { !all.contains($0.target) }
    return changes
  }

  // MARK: Subscription

  private mutating func follow() {
    isTouched = false
    guard !calls.contains(where: \.isFollower) else {
      isTouched = true
      return
    }
    let count = state.elements.count + state.tail.count + state.removed.count
    calls.append(.following(version: state.metadata.version, count: count))
  }

  private mutating func drop() {
    if state.pendingResult != nil { isTouched = true }
    state.pendingResult = nil
    state.metadata.version += 1
  }

  private static func found(_ link: Link) -> ListQuery<Tune>.ListedRow {
    ListQuery<Tune>.ListedRow(
      position: link.position, cursor: [.integer(link.position)],
      fetched: ModelSession.FetchedRow(row: Tune(id: link.target), relations: []))
  }

  private mutating func absorb() {
    guard let (arrival, _) = state.removePendingRefresh(isInverse: false) else { return }
    note("arrival is shown")
    state.show(
      arrival.rows.map { Element(position: $0.position, object: $0.fetched.row) }, arrival,
      hasPositions: true)
  }

  // MARK: Reading and editing

  private mutating func look() {
    if state.schedule.isIdle { absorb() }
    seen = state.rowsForDisplay().map(\.id)
    note("look", "\(seen)")
    var left = seen[...]
    for song in wanted where song == left.first { left.removeFirst() }
    if !left.isEmpty { failures.append("it shows \(seen), and is \(wanted)") }
  }

  private mutating func edit() {
    switch chance(5) {
    case 0:
      last += 1
      note("appends", "\(last)")
      mark(state.append([Element(object: Tune(id: last), isAppended: true)]))
      wanted.append(last)
      look()
    case 1, 2:
      last += 1
      let index = chance(seen.count + 1)
      note("inserts", "\(last) at \(index)")
      mark(state.insert([Tune(id: last)], at: index))
      put(last, at: index)
    case 3:
      guard !seen.isEmpty else { return }
      let index = chance(seen.count)
      note("removes", "\(seen[index])")
      mark(state.remove(at: index, hasPositions: true))
      let song = seen.remove(at: index)
      wanted.removeAll { $0 == song }
    default:
      guard !seen.isEmpty else { return }
      let (from, to) = (chance(seen.count), chance(seen.count))
      note("moves", "\(seen[from]) to \(to)")
      mark(state.move(from: from, to: to, hasPositions: true))
      let song = seen.remove(at: from)
      let isThere = wanted.contains(song)
      wanted.removeAll { $0 == song }
      if isThere { put(song, at: to) } else { seen.insert(song, at: to) }
    }
  }

  private mutating func mark(_ moves: [ManyRelation<Tune>.Move]) {
    if !moves.isEmpty { state.isChanged = true }
  }

  /// Inserts a song at an index of the shown songs, after the nearest preceding song that still exists.
  private mutating func put(_ song: Int, at index: Int) {
    var place = 0
    for other in seen[..<index].reversed() {
      guard let found = wanted.firstIndex(of: other) else { continue }
      place = found + 1
      break
    }
    wanted.insert(song, at: place)
    seen.insert(song, at: index)
  }
}
