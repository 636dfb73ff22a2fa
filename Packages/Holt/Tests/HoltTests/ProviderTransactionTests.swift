import Holt
import Testing

@Suite struct `Routes in a provider's transaction` {
  /// Adds a column, which routes can use, in a transaction that is rolled back.
  private func rollBack(
    _ column: String, _ provider: any DataProvider, _ executor: ProviderRouteExecutor
  ) async throws {
    try provider.beginTransaction()
    try await provider.execute("ALTER TABLE todos ADD COLUMN \(unsafe: column) TEXT")
    let response = try await executor.run(.fetch(from: "todos"))
    #expect(response.columns == ["id", "name", "isDone", column])
    try provider.rollbackTransaction()
  }

  @Test(arguments: TestedProvider.allCases)
  func `do not find tables that were rolled back`(_ tested: TestedProvider) async throws {
    try await tested.withTodos { provider, _ in
      let executor = ProviderRouteExecutor(provider)
      // Schemas with the same version number. The first one was rolled back.
      for column in ["due", "note"] {
        try await rollBack(column, provider, executor)
      }
      #expect(
        try await executor.run(.fetch(from: "todos")).columns == ["id", "name", "isDone"])
    }
  }

  @Test func `do not find tables that a nested transaction rolled back`() async throws {
    try await TestedProvider.json.withTodos { provider, _ in
      let executor = ProviderRouteExecutor(provider)
      try provider.beginTransaction()
      for column in ["due", "note"] {
        try await rollBack(column, provider, executor)
      }
      try await provider.execute("ALTER TABLE todos ADD COLUMN sum REAL")
      try provider.endTransaction()
      #expect(
        try await executor.run(.fetch(from: "todos")).columns == ["id", "name", "isDone", "sum"])
    }
  }

  @Test(arguments: TestedProvider.allCases)
  func `are not observed before the commit`(_ tested: TestedProvider) async throws {
    try await tested.withTodos { provider, _ in
      let executor = ProviderRouteExecutor(provider)
      let all = DatabaseRoute.fetch(from: "todos", order: .ascending("id"))
      var todos = executor.observeValues(Todo.self, for: all).makeAsyncIterator()
      #expect(try await todos.next() == [.milk])
      try provider.beginTransaction()
      try await executor.perform(.delete(id: 1, from: "todos"))
      async let begun = executor.observeValues(Todo.self, for: all).first { _ in true }
      try provider.rollbackTransaction()
      #expect(try await begun == [.milk])
      try provider.beginTransaction()
      try await executor.perform(.insert(Todo.bread, into: "todos"))
      try provider.endTransaction()
      #expect(try await todos.next() == [.milk, .bread])
    }
  }

  @Test(arguments: TestedProvider.allCases)
  func `are rolled back individually, and the transaction continues`(_ tested: TestedProvider)
    async throws
  {
    try await tested.withTodos { provider, _ in
      let executor = ProviderRouteExecutor(provider)
      try provider.beginTransaction()
      try await executor.perform(.insert(Todo.bread, into: "todos"))
      await #expect(throws: Offline.self) {
        try await executor.transaction { routes in
          try routes.run(.delete(id: 1, from: "todos"))
          throw Offline()
        }
      }
      #expect(try await executor.dryRun(.delete(id: 2, from: "todos")).affected == 1)
      #expect(
        try await executor.countedValues(Todo.self, for: .fetch(from: "todos")).total.value == 2)
      try provider.endTransaction()
      #expect(try await executor.values(Todo.self, for: .fetch(from: "todos")).count == 2)
    }
  }
}
