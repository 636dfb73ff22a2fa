import SQLiteCore

/// A module with fixed rows and a configurable plan that records its calls and can throw in each callback.
final class Probe: VirtualTable.Module {
  enum Callback: String, CaseIterable, Sendable {
    case create, connect, destroy, bestIndex, open, filter, next, column, rowID
    case insert, update, delete
    case begin, sync, savepoint, release, rollbackToSavepoint
  }

  var kind = VirtualTable.ModuleKind.eponymousOnly
  var columns = [
    VirtualTable.Column("a"), VirtualTable.Column("b"),
    VirtualTable.Column("c", isHidden: true),
  ]
  var rows: [[SQLiteValue]] = [[1, "x", 10], [2, "y", 20], [3, "z", 30]]
  var infos: [VirtualTable.IndexInfo] = []
  /// The arguments of each query.
  var queries: [(number: Int32, text: String?, arguments: [SQLiteValue])] = []
  var plan: (VirtualTable.IndexInfo) throws -> VirtualTable.Plan? = { _ in VirtualTable.Plan() }
  /// Called with the arguments of each query.
  var onFilter: (borrowing FunctionArguments) throws -> Void = { _ in }
  /// Called in each callback.
  var onCall: (Callback) throws -> Void = { _ in }

  func create(_ table: TableName, arguments: [String]) throws -> Table {
    try onCall(.create)
    return Table(self)
  }

  func connect(_ table: TableName, arguments: [String]) throws -> Table {
    try onCall(.connect)
    return Table(self)
  }

  final class Table: VirtualTable.TransactionalTable {
    let columns: [VirtualTable.Column]
    private let probe: Probe

    init(_ probe: Probe) {
      self.probe = probe
      columns = probe.columns
    }

    func bestIndex(_ info: VirtualTable.IndexInfo) throws -> VirtualTable.Plan? {
      probe.infos.append(info)
      try probe.onCall(.bestIndex)
      return try probe.plan(info)
    }

    func open() throws -> Cursor {
      try probe.onCall(.open)
      return Cursor(probe: probe)
    }

    func destroy() throws { try probe.onCall(.destroy) }

    func insert(
      _ values: borrowing FunctionArguments, rowID: RowID?,
      onConflict: VirtualTable.ConflictResolution
    ) throws -> RowID {
      try probe.onCall(.insert)
      return rowID ?? 1
    }

    func update(
      _ rowID: RowID, to newRowID: RowID, _ values: borrowing FunctionArguments,
      onConflict: VirtualTable.ConflictResolution
    ) throws { try probe.onCall(.update) }

    func delete(_ rowID: RowID) throws { try probe.onCall(.delete) }
    func begin() throws { try probe.onCall(.begin) }
    func sync() throws { try probe.onCall(.sync) }
    func commit() {}
    func rollback() {}
    func savepoint(_ number: Int) throws { try probe.onCall(.savepoint) }
    func release(savepoint number: Int) throws { try probe.onCall(.release) }
    func rollback(toSavepoint number: Int) throws { try probe.onCall(.rollbackToSavepoint) }
  }

  struct Cursor: VirtualTable.Cursor {
    let probe: Probe
    private var position = 0

    init(probe: Probe) { self.probe = probe }

    mutating func filter(
      indexNumber: Int32, indexString: String?, _ arguments: borrowing FunctionArguments
    ) throws {
      var values: [SQLiteValue] = []
      for index in 0..<arguments.count { values.append(arguments[index]) }
      probe.queries.append((indexNumber, indexString, values))
      position = 0
      try probe.onFilter(arguments)
      try probe.onCall(.filter)
    }

    mutating func next() throws {
      position += 1
      try probe.onCall(.next)
    }

    var isAtEnd: Bool { position >= probe.rows.count }

    func column(_ column: ColumnIndex) throws -> SQLiteValue {
      try probe.onCall(.column)
      return probe.rows[position][column.rawValue]
    }

    func rowID() throws -> RowID {
      try probe.onCall(.rowID)
      return RowID(rawValue: Int64(position) + 1)
    }
  }
}

/// A connection with a probe under the name `probe`, on which a script has run.
func probed(_ script: SQL = "", _ probe: Probe = Probe()) throws -> (Connection, Probe) {
  let db = try memory()
  try db.register(module: probe, as: "probe")
  try db.execute(script)
  return (db, probe)
}
