import Router
import SQLiteCore

typealias Column = DatabaseRoute.Column
typealias Filter = DatabaseRoute.Filter
typealias Record = DatabaseRoute.Record

/// A row of the table that most tests use.
struct Todo: Codable, Hashable, Sendable {
  var id: Int?
  var name: String
  var completedOn: Int?

  static let milk = Todo(id: 1, name: "Milk")
  static let bread = Todo(id: 2, name: "Bread", completedOn: 5)
  static let tea = Todo(id: 3, name: "tea", completedOn: 3)
  static let mocks = [milk, bread]
}

extension DatabaseRoute.Table {
  static let todos: Self = "todos"
}

/// Creates an in-memory database, and runs a script on it.
func database(_ script: String = "") throws -> Database {
  let database = try Database.inMemory()
  try database.write { try $0.execute(SQL(unsafe: script)) }
  return database
}

let todosSchema =
  "CREATE TABLE todos (id INTEGER PRIMARY KEY, name TEXT NOT NULL, completedOn INTEGER);"

/// An executor on the table of todos, with three rows.
func todos(_ script: String = "") async throws -> SQLiteRouteExecutor {
  let executor = SQLiteRouteExecutor(try database(todosSchema + script))
  try await executor.perform(.insert([Todo.milk, .bread, .tea], into: .todos))
  return executor
}

/// The code of the error that a route throws.
func code(_ body: () async throws -> Void) async -> RouterError.Code? {
  do {
    try await body()
    return nil
  } catch let error as RouterError {
    return error.code
  } catch {
    return RouterError.Code(rawValue: "\(error)")
  }
}
