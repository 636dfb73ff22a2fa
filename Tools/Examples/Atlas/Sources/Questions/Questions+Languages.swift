import Primitives
import QueryGen

extension Questions {
  func queryLanguages() async throws {
    try await languageKinds()
    try await doubleCodes()
    try await constructedLanguages()
  }

  private func languageKinds() async throws {
    report.question("How many languages are there of each kind?", "Languages.sql: languageKinds")
    var table = TextTable([
      .left("Kind"), .right("Languages"), .right("Macrolanguages"), .right("With two letters"),
    ])
    for row in try await db.languageKinds.execute() {
      table.add([
        row.kind, row.languages.grouped, row.macrolanguages.grouped, row.withTwoLetters.grouped,
      ])
    }
    report.table(table)
  }

  private func doubleCodes() async throws {
    report.question("Which languages have two codes in libraries?", "Languages.sql: doubleCodes")
    var table = TextTable([
      .left("Language"), .left("Two letters"), .left("From its own name"), .left("From English"),
    ])
    for row in try await db.doubleCodes.execute() {
      table.add([row.name, row.alpha2 ?? "–", row.terminological, row.bibliographic])
    }
    report.table(table)
  }

  private func constructedLanguages() async throws {
    report.question("Which languages are constructed?", "Languages.sql: constructedLanguages")
    var table = TextTable([.left("Language", limit: 60), .left("Code"), .left("In libraries")])
    for row in try await db.constructedLanguages.execute() {
      table.add([row.name, row.alpha3, row.library ?? "–"])
    }
    report.table(table)
  }
}
