import Relations
import SQLiteCore

extension World {
  /// Countries with their parts, and the parts of these, with their zones and currencies: one statement for the countries, and one
  /// for each relation of each level, however many there are.
  static func countries(_ codes: [String], in session: ModelSession) async throws -> [Country] {
    let countries = try await session.fetchAll(
      Country.self, "WHERE alpha2 IN \(codes) ORDER BY display_name")
    try await countries.load {
      $0.with(\.subdivisions) { $0.with(\.parts) }.with(\.zones).with(\.currencies)
    }
    return countries
  }

  /// Library codes with what they stand for.
  static func libraryCodes(
    _ codes: [String], in session: ModelSession
  ) async throws -> [LibraryCode] {
    let found = try await session.fetchAll(
      LibraryCode.self, "WHERE code IN \(codes) ORDER BY code")
    try await found.load { $0.with(\.language).with(\.family) }
    return found
  }

  /// The parts of countries that have words in their names, page by page: the last word may go on. What is typed is no error.
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
