import Holt
import Testing

/// A provider of each kind, with a separate file.
enum TestedProvider: String, CaseIterable, Sendable {
  case sqlite, json, xml, csv, spon

  func make() -> any DataProvider {
    switch self {
    case .sqlite: SQLiteProvider()
    case .json: JSONProvider()
    case .xml: XMLProvider()
    case .csv: CSVProvider()
    case .spon: SPONProvider()
    }
  }

  /// Runs `body` with a provider that has opened a new file with one todo.
  func withTodos(_ body: (any DataProvider, _ path: String) async throws -> Void) async throws {
    let folder = try TemporaryFolder()
    let path = folder.path("todos.\(rawValue)")
    let provider = make()
    try await provider.openSource(atPath: path)
    try await provider.execute(SQL(unsafe: TodoDatabase.schema))
    try await provider.execute("INSERT INTO todos VALUES (1, 'Milk', false)")
    try await provider.persist()
    try await body(provider, path)
    try await provider.closeSource()
  }
}

@Suite struct `A provider as a router's database` {
  @Test(arguments: TestedProvider.allCases)
  func `reads and writes its tables, which can be saved to the file`(_ tested: TestedProvider)
    async throws
  {
    try await tested.withTodos { provider, path in
      let router = DatabaseRouter<Routes>(provider)
      #expect(try await router(.todos(.fetchOne(id: 1))) == Todo.milk)
      let saved: Todo = try await router(.todos(.save(.bread)))
      #expect(saved == .bread)
      #expect(provider.hasUnsavedChanges == (tested != .sqlite))
      try await provider.persist()

      let again = tested.make()
      try await again.openSource(atPath: path, readOnly: true)
      let names = try await GeneralRouter(again).run(
        .fetch(from: "todos", order: .ascending("id")).selecting("name")
      ).rows
      #expect(names == [[.text("Milk")], [.text("Bread")]])
      try await again.closeSource()
    }
  }

  @Test(arguments: TestedProvider.allCases)
  func `is observed, regardless of how its tables are written`(_ tested: TestedProvider)
    async throws
  {
    final class Note: DataTable {
      static let tableName = "notes"
      static let primaryKey = "id"
      static let primaryKeyType = DataTableKeyType.computedInt
      var id = 0
      var text = ""
      init() {}
    }
    try await tested.withTodos { provider, _ in
      let executor = ProviderRouteExecutor(provider)
      var todos = executor.observeValues(Todo.self, for: .fetch(from: "todos"))
        .makeAsyncIterator()
      #expect(try await todos.next() == [.milk])
      try await provider.execute("INSERT INTO todos VALUES (2, 'Bread', false)")
      #expect(try await todos.next() == [.milk, .bread])
      try await executor.perform(.delete(id: 1, from: "todos"))
      #expect(try await todos.next() == [.bread])

      try await provider.registerTableSchema(Note.self)
      var count = executor.observeCount(of: .fetch(from: "notes")).makeAsyncIterator()
      #expect(try await count.next() == 0)
      let note = Note()
      note.text = "Shop"
      _ = try await provider.save(note)
      #expect(try await count.next() == 1)
      // A CSV file has one table.
      try await provider.execute("DROP TABLE notes")
    }
  }

