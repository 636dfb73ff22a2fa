import Foundation
import QueryGen
import SQLiteCore
import Testing

// The samples of Docs/Guides/FromPureSQL.md, verbatim, and tests of its statements about files written by PureSQL.
// The guide's SQL is in the folders Migrations and Queries.

extension DB {
  /// Opens a file that was written by either library: PureSQL numbers its migrations from 0.
  static func adoptingDatabase(path: String) async throws -> DB {
    let database = try Database(path: path)
    let last = try await database.read { db in
      try db.table("__puresqlMigration") == nil
        ? nil : db.value(Int.self, "SELECT max(number) FROM __puresqlMigration")
    }
    if let last { try await database.adopt(migrations, upTo: migrations[last].name) }
    return try DB(database: database)
  }
}

@MainActor final class TodoModel {
  private let openTodos: any OpenTodosQuery
  private let addTodo: any AddTodoQuery
  private(set) var todos: [Todo] = []

  init(openTodos: any OpenTodosQuery, addTodo: any AddTodoQuery) {
    self.openTodos = openTodos
    self.addTodo = addTodo
  }

  func follow(list: Int) async throws {
    for try await todos in openTodos.observe(list) { self.todos = todos }
  }

  func add(_ name: String, to list: Int, at date: Date) async throws {
    try await addTodo.execute(
      .init(id: UUID(), name: name, list: list, added: date, due: nil, reminded: nil))
  }
}

@Suite struct `From PureSQL` {
  /// The SQL that PureSQL runs for the same migrations, without the types of its dialect.
  static let script = """
    CREATE TABLE IF NOT EXISTS __puresqlMigration(
        number INTEGER PRIMARY KEY
    ) STRICT;
    CREATE TABLE list (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
    CREATE TABLE todo (
      id BLOB PRIMARY KEY NOT NULL, name TEXT NOT NULL,
      list INTEGER NOT NULL REFERENCES list (id), isDone INTEGER NOT NULL DEFAULT 0,
      added TEXT NOT NULL, due INTEGER, reminded REAL
    );
    INSERT INTO __puresqlMigration (number) VALUES (0);
    INSERT INTO list VALUES (1, 'home'), (2, 'work');
    INSERT INTO todo VALUES
      (x'5B1A0E2C9F404D5E8A7B6C5D4E3F2A1B', 'Milk', 1, 0, '2026-11-21T14:37:29Z', 1795271849,
      1795271849.5);
    """
  static let moment = Date(timeIntervalSince1970: 1_795_271_849)

  @Test func `a file is adopted at its current migration`() async throws {
    let file = try LegacyFile(Self.script)
    let db = try await DB.adoptingDatabase(path: file.path)
    #expect(try await db.database.read { try $0.appliedMigrations() } == ["1", "2", "3"])
    #expect(
      try await db.database.read { try $0.indexes(of: "todo").map(\.name) }
        .contains("todo_list"))
    let todo = try #require(try await db.openTodos.execute(1).first)
    #expect(todo.id.uuidString == "5B1A0E2C-9F40-4D5E-8A7B-6C5D4E3F2A1B")
    #expect(!todo.isDone)
    #expect(todo.added == Self.moment)
    #expect(todo.due == Self.moment)
    #expect(todo.reminded == Self.moment + 0.5)
    db.database.close()
    let again = try await DB.adoptingDatabase(path: file.path)
    #expect(try await again.lists.execute().count == 2)
  }

  @Test func `a new file and a completely migrated file are opened in the same way`() async throws {
    let file = try LegacyFile()
    #expect(try await DB.adoptingDatabase(path: file.path).lists.execute().isEmpty)
    let whole = try LegacyFile(
      Self.script
        + "CREATE INDEX todo_list ON todo (list); INSERT INTO __puresqlMigration VALUES (1);")
    let db = try await DB.adoptingDatabase(path: whole.path)
    #expect(try await db.database.read { try $0.appliedMigrations() } == ["1", "2", "3"])
  }

  @Test func `a file with another schema is rejected`() async throws {
    let file = try LegacyFile(Self.script + "ALTER TABLE todo ADD COLUMN extra;")
    let error = await #expect(throws: SQLiteError.self) {
      _ = try await DB.adoptingDatabase(path: file.path)
    }
    #expect(error?.code == .schemaMismatch)
    #expect(error?.message.contains("extra") == true)
  }

  @Test func `queries run, including in transactions`() async throws {
    let db = try await DB.adoptingDatabase(path: LegacyFile(Self.script).path)
    let lists = try await db.lists.execute()
    #expect(lists.map(\.list.name) == ["home", "work"])
    #expect(lists.map(\.numberOfTodos) == [1, 0])

    try await db.database.write { connection in
      let open = try db.openTodos.execute(1, in: connection)
      try db.finish.execute(open.map(\.id), in: connection)
    }
    #expect(try await db.openTodos.execute(1).isEmpty)
  }

  @MainActor @Test func `models are injected with queries`() async throws {
    let db = try await DB.adoptingDatabase(path: LegacyFile(Self.script).path)
    let live = TodoModel(openTodos: db.openTodos, addTodo: db.addTodo)
    let following = Task { try await live.follow(list: 1) }
    try await live.add("Bread", to: 1, at: Self.moment + 1)
    while live.todos.count < 2 { await Task.yield() }
    #expect(live.todos.map(\.name) == ["Milk", "Bread"])
    following.cancel()
    _ = await following.result

    let addTodo = Queries.Recorder<AddTodoInput, Int>(1)
    let test = TodoModel(openTodos: Queries.Just(live.todos), addTodo: addTodo)
    try await test.follow(list: 1)
    try await test.add("Eggs", to: 1, at: Self.moment)
    #expect(test.todos.count == 2)
    #expect(addTodo.executed.map(\.name) == ["Eggs"])
  }
}
