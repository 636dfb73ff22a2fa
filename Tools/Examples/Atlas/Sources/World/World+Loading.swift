import Relations
import SQLiteCore

extension World {
  /// Fetches countries with their subdivisions, nested subdivisions, zones and currencies. Runs one
  /// statement for the countries and one for each relation and level, regardless of the number of rows.
  static func countries(_ codes: [String], in session: ModelSession) async throws -> [Country] {
    let countries = try await session.fetchAll(
      Country.self, "WHERE alpha2 IN \(codes) ORDER BY display_name")
    try await countries.load {
      $0.with(\.subdivisions) { $0.with(\.parts) }.with(\.zones).with(\.currencies)
    }
    return countries
  }

  /// Fetches library codes with their languages and families.
  static func libraryCodes(
    _ codes: [String], in session: ModelSession
  ) async throws -> [LibraryCode] {
    let found = try await session.fetchAll(
      LibraryCode.self, "WHERE code IN \(codes) ORDER BY code")
    try await found.load { $0.with(\.language).with(\.family) }
    return found
  }

  /// Searches subdivisions by words in their names, page by page. The last word is matched as a prefix.
  /// Any text is valid input.
  static func subdivisions(named text: String, page: Int) -> RelationQuery<Subdivision> {
    RelationQuery(
      """
      JOIN name_index ON name_index.code = subdivision.code
      WHERE name_index MATCH ? AND name_index.kind = 'subdivision'
      ORDER BY subdivision.name
      """,
      arguments: [FullTextQuery.prefix(text).expression ?? "\"\""], initial: page, limit: page)
  }
}
