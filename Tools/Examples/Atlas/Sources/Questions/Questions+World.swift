import Primitives
import Relations

extension Questions {
  /// Queries the same tables as values with relations.
  func queryWorldModels() async throws {
    let session = ModelSession(db.database, schema: .explicit)
    try await countryTrees(session)
    try await libraryCodes(session)
    try await namedParts(session)
  }

  private func countryTrees(_ session: ModelSession) async throws {
    report.question(
      "Which parts, zones and currencies do Belgium, Fiji and Kiribati have?",
      "World+Loading.swift: countries")
    for country in try await World.countries(["BE", "FJ", "KI"], in: session) {
      report.line("\(country.flag) \(country.displayName)")
      let parts = try country.subdivisions.loaded().filter { $0.parent.key == nil }
      for part in parts {
        let names = try part.parts.loaded().map(\.name)
        report.line("├ \(part.name)" + (names.isEmpty ? "" : ": \(names.joined(separator: ", "))"))
      }
      let zones = try country.zones.loaded().map(\.name)
      let currencies = try country.currencies.loaded().map(\.name)
      report.line("├ zones: \(Self.list(zones))")
      report.line("└ currencies: \(Self.list(currencies))")
    }
  }

  private func libraryCodes(_ session: ModelSession) async throws {
    report.question(
      "What do libraries mean by ger, gem and him?", "World+Loading.swift: libraryCodes")
    var table = TextTable([.left("Code"), .left("Name"), .left("Stands for")])
    for code in try await World.libraryCodes(["deu", "gem", "him"], in: session) {
      let meaning =
        if let language = try code.language.loaded() {
          "the language \(language.alpha3)"
        } else if let family = try code.family.loaded() {
          "the family \(family.alpha3)"
        } else {
          "neither a language nor a family"
        }
      table.add([code.bibliographic ?? code.code, code.name, meaning])
    }
    report.table(table)
  }

  private func namedParts(_ session: ModelSession) async throws {
    let typed = "san j"
    report.question(
      "Which parts does \"\(typed)\" find as it is typed?", "World+Loading.swift: subdivisions")
    try await session.use {
      let query = World.subdivisions(named: typed, page: 4)
      try await query.fetchItems()
      let first = query.items.count
      if query.hasMore { try await query.fetchMore() }
      try await query.items.load { $0.with(\.country) }
      var table = TextTable([.left("Part"), .left("Type"), .left("Country")])
      for part in query.items {
        let country = try part.country.loaded()
        table.add([part.name, part.type, country.map { "\($0.flag) \($0.displayName)" } ?? "–"])
      }
      report.table(table)
      let more = query.hasMore ? ", and there are more" : ""
      report.line("\(first) at first, \(query.items.count - first) on the next page\(more)")
    }
  }

  private static func list(_ names: [String]) -> String {
    names.isEmpty ? "–" : names.joined(separator: ", ")
  }
}