  @Test(arguments: TestedProvider.allCases)
  func `runs routes in the open transaction`(_ tested: TestedProvider) async throws {
    try await tested.withTodos { provider, _ in
      let executor = ProviderRouteExecutor(provider)
      try provider.beginTransaction()
      try await executor.perform(.delete(id: 1, from: "todos"))
      #expect(try await executor.values(Todo.self, for: .fetch(from: "todos")) == [])
      // If a route of a batch fails, none takes effect, and the transaction continues.
      await #expect(throws: (any Error).self) {
        try await executor.run([
          try .insert(Todo.bread, into: "todos"), try .insert(Todo.bread, into: "todos"),
        ])
      }
      #expect(try await executor.values(Todo.self, for: .fetch(from: "todos")) == [])
      try provider.rollbackTransaction()
      #expect(try await executor.values(Todo.self, for: .fetch(from: "todos")) == [.milk])
    }
  }

  @Test func `is subject to policies, limits and row filters`() async throws {
    try await TestedProvider.json.withTodos { provider, _ in
      try await provider.execute("INSERT INTO todos VALUES (2, 'Bread', true)")
      var executor = ProviderRouteExecutor(provider)
      executor.rowFilters["todos"] = DatabaseRoute.Column("isDone").equals(false)
      #expect(try await executor.values(Todo.self, for: .fetch(from: "todos")) == [.milk])
      let refused = await #expect(throws: RouterError.self) {
        try await executor.perform(.insert(Todo(id: 3, name: "Tea", isDone: true), into: "todos"))
      }
      #expect(refused?.code == .refused)
      executor.rowFilters = [:]
      executor.limits.maximumRows = 1
      let tooMany = await #expect(throws: RouterError.self) {
        try await executor.values(Todo.self, for: .fetch(from: "todos"))
      }
      #expect(tooMany?.code == .tooManyRows)
      executor.policies = [{ route in if !route.isReadOnly { throw Offline() } }]
      await #expect(throws: Offline.self) {
        try await executor.perform(.delete(id: 1, from: "todos"))
      }
    }
  }

  @Test func `is subject to them regardless of how a route is run`() async throws {
    try await TestedProvider.json.withTodos { provider, _ in
      try await provider.execute("INSERT INTO todos VALUES (2, 'Bread', true)")
      var executor = ProviderRouteExecutor(provider)
      executor.rowFilters["todos"] = DatabaseRoute.Column("isDone").equals(false)
      let all = DatabaseRoute.fetch(from: "todos")
      var todos = executor.observeValues(Todo.self, for: all).makeAsyncIterator()
      #expect(try await todos.next() == [.milk])
      #expect(try await executor.countedValues(Todo.self, for: all).total.value == 1)
      #expect(
        try await executor.values(Todo.self, forEach: [all, all], expecting: .one)
          == [[.milk], [.milk]])
      #expect(try await executor.dryRun(.delete(id: 2, from: "todos")).affected == 0)
      let seen = try await executor.transaction { try $0.values(Todo.self, for: all) }
      #expect(seen == [.milk])
      executor.policies = [{ _ in throw Offline() }]
      await #expect(throws: Offline.self) {
        for try await _ in executor.observeValues(Todo.self, for: all) {}
      }
      await #expect(throws: Offline.self) {
        try await executor.countedValues(Todo.self, for: all)
      }
      await #expect(throws: Offline.self) { try await executor.dryRun(all) }
      await #expect(throws: Offline.self) {
        try await executor.transaction { _ = try $0.run(all) }
      }
    }
  }

  @Test func `counts, does dry runs, explains, and runs transactions`() async throws {
    try await TestedProvider.spon.withTodos { provider, _ in
      let executor = ProviderRouteExecutor(provider)
      try await executor.transaction { routes in
        try routes.run(.insert(Todo.bread, into: "todos"))
        #expect(try routes.values(Todo.self, for: .fetch(from: "todos")).count == 2)
      }
      let (todos, total) = try await executor.countedValues(
        Todo.self, for: .fetch(from: "todos", order: .ascending("id")).limited(to: 1))
      #expect(todos == [.milk])
      #expect(total.value == 2)
      #expect(try await executor.dryRun(.delete(id: 1, from: "todos")).affected == 1)
      #expect(try await executor.values(Todo.self, for: .fetch(from: "todos")).count == 2)
      let plan = try await executor.explain(.fetch(from: "todos"))
      #expect("\(plan)".contains("todos"))
      await #expect(throws: Offline.self) {
        try await executor.transaction { routes in
          try routes.run(.delete(id: 1, from: "todos"))
          throw Offline()
        }
      }
      #expect(try await executor.values(Todo.self, for: .fetch(from: "todos")).count == 2)
    }
  }

  @Test(arguments: TestedProvider.allCases)
  func `without a source, routes fail with a specific error`(_ tested: TestedProvider)
    async throws
  {
    let provider = tested.make()
    let executor = ProviderRouteExecutor(provider)
    let route: DatabaseRoute = .fetch(from: "todos")
    for _ in 0..<2 {
      let error = await #expect(throws: ProviderError.self) { try await executor.run(route) }
      #expect(error?.code == .notOpen)
      let observed = await #expect(throws: ProviderError.self) {
        for try await _ in executor.observeValues(Todo.self, for: route) {}
      }
      #expect(observed?.code == .notOpen)
      try provider.createSourceInMemory()
      try await provider.execute(SQL(unsafe: TodoDatabase.schema))
      #expect(try await executor.values(Todo.self, for: route) == [])
      var todos = executor.observeValues(Todo.self, for: route).makeAsyncIterator()
      #expect(try await todos.next() == [])
      try await provider.closeSource(discardingChanges: true)
      let closed = await #expect(throws: SQLiteError.self) { try await todos.next() }
      #expect(closed?.code == .closed)
    }
  }

  @Test func `a source that was opened read-only is only read`() async throws {
    try await TestedProvider.json.withTodos { provider, path in
      let reader = JSONProvider()
      try await reader.openSource(atPath: path, readOnly: true)
      let executor = ProviderRouteExecutor(reader)
      #expect(try await executor.values(Todo.self, for: .fetch(from: "todos")) == [.milk])
      let error = await #expect(throws: ProviderError.self) {
        try await executor.perform(.delete(id: 1, from: "todos"))
      }
      #expect(error?.code == .readOnly)
      try await reader.closeSource()
    }
  }

  @Test func `another source's tables are not confused with the previous ones`() async throws {
    let provider = JSONProvider()
    let router = GeneralRouter(provider)
    // Schemas with the same version number, but another column order.
    for (columns, value) in [("id, name", "1, 'a'"), ("name, id", "'b', 2")] {
      try provider.createSourceInMemory()
      try await provider.execute("CREATE TABLE todos (\(unsafe: columns))")
      try await provider.execute("INSERT INTO todos VALUES (\(unsafe: value))")
      let response = try await router.run(.fetch(from: "todos"))
      #expect(response.columns.joined(separator: ", ") == columns)
      try await provider.closeSource(discardingChanges: true)
    }
  }
}
