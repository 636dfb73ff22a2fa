internal import Foundation

/// One line of a file of cases: a statement, and the schema that it meets.
struct ConformanceCase: Decodable {
  let id: String
  /// The statements that make the schema; empty where there is none.
  let schema: String?
  /// The schema's name in a file of schemas.
  let schemaID: String?
  let query: String

  private enum CodingKeys: String, CodingKey {
    case id, schema_id, schema_sql, query_sql
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    id = try container.decode(String.self, forKey: .id)
    schema = try container.decodeIfPresent(String.self, forKey: .schema_sql)
    schemaID = try container.decodeIfPresent(String.self, forKey: .schema_id)
    query = try container.decode(String.self, forKey: .query_sql)
  }
}

/// One line of a file of schemas that several cases share.
struct ConformanceSchema: Decodable {
  let schema_id: String
  let sql: String
}
