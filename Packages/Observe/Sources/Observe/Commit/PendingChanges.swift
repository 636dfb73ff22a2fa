internal import SQLiteCore

/// The changes of the current transaction, in nested frames: one for the transaction and one for
/// each open savepoint. Rolling back a savepoint discards the frames after it.
struct PendingChanges {
  /// The maximum size of a change set. Beyond it, only tables and columns are recorded.
  static let maximumRows = 1_000
  private static let maximumBytes = 256 * 1_024

  /// Returns whether a table's rows may be needed; called when the table's first row changes.
  private let wantsRows: (TableName) -> Bool
  private var frames = [PendingFrame(savepoint: nil)]
  /// The totals of all frames.
  private var storedRows = 0
  private var storedBytes = 0

  init(wantsRows: @escaping (TableName) -> Bool) { self.wantsRows = wantsRows }

  mutating func record(_ change: borrowing Hooks.RowChange) {
    let top = frames.count - 1
    let position = frames[top].position(of: change.table) { wantsRows($0) }
    if !frames[top].tables[position].capturesRows {
      frames[top].tables[position].summarize(withoutRows: change)
      return
    }
    if frames[top].tables[position].isExact {
      let isBlobWrite = change.kind == .delete && change.blobColumn != nil
      var bytes = 0
      for index in 0..<change.columnCount { bytes += 32 + change.byteCount(at: ColumnIndex(index)) }
      let fits = storedRows < Self.maximumRows && storedBytes + bytes <= Self.maximumBytes
      if fits && !isBlobWrite {
        frames[top].tables[position].events.append(RowEvent(change))
        frames[top].tables[position].bytes += bytes
        storedRows += 1
        storedBytes += bytes
        return
      }
      frames[top].tables[position].discardRows()
      recomputeSize()
    }
    frames[top].tables[position].summarize(change)
  }

  /// Records a run of a statement whose changes are not reported.
  mutating func record(_ write: UnobservedWrite) { frames[frames.count - 1].add(write) }

  /// Called when a statement failed: the rows that it reported last may not have been changed.
  mutating func statementDidFail() {
    for position in frames[frames.count - 1].tables.indices {
      frames[frames.count - 1].tables[position].discardRows()
    }
    recomputeSize()
  }

  var isEmpty: Bool { frames.allSatisfy(\.isEmpty) }

  mutating func schemaDidChange() { frames[frames.count - 1].schemaChanged = true }

  mutating func savepointDidChange(_ event: Hooks.SavepointEvent) {
    guard event.kind != .begin else {
      frames.append(PendingFrame(savepoint: Region.ColumnName(event.name)))
      return
    }
    // If several savepoints have the same name, the innermost one is affected.
    let name = Region.ColumnName(event.name)
    guard let position = frames.lastIndex(where: { $0.savepoint == name }) else { return }
    let undone = event.kind == .rollback
    for frame in frames[position...] where !undone { frames[position - 1].append(frame) }
    frames.removeSubrange(position...)
    if undone {
      frames.append(PendingFrame(savepoint: name))
      recomputeSize()
    }
  }

  /// The interest generation, if all pending changes are from statements that ran without reports;
  /// otherwise `nil`.
  var interestOfUnobserved: UInt64? { frames.count == 1 ? frames[0].interestOfUnobserved : nil }

  mutating func discardUnobserved() { frames[frames.count - 1].discardUnobserved() }

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
    storedRows = 0
    storedBytes = 0
  }

  private mutating func recomputeSize() {
    storedRows = frames.reduce(0) { $0 + $1.tables.reduce(0) { $0 + $1.events.count } }
    storedBytes = frames.reduce(0) { $0 + $1.tables.reduce(0) { $0 + $1.bytes } }
  }
}

/// The changes since a transaction or a savepoint began.
struct PendingFrame {
  /// Savepoint names are compared like column names: ASCII letters are equal in either case.
  let savepoint: Region.ColumnName?
  var tables: [PendingTable] = []
  /// The statements whose changes were not reported, without duplicates.
  private(set) var unobservedWrites: [UnobservedWrite] = []
  var schemaChanged = false
  private var positions: [TableName: Int] = [:]
  private var last = 0

  init(savepoint: Region.ColumnName?) { self.savepoint = savepoint }

  var isEmpty: Bool { tables.isEmpty && unobservedWrites.isEmpty && !schemaChanged }

