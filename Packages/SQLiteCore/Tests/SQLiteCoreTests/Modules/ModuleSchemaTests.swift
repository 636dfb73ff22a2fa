import SQLiteCore
import Testing

@Suite(.needs(.virtualTableLists)) struct `Lists and literals as constraints of virtual tables` {
  @Test func `are passed to the cursor as a whole`() throws {
    let (db, probe) = try probed()
    var lists: [[SQLiteValue]] = []
    probe.onFilter = { lists.append(try $0.list(at: 0)) }
    probe.plan = { info in
      var plan = VirtualTable.Plan()
      for constraint in info.constraints where constraint.isList && constraint.isUsable {
        plan.useList(constraint)
      }
      return plan
    }
    let values = try db.values(Int.self, "SELECT a FROM probe WHERE a IN (3, 1, 7, 1)")
    #expect(values == [1, 3])
    #expect(try db.rows("SELECT a FROM probe WHERE b IN ('z', x'00', NULL)") == [[3]])
    try db.execute("CREATE TABLE t (x); INSERT INTO t VALUES (2), (1)")
    #expect(try db.values(Int.self, "SELECT a FROM probe WHERE a IN (SELECT x FROM t)") == [1, 2])
    #expect(lists == [[1, 3, 7], [nil, "z", .blob([0])], [1, 2]])
  }

  @Test func `are passed one value at a time if the plan does not use the list`() throws {
    let (db, probe) = try probed()
    probe.plan = { info in
      var plan = VirtualTable.Plan()
      for constraint in info.constraints where constraint.isList && constraint.isUsable {
        plan.use(constraint)
        plan.estimatedCost = 1
      }
      return plan
    }
    #expect(try db.values(Int.self, "SELECT a FROM probe WHERE a IN (3, 1)").sorted() == [1, 3])
    #expect(probe.queries.map(\.arguments) == [[1], [3]])
  }

  @Test func `are not lists for other operators or without being used as a list`() throws {
    let (db, probe) = try probed()
    _ = try db.prepare("SELECT a FROM probe WHERE a = 1 AND b > 2")
    #expect(probe.infos.last?.constraints.map(\.isList) == [false, false])
    probe.plan = { info in
      var plan = VirtualTable.Plan()
      plan.useList(info.constraints[0])
      return plan
    }
    let plan = #expect(throws: SQLiteError.self) {
      try db.rows("SELECT a FROM probe WHERE a = 1")
    }
    #expect(plan?.code == .misuse)
    probe.plan = { info in
      var plan = VirtualTable.Plan()
      plan.use(info.constraints[0])
      return plan
    }
    for index in [0, 1, -1] {
      probe.onFilter = { _ = try $0.list(at: index) }
      let error = #expect(throws: SQLiteError.self) {
        try db.rows("SELECT a FROM probe WHERE a = 1")
      }
      #expect(error?.code == .misuse)
    }
  }

  struct Case: CustomTestStringConvertible, Sendable {
    let condition: SQL
    let values: [SQLiteValue?]
    var testDescription: String { "\(condition)" }
  }

  @Test(arguments: [
    Case(condition: "a = 7", values: [7]),
    Case(condition: "a > -2.5", values: [-2.5]),
    Case(condition: "a = 'ä' AND b < x'01'", values: ["ä", .blob([1])]),
    Case(condition: "a = ?1", values: [nil]),
    Case(condition: "a IN (1, 2)", values: [nil]),
  ])
  func `have the values of literals`(_ expected: Case) throws {
    let (db, probe) = try probed()
    _ = try? db.prepare("SELECT a FROM probe WHERE \(sql: expected.condition)")
    #expect(probe.infos.first?.constraints.map(\.value) == expected.values)
  }
}

/// A module that stores its tables in shadow tables `…_data`, with the optional features of virtual tables.
final class Files: VirtualTable.Module {
  let kind = VirtualTable.ModuleKind.created
  var shadowNames: Set<String> = ["Data"]
  weak var connection: Connection?
  /// For each row, the columns that an update left unchanged.
  var unchanged: [[Bool]] = []
  var readColumns: [Int] = []
  var omitsUnchangedValues = true
  var fault: (_ isQuick: Bool) throws -> String? = { _ in nil }
  var onRename: (String) throws -> Void = { _ in }
  var overload: (String, Int) -> VirtualTable.FunctionOverload? = { _, _ in nil }
  var infos: [VirtualTable.IndexInfo] = []
  var usesFunction = false
  private(set) var arguments: [SQLiteValue] = []

  init(_ connection: Connection) { self.connection = connection }

  func create(_ table: TableName, arguments: [String]) throws -> Table {
    try connection?.execute("CREATE TABLE \(identifier: "\(table.name)_data") (a, b)")
    return Table(self, table.name)
  }

  func connect(_ table: TableName, arguments: [String]) -> Table { Table(self, table.name) }

