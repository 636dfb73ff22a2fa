/// The kind of a column's type, which determines how conditions on the column are written.
enum PostgreSQLType: Hashable {
  case integer, float, numeric, bool, text, json, jsonb, textSearch, array
  /// Any other type, such as `uuid`, a date, or an enum.
  case other

  /// Creates the kind of a type as `format_type` names it.
  init(_ name: String) {
    self =
      switch name {
      case "smallint", "integer", "bigint": .integer
      case "real", "double precision": .float
      case "numeric": .numeric
      case "boolean": .bool
      case "text", "character varying", "character", "name": .text
      case "json": .json
      case "jsonb": .jsonb
      case "tsvector": .textSearch
      default: name.hasSuffix("[]") ? .array : .other
      }
  }

  var isNumber: Bool { self == .integer || self == .float || self == .numeric }
}
