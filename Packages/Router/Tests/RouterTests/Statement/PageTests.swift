import SQLiteCore
import Testing

@testable import Router
import RouterTesting

/// Pages of long tables: the work of SQLite for one page, and the rows of all pages.
@Suite struct `Pages of long tables` {
  struct Case: CustomTestStringConvertible, Sendable {
    let orders: [DatabaseRoute.Order]
    let last: Record
    var testDescription: String {
      let orders = orders.map { "\($0)\($0.nullsFirst ? " nulls first" : "")" }
      return "by \(orders.joined(separator: ", ")) after \(last.fields.map { "\($0.value)" })"
    }

    init(_ orders: DatabaseRoute.Order..., after last: Record) {
      self.orders = orders
      self.last = last
    }
  }

  static let rows = 20_000

  /// `rank` has many different values, `kind` has few, and a third of `note` is NULL.
  static let schema = """
    CREATE TABLE entry (
      id INTEGER PRIMARY KEY, rank INTEGER NOT NULL, kind INTEGER NOT NULL, note INTEGER,
      word TEXT NOT NULL);
    CREATE INDEX entry_rank ON entry (rank);
    CREATE INDEX entry_kind ON entry (kind);
    CREATE INDEX entry_mixed ON entry (rank DESC, id);
    CREATE INDEX entry_note ON entry (note);
    CREATE INDEX entry_word ON entry (word COLLATE NOCASE, word);
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(rows))
    INSERT INTO entry
    SELECT i, i / 3, i % 2, iif(i % 3 = 0, NULL, i / 10), 'w' || i
    FROM n;
    """

  static let cases: [Case] = [
    Case(.ascending("rank"), after: ["rank": 3_333, "id": 10_000]),
    Case(.descending("rank"), after: ["rank": 3_333, "id": 10_000]),
    Case(.descending("rank"), .ascending("id"), after: ["rank": 3_333, "id": 10_000]),
    Case(.ascending("kind"), after: ["kind": 0, "id": 10_000]),
    Case(.ascending("kind"), after: ["kind": 1, "id": 10_001]),
    Case(.ascending("id"), after: ["id": 10_000]),
    Case(.ascending("note"), after: ["note": 1_000, "id": 10_000]),
    Case(.descending("note"), after: ["note": 1_000, "id": 10_000]),
    Case(.ascending("note", nullsFirst: true), after: ["note": 1_000, "id": 10_000]),
    Case(.descending("note", nullsFirst: true), after: ["note": 1_000, "id": 10_000]),
    Case(.ascending("note"), after: ["note": nil, "id": 9_999]),
    Case(.descending("note"), after: ["note": nil, "id": 9_999]),
    Case(.ascending("note", nullsFirst: true), after: ["note": nil, "id": 19_998]),
    Case(.descending("note", nullsFirst: true), after: ["note": nil, "id": 3]),
    Case(.ascending("word", collation: "NOCASE"), after: ["word": "w5", "id": 5]),
  ]

  @Test(arguments: cases)
  func `take as much work as the page has rows`(_ page: Case) throws {
    let connection = try Connection.inMemory()
    try connection.execute(SQL(unsafe: Self.schema))
    var route = DatabaseRoute(.fetch, "entry")
    route.orders = page.orders
    let runner = RouteRunner(
      connection: connection, settings: RouteSettings())
    let (sql, values) = try runner.preview(route.page(after: page.last, size: 20))
    try connection.withStatement(SQL(unsafe: sql)) { statement in
      _ = try statement.count(of: .machineSteps, resetting: true)
      try statement.bindAll(values)
      var count = 0
      while try statement.step() { count += 1 }
      #expect(count == 20)
      let steps = try statement.count(of: .machineSteps)
      #expect(steps < 3_000, "\(steps) steps for \(sql)")
    }
  }

  @Test(arguments: 1...40)
  func `contain the rows of the whole list, in random orders of random rows`(_ seed: Int)
    async throws
  {
    var random = SeededGenerator(seed: UInt64(seed))
    let keys = ["id INTEGER PRIMARY KEY", "id INTEGER", "id INTEGER NOT NULL", "id TEXT NOT NULL"]
    let kind = Int.random(in: 0...3, using: &random)
    let isSingle = kind == 0
    let key = [
      "", ", PRIMARY KEY (id, part)", ", PRIMARY KEY (id, part)", ", PRIMARY KEY (part, id)",
    ]
    let database = try database(
      """
      CREATE TABLE entry (\(keys[kind]), part INTEGER NOT NULL, a INTEGER, b TEXT NOT NULL, \
      c TEXT COLLATE NOCASE\(key[kind]))\(kind > 1 ? " WITHOUT ROWID" : "");
      CREATE INDEX entry_a ON entry (a\(Bool.random(using: &random) ? "" : " DESC"));
      CREATE INDEX entry_b ON entry (b, a);
      """)
    let executor = SQLiteRouteExecutor(database)
    let texts: [SQLiteValue] = ["x", "X", "y", "é", ""]
    let count = Int.random(in: 0...40, using: &random)
    var route = DatabaseRoute(.insert, "entry")
    route.values = (0..<count).map { number in
      [
        "id": .integer(Int64(isSingle ? number : number / 3)), "part": .integer(Int64(number % 3)),
        "a": Bool.random(using: &random) ? nil : .integer(.random(in: 0...3, using: &random)),
        "b": texts.randomElement(using: &random) ?? "",
        "c": Bool.random(using: &random) ? nil : texts.randomElement(using: &random) ?? "",
      ]
    }
    try await executor.perform(route)
    for round in 0..<8 {
      let columns = ["a", "b", "c", "id"].shuffled(using: &random)
        .prefix(.random(in: 0...3, using: &random))
      let orders = columns.map { name in
        DatabaseRoute.Order(
          column: .init(name), ascending: .random(using: &random),
          nullsFirst: .random(using: &random),
          collation: name == "b" && .random(using: &random) ? "NOCASE" : nil)
      }
      var list = DatabaseRoute.fetch(from: "entry")
      list.orders = orders
      if Bool.random(using: &random) { list.filter = Column("b").notEquals("y") }
      let isAscending = orders.last?.ascending ?? true
      let keyNames = isSingle ? ["id"] : kind == 3 ? ["part", "id"] : ["id", "part"]
      var whole = list
      for name in keyNames where !orders.contains(where: { $0.column == .init(name) }) {
        whole.orders.append(.init(column: .init(name), ascending: isAscending))
      }
      let response = try await executor.run(whole)
      let size = Int.random(in: 1...7, using: &random)
      var seen: [[DataValue]] = []
      while seen.count <= count {
        let last = seen.last.map { row in
          Record(
            fields: zip(response.columns, row).map {
              .init(column: .init($0), value: SQLiteValue($1))
            })
        }
        let page = try await executor.run(list.page(after: last, size: size))
        seen += page.rows
        if page.rows.count < size { break }
      }
      #expect(
        seen == response.rows,
        "seed \(seed), round \(round), \(orders), pages of \(size), keys \(keyNames)")
    }
  }

  @Test func `count their filter's conditions once`() async throws {
    var executor = SQLiteRouteExecutor(
      try database("CREATE TABLE entry (id INTEGER PRIMARY KEY, a INTEGER)"))
    executor.limits.filterTerms = 2
    let route = try DatabaseRoute.fetch(
      from: "entry", filteredBy: Column("a").notEquals(1), Column("a").notEquals(2),
      order: .ascending("a")
    ).page(after: ["a": 3, "id": 1] as Record, size: 3)
    #expect(try await executor.run(route).rows.isEmpty)
  }
}
