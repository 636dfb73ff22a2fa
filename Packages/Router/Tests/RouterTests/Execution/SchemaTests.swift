import Foundation
import Router
import SQLiteCore
import Testing

@Suite struct `Tables of other databases` {
  typealias Table = DatabaseRoute.Table

  static let archive = Table("todos", schema: "archive")

  static func withArchive(
    _ body: (_ executor: SQLiteRouteExecutor, _ database: Database, _ path: String) async throws
      -> Void
  ) async throws {
    try await withFolder { folder in
      let path = "\(folder)/archive.sqlite"
      let other = try Connection(path: path)
      try other.execute(
        """
        CREATE TABLE todos (id INTEGER PRIMARY KEY, name TEXT, old INTEGER);
        CREATE TABLE note (id INTEGER PRIMARY KEY, todo INTEGER REFERENCES todos, text TEXT);
        INSERT INTO todos VALUES (7, 'Old', 1);
        INSERT INTO note VALUES (1, 7, 'x');
        """)
      try other.close()
      var configuration = Configuration()
      configuration.prepare = { connection in
        try connection.attach(
          .file(path), as: "Archive", isReadOnly: connection.configuration.isReadOnly)
      }
      let database = try Database(path: "\(folder)/main.sqlite", configuration: configuration)
      defer { database.close() }
      try await database.write { try $0.execute(SQL(unsafe: todosSchema)) }
      let executor = SQLiteRouteExecutor(database)
      try await executor.perform(.insert(Todo.milk, into: "todos"))
      try await body(executor, database, path)
    }
  }

