import Foundation
import PostgreSQL
import Testing

private struct Item: Codable, PostgreSQLRowDecodable, Equatable, Sendable {
  enum State: String, Codable { case draft, done }
  struct Details: Codable, Equatable { var width: Int }

  var id: Int
  var name: String?
  var price: Decimal
  var isOpen: Bool
  var state: State
  var tags: [String]
  var details: Details?
  var note: String?
  var added: Date
}

@Suite(.needsServer, .timeLimit(.minutes(2))) struct `Codable rows` {
  static let sql = """
    SELECT 1 AS id, NULL::text AS name, 2.50::numeric AS price, true AS "isOpen", 'done' AS state,
      ARRAY['a', 'b'] AS tags, '{"width": 3}'::jsonb AS details, '2026-11-21 14:37:29Z'::timestamptz AS added
    """

  @Test func `have a column for each key`() async throws {
    try await withDatabase { (database) async throws -> Void in
      let item = try await database.fetchOne(Item.self, PostgreSQLQuery(unsafe: Self.sql))
      #expect(
        item
          == Item(
            id: 1, name: nil, price: Decimal(string: "2.5")!, isOpen: true, state: .done,
            tags: ["a", "b"],
            details: Item.Details(width: 3), note: nil,
            added: Date(timeIntervalSince1970: 1_795_271_849)))
    }
  }

  @Test func `have keys in snake case if that is chosen`() async throws {
    struct Person: Decodable, Equatable { var firstName: String, age: Int }
    try await withDatabase { (database) async throws -> Void in
      var decoder = PostgreSQLRowDecoder()
      decoder.keyDecodingStrategy = .convertFromSnakeCase
      let people = Collected<String>()
      let chosen = decoder
      try await database.forEach("SELECT 5 AS age, 'Ada' AS first_name") { row in
        people.append(try chosen.decode(Person.self, from: row).firstName)
      }
      #expect(people.values == ["Ada"])
    }
  }

  @Test(
    arguments: [
      ("AS id", "AS other", PostgreSQLError.Code.unknownColumn, "id"),
      ("1 AS id", "'x'::text AS id", .typeMismatch, nil),
      ("1 AS id", "NULL::int AS id", .unexpectedNull, nil),
      ("'done'", "'lost'", .valueOutOfRange, nil),
      ("{\"width\": 3}", "{\"height\": 3}", .invalidJSON, "width"),
      ("'{\"width\": 3}'::jsonb", "5", .typeMismatch, nil),
    ] as [(String, String, PostgreSQLError.Code, String?)])
  func `that do not fit throw an error`(
    _ old: String, _ new: String, _ code: PostgreSQLError.Code, _ word: String?
  ) async throws {
    try await withDatabase { (database) async throws -> Void in
      let sql = Self.sql.replacingOccurrences(of: old, with: new)
      let error = await postgreSQLError {
        try await database.fetchAll(Item.self, PostgreSQLQuery(unsafe: sql))
      }
      #expect(error?.code == code)
      if let word { #expect(error?.message.contains(word) == true) }
    }
  }
}
