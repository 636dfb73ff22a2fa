import SQLiteCore
import Testing

@Suite struct `Plans of virtual tables` {
  struct Case: CustomTestStringConvertible, Sendable {
    let sql: SQL
    /// Each constraint as `column operator`, with `!` if it is not usable.
    var constraints: [String] = []
    var order: [String] = []
    var columns: [Int] = [0]
    var isGrouping = false
    var isDistinct = false
    /// The first SQLite version that passes these constraints.
    var version = 0
    var testDescription: String { "\(sql)" }
  }

  static let cases: [Case] = [
    Case(sql: "SELECT a FROM probe"),
    Case(sql: "SELECT rowid FROM probe", columns: []),
    Case(sql: "SELECT a, c FROM probe", columns: [0, 2]),
    Case(sql: "SELECT * FROM probe", columns: [0, 1]),
    Case(sql: "SELECT a FROM probe WHERE a = 1", constraints: ["0 ="]),
    Case(sql: "SELECT a FROM probe WHERE 1 = a", constraints: ["0 ="]),
    Case(sql: "SELECT a FROM probe WHERE a > 1 AND a <= 2", constraints: ["0 >", "0 <="]),
    Case(sql: "SELECT a FROM probe WHERE a < ?1 AND a >= ?1", constraints: ["0 <", "0 >="]),
    Case(sql: "SELECT a FROM probe WHERE a BETWEEN 1 AND 2", constraints: ["0 >=", "0 <="]),
    Case(sql: "SELECT a FROM probe WHERE a IN (1, 2)", constraints: ["0 ="]),
    Case(sql: "SELECT a FROM probe WHERE rowid = 1", constraints: ["rowid ="]),
    Case(sql: "SELECT a FROM probe WHERE a <> 1", constraints: ["0 <>"]),
    Case(sql: "SELECT a FROM probe WHERE a IS 1", constraints: ["0 IS"]),
    Case(sql: "SELECT a FROM probe WHERE a IS NOT 1", constraints: ["0 IS NOT"]),
    Case(sql: "SELECT a FROM probe WHERE a IS NULL", constraints: ["0 IS NULL"]),
    Case(sql: "SELECT a FROM probe WHERE a IS NOT NULL", constraints: ["0 IS NOT NULL"]),
    Case(sql: "SELECT a FROM probe WHERE a LIKE '%x'", constraints: ["0 LIKE"]),
    Case(sql: "SELECT a FROM probe WHERE a GLOB '*x'", constraints: ["0 GLOB"]),
    Case(sql: "SELECT a FROM probe WHERE a MATCH 'x'", constraints: ["0 MATCH"]),
    Case(sql: "SELECT a FROM probe(5)", constraints: ["2 ="], columns: [0, 2]),
    Case(sql: "SELECT a FROM probe WHERE a = 'x' COLLATE NOCASE", constraints: ["0 = NOCASE"]),
    Case(sql: "SELECT a FROM probe WHERE a + 1 = 2"),
    Case(sql: "SELECT a FROM probe ORDER BY a", order: ["0"]),
    Case(
      sql: "SELECT a FROM probe ORDER BY b DESC, rowid", order: ["1 DESC", "rowid"],
      columns: [0, 1]),
    Case(sql: "SELECT a FROM probe ORDER BY a + 1"),
    Case(
      sql: "SELECT a, count(*) FROM probe GROUP BY a", order: ["0"], isGrouping: true,
      version: 3_038_000),
    Case(
      sql: "SELECT DISTINCT a FROM probe", order: ["0"], isGrouping: true, isDistinct: true,
      version: 3_038_000),
    Case(
      sql: "SELECT a FROM probe LIMIT 5 OFFSET 2", constraints: ["LIMIT", "OFFSET"],
      version: 3_038_000),
  ]

