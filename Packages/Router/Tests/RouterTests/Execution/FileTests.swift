import Router
import SQLiteCore
import Testing

@Suite struct `Routes on a file` {
  /// Opens a database in a separate file, which is removed at the end.
  static func withFile(_ body: (Database) async throws -> Void) async throws {
    try await withFolder { folder in
      let database = try Database(path: "\(folder)/test.sqlite")
      defer { database.close() }
      try await database.write { try $0.execute(SQL(unsafe: todosSchema)) }
      try await body(database)
    }
  }

  @Test func `run concurrently, and lose nothing`() async throws {
    try await Self.withFile { database in
      let executor = SQLiteRouteExecutor(database)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 1...40 {
          group.addTask {
            try await executor.perform(.insert(Todo(id: number, name: "\(number)"), into: "todos"))
            let found = try await executor.value(
              Todo.self, for: .fetchOne(id: number, from: "todos"))
            #expect(found.name == "\(number)")
          }
        }
        try await group.waitForAll()
      }
      #expect(try await executor.value(Int.self, for: .count(from: "todos")) == 40)
    }
  }

  @Test func `see a schema change by another connection`() async throws {
    try await Self.withFile { database in
      let executor = SQLiteRouteExecutor(database)
      let route = DatabaseRoute.fetch(from: "todos")
      #expect(try await executor.run(route).columns == ["id", "name", "completedOn"])
      try await database.write { try $0.execute("ALTER TABLE todos ADD COLUMN note TEXT") }
      #expect(try await executor.run(route).columns == ["id", "name", "completedOn", "note"])
      try await database.write { try $0.execute("ALTER TABLE todos DROP COLUMN note") }
      #expect(try await executor.run(route).columns == ["id", "name", "completedOn"])
    }
  }

  @Test func `keep no state of a schema that was rolled back`() async throws {
    struct Undo: Error {}
    try await Self.withFile { database in
      let executor = SQLiteRouteExecutor(database)
      let route = DatabaseRoute.fetch(from: "todos", filteredBy: Column("a").isNull())
      await #expect(throws: Undo.self) {
        try await executor.transaction { routes in
          try routes.connection.execute("ALTER TABLE todos ADD COLUMN a")
          try routes.run(route)
          throw Undo()
        }
      }
      // The schema now has the same version number as then.
      try await database.write { try $0.execute("ALTER TABLE todos ADD COLUMN b") }
      #expect(await code { _ = try await executor.run(route) } == .unknownColumn)
    }
  }

  @Test func `read views and tables without rowids, and write through triggers`() async throws {
    try await Self.withFile { database in
      try await database.write { connection in
        try connection.execute(
          """
          CREATE VIEW done AS SELECT id, name FROM todos WHERE completedOn IS NOT NULL;
          CREATE TRIGGER finish INSTEAD OF INSERT ON done BEGIN
            INSERT INTO todos VALUES (NEW.id, NEW.name, 1);
          END;
          CREATE TABLE pair (a TEXT, b TEXT, c, PRIMARY KEY (a, b)) WITHOUT ROWID;
          """)
      }
      let executor = SQLiteRouteExecutor(database)
      let record: Record = ["id": 1, "name": "x"]
      try await executor.perform(.insert(record, into: "done"))
      #expect(try await executor.run(.fetch(from: "done")).rows == [[1, "x"]])
      let pair: Record = ["a": "p", "b": "q", "c": 1]
      #expect(try await executor.run(.upsert(pair, in: "pair")).rows == [["p", "q", 1]])
      let byID = DatabaseRoute.fetchOne(id: "p", from: "pair")
      #expect(await code { _ = try await executor.run(byID) } == .unknownColumn)
    }
  }
}