  var interestOfUnobserved: UInt64? {
    guard let first = unobservedWrites.first, tables.isEmpty, !schemaChanged,
      unobservedWrites.count == 1 || unobservedWrites.allSatisfy({ $0.interest == first.interest })
    else { return nil }
    return first.interest
  }

  mutating func discardUnobserved() { unobservedWrites.removeAll(keepingCapacity: true) }

  mutating func add(_ write: UnobservedWrite) {
    let isKnown =
      unobservedWrites.last === write || unobservedWrites.contains { $0 === write }
    if isKnown { return }
    unobservedWrites.append(write)
  }

  private func isLast(_ table: TableName) -> Bool {
    last < tables.count && tables[last].name.name == table.name
      && tables[last].name.schema == table.schema
  }

  /// Returns the index of a table in ``tables``, adding the table if necessary.
  ///
  /// - Parameter capturesRows: Returns whether the rows of a newly added table must be kept.
  mutating func position(of table: TableName, capturesRows: (TableName) -> Bool) -> Int {
    if isLast(table) { return last }
    // The first table is found without the dictionary, which most transactions never need.
    let known = tables.first?.name == table ? 0 : positions[table]
    if let known {
      last = known
    } else {
      last = tables.count
      if last > 0 { positions[table] = last }
      tables.append(PendingTable(name: table, capturesRows: capturesRows(table)))
    }
    return last
  }

  /// Appends the changes of a later frame.
  mutating func append(_ later: PendingFrame) {
    schemaChanged = schemaChanged || later.schemaChanged
    for write in later.unobservedWrites { add(write) }
    for table in later.tables {
      let position = position(of: table.name) { _ in table.capturesRows }
      tables[position].append(table)
    }
  }
}

/// The changes to one table.
struct PendingTable {
  let name: TableName
  /// All changes, while `isExact` is true; afterwards ``kinds`` and ``changedColumns`` summarize
  /// them, so that no change is missed.
  var events: [RowEvent] = []
  var bytes = 0
  var isExact = true
  /// Indicates whether row values are needed. Otherwise only the kinds of changes are recorded.
  var capturesRows: Bool
  private(set) var kinds: ChangeSet.TableChange.Kinds = []
  /// The indices of the stored columns whose values updates may have changed.
  private(set) var changedColumns: Set<Int> = []

  init(name: TableName, capturesRows: Bool) {
    self.name = name
    self.capturesRows = capturesRows
    isExact = capturesRows
  }

  mutating func discardRows() {
    for event in events { summarize(event) }
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
    discardRows()
    later.discardRows()
    capturesRows = capturesRows && later.capturesRows
    kinds.formUnion(later.kinds)
    changedColumns.formUnion(later.changedColumns)
  }
}

extension PendingTable {
  private mutating func summarize(_ event: RowEvent) {
    summarize(event.kind, movesRow: event.oldRowID != event.newRowID)
    guard event.kind == .update else { return }
    for (index, pair) in zip(event.old, event.new).enumerated()
    where !pair.0.definitelyEquals(pair.1) {
      changedColumns.insert(index)
    }
  }

  /// Adds a change of a row whose values are not needed, at minimal cost: an update counts as a
  /// change of all columns.
  mutating func summarize(withoutRows change: borrowing Hooks.RowChange) {
    switch change.kind {
    case .insert: kinds.insert(.insert)
    case .update: kinds = .all
    // Writing to a blob incrementally is reported as a deletion, too.
    case .delete:
      if kinds != .all { kinds = change.blobColumn == nil ? kinds.union(.delete) : .all }
    }
  }

  /// Adds a change without copying its values.
  mutating func summarize(_ change: borrowing Hooks.RowChange) {
    if change.kind == .delete, let column = change.blobColumn {
      kinds.insert(.update)
      changedColumns.insert(column.rawValue)
      return
    }
    summarize(change.kind, movesRow: change.oldRowID != change.newRowID)
    guard change.kind == .update else { return }
    for index in 0..<change.columnCount where !changedColumns.contains(index) {
      if change.changesValue(at: ColumnIndex(index)) { changedColumns.insert(index) }
    }
  }

  private mutating func summarize(_ kind: Hooks.RowChange.Kind, movesRow: Bool) {
    switch kind {
    case .insert: kinds.insert(.insert)
    case .delete: kinds.insert(.delete)
    case .update: kinds.formUnion(movesRow ? .all : .update)
    }
  }
}
