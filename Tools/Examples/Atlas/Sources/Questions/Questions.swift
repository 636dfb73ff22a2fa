import Primitives
import QueryGen

/// The demo's questions, answered by queries in `Queries` and, at the end, by Relations.
struct Questions {
  let db: DB
  let report: Report

  /// Answers all questions.
  func runAll() async throws {
    try await contents()
    try await queryCountries()
    try await querySubdivisions()
    try await queryLanguages()
    try await queryZones()
    try await queryNames()
    try await queryWorldModels()
  }

  private func contents() async throws {
    report.question("What is in the atlas?", "Import.sql: importedSources")
    var table = TextTable([.left("Source"), .left("File"), .right("Records")])
    let rows = try await db.importedSources.execute()
    for source in DataSource.allCases {
      let count = rows.first { $0.name == source.rawValue }?.rowCount ?? 0
      table.add([source.title, source.fileName, count.grouped])
    }
    table.add(["total", "", rows.reduce(0) { $0 + $1.rowCount }.grouped])
    report.table(table)
  }
}
