import Primitives
import QueryGen

extension Questions {
  func queryNames() async throws {
    try await search()
    try await meanings()
  }

  private func search() async throws {
    report.question(
      "What is named after a saint called Paul, in any spelling?", "Names.sql: search")
    var table = TextTable([.left("Name"), .left("Kind"), .left("Code")])
    let words = "(saint OR sao OR san OR sankt) AND (paul* OR pablo OR paolo)"
    for row in try await db.search.execute(words: words, limit: 10) {
      table.add([row.name, row.kind, row.code].map { $0 ?? "–" })
    }
    report.table(table)
  }

  private func meanings() async throws {
    report.question("What does CH stand for?", "Names.sql: meanings")
    var table = TextTable([.left("Kind"), .left("Code"), .left("Name")])
    for row in try await db.meanings.execute("ch") {
      table.add([row.kind, row.code, row.name])
    }
    report.table(table)
  }
}