  @Test func `are read and written in the attached database`() async throws {
    try await Self.withArchive { executor, _, _ async throws in
      let found = try await executor.run(.fetch(from: Self.archive))
      #expect(found.columns == ["id", "name", "old"])
      #expect(found.rows == [[7, "Old", 1]])
      let record: Record = ["id": 8, "name": "New"]
      #expect(
        try await executor.run(.insert(record, into: Self.archive)).rows == [[8, "New", nil]])
      #expect(try await executor.run(.upsert(record, in: Self.archive)).affected == 1)
      #expect(
        try await executor.run(
          .update(id: 8, in: Table("Todos", schema: "ARCHIVE"), with: ["old": 2] as Record)
        ).rows == [[8, "New", 2]])
      #expect(try await executor.value(Int.self, for: .count(from: Self.archive)) == 2)
      #expect(try await executor.affectedCount(of: .delete(id: 8, from: Self.archive)) == 1)
      #expect(try await executor.values(Todo.self, for: .fetch(from: "todos")) == [.milk])
      #expect(
        try await executor.values(Todo.self, for: .fetch(from: Table("todos", schema: "Main")))
          == [.milk])
    }
  }

  @Test func `are embedded by the keys of their database`() async throws {
    try await Self.withArchive { executor, _, _ async throws in
      let route = DatabaseRoute.fetch(from: Table("note", schema: "archive"))
        .selecting("text").embedding(.init("todos", as: "todo", columns: ["name"]))
      #expect(try await executor.run(route).rows == [["x", #"{"name":"Old"}"#]])
      let down = DatabaseRoute.fetch(from: Self.archive).selecting("id")
        .embedding(.init(Table("note", schema: "archive"), columns: ["text"]))
      #expect(try await executor.run(down).rows == [[7, #"[{"text":"x"}]"#]])
      let across = DatabaseRoute.fetch(from: "todos")
        .embedding(.init(Table("note", schema: "archive")))
      #expect(await code { _ = try await executor.run(across) } == .invalidRoute)
      let none = DatabaseRoute.fetch(from: "todos").embedding(.init("note"))
      #expect(await code { _ = try await executor.run(none) } == .unknownTable)
    }
  }

  @Test func `are looked up again when their schema changes`() async throws {
    try await Self.withArchive { executor, database, path async throws in
      let route = DatabaseRoute.fetch(from: Self.archive)
      #expect(try await executor.run(route).columns.count == 3)
      try await database.write { connection in
        try connection.execute("ALTER TABLE archive.todos ADD COLUMN more")
      }
      #expect(try await executor.run(route).columns == ["id", "name", "old", "more"])
      let other = try Connection(path: path)
      try other.execute("ALTER TABLE todos DROP COLUMN old")
      try other.close()
      #expect(try await executor.run(route).columns == ["id", "name", "more"])
    }
  }

  @Test func `have separate row filters`() async throws {
    try await Self.withArchive { executor, _, _ async throws in
      var filtered = executor
      filtered.rowFilters = [Table("Todos", schema: "ARCHIVE"): Column("old").equals(0)]
      let guarded = filtered
      #expect(try await guarded.run(.fetch(from: Self.archive)).rows.isEmpty)
      #expect(try await guarded.run(.fetch(from: "todos")).rows.count == 1)
      let embedded = DatabaseRoute.fetch(from: Table("note", schema: "archive"))
        .selecting("id").embedding(.init("todos", as: "todo"))
      #expect(try await guarded.run(embedded).rows == [[1, nil]])
      filtered.rowFilters = [Table("todos", schema: "main"): Column("id").equals(0)]
      let main = filtered
      #expect(try await main.run(.fetch(from: "todos")).rows.isEmpty)
      #expect(try await main.run(.fetch(from: Self.archive)).rows.count == 1)
    }
  }

  @Test func `that are not attached are an error`() async throws {
    let executor = try await todos()
    let error = await #expect(throws: RouterError.self) {
      try await executor.run(.fetch(from: Table("todos", schema: "archiv\"; DROP TABLE todos --")))
    }
    #expect(error?.code == .unknownSchema)
    let near = await #expect(throws: RouterError.self) {
      try await executor.run(.fetch(from: Table("todos", schema: "mein")))
    }
    #expect(near?.message.contains("main") == true)
    #expect(
      await code { _ = try await executor.run(.fetch(from: Table("main.todos"))) } == .unknownTable)
    #expect(
      await code { _ = try await executor.run(.fetch(from: Table("todos", schema: "temp"))) }
        == .unknownTable)
  }

  @Test func `that only the writer has attached can't be read by readers`() async throws {
    try await Self.withArchive { _, database, path async throws in
      try await database.write { connection in
        try connection.attach(.file(path + "-late"), as: "late")
        try connection.execute("CREATE TABLE late.todos (id); INSERT INTO late.todos VALUES (1)")
      }
      let executor = SQLiteRouteExecutor(database)
      let route = DatabaseRoute.count(from: Table("todos", schema: "late"))
      #expect(await code { _ = try await executor.run(route) } == .unknownSchema)
      #expect(try await executor.transaction { try $0.value(Int.self, for: route) } == 1)
    }
  }

  @Test func `of temp do not shadow those of main`() async throws {
    let database = try database(todosSchema)
    let executor = SQLiteRouteExecutor(database)
    try await executor.perform(.insert(Todo.milk, into: "todos"))
    try await database.write { connection in
      try connection.execute(
        """
        CREATE TABLE main.note (id INTEGER PRIMARY KEY, todo INTEGER REFERENCES todos);
        INSERT INTO main.note VALUES (1, 1);
        CREATE TEMP TABLE todos (id INTEGER PRIMARY KEY, name TEXT, completedOn, secret);
        INSERT INTO temp.todos VALUES (1, 'temp', 2, 3);
        CREATE TEMP TABLE note (id INTEGER PRIMARY KEY, todo INTEGER);
        """)
    }
    #expect(try await executor.values(Todo.self, for: .fetch(from: "todos")) == [.milk])
    #expect(try await executor.value(Int.self, for: .count(from: "note")) == 1)
    let temp = Table("todos", schema: "temp")
    #expect(try await executor.run(.fetch(from: temp)).rows == [[1, "temp", 2, 3]])
    let notes = DatabaseRoute.fetch(from: "note").selecting("id").embedding(
      .init("todos", as: "todo", columns: ["name"]))
    #expect(try await executor.run(notes).rows == [[1, #"{"name":"Milk"}"#]])
    let tea: Record = ["name": "tea"]
    #expect(
      try await executor.run(.update(id: 1, in: "todos", with: tea)).rows == [[1, "tea", nil]])
    #expect(try await executor.run(.upsert(tea, in: "todos")).rows == [[2, "tea", nil]])
    #expect(
      try await executor.run(.delete(id: 2, from: "todos").returning(.representation)).rows
        == [[2, "tea", nil]])
    #expect(try await executor.run(.fetch(from: temp)).rows == [[1, "temp", 2, 3]])
  }

  @Test func `are encoded with their schema, except those of main`() throws {
    func text(_ table: Table) throws -> String {
      String(decoding: try JSONEncoder().encode([table]), as: UTF8.self)
    }
    #expect(try text("a.b") == #"["a.b"]"#)
    #expect(try text(Table("a", schema: "MAIN")) == #"["a"]"#)
    let data = try JSONEncoder().encode(Self.archive)
    #expect(try JSONDecoder().decode(Table.self, from: data) == Self.archive)
    #expect(Table("Todos", schema: "ARCHIVE") == Self.archive)
    #expect(Set([Table("Todos", schema: "ARCHIVE"), Self.archive]).count == 1)
    #expect(Table("todos") != Self.archive)
    #expect(Table("todos", schema: "main") == "todos")
    #expect("\(DatabaseRoute.fetch(from: Self.archive))" == "fetch archive.todos")
  }
}