  @Test(arguments: cases)
  func `receive the statement's constraints, order and columns`(_ expected: Case) throws {
    guard SQLiteLibrary.versionNumber >= expected.version else { return }
    let (db, probe) = try probed()
    // Without a value for its parameters: SQLite chooses a plan when it compiles the statement.
    _ = try? db.prepare(expected.sql)
    let info = try #require(probe.infos.first)
    // Since version 3.41, OFFSET comes before LIMIT.
    #expect(info.constraints.map(Self.text).sorted() == expected.constraints.sorted())
    #expect(
      info.orderBy.map { Self.text($0.column) + ($0.isDescending ? " DESC" : "") }
        == expected.order)
    #expect((0..<3).filter { info.uses(ColumnIndex($0)) } == expected.columns)
    #expect(info.needsOnlyGrouping == expected.isGrouping)
    #expect(info.allowsOmittingDuplicates == expected.isDistinct)
    #expect(!info.uses(-1))
  }

  private static func text(_ column: ColumnIndex?) -> String {
    column.map { "\($0.rawValue)" } ?? "rowid"
  }

  private static func text(_ constraint: VirtualTable.Constraint) -> String {
    let signs: [VirtualTable.Operator: String] = [
      .equal: "=", .greaterThan: ">", .lessThanOrEqual: "<=", .lessThan: "<",
      .greaterThanOrEqual: ">=", .match: "MATCH", .like: "LIKE", .glob: "GLOB", .notEqual: "<>",
      .isNot: "IS NOT", .isNotNull: "IS NOT NULL", .isNull: "IS NULL", .is: "IS",
      .limit: "LIMIT", .offset: "OFFSET",
    ]
    let sign = signs[constraint.operator] ?? "?"
    if constraint.operator == .limit || constraint.operator == .offset { return sign }
    return "\(text(constraint.column)) \(sign)"
      + (constraint.collation == "BINARY" ? "" : " \(constraint.collation)")
      + (constraint.isUsable ? "" : " !")
  }

  @Test func `are requested with and without the values of another table`() throws {
    let (db, probe) = try probed("CREATE TABLE t (x)")
    probe.plan = { info in
      var plan = VirtualTable.Plan()
      for constraint in info.constraints where constraint.isUsable { plan.use(constraint) }
      return plan
    }
    _ = try db.prepare("SELECT * FROM t JOIN probe ON a = x")
    let usable = Set(probe.infos.flatMap(\.constraints).map(\.isUsable))
    #expect(usable == [true, false])
  }

  @Test func `treat all columns from number 63 on as one`() throws {
    let (db, probe) = try probed()
    probe.columns = (0..<70).map { VirtualTable.Column("c\($0)") }
    _ = try db.prepare("SELECT c1, c65 FROM probe")
    let info = try #require(probe.infos.last)
    #expect((0..<70).filter { info.uses(ColumnIndex($0)) } == [1] + Array(63..<70))
  }

  @Test func `pass number, text and values to the cursor, in the order of their use`() throws {
    let (db, probe) = try probed()
    probe.plan = { info in
      var plan = VirtualTable.Plan()
      plan.indexNumber = -7
      plan.indexString = "by b, then a: ü"
      for column: ColumnIndex in [1, 0] {
        for constraint in info.constraints where constraint.column == column {
          plan.use(constraint)
        }
      }
      return plan
    }
    #expect(try db.values(Int.self, "SELECT a FROM probe WHERE a = ?1 AND b = ?2", 2, "y") == [2])
    #expect(probe.queries.count == 1)
    #expect(probe.queries.first?.number == -7)
    #expect(probe.queries.first?.text == "by b, then a: ü")
    #expect(probe.queries.first?.arguments == ["y", 2])
  }

  @Test func `leave checking to SQLite unless they omit it`() throws {
    let (db, probe) = try probed()
    for omits in [false, true] {
      probe.plan = { info in
        var plan = VirtualTable.Plan()
        plan.use(info.constraints[0], omit: omits)
        return plan
      }
      let rows = try db.values(
        Int.self, omits ? "SELECT a FROM probe WHERE a < 2" : "SELECT a FROM probe WHERE a<2")
      #expect(rows == (omits ? [1, 2, 3] : [1]))
    }
  }

  @Test(.enabled(if: SQLiteLibrary.versionNumber >= 3_038_000))
  func `can implement LIMIT and OFFSET`() throws {
    let (db, probe) = try probed()
    probe.plan = { info in
      var plan = VirtualTable.Plan()
      for constraint in info.constraints { plan.use(constraint, omit: true) }
      return plan
    }
    // The cursor does not skip the row, and SQLite relies on it.
    #expect(try db.values(Int.self, "SELECT a FROM probe LIMIT 2 OFFSET 1") == [1, 2])
    #expect([[[2, 1]], [[1, 2]]].contains(probe.queries.map(\.arguments)))
  }

  @Test func `that consume the order leave nothing to sort`() throws {
    let (db, probe) = try probed()
    for consumes in [false, true] {
      probe.plan = { _ in
        var plan = VirtualTable.Plan()
        plan.consumesOrder = consumes
        return plan
      }
      let rows = try db.values(
        Int.self,
        consumes ? "SELECT a FROM probe ORDER BY a DESC" : "SELECT a FROM probe ORDER BY 1 DESC")
      #expect(rows == (consumes ? [1, 2, 3] : [3, 2, 1]))
    }
  }

  @Test func `of lower cost determine the order of a join`() throws {
    let (db, probe) = try probed("CREATE TABLE t (x INTEGER PRIMARY KEY); INSERT INTO t VALUES (2)")
    for (cost, rows, isFirst) in [(1.0, Int64(1), true), (1e12, 1_000_000_000, false)] {
      probe.queries = []
      probe.plan = { info in
        var plan = VirtualTable.Plan()
        guard let constraint = info.constraints.first(where: \.isUsable) else {
          plan.estimatedCost = cost
          plan.estimatedRows = rows
          return plan
        }
        plan.use(constraint)
        plan.estimatedCost = 1
        plan.estimatedRows = 1
        plan.isUnique = true
        return plan
      }
      #expect(
        try db.rows(
          isFirst
            ? "SELECT a FROM t JOIN probe ON a = x" : "SELECT x FROM t JOIN probe ON a = x"
        ) == [[2]])
      #expect(probe.queries.allSatisfy { $0.arguments.isEmpty == isFirst })
    }
  }

  @Test func `that do not exist fail the statement`() throws {
    let (db, probe) = try probed()
    probe.plan = { _ in nil }
    let error = #expect(throws: SQLiteError.self) { try db.rows("SELECT a FROM probe") }
    #expect(error?.message == "no query solution")
    probe.plan = { _ in VirtualTable.Plan() }
    #expect(try db.rows("SELECT a FROM probe").count == 3)
  }

  struct Misuse: CustomTestStringConvertible, Sendable {
    let fault: String
    let plan:
      @Sendable (VirtualTable.IndexInfo, _ foreign: VirtualTable.Constraint) -> VirtualTable.Plan
    var testDescription: String { fault }
  }

  private static func plan(_ change: (inout VirtualTable.Plan) -> Void) -> VirtualTable.Plan {
    var plan = VirtualTable.Plan()
    change(&plan)
    return plan
  }

  static let misuses: [Misuse] = [
    Misuse(fault: "argument 0 is of another query") { _, foreign in plan { $0.use(foreign) } },
    Misuse(fault: "argument 1 uses a constraint that another argument uses") { info, _ in
      plan { plan in
        plan.use(info.constraints[0])
        plan.use(info.constraints[0])
      }
    },
    Misuse(fault: "argument 0 uses a constraint that is not usable") { info, _ in
      plan { plan in
        for constraint in info.constraints { plan.use(constraint) }
      }
    },
    Misuse(fault: "the cost nan is not a positive number or zero") { _, _ in
      plan { $0.estimatedCost = .nan }
    },
    Misuse(fault: "the cost -1.0 is not a positive number or zero") { _, _ in
      plan { $0.estimatedCost = -1 }
    },
    Misuse(fault: "the number of rows -1 is negative") { _, _ in plan { $0.estimatedRows = -1 } },
    Misuse(fault: "the index string contains a NUL character") { _, _ in
      plan { $0.indexString = "a\0b" }
    },
  ]

  @Test(arguments: misuses) func `that break a rule are refused`(_ misuse: Misuse) throws {
    let (db, probe) = try probed("CREATE TABLE t (x)")
    _ = try db.prepare("SELECT * FROM probe WHERE b > 1 AND b < 3 AND a = 1")
    let foreign: VirtualTable.Constraint? = probe.infos.first?.constraints.last
    let constraint = try #require(foreign)
    probe.plan = { misuse.plan($0, constraint) }
    let error = #expect(throws: SQLiteError.self) {
      try db.rows("SELECT * FROM t JOIN probe ON a = x")
    }
    #expect(error?.code == .misuse)
    #expect(error?.message == "the plan of the virtual table is invalid: \(misuse.fault)")
    probe.plan = { _ in VirtualTable.Plan() }
    #expect(try db.rows("SELECT a FROM probe").count == 3)
  }
}