  final class Table: VirtualTable.WritableTable, VirtualTable.RenamableTable,
    VirtualTable.OverloadingTable, VirtualTable.CheckableTable
  {
    let columns = [VirtualTable.Column("a"), VirtualTable.Column("b")]
    private let module: Files
    private var name: String

    init(_ module: Files, _ name: String) {
      self.module = module
      self.name = name
    }

    private var data: String { "\(name)_data" }
    var omitsUnchangedValues: Bool { module.omitsUnchangedValues }

    func bestIndex(_ info: VirtualTable.IndexInfo) -> VirtualTable.Plan? {
      module.infos.append(info)
      var plan = VirtualTable.Plan()
      if module.usesFunction {
        for constraint in info.constraints where constraint.operator == .function(5) {
          plan.use(constraint, omit: true)
        }
      }
      return plan
    }

    func open() throws -> Cursor {
      let rows = try module.connection?.rows("SELECT rowid, a, b FROM \(identifier: data)") ?? []
      return Cursor(module: module, rows: rows)
    }

    func insert(
      _ values: borrowing FunctionArguments, rowID: RowID?,
      onConflict: VirtualTable.ConflictResolution
    ) throws -> RowID {
      let (a, b) = (values[0], values[1])
      try module.connection?.run("INSERT INTO \(identifier: data) VALUES (\(a), \(b))")
      return RowID(rawValue: module.connection?.lastInsertedRowID.rawValue ?? 0)
    }

    func update(
      _ rowID: RowID, to newRowID: RowID, _ values: borrowing FunctionArguments,
      onConflict: VirtualTable.ConflictResolution
    ) throws {
      module.unchanged.append([values.isUnchanged(0), values.isUnchanged(1), values.isUnchanged(2)])
      for (index, column) in ["a", "b"].enumerated() where !values.isUnchanged(index) {
        let value = values[index]
        try module.connection?.run(
          """
          UPDATE \(identifier: data) SET \(identifier: column) = \(value)
          WHERE rowid = \(rowID.rawValue)
          """)
      }
    }

    func delete(_ rowID: RowID) throws {
      try module.connection?.run(
        "DELETE FROM \(identifier: data) WHERE rowid = \(rowID.rawValue)")
    }

    func rename(to name: String) throws {
      try module.onRename(name)
      try module.connection?.execute(
        "ALTER TABLE \(identifier: data) RENAME TO \(identifier: "\(name)_data")")
      self.name = name
    }

    func overload(of name: String, argumentCount: Int) -> VirtualTable.FunctionOverload? {
      module.overload(name, argumentCount)
    }

    func integrityFault(isQuick: Bool) throws -> String? { try module.fault(isQuick) }
  }

  struct Cursor: VirtualTable.Cursor {
    let module: Files
    let rows: [[SQLiteValue]]
    private var position = 0

    init(module: Files, rows: [[SQLiteValue]]) {
      self.module = module
      self.rows = rows
    }

    mutating func filter(
      indexNumber: Int32, indexString: String?, _ arguments: borrowing FunctionArguments
    ) {
      position = 0
      for index in 0..<arguments.count { module.arguments.append(arguments[index]) }
    }

    mutating func next() { position += 1 }
    var isAtEnd: Bool { position >= rows.count }

    func column(_ column: ColumnIndex) -> SQLiteValue {
      module.readColumns.append(column.rawValue)
      return rows[position][column.rawValue + 1]
    }

    func rowID() -> RowID {
      guard case .integer(let id) = rows[position][0] else { return RowID(rawValue: 0) }
      return RowID(rawValue: id)
    }
  }
}

@Suite struct `Virtual tables with shadow tables` {
  private let db: Connection
  private let files: Files

  init() throws {
    db = try memory()
    files = Files(db)
    try db.register(module: files, as: "files")
    try db.execute("CREATE VIRTUAL TABLE t USING files; INSERT INTO t VALUES (1, 2), (3, 4)")
  }

