// Prints: 2 rows, 1 of them open
import Providers

/// An app that only uses Providers.
enum ProvidersConsumer {
  static func run() async throws -> String { try work() }

  private static func work() throws -> String {
    let tasks: any DataProvider = JSONProvider()
    try tasks.createSourceInMemory()
    try tasks.execute("CREATE TABLE Task (id INTEGER PRIMARY KEY, name TEXT, done BOOLEAN)")
    for (name, done) in [("Shop", false), ("Cook", true)] {
      try tasks.execute(
        "INSERT INTO Task (name, done) VALUES (?, ?)", withParameters: [name, done])
    }
    let database = SQLiteProvider()
    try database.createSourceInMemory()
    let report = try DataTransfer().copy(from: tasks, to: database)
    let open = try database.countRows(inTable: "Task", filteredBy: "NOT done")
    try tasks.closeSource()
    try database.closeSource()
    return "\(report.rowCount) rows, \(open) of them open"
  }
}
