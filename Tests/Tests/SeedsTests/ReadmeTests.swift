import QueryGen
import Testing

private struct MockError: Error, Equatable {}

private enum Injection {
  class ViewModel {
    let fetchString: any Query<Int, String>

    init(fetchString: any Query<Int, String>) { self.fetchString = fetchString }
  }
}

private enum InjectedAlias {
  class ViewModel {
    // Equivalent to `any Query<LatestExpensesInput, LatestExpensesOutput>`
    let query: any LatestExpensesQuery

    init(query: any LatestExpensesQuery) { self.query = query }
  }
}

@Suite struct `The samples of the QueryGen seed` {
  private typealias ViewModel = Injection.ViewModel

  @Test func `select todos`() async throws {
    let db = try DB()
    try await db.database.write {
      try $0.run("INSERT INTO todo VALUES (1, 'Buy milk', NULL), (2, 'Drink it', 1700000000)")
    }

    let todos = try await db.selectTodos.execute()

    var seen: [(Int?, String, Int?)] = []
    for todo in todos {
      print(todo.id as Any, todo.name, todo.completedOn as Any)
      seen.append((todo.id, todo.name, todo.completedOn))
    }
    #expect(seen.map(\.0) == [1, 2])
    #expect(seen.map(\.1) == ["Buy milk", "Drink it"])
    #expect(seen.map(\.2) == [nil, 1_700_000_000])
  }

  @Test func `observe todos`() async throws {
    let db = try DB()
    var counts: [Int] = []
    for try await todos in db.selectTodos.observe() {
      print("Got todos", todos)
      counts.append(todos.count)
      if todos.count == 2 { break }
      try await db.database.write { try $0.run("INSERT INTO todo (name) VALUES ('Buy milk')") }
    }
    #expect(counts == [0, 1, 2])
  }

  @Test func `inject a query of the database`() async throws {
    let database = try DB()
    try await database.database.write {
      try $0.run("INSERT INTO expense VALUES (1, 'Lunch', 12.5, 100)")
    }
    let viewModel = ViewModel(fetchString: database.fetchString)
    #expect(try await viewModel.fetchString.execute(1) == "Lunch")
    #expect(try await viewModel.fetchString.execute(2) == "nothing")
  }

  @Test func `inject a string, and an error`() async throws {
    let viewModel = ViewModel(fetchString: Queries.Just("Just a string, no database needed 😎"))
    #expect(try await viewModel.fetchString.execute(1) == "Just a string, no database needed 😎")

    // Will throw the `MockError` any time the query is executed
    let alwaysFails = ViewModel(fetchString: Queries.Fail(MockError()))
    await #expect(throws: MockError()) { try await alwaysFails.fetchString.execute(1) }
    await #expect(throws: MockError()) { try await alwaysFails.fetchString.execute(2) }
  }

  @Test func `inject a query by its alias`() async throws {
    let db = try DB()
    try await db.database.write {
      try $0.run(
        """
        INSERT INTO expense VALUES
          (1, 'Lunch', 12.5, 100), (2, 'Train', 40, 200), (3, 'Dinner', 30, 300)
        """)
    }
    let model = InjectedAlias.ViewModel(query: db.latestExpenses)
    let latest = try await model.query.execute(.init(dateLower: 150, dateUpper: 300))
    #expect(latest.map(\.id) == [2, 3])
    #expect(latest.map(\.title) == ["Train", "Dinner"])
    #expect(latest.map(\.amount) == [40, 30])

    let input = LatestExpensesInput(dateLower: 0, dateUpper: 150)
    let output: LatestExpensesOutput = try await db.latestExpenses.execute(input)
    #expect(output == [LatestExpensesRow(id: 1, title: "Lunch", amount: 12.5)])

    let preview = InjectedAlias.ViewModel(query: Queries.Just([]))
    #expect(try await preview.query.execute(input) == [])
  }
}
