import Primitives
import Router
import RouterPostgreSQL
import SQLiteCore

/// Questions that are asked with routes, of a database of any engine.
struct RouteQuestions {
  typealias Column = DatabaseRoute.Column

  /// A question, with the table that shows its answer.
  struct Question: Sendable {
    var text: String
    var route: String
    var columns: [TextTable.Column]
    /// Returns the rows of the answer.
    var answer: @Sendable (any DatabaseRouteExecutor) async throws -> [[String]]
  }

  /// Asks all questions of both databases, and prints the answers of PostgreSQL.
  ///
  /// - Throws: `AtlasError` if an answer differs.
  static func run(
    on server: PostgreSQLRouteExecutor, comparedWith file: SQLiteRouteExecutor, _ report: Report
  ) async throws {
    var differing: [String] = []
    for question in all {
      report.question(question.text, question.route)
      let (answer, expected) = (
        try await question.answer(server), try await question.answer(file)
      )
      var table = TextTable(question.columns)
      for row in answer { table.add(row) }
      report.table(table)
      if answer != expected { differing.append(question.text) }
    }
    report.line()
    guard differing.isEmpty else { throw AtlasError.answersDiffer(differing) }
    report.line("All \(all.count) answers of PostgreSQL are equal to those of SQLite.")
  }

  /// Observes the number of zones while other routes change it, and prints each value.
  ///
  /// The server must report changes: see `PostgreSQLChangeSource`.
  static func observe(_ executor: PostgreSQLRouteExecutor, _ report: Report) async throws {
    report.question("How many time zones does Europe have, while they change?", "observeCount")
    let zones = DatabaseRoute.fetch(from: "zone", filteredBy: Column("name").hasPrefix("Europe/"))
    var counts = executor.observeCount(of: zones).makeAsyncIterator()
    var count = try await counts.next() ?? 0
    var table = TextTable([.left("Commit"), .right("Zones")])
    table.add(["(the first value)", "\(count)"])
    let zone: DatabaseRoute.Record = [
      "name": "Europe/Atlantis", "latitude": 40.5, "longitude": -30.25, "region": "Europe",
    ]
    let commits: [(String, DatabaseRoute)] = [
      ("insert Europe/Atlantis", try .insert(zone, into: "zone")),
      ("delete Europe/Atlantis", .delete(id: "Europe/Atlantis", from: "zone")),
    ]
    for (text, route) in commits {
      try await executor.perform(route)
      let last = count
      while count == last, let next = try await counts.next() { count = next }
      table.add([text, "\(count)"])
    }
    report.table(table)
  }

  // MARK: Rows

  private struct Country: Codable, Sendable {
    var alpha2: String
    var displayName: String
    var flag: String
    var officialName: String?
    var title: String { "\(flag) \(displayName)" }

    enum CodingKeys: String, CodingKey {
      case alpha2, flag
      case displayName = "display_name"
      case officialName = "official_name"
    }
  }

  private struct Source: Codable, Sendable {
    var name: String
    var rowCount: Int

    enum CodingKeys: String, CodingKey {
      case name
      case rowCount = "row_count"
    }
  }

  private struct KindCount: Codable, Sendable {
    var type: String
    var parts: Int
    var countries: Int
  }

  private struct Zone: Codable, Sendable {
    var name: String
    var latitude: Double
    var longitude: Double
  }

  private struct DividedCountry: Codable, Sendable {
    struct Part: Codable, Sendable {
      var name: String
      var type: String
    }

    struct Use: Codable, Sendable {
      var zone: String
    }

    var flag: String
    var displayName: String
    var parts: [Part]
    var zones: [Use]

    enum CodingKeys: String, CodingKey {
      case flag, parts, zones
      case displayName = "display_name"
    }
  }

  private struct ZoneCount: Codable, Sendable {
    var flag: String
    var displayName: String
    var zones: Int
    var westernmost: Double
    var easternmost: Double

    enum CodingKeys: String, CodingKey {
      case flag, zones, westernmost, easternmost
      case displayName = "display_name"
    }
  }

  private struct ReusedCode: Codable, Sendable {
    var alpha2: String
    var formerly: String
    var flag: String
    var today: String
  }

  private struct Branch: Codable, Sendable {
    var code: String
    var name: String
    var depth: Int
  }

  // MARK: Questions