  @Test func `are notified of the columns that an update leaves unchanged`() throws {
    files.readColumns = []
    try db.run("UPDATE t SET b = 5 WHERE rowid = 1")
    #expect(files.readColumns.isEmpty)
    try db.run("UPDATE t SET a = b + 1, b = b WHERE rowid = 2")
    try db.run("UPDATE t SET a = NULL WHERE rowid = 1")
    #expect(
      files.unchanged == [[true, false, false], [false, false, false], [false, true, false]])
    #expect(try db.rows("SELECT * FROM t") == [[nil, 5], [5, 4]])
  }

  @Test func `receive all values unless they omit unchanged ones`() throws {
    files.omitsUnchangedValues = false
    try db.execute("CREATE VIRTUAL TABLE u USING files; INSERT INTO u VALUES (1, 2)")
    files.readColumns = []
    try db.run("UPDATE u SET b = 5")
    #expect(files.readColumns == [0])
    #expect(files.unchanged == [[false, false, false]])
    #expect(try db.rows("SELECT * FROM u") == [[1, 5]])
  }

  @Test func `are renamed together with their shadow tables`() throws {
    try db.execute("ALTER TABLE t RENAME TO u")
    #expect(try db.rows("SELECT * FROM u") == [[1, 2], [3, 4]])
    #expect(try db.count("u_data") == 2)
    files.onRename = { throw SQLiteError(code: .busy, message: "no \($0)") }
    let error = #expect(throws: SQLiteError.self) { try db.execute("ALTER TABLE u RENAME TO v") }
    #expect(error?.code == .busy)
    #expect(error?.message == "no v")
    #expect(try db.rows("SELECT * FROM u") == [[1, 2], [3, 4]])
    try db.register(module: Store(), as: "store")
    try db.execute("CREATE VIRTUAL TABLE s USING store; INSERT INTO s VALUES ('a', 1)")
    try db.execute("ALTER TABLE s RENAME TO r")
    #expect(try db.rows("SELECT * FROM r") == [], "the store is not told of the new name")
  }

  @Test func `can overload functions for their columns`() throws {
    files.overload = { name, count in
      guard name == "near", count == 2 else { return nil }
      return VirtualTable.FunctionOverload { arguments in
        guard case .integer(let a) = arguments[0], case .integer(let b) = arguments[1] else {
          throw SQLiteError(code: .mismatch, message: "near takes integers")
        }
        return abs(a - b) <= 1 ? 1 : 0
      }
    }
    try db.registerPlaceholder(for: "near", argumentCount: 2)
    #expect(try db.values(Int.self, "SELECT a FROM t WHERE NEAR(a, 2)") == [1, 3])
    #expect(try db.values(Int.self, "SELECT near(b, 3) FROM t WHERE a = 1") == [1])
    let error = #expect(throws: SQLiteError.self) { try db.rows("SELECT near(a, 'x') FROM t") }
    #expect(error?.code == .mismatch)
    #expect(error?.message == "near takes integers")
    let other = #expect(throws: SQLiteError.self) { try db.rows("SELECT near(1, 2)") }
    #expect(other?.code == .error)
  }

  @Test func `override functions of the connection`() throws {
    files.overload = { name, _ in
      name == "like" ? VirtualTable.FunctionOverload { _ in 1 } : nil
    }
    #expect(try db.values(Int.self, "SELECT a FROM t WHERE a LIKE 'x'") == [1, 3])
    #expect(try db.value(Int.self, "SELECT 'a' LIKE 'x'") == 0)
  }

  @Test func `can use calls of their functions in plans`() throws {
    files.overload = { name, _ in
      name == "within" ? VirtualTable.FunctionOverload(constraint: 5) { _ in 0 } : nil
    }
    files.usesFunction = true
    try db.registerPlaceholder(for: "within", argumentCount: 2)
    #expect(try db.values(Int.self, "SELECT a FROM t WHERE within(b, 9)") == [1, 3])
    #expect(files.infos.last?.constraints.map(\.column) == [1])
    #expect(files.arguments == [9])
  }

  @Test func `protect their shadow tables in defensive connections`() throws {
    try db.execute("CREATE TABLE t_other (x); CREATE TABLE u_data (x)")
    let error = #expect(throws: SQLiteError.self) { try db.run("DELETE FROM t_data") }
    #expect(error?.message.contains("may not be modified") == true)
    try db.run("DELETE FROM t_other")
    try db.run("DELETE FROM u_data")
    #expect(try db.count("t") == 2)
    files.shadowNames = []
    try db.register(module: files, as: "open")
    try db.execute("CREATE VIRTUAL TABLE v USING open; INSERT INTO v_data VALUES (1, 1)")
    #expect(try db.count("v") == 1)
  }

  @Test func `have shadow names without underscores`() throws {
    for name in ["", "a_b", "a\0"] {
      files.shadowNames = [name]
      let error = #expect(throws: SQLiteError.self) { try db.register(module: files, as: "f") }
      #expect(error?.code == .misuse)
    }
  }

  @Test(.needs(.virtualTableChecks)) func `are checked with their database`() throws {
    var asked: [Bool] = []
    files.fault = { isQuick in
      asked.append(isQuick)
      return nil
    }
    #expect(try db.values(String.self, "PRAGMA integrity_check") == ["ok"])
    #expect(try db.values(String.self, "PRAGMA quick_check") == ["ok"])
    #expect(asked == [false, true])
    files.fault = { _ in "t lost a row" }
    #expect(try db.values(String.self, "PRAGMA integrity_check") == ["t lost a row"])
    files.fault = { _ in throw SQLiteError(code: .ioError, message: "unreadable") }
    let error = #expect(throws: SQLiteError.self) { try db.rows("PRAGMA integrity_check") }
    #expect(error?.code == .ioError)
  }
}
