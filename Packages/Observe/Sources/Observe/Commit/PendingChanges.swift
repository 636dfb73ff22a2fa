internal import SQLiteCore

/// The changes of the current transaction, in nested frames: one for the transaction and one for each open savepoint.
/// Rolling back a savepoint discards the frames after it.
struct PendingChanges {
  /// The maximum size of a change set. Beyond it, only tables and columns are recorded.
  struct Limits: Sendable {
    var rows = 1_000
    var bytes = 256 * 1_024
  }

  private let limits: Limits
  /// Returns whether a table's rows may be needed; called when the table's first row changes.
  private let wantsRows: (TableName) -> Bool
  private var frames = [PendingFrame(savepoint: nil)]
  /// The totals of all frames.
  private var heldRows = 0
  private var heldBytes = 0

  init(
    limits: Limits = Limits(), wantsRows: @escaping (TableName) -> Bool = { _ in true }
  ) {
    self.limits = limits
    self.wantsRows = wantsRows
  }

  /// Returns whether the last change was to the same table: changes to a table come in runs.
  func isLast(_ table: TableName) -> Bool { frames[frames.count - 1].isLast(table) }

  mutating func record(_ change: borrowing Hooks.RowChange) {
    let top = frames.count - 1
    let position = frames[top].position(of: change.table) { wantsRows($0) }
    if !frames[top].tables[position].isWanted {
      frames[top].tables[position].residue.add(unwanted: change)
      return
    }
    if frames[top].tables[position].isExact {
      let isBlobWrite = change.kind == .delete && change.blobColumn != nil
      var bytes = 0
      for index in 0..<change.columnCount { bytes += 32 + change.byteCount(at: ColumnIndex(index)) }
      let fits = heldRows < limits.rows && heldBytes + bytes <= limits.bytes
      if fits && !isBlobWrite {
        frames[top].tables[position].events.append(RowEvent(change))
        frames[top].tables[position].bytes += bytes
        heldRows += 1
        heldBytes += bytes
        return
      }
      frames[top].tables[position].forgetRows()
      weigh()
    }
    frames[top].tables[position].residue.add(change)
  }

  /// Records a run of a statement whose changes are not reported.
  mutating func record(_ run: UnwatchedRun) { frames[frames.count - 1].add(run) }

  /// Called when a statement failed: whether the rows that it last reported were changed is unknown.
  mutating func statementDidFail() {
    for position in frames[frames.count - 1].tables.indices {
      frames[frames.count - 1].tables[position].forgetRows()
    }
    weigh()
  }

  var isEmpty: Bool { frames.allSatisfy(\.isEmpty) }

  mutating func schemaDidChange() { frames[frames.count - 1].schemaChanged = true }

  mutating func savepointDidChange(_ event: Hooks.SavepointEvent) {
    guard event.kind != .begin else {
      frames.append(PendingFrame(savepoint: Region.ColumnName(event.name)))
      return
    }
    // If several savepoints have the same name, the innermost is meant.
    let name = Region.ColumnName(event.name)
    guard let position = frames.lastIndex(where: { $0.savepoint == name }) else { return }
    let undone = event.kind == .rollback
    for frame in frames[position...] where !undone { frames[position - 1].append(frame) }
    frames.removeSubrange(position...)
    if undone {
      frames.append(PendingFrame(savepoint: name))
      weigh()
    }
  }

  /// The interest generation, if all statements so far ran without reports; `nil` if other changes are pending, or
  /// none.
  var interestOfUnwatched: UInt64? { frames.count == 1 ? frames[0].interestOfUnwatched : nil }

  mutating func forgetUnwatched() { frames[frames.count - 1].forgetUnwatched() }

  /// Returns all changes, and clears the pending changes.
  mutating func takeAll() -> PendingFrame {
    defer { removeAll() }
    if frames.count == 1 { return frames[0] }
    var all = frames[0]
    for frame in frames.dropFirst() { all.append(frame) }
    return all
  }

  mutating func removeAll() {
    frames = [PendingFrame(savepoint: nil)]
    heldRows = 0
    heldBytes = 0
  }

  private mutating func weigh() {
    heldRows = frames.reduce(0) { $0 + $1.tables.reduce(0) { $0 + $1.events.count } }
    heldBytes = frames.reduce(0) { $0 + $1.tables.reduce(0) { $0 + $1.bytes } }
  }
}

/// The changes since a transaction or a savepoint began.
struct PendingFrame {
  /// Savepoint names are compared like column names: ASCII letters are equal in either case.
  let savepoint: Region.ColumnName?
  var tables: [PendingTable] = []
  /// The statements whose changes were not reported, without duplicates.
  private(set) var unwatched: [UnwatchedRun] = []
  var schemaChanged = false
  private var positions: [TableName: Int] = [:]
  private var last = 0

  init(savepoint: Region.ColumnName?) { self.savepoint = savepoint }

  var isEmpty: Bool { tables.isEmpty && unwatched.isEmpty && !schemaChanged }

  var interestOfUnwatched: UInt64? {
    guard let first = unwatched.first, tables.isEmpty, !schemaChanged,
      unwatched.count == 1 || unwatched.allSatisfy({ $0.interest == first.interest })
    else { return nil }
    return first.interest
  }

  mutating func forgetUnwatched() { unwatched.removeAll(keepingCapacity: true) }

  mutating func add(_ run: UnwatchedRun) {
    if unwatched.last === run || unwatched.contains(where: { $0 === run }) { return }
    unwatched.append(run)
  }

  func isLast(_ table: TableName) -> Bool {
    last < tables.count && tables[last].name.name == table.name
      && tables[last].name.schema == table.schema
  }

  /// Returns the index of a table in ``tables``, adding the table if necessary.
  ///
  /// - Parameter isWanted: Returns whether the rows of a newly added table must be kept.
  mutating func position(of table: TableName, isWanted: (TableName) -> Bool) -> Int {
    if isLast(table) { return last }
    // The first table is found without the dictionary, which most transactions never need.
    let known = tables.first?.name == table ? 0 : positions[table]
    if let known {
      last = known
    } else {
      last = tables.count
      if last > 0 { positions[table] = last }
      tables.append(PendingTable(name: table, isWanted: isWanted(table)))
    }
    return last
  }

  /// Appends the changes of a later frame.
  mutating func append(_ later: PendingFrame) {
    schemaChanged = schemaChanged || later.schemaChanged
    for run in later.unwatched { add(run) }
    for table in later.tables {
      let position = position(of: table.name) { _ in table.isWanted }
      tables[position].append(table)
    }
  }
}

/// The changes to one table.
struct PendingTable {
  let name: TableName
  /// All changes, while `isExact` is true; afterwards ``residue`` summarizes them.
  var events: [RowEvent] = []
  var bytes = 0
  var isExact = true
  /// Whether row values are needed. Otherwise only the kinds of changes are recorded.
  var isWanted: Bool
  var residue = Residue()

  init(name: TableName, isWanted: Bool) {
    self.name = name
    self.isWanted = isWanted
    isExact = isWanted
  }

  mutating func forgetRows() {
    for event in events { residue.add(event) }
    events = []
    bytes = 0
    isExact = false
  }

  mutating func append(_ later: PendingTable) {
    if isExact && later.isExact {
      events += later.events
      bytes += later.bytes
      return
    }
    var later = later
    forgetRows()
    later.forgetRows()
    isWanted = isWanted && later.isWanted
    residue.formUnion(later.residue)
  }
}
