import Foundation
import Providers
import QueryGen
import HoltMacros
import SQLiteCore
import Testing

// The samples of the repository's README, compiled and run.

private struct MockError: Error, Equatable {}

private enum Readme {
  /// Runs until its task is cancelled.
  static func quickStart(
    at path: String, print: @Sendable (_ titles: [String]) -> Void
  ) async throws {
    let title = "Milk"

    let database = try Database(path: path)
    try await database.write { db in
      try db.run("CREATE TABLE IF NOT EXISTS todo (id INTEGER PRIMARY KEY, title TEXT NOT NULL)")
      try db.run("INSERT INTO todo (title) VALUES (\(title))")  // bound, not pasted into the SQL
    }
    let observation = database.observe { db in
      try db.values(String.self, "SELECT title FROM todo ORDER BY id")
    }
    for try await titles in observation {
      print(titles)  // ["Milk"], and again after each commit that changes the result
    }
  }

  /// Runs until its task is cancelled.
  static func todos(_ print: @Sendable (_ items: Any...) -> Void) async throws {
    let db = try DB()
    let todos = try await db.selectTodos.execute()

    for todo in todos {
      print(todo.name, todo.completedOn ?? "still open")
    }

    for try await todos in db.selectTodos.observe() {
      print("Got todos", todos)
    }
  }

  final class ViewModel {
    let fetchString: any Query<Int, String>

    init(fetchString: any Query<Int, String>) { self.fetchString = fetchString }
  }

  static func inject(_ db: DB) async throws -> [String] {
    let viewModel = ViewModel(fetchString: db.fetchString)
    let preview = ViewModel(fetchString: Queries.Just("Just a string, no database needed"))
    // Will throw the `MockError` any time the query is executed
    let alwaysFails = ViewModel(fetchString: Queries.Fail(MockError()))
    await #expect(throws: MockError()) { try await alwaysFails.fetchString.execute(1) }
    return [try await viewModel.fetchString.execute(1), try await preview.fetchString.execute(1)]
  }

  final class ExpensesModel {
    let query: any LatestExpensesQuery

    init(query: any LatestExpensesQuery) { self.query = query }
  }
}

@Suite struct `The README's router` {
  struct Offline: Error {}

  struct Todo: Codable, Equatable, Sendable {
    var id: Int?
    var name: String

    static let milk = Todo(id: 1, name: "Milk")
  }

  @CasePathable
  enum TodoRoute: RouteCollection {
    case fetch
    case save(Todo)
    case delete(id: Int)

    func route() async throws -> DatabaseRoute {
      switch self {
      case .fetch: .fetch(from: "todos", order: .ascending("name"))
      case .save(let todo): try .upsert(todo, in: "todos")
      case .delete(let id): .delete(id: id, from: "todos")
      }
    }
  }

  @CasePathable
  enum Routes: RouteCollection {
    case todos(TodoRoute)

    func route() async throws -> DatabaseRoute {
      switch self {
      case .todos(let route): try await route.route()
      }
    }
  }

  @Test func `runs and overrides routes`() async throws {
    let database = try Database.inMemory()
    try await database.write {
      try $0.execute("CREATE TABLE todos (id INTEGER PRIMARY KEY, name TEXT NOT NULL)")
    }
    var router = DatabaseRouter<Routes>(database)

    let saved: Todo = try await router(.todos(.save(Todo(name: "Milk"))))
    let todos: [Todo] = try await router(.todos(.fetch))

    router.override(\.todos.fetch, with: [Todo.milk])
    router.override(\.todos.delete, with: .failure(Offline()))

    #expect(saved == .milk)
    #expect(todos == [.milk])
    let overridden = router
    await #expect(throws: Offline.self) { try await overridden(.todos(.delete(id: 1))) }
  }
}

@Suite struct `The README's files` {
  @Test func `are queried with SQL and copied into a database`() throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID())/towns.json").path
    let folder = (path as NSString).deletingLastPathComponent
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let text = #"[{"name": "Oslo", "country": "NO"}, {"name": "Rome", "country": "IT"}]"#
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    let database = SQLiteProvider()
    try database.createSourceInMemory()

    let provider = JSONProvider()
    try provider.openSource(atPath: path)
    let towns = try provider.query(
      "SELECT country, count(*) AS towns FROM towns GROUP BY country ORDER BY 2 DESC")
    try DataTransfer().copy(from: provider, to: database)

    #expect(towns.count == 2)
    #expect(try database.countRows(inTable: "towns") == 2)
  }
}

@Suite struct `The repository's README` {
  @Test func `starts with a query that follows commits`() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "todo.sqlite").path
    let (lists, printed) = AsyncStream.makeStream(of: [String].self)
    let task = Task { try await Readme.quickStart(at: path) { printed.yield($0) } }
    var iterator = lists.makeAsyncIterator()
    #expect(await iterator.next() == ["Milk"])
    try await Database(path: path).write { db in
      try db.run("INSERT INTO todo (title) VALUES ('Bread')")
    }
    #expect(await iterator.next() == ["Milk", "Bread"])
    task.cancel()
    _ = await task.result
  }

  @Test func `its samples run`() async throws {
    let (lines, printed) = AsyncStream.makeStream(of: String.self)
    let task = Task {
      try await Readme.todos { items in
        printed.yield(items.map { "\($0)" }.joined(separator: " "))
      }
    }
    #expect(await lines.first { _ in true } == "Got todos []")
    task.cancel()
    _ = await task.result
    let db = try DB()
    try await db.database.write {
      try $0.run("INSERT INTO expense VALUES (1, 'Lunch', 12.5, 100)")
    }
    #expect(try await Readme.inject(db) == ["Lunch", "Just a string, no database needed"])
    #expect(
      try await Readme.ExpensesModel(query: db.latestExpenses).query.execute(
        .init(dateLower: 0, dateUpper: 200)
      ).count == 1)
  }
}
