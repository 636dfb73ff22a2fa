import Primitives
import QueryGen

extension Questions {
  func querySubdivisions() async throws {
    try await divisionTree()
    try await divisionTypes()
    try await mostDivided()
    try await sharedNames()
  }

  private func divisionTree() async throws {
    report.question("How is Belgium divided?", "Subdivisions.sql: divisionTree")
    var table = TextTable([.left("Part"), .left("Type"), .left("Code")])
    for row in try await db.divisionTree.execute("BE") {
      let indent = String(repeating: "    ", count: row.depth)
      table.add([indent + row.name, row.type, row.code])
    }
    report.table(table)
  }

  private func divisionTypes() async throws {
    report.question("What do countries call their parts?", "Subdivisions.sql: divisionTypes")
    var table = TextTable([.left("Type"), .right("Countries"), .right("Parts")])
    for row in try await db.divisionTypes.execute(15) {
      table.add([row.type, "\(row.countries)", row.parts.grouped])
    }
    report.table(table)
  }

  private func mostDivided() async throws {
    report.question(
      "Which countries have the most parts, and what share of the world's total?",
      "Subdivisions.sql: mostDivided")
    var table = TextTable([
      .right("#"), .left("Country"), .right("Parts"), .right("Share"), .right("Running"),
    ])
    for row in try await db.mostDivided.execute(8) {
      table.add([
        "\(row.place)", "\(row.flag) \(row.displayName)", row.parts.grouped,
        percent(row.share), percent(row.runningShare),
      ])
    }
    report.table(table)
  }

  /// Formats a share. The column is nullable, since a division by zero results in `NULL`.
  private func percent(_ share: Double?) -> String {
    share.map { "\($0.oneDecimal) %" } ?? "–"
  }

  private func sharedNames() async throws {
    report.question(
      "Which names are found in five countries or more?", "Subdivisions.sql: sharedNames")
    var table = TextTable([.left("Name"), .right("Countries"), .right("Parts"), .left("Where")])
    for row in try await db.sharedNames.execute(5) {
      table.add([row.name, "\(row.countries)", "\(row.parts)", row.flags])
    }
    report.table(table)
  }
}
