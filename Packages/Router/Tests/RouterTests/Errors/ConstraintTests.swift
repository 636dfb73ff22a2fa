import Foundation
import Router
import SQLiteCore
import Testing

@Suite struct `A violated constraint` {
  static let script = """
    CREATE TABLE team (id INTEGER PRIMARY KEY);
    INSERT INTO team VALUES (1), (2);
    CREATE TABLE player (
      id INTEGER PRIMARY KEY, email TEXT NOT NULL UNIQUE, a INTEGER, b INTEGER,
      score INTEGER CONSTRAINT positive CHECK (score > 0), team REFERENCES team,
      later REFERENCES team DEFERRABLE INITIALLY DEFERRED, UNIQUE (a, b));
    CREATE TABLE word (word TEXT);
    CREATE UNIQUE INDEX folded ON word (lower(word));
    INSERT INTO word VALUES ('ann');
    CREATE TABLE pair (x, y, PRIMARY KEY (x, y)) WITHOUT ROWID;
    CREATE TABLE strict (n INTEGER) STRICT;
    INSERT INTO player (id, email, a, b, team) VALUES (1, 'ann', 1, 2, 1);
    INSERT INTO pair VALUES (1, 2);
    CREATE TRIGGER no BEFORE INSERT ON team WHEN new.id = 9
    BEGIN SELECT RAISE(ABORT, 'UNIQUE constraint failed: team.id'); END;
    """

  struct Case: CustomTestStringConvertible, Sendable {
    let route: DatabaseRoute
    let constraint: RouterError.Constraint
    let kind: DataErrorKind
    var testDescription: String { "\(route): \(constraint.kind)" }

    init(
      _ table: DatabaseRoute.Table, _ record: Record, _ constraint: RouterError.Constraint,
      _ kind: DataErrorKind
    ) {
      var route = DatabaseRoute(.insert, table)
      route.values = [record]
      route.id = "mine"
      self.route = route
      self.constraint = constraint
      self.kind = kind
    }
  }

  static let cases: [Case] = [
    Case("player", ["email": "ann"], .init(.unique, columns: ["email"]), .uniqueViolation),
    Case(
      "player", ["email": "b", "a": 1, "b": 2], .init(.unique, columns: ["a", "b"]),
      .uniqueViolation),
    Case("word", ["word": "ANN"], .init(.unique, name: "folded"), .uniqueViolation),
    Case(
      "player", ["id": 1, "email": "b"], .init(.primaryKey, columns: ["id"]), .uniqueViolation),
    Case("pair", ["x": 1, "y": 2], .init(.primaryKey, columns: ["x", "y"]), .uniqueViolation),
    Case("player", ["email": nil], .init(.notNull, columns: ["email"]), .notNullViolation),
    Case("player", ["email": "b", "score": -1], .init(.check, name: "positive"), .checkViolation),
    Case("player", ["email": "b", "team": 7], .init(.foreignKey), .foreignKeyViolation),
    Case("player", ["email": "b", "later": 7], .init(.foreignKey), .foreignKeyViolation),
    Case("strict", ["n": "x"], .init(.other), .constraintViolation),
    Case("team", ["id": 9], .init(.other), .constraintViolation),
  ]

  @Test(arguments: cases)
  func `is a router error that names the constraint`(_ expected: Case) async throws {
    let executor = SQLiteRouteExecutor(try database(Self.script))
    let error = try await #require(throws: RouterError.self) {
      try await executor.perform(expected.route)
    }
    #expect(error.code == .constraintViolation)
    #expect(error.constraint == expected.constraint)
    #expect(error.table == expected.route.table.name)
    #expect(error.routeId == "mine")
    #expect(error.route == expected.route.returning(.minimal).description)
    #expect(!error.message.isEmpty)
    #expect(error.kind == expected.kind && error.kind.isConstraintViolation)
    #expect(error.place.columns == expected.constraint.columns)
    let data = try JSONEncoder().encode(error)
    #expect(try JSONDecoder().decode(RouterError.self, from: data) == error)
  }

  @Test func `in a batch names the failed route, or none if the commit fails`() async throws {
    let executor = SQLiteRouteExecutor(try database(Self.script))
    let (taken, late) = (Self.cases[0].route, Self.cases[8].route)
    let first = try DatabaseRoute.insert(["id": 3] as Record, into: "team", routeId: "first")
    let named = try await #require(throws: RouterError.self) {
      try await executor.run([first, taken])
    }
    #expect(named.routeId == "mine")
    let unnamed = try await #require(throws: RouterError.self) {
      try await executor.run([first, late])
    }
    #expect(unnamed.constraint?.kind == .foreignKey)
    #expect(unnamed.routeId == nil && unnamed.route == nil)
    #expect(try await executor.value(Int.self, for: .count(from: "team")) == 2)
  }

  @Test func `fails a route within a transaction, which continues`() async throws {
    let executor = SQLiteRouteExecutor(try database(Self.script))
    try await executor.transaction { routes in
      let error = #expect(throws: RouterError.self) { try routes.run(Self.cases[0].route) }
      #expect(error?.constraint?.columns == ["email"])
      try routes.run(.insert(["id": 3] as Record, into: "team"))
    }
    #expect(try await executor.value(Int.self, for: .count(from: "team")) == 3)
  }

  @Test func `is answered by an override, logged and recorded`() async throws {
    let error = RouterError.violation(of: .init(.unique, columns: ["name"]), in: "todos")
    let log = RouteLog()
    var router = GeneralRouter(try database(todosSchema))
    router.log = log
    router.override(.method(.insert, with: .failure(error)))
    let recorder = RouteRecording.RecordingExecutor(router)
    let route = try DatabaseRoute.insert(Todo.milk, into: "todos")
    let thrown = await #expect(throws: RouterError.self) { try await recorder.perform(route) }
    #expect(thrown == error && thrown?.kind == .uniqueViolation && thrown?.column == "name")
    #expect(log.calls.map { $0.failure as? RouterError } == [error])
    let replay = RouteRecording.ReplayingExecutor(
      try RouteRecording(json: recorder.recording.json()))
    let replayed = await #expect(throws: RouterError.self) { try await replay.perform(route) }
    #expect(replayed == error)
  }

  @Test func `is distinguished from other errors of the engine`() async throws {
    let database = try database("\(todosSchema) PRAGMA max_page_count = 3;")
    let executor = SQLiteRouteExecutor(database)
    let todo = Todo(name: String(repeating: "x", count: 100_000))
    let error = await #expect(throws: SQLiteError.self) {
      try await executor.perform(.insert(todo, into: "todos"))
    }
    #expect(error?.kind == .storageFull)
  }

  @Test func `is absent in an error that an earlier version encoded`() throws {
    let json = #"{"code": "notFound", "message": "expected one row, got none"}"#
    let error = try JSONDecoder().decode(RouterError.self, from: Data(json.utf8))
    #expect(error == RouterError(code: .notFound, message: "expected one row, got none"))
  }
}
