import SQLiteCore
import Testing

@testable import SQLiteCore

/// SQLite's errors as the errors common to all engines.
@Suite struct `An error of SQLite as a data error` {
  struct Case: Sendable, CustomTestStringConvertible {
    var sql: SQL
    var kind: DataErrorKind
    var table: String?
    var columns: [String] = []
    var testDescription: String { "\(sql)" }
  }

  static let schema: SQL = """
    CREATE TABLE team (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
    CREATE TABLE player (team REFERENCES team (id), number, score CHECK (score >= 0),
      UNIQUE (team, number));
    CREATE TABLE "a.b" (c UNIQUE, "d, e" NOT NULL);
    CREATE TABLE town (name);
    CREATE UNIQUE INDEX lower_name ON town (lower(name));
    CREATE TABLE strict (n INTEGER) STRICT;
    CREATE TRIGGER refuse BEFORE DELETE ON team WHEN old.id = 2 BEGIN
      SELECT RAISE(ABORT, 'UNIQUE constraint failed: team.id');
    END;
    INSERT INTO team VALUES (1, 'Reds'), (2, 'Blues');
    INSERT INTO player VALUES (1, 7, 0);
    INSERT INTO "a.b" VALUES (1, 1);
    INSERT INTO town VALUES ('Ulm');
    """

  static let cases = [
    Case(
      sql: "INSERT INTO team (name) VALUES ('Reds')", kind: .uniqueViolation, table: "team",
      columns: ["name"]),
    Case(
      sql: "INSERT INTO team VALUES (1, 'Greens')", kind: .uniqueViolation, table: "team",
      columns: ["id"]),
    Case(
      sql: "INSERT INTO player VALUES (1, 7, 0)", kind: .uniqueViolation, table: "player",
      columns: ["team", "number"]),
    // SQLite reports an index, or ambiguous names.
    Case(sql: "INSERT INTO town VALUES ('ULM')", kind: .uniqueViolation),
    Case(sql: #"INSERT INTO "a.b" VALUES (1, 1)"#, kind: .uniqueViolation),
    Case(sql: #"INSERT INTO "a.b" (c) VALUES (2)"#, kind: .notNullViolation),
    Case(
      sql: "UPDATE team SET name = NULL", kind: .notNullViolation, table: "team",
      columns: ["name"]),
    Case(sql: "INSERT INTO player VALUES (9, 1, 0)", kind: .foreignKeyViolation),
    Case(sql: "INSERT INTO player VALUES (1, 1, -1)", kind: .checkViolation),
    Case(sql: "INSERT INTO strict VALUES ('a')", kind: .constraintViolation),
    // A trigger's message is not mistaken for SQLite's.
    Case(sql: "DELETE FROM team WHERE id = 2", kind: .constraintViolation),
    Case(sql: "SELECT nothing FROM team", kind: .invalidRequest),
    Case(sql: "SELECT * FROM nothing", kind: .invalidRequest),
    Case(sql: "SELEC 1", kind: .invalidRequest),
    Case(sql: "SELECT zeroblob(3000000000)", kind: .limitExceeded),
    Case(sql: "INSERT INTO team VALUES ('a', 'b')", kind: .typeMismatch),
  ]

  @Test(arguments: cases) func `has a kind and a place`(_ expected: Case) throws {
    let db = try memory(Self.schema)
    do {
      _ = try db.rows(expected.sql)
      Issue.record("\(expected.sql) succeeds")
    } catch let error as any DataError {
      #expect(error.kind == expected.kind)
      #expect(error.place.table == expected.table)
      #expect(error.place.columns == expected.columns)
      #expect(error.place.sql?.isEmpty == false)
      #expect(!error.message.isEmpty)
    }
  }

  @Test func `keeps its kind and place when context is added`() throws {
    let db = try memory(Self.schema)
    let error = #expect(throws: SQLiteError.self) {
      try db.run("INSERT INTO team (name) VALUES ('Reds')")
    }
    let later = try #require(error).addingContext("reading towns: UNIQUE constraint failed: a.b")
    #expect(later.kind == .uniqueViolation)
    #expect(later.place.table == "team")
    #expect(later.place.columns == ["name"])
  }

  @Test func `contains the column that can't be read`() throws {
    let db = try memory(Self.schema)
    let error = #expect(throws: SQLiteError.self) {
      _ = try db.value(Int.self, "SELECT name AS title FROM team")
    }
    #expect(error?.kind == .typeMismatch)
    #expect(error?.place.table == "team")
    #expect(error?.place.columns == ["name"])
  }

  @Test func `contains the position in the SQL`() throws {
    let db = try memory(Self.schema)
    let error = #expect(throws: SQLiteError.self) { _ = try db.rows("SELECT 1, nothing FROM team") }
    #expect(error?.place.position?.byteOffset == 10)
  }

  @Test func `is busy, read-only, cancelled or unavailable if SQLite is`() async throws {
    let directory = try TemporaryDirectory()
    let first = try directory.connect { $0.busyPolicy = .failImmediately }
    let second = try directory.connect { $0.busyPolicy = .failImmediately }
    try first.execute("CREATE TABLE t (a); BEGIN IMMEDIATE")
    let busy = #expect(throws: SQLiteError.self) { try second.execute("BEGIN IMMEDIATE") }
    #expect(busy?.kind == .busy)
    try first.execute("ROLLBACK")

    let database = try directory.open { _ in }
    let readOnly = await #expect(throws: SQLiteError.self) {
      try await database.read { try $0.run("INSERT INTO t VALUES (1)") }
    }
    #expect(readOnly?.kind == .readOnly)
    let (isRunning, isCancelled) = (Gate(), Gate())
    let task = Task {
      try await database.read {
        isRunning.open()
        isCancelled.wait()
        _ = try $0.rows("SELECT a FROM t")
      }
    }
    _ = try await eventually { isRunning.wait(seconds: 0) }
    task.cancel()
    isCancelled.open()
    let cancelled = await #expect(throws: (any Error).self) { try await task.value }
    #expect(cancelled is CancellationError || (cancelled as? any DataError)?.kind == .cancelled)
    database.close()
    let closed = await #expect(throws: SQLiteError.self) { try await database.read { _ in } }
    #expect(closed?.kind == .unavailable)
  }

  @Test func `has a kind for each code`() {
    let codes = (SQLiteError.Code.engineNames + SQLiteError.Code.packageNames).map(\.code)
    let others = codes.filter { $0.kind == .other }
    #expect(others == [.internalError])
    // Codes of later versions of SQLite have the kind of their primary code.
    #expect(SQLiteError.Code(rawValue: 19 | 99 << 8).kind == .constraintViolation)
    #expect(SQLiteError.Code(rawValue: 250).kind == .other)
  }
}
