import Foundation
import PostgreSQL
import Testing

private struct Player: PostgreSQLRowDecodable, PostgreSQLRowEncodable, Equatable {
  var id: Int
  var name: String
  var score: Double?

  init(id: Int, name: String, score: Double?) {
    (self.id, self.name, self.score) = (id, name, score)
  }

  init(row: borrowing PostgreSQLRow) throws(PostgreSQLError) {
    self.init(
      id: try row.read(at: 0), name: try row.read(named: "name"), score: try row.read(at: 2))
  }

  func bind(to parameters: inout PostgreSQLParameters) throws(PostgreSQLError) {
    try parameters.bind(id)
    try parameters.bind(name)
    try parameters.bind(score)
  }
}

private struct Stop: Error {}

private let table: PostgreSQLQuery =
  "CREATE TABLE player (id int PRIMARY KEY, name text NOT NULL UNIQUE, score float8 CHECK (score >= 0))"

@Suite(.needsServer, .timeLimit(.minutes(2))) struct `Statements` {
  @Test func `write and read rows`() async throws {
    try await withDatabase { (database) async throws -> Void in
      try await database.run(table)
      let inserted = try await database.run(
        "INSERT INTO player VALUES ($1, $2, $3)", 1, "Ada", Double?.none)
      #expect(inserted == PostgreSQLChanges(tag: "INSERT 0 1", count: 1))
      let bob = Player(id: 2, name: "Bob", score: 0.5)
      try await database.run("INSERT INTO player VALUES ($1, $2, $3)", of: bob)
      let all = try await database.fetchAll(Player.self, "SELECT * FROM player ORDER BY id")
      #expect(all == [Player(id: 1, name: "Ada", score: nil), bob])
      #expect(
        try await database.fetchOne(Player.self, "SELECT * FROM player WHERE id = $1", 2) == bob)
      #expect(
        try await database.fetchOne(Player.self, "SELECT * FROM player WHERE id = \(3)") == nil)
      #expect(try await database.value(Int.self, "SELECT count(*) FROM player") == 2)
      #expect(
        try await database.values(String.self, "SELECT name FROM player ORDER BY 1") == [
          "Ada", "Bob",
        ])
      #expect(
        try await database.value(Int?.self, "SELECT NULL::int") == .some(.none))
    }
  }

  @Test func `run once for each value, or not at all`() async throws {
    try await withDatabase { (database) async throws -> Void in
      try await database.run(table)
      let players = (1...500).map { Player(id: $0, name: "p\($0)", score: nil) }
      let changes = try await database.run(
        "INSERT INTO player VALUES ($1, $2, $3)", ofEach: players)
      #expect(changes.count == 500)
      let more = [Player(id: 501, name: "x", score: 1), Player(id: 1, name: "y", score: 1)]
      let error = await postgreSQLError {
        try await database.run("INSERT INTO player VALUES ($1, $2, $3)", ofEach: more)
      }
      #expect(error?.code == .uniqueViolation)
      #expect(try await database.value(Int.self, "SELECT count(*) FROM player") == 500)
    }
  }

  @Test func `run in one exchange`() async throws {
    try await withDatabase { (database) async throws -> Void in
      let results = try await database.pipeline([
        "BEGIN READ ONLY", "SELECT set_config('app.user', \("ada"), true)",
        "SELECT current_setting('app.user'), \(7)::int", "COMMIT",
      ])
      #expect(results.map(\.changes.tag) == ["BEGIN", "SELECT 1", "SELECT 1", "COMMIT"])
      #expect(try results[2].values(String.self) == ["ada"])
      let error = await postgreSQLError {
        try await database.pipeline(["CREATE TABLE a (i int)", "SELECT 1/0", "SELECT 2"])
      }
      #expect(error?.code == .divisionByZero)
      #expect(try await database.value(String?.self, "SELECT to_regclass('a')::text") == .some(nil))
      #expect(try await database.pipeline([]).isEmpty)
    }
  }

  @Test func `are prepared again when a table changes`() async throws {
    try await withDatabase { (database) async throws -> Void in
      try await database.run("CREATE TABLE t (a int)")
      try await database.run("INSERT INTO t VALUES (1)")
      func read() async throws -> [PostgreSQLValue] {
        let rows = try await database.pipeline(["SELECT * FROM t"])
        var values: [PostgreSQLValue] = []
        try rows[0].forEach { row in
          for index in 0..<row.columnCount { values.append(try row.read(at: index)) }
        }
        return values
      }
      #expect(try await read() == [.integer(1)])
      #expect(try await database.values(Int.self, "SELECT a FROM t") == [1])
      try await database.run("ALTER TABLE t ADD COLUMN b text DEFAULT 'x'")
      try await database.run("ALTER TABLE t ALTER COLUMN a TYPE text USING a::text || '!'")
      #expect(try await read() == [.text("1!"), .text("x")])
      #expect(try await database.values(String.self, "SELECT a FROM t") == ["1!"])
    }
  }

  @Test func `work without prepared statements`() async throws {
    try await withDatabase {
      $0.statements = .unnamed
    } _: { (database) async throws -> Void in
      for number in 1...3 {
        #expect(try await database.value(Int.self, "SELECT $1::int + 1", number) == number + 1)
      }
      #expect(
        try await database.value(Int.self, "SELECT count(*) FROM pg_prepared_statements") == 0)
      let results = try await database.pipeline(["SELECT \(1)::int", "SELECT \("a")::text"])
      #expect(try results[1].values(String.self) == ["a"])
    }
  }

  @Test func `are sent without a name after another client deallocated them`() async throws {
    try await withDatabase {
      $0.maximumConnectionCount = 1
    } _: { (database) async throws -> Void in
      #expect(try await database.value(Int.self, "SELECT 1") == 1)
      // As a pooler that changes the server would.
      try await database.execute("DO $$ BEGIN EXECUTE 'DEALLOCATE ALL'; END $$")
      #expect(try await database.value(Int.self, "SELECT 1") == 1)
      #expect(try await database.value(Int.self, "SELECT $1::int", 5) == 5)
    }
  }

  @Test func `leave a bounded number of prepared statements`() async throws {
    try await withDatabase {
      $0.statementCacheCapacity = 4
      $0.maximumConnectionCount = 1
    } _: { (database) async throws -> Void in
      for number in 0..<40 {
        let query = PostgreSQLQuery(unsafe: "SELECT \(number)")
        #expect(try await database.value(Int.self, query) == number)
      }
      let count = try await database.value(Int.self, "SELECT count(*) FROM pg_prepared_statements")
      #expect((1...6).contains(count ?? 0))
    }
  }

  @Test func `refuse the wrong number of values`() async throws {
    try await withDatabase { (database) async throws -> Void in
      for values in [[], [1, 2]] as [[Int]] {
        let error = await postgreSQLError {
          try await database.run("SELECT $1::int", values: values)
        }
        #expect(error?.code == .parameterCount)
        #expect(error?.sql == "SELECT $1::int")
      }
    }
  }

  @Test func `refuse NUL, which the server would cut`() async throws {
    try await withDatabase { (database) async throws -> Void in
      let text = await postgreSQLError { try await database.run("SELECT $1::text", "a\0b") }
      #expect(text?.code == .containsNUL)
      let sql = await postgreSQLError {
        try await database.run(PostgreSQLQuery(unsafe: "SELECT 1\0; SELECT 2"))
      }
      #expect(sql?.code == .containsNUL)
    }
  }

  @Test func `pass on rows before the last has arrived, and stop at an error`() async throws {
    try await withDatabase { (database) async throws -> Void in
      let count = Counter()
      do {
        try await database.forEach("SELECT generate_series(1, 100000)") { row in
          if count.increment() == 10 { throw Stop() }
        }
        Issue.record("the error was not thrown")
      } catch is Stop {}
      #expect(count.value == 10)
      #expect(try await database.value(Int.self, "SELECT 1") == 1)
    }
  }

  @Test func `can be a script`() async throws {
    try await withDatabase { (database) async throws -> Void in
      try await database.execute(
        "CREATE TABLE a (i int); INSERT INTO a VALUES (1), (2); SELECT * FROM a")
      #expect(try await database.value(Int.self, "SELECT count(*) FROM a") == 2)
      let error = await postgreSQLError {
        try await database.execute("INSERT INTO a VALUES (3); SELECT 1/0")
      }
      #expect(error?.code == .divisionByZero)
      #expect(try await database.value(Int.self, "SELECT count(*) FROM a") == 2)
    }
  }

  @Test func `that copy need their own method`() async throws {
    try await withDatabase { (database) async throws -> Void in
      try await database.run("CREATE TABLE a (i int)")
      for query in ["COPY a FROM STDIN", "COPY a TO STDOUT"] {
        let error = await postgreSQLError { try await database.run(PostgreSQLQuery(unsafe: query)) }
        #expect(error?.code == .unexpectedResult || error?.code == .queryCanceled)
        #expect(try await database.value(Int.self, "SELECT 1") == 1)
      }
    }
  }

  @Test func `copy rows into tables and out of queries`() async throws {
    try await withDatabase { (database) async throws -> Void in
      try await database.run(table)
      let players = (1...20_000).map {
        Player(id: $0, name: "player \($0)", score: $0 % 3 == 0 ? nil : Double($0) / 4)
      }
      let changes = try await database.copy(
        into: "public.player", columns: ["id", "name", "score"], rows: players)
      #expect(changes.count == 20_000)
      let read = Collected<Player>()
      try await database.copyRows(of: "SELECT * FROM player ORDER BY id") { row in
        read.append(try Player(row: row))
      }
      #expect(read.values == players)
      let stream = AsyncStream { continuation in
        for id in 20_001...20_010 { continuation.yield(Player(id: id, name: "\(id)", score: 1)) }
        continuation.finish()
      }
      try await database.copy(into: "player", columns: ["id", "name", "score"], rows: stream)
      #expect(try await database.value(Int.self, "SELECT max(id) FROM player") == 20_010)
    }
  }

  @Test func `copy nothing if a row is invalid`() async throws {
    try await withDatabase { (database) async throws -> Void in
      try await database.run(table)
      let good = (1...10_000).map { Player(id: $0, name: "\($0)", score: nil) }
      let duplicate = good + [good[0]]
      let error = await postgreSQLError {
        try await database.copy(into: "player", columns: ["id", "name", "score"], rows: duplicate)
      }
      #expect(error?.code == .uniqueViolation)
      let invalid = good + [Player(id: 10_001, name: "a\0", score: nil)]
      let nul = await postgreSQLError {
        try await database.copy(into: "player", columns: ["id", "name", "score"], rows: invalid)
      }
      #expect(nul?.code == .containsNUL)
      let missing = await postgreSQLError {
        try await database.copy(into: "player", columns: ["id", "nickname"], rows: good)
      }
      #expect(missing?.code == .undefinedColumn)
      #expect(try await database.value(Int.self, "SELECT count(*) FROM player") == 0)
    }
  }
}
