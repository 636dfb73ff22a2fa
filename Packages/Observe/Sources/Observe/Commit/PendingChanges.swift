internal import SQLiteCore

/// What the transaction that runs has changed so far, in nested frames: one for the transaction, and
/// one for each savepoint that is open. Undoing a savepoint drops what came since.
struct PendingChanges {
  /// How much a change set holds at most. Beyond it, tables and columns are told, and no rows.
  struct Limits: Sendable {
    var rows = 1_000
    var bytes = 256 * 1_024
  }

  private let limits: Limits
  private var frames = [PendingFrame(savepoint: nil)]
  /// What the frames hold together.
  private var heldRows = 0
  private var heldBytes = 0

  init(limits: Limits = Limits()) { self.limits = limits }

  mutating func record(_ change: borrowing RowChange) {
    let isBlobWrite = change.kind == .delete && change.blobColumn != nil
    var bytes = 0
    for index in 0..<change.columnCount { bytes += 32 + change.byteCount(at: ColumnIndex(index)) }
    let fits = heldRows < limits.rows && heldBytes + bytes <= limits.bytes
    let top = frames.count - 1
    let position = frames[top].position(of: change.table)
    if frames[top].tables[position].isExact {
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

  /// A statement has failed: whether the rows that it reported last are changed can't be told.
  mutating func statementDidFail() {
    for position in frames[frames.count - 1].tables.indices {
      frames[frames.count - 1].tables[position].forgetRows()
    }
    weigh()
  }

  mutating func schemaDidChange() { frames[frames.count - 1].schemaChanged = true }

  mutating func savepointDidChange(_ event: SavepointEvent) {
    guard event.kind != .begin else {
      frames.append(PendingFrame(savepoint: ColumnName(event.name)))
      return
    }
    // Of several savepoints of one name, the last is meant.
    let name = ColumnName(event.name)
    guard let position = frames.lastIndex(where: { $0.savepoint == name }) else { return }
    let undone = event.kind == .rollback
    for frame in frames[position...] where !undone { frames[position - 1].append(frame) }
    frames.removeSubrange(position...)
    if undone {
      frames.append(PendingFrame(savepoint: name))
      weigh()
    }
  }

  /// Everything that was changed; nothing is pending then.
  mutating func takeAll() -> PendingFrame {
    defer { removeAll() }
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
  /// Savepoints are told apart as columns are: regardless of ASCII's case.
  let savepoint: ColumnName?
  var tables: [PendingTable] = []
  var schemaChanged = false
  private var positions: [TableName: Int] = [:]
  private var last = 0

  init(savepoint: ColumnName?) { self.savepoint = savepoint }

  var isEmpty: Bool { tables.isEmpty && !schemaChanged }

  /// Where a table stands in ``tables``: changes come in runs of one table.
  mutating func position(of table: TableName) -> Int {
    if last < tables.count, tables[last].name.name == table.name,
      tables[last].name.schema == table.schema
    {
      return last
    }
    if let known = positions[table] {
      last = known
    } else {
      last = tables.count
      positions[table] = last
      tables.append(PendingTable(name: table))
    }
    return last
  }

  /// Adds what came later.
  mutating func append(_ later: PendingFrame) {
    schemaChanged = schemaChanged || later.schemaChanged
    for table in later.tables {
      let position = position(of: table.name)
      tables[position].append(table)
    }
  }
}

/// The changes to one table.
struct PendingTable {
  let name: TableName
  /// Every change, while they are all known; none where ``residue`` stands for them.
  var events: [RowEvent] = []
  var bytes = 0
  var isExact = true
  var residue = Residue()

  init(name: TableName) { self.name = name }

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
    residue.formUnion(later.residue)
  }
}