  static let all: [Question] = [
    Question(
      text: "What is in the atlas?", route: ".fetch(from: \"source\")",
      columns: [.left("Source"), .right("Records")]
    ) { executor in
      let route = DatabaseRoute.fetch(from: "source", order: .ascending("name"))
      return try await executor.values(Source.self, for: route)
        .map { [$0.name, $0.rowCount.grouped] }
    },
    Question(
      text: "Which countries are on page 3, with six per page?",
      route: ".fetch(from: \"country\").limited(to: 6, offset: 12)",
      columns: [.left("Country"), .left("Code"), .left("In full", limit: 60)]
    ) { executor in
      let route = DatabaseRoute.fetch(from: "country", order: .ascending("display_name"))
        .limited(to: 6, offset: 12)
      return try await executor.values(Country.self, for: route)
        .map { [$0.title, $0.alpha2, $0.officialName ?? "–"] }
    },
    Question(
      text: "What are the full names of BO, CH, GB, KR and TW?",
      route: "Column(\"alpha2\").in([\"BO\", …])",
      columns: [.left("Country"), .left("Code"), .left("In full", limit: 60)]
    ) { executor in
      let route = DatabaseRoute.fetch(
        from: "country", filteredBy: Column("alpha2").in(["BO", "CH", "GB", "KR", "TW"]),
        order: .ascending("display_name"))
      return try await executor.values(Country.self, for: route)
        .map { [$0.title, $0.alpha2, $0.officialName ?? "–"] }
    },
    Question(
      text: "Which kinds of subdivisions do most countries have?",
      route: ".aggregating(.count(\"country\", distinct: true))",
      columns: [.left("Kind"), .right("Countries"), .right("Subdivisions")]
    ) { executor in
      let route = DatabaseRoute.fetch(from: "subdivision").selecting("type")
        .aggregating(
          .count(as: "parts"), .count("country", as: "countries", distinct: true)
        )
        .filteringGroups(by: Column("countries").greaterThan(11))
        .ordered(by: .descending("countries"), .ascending("type"))
      return try await executor.values(KindCount.self, for: route)
        .map { [$0.type, $0.countries.grouped, $0.parts.grouped] }
    },
    Question(
      text: "Which zones are south of 40° S, but not in Antarctica?",
      route: "Column(\"latitude\").lessThan(-40) && …",
      columns: [.left("Zone"), .right("Latitude"), .right("Longitude")]
    ) { executor in
      let route = DatabaseRoute.fetch(
        from: "zone",
        filteredBy: Column("latitude").lessThan(-40) && Column("region").notIn(["Antarctica"]),
        order: .ascending("name"))
      return try await executor.values(Zone.self, for: route)
        .map { [$0.name, $0.latitude.degrees("N", "S"), $0.longitude.degrees("E", "W")] }
    },
    Question(
      text: "What does the atlas contain about the Alps?",
      route: ".embedding(.init(\"subdivision\"), .init(\"zone_country\"))",
      columns: [.left("Country"), .right("Parts"), .left("First parts", limit: 50), .left("Zones")]
    ) { executor in
      let route = DatabaseRoute.fetch(
        from: "country", filteredBy: Column("alpha2").in(["AT", "CH", "LI"]),
        order: .ascending("alpha2")
      ).selecting("flag", "display_name").embedding(
        .init("subdivision", as: "parts", orderedBy: [.ascending("name")]),
        .init("zone_country", as: "zones", orderedBy: [.ascending("position")]))
      return try await executor.values(DividedCountry.self, for: route).map { country in
        [
          "\(country.flag) \(country.displayName)", "\(country.parts.count)",
          country.parts.prefix(4).map(\.name).joined(separator: ", "),
          country.zones.map(\.zone).joined(separator: ", "),
        ]
      }
    },
    Question(
      text: "Which countries have the most time zones?", route: ".custom(on: \"country\")",
      columns: [
        .left("Country"), .right("Zones"), .right("Westernmost"), .right("Easternmost"),
      ]
    ) { executor in
      let route = try DatabaseRoute.custom(on: "country") { _ in
        """
        SELECT country.flag, country.display_name, count(*) AS zones,
          min(zone.longitude) AS westernmost, max(zone.longitude) AS easternmost
        FROM country JOIN zone_country ON zone_country.country = country.alpha2
        JOIN zone ON zone.name = zone_country.zone
        GROUP BY country.alpha2 ORDER BY zones DESC, country.display_name LIMIT \(8)
        """
      }
      return try await executor.values(ZoneCount.self, for: route).map {
        [
          "\($0.flag) \($0.displayName)", "\($0.zones)", $0.westernmost.degrees("E", "W"),
          $0.easternmost.degrees("E", "W"),
        ]
      }
    },
    Question(
      text: "Which codes of former countries are reused today?",
      route: ".custom(on: \"former_country\")",
      columns: [.left("Code"), .left("Formerly"), .left("Today")]
    ) { executor in
      let route = try DatabaseRoute.custom(on: "former_country") { _ in
        """
        SELECT former_country.alpha2, former_country.name AS formerly, country.flag,
          country.display_name AS today
        FROM former_country JOIN country ON country.alpha2 = former_country.alpha2
        WHERE country.alpha3 <> former_country.alpha3 ORDER BY former_country.alpha2
        """
      }
      return try await executor.values(ReusedCode.self, for: route)
        .map { [$0.alpha2, $0.formerly, "\($0.flag) \($0.today)"] }
    },
    Question(
      text: "How is Belgium divided?", route: ".custom(on: \"subdivision\")",
      columns: [.left("Subdivision"), .left("Code")]
    ) { executor in
      let route = try DatabaseRoute.custom(on: "subdivision") { _ in
        """
        WITH RECURSIVE part (code, name, depth, path) AS (
          SELECT code, name, 0, name FROM subdivision WHERE country = \("BE") AND parent IS NULL
          UNION ALL
          SELECT child.code, child.name, part.depth + 1, part.path || ' / ' || child.name
          FROM part JOIN subdivision AS child ON child.parent = part.code
        )
        SELECT code, name, depth FROM part ORDER BY path
        """
      }
      return try await executor.values(Branch.self, for: route)
        .map { [String(repeating: "  ", count: $0.depth) + $0.name, $0.code] }
    },
  ]
}
