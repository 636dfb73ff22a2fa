import Primitives
import QueryGen

extension Questions {
  func queryCountries() async throws {
    try await mostZones()
    try await countryPage()
    try await countriesWithCodes()
    try await overview()
    try await reusedCodes()
    try await issuersOfSeveral()
  }

  private func mostZones() async throws {
    report.question("Which countries have the most time zones?", "Countries.sql: mostZones")
    var table = TextTable([
      .left("Country"), .right("Zones"), .right("Westernmost"), .right("Easternmost"),
    ])
    for row in try await db.mostZones.execute(8) {
      table.add([
        "\(row.flag) \(row.displayName)", "\(row.zones)", row.westernmost.degrees("E", "W"),
        row.easternmost.degrees("E", "W"),
      ])
    }
    report.table(table)
  }

  private func countryPage() async throws {
    report.question(
      "Which countries are on page 3, with six per page?", "Countries.sql: countryPage")
    var table = TextTable([
      .left("Country"), .left("Two letters"), .left("Three letters"), .right("Number"),
    ])
    for row in try await db.countryPage.execute(pageSize: 6, page: 3) {
      table.add(["\(row.flag) \(row.displayName)", row.alpha2, row.alpha3, "\(row.numericCode)"])
    }
    report.table(table)
  }

  private func countriesWithCodes() async throws {
    report.question(
      "What are the full names of BO, CH, GB, KR and TW?", "Countries.sql: countriesWithCodes")
    var table = TextTable([.left("Country"), .left("Code"), .left("In full", limit: 60)])
    for row in try await db.countriesWithCodes.execute(["BO", "CH", "GB", "KR", "TW"]) {
      table.add(["\(row.flag) \(row.displayName)", row.alpha2, row.officialName ?? "–"])
    }
    report.table(table)
  }

  private func overview() async throws {
    report.question("What does the atlas contain about Switzerland?", "Countries.sql: overview")
    guard let row = try await db.overview.execute("CH") else { return }
    var table = TextTable([
      .left("Country"), .right("Subdivisions"), .right("Zones"), .right("Currencies"),
    ])
    table.add([
      "\(row.flag) \(row.displayName)", "\(row.subdivisions)", "\(row.zones)",
      "\(row.currencies)",
    ])
    report.table(table)
  }

  private func reusedCodes() async throws {
    report.question(
      "Which codes of former countries are reused today?", "Countries.sql: reusedCodes")
    var table = TextTable([.left("Code"), .left("Formerly"), .left("Until"), .left("Today")])
    for row in try await db.reusedCodes.execute() {
      table.add([row.alpha2, row.formerly, row.withdrawn, "\(row.flag) \(row.today)"])
    }
    report.table(table)
  }

  private func issuersOfSeveral() async throws {
    report.question(
      "Which countries issue several currencies?", "Countries.sql: issuersOfSeveral")
    var table = TextTable([.left("Country"), .right("Count"), .left("Currencies", limit: 66)])
    for row in try await db.issuersOfSeveral.execute() {
      table.add(["\(row.flag) \(row.displayName)", "\(row.currencies)", row.names])
    }
    report.table(table)
  }
}
