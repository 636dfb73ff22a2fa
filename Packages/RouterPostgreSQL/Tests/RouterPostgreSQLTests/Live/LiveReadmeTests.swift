import PostgreSQL
import PostgreSQLTesting
import Primitives
import Router
import RouterPostgreSQL
import SQLiteCore
import Testing

@Suite(.needsLiveServer) struct `The samples of live routes` {
  @Test func `run`() async throws {
    try await Live.with(
      "CREATE TABLE todo (id bigint PRIMARY KEY, list bigint)", on: .shared
    ) { live in
      let database = live.database
      let shown = Mutex<[[Todo]]>([])
      @Sendable func show(_ todos: [Todo]) { shown.withLock { $0.append(todos) } }
      do {
        let executor = PostgreSQLRouteExecutor(database)
        try await executor.changes.installTriggers(on: [TableName(schema: "public", "todo")])
      }
      let task = Task {
        let executor = PostgreSQLRouteExecutor(database)
        for try await todos in executor.observeValues(
          Todo.self, for: .fetch(from: "todo", filteredBy: Column("list").equals(3)))
        {
          show(todos)
        }
      }
      while shown.withLock({ $0.isEmpty }) { try await Task.sleep(for: .milliseconds(2)) }
      try await live.run("INSERT INTO todo VALUES (1, 3)")
      while shown.withLock({ $0.last?.count }) != 1 { try await Task.sleep(for: .milliseconds(2)) }
      task.cancel()
      try await task.value
      try await live.expectNothingRemains()
    }
  }
}
