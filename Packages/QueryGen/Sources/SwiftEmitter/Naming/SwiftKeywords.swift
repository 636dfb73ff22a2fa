/// Identifiers that are reserved by Swift, or by the generated code.
enum SwiftKeywords {
  /// Returns the identifier as written in source: a keyword in backticks.
  static func escaped(_ identifier: String) -> String {
    reserved.contains(identifier) ? "`\(identifier)`" : identifier
  }

  /// Returns the identifier as an argument label. Only a few keywords need backticks there, and the
  /// others must not have any.
  static func escapedLabel(_ identifier: String) -> String {
    ["inout", "let", "var"].contains(identifier) ? "`\(identifier)`" : identifier
  }

  private static let reserved: Set<String> = [
    "Any", "as", "associatedtype", "async", "await", "break", "case", "catch", "class", "continue",
    "default", "defer", "deinit", "do", "else", "enum", "extension", "fallthrough", "false",
    "fileprivate", "for", "func", "guard", "if", "import", "in", "inout", "internal", "is", "let",
    "nil", "operator", "precedencegroup", "private", "protocol", "public", "repeat", "rethrows",
    "return", "static", "struct", "subscript", "super", "switch", "throw", "throws", "true", "try",
    "typealias", "var", "where", "while",
  ]

  /// Names that a property can't or should not have, because of Swift or of a conformance.
  static let reservedMembers: Set<String> = [
    "self", "Self", "init", "Type", "Protocol", "hashValue",
  ]

  /// The members of every database type, which can't be names of queries.
  static let reservedDatabaseMembers: Set<String> = [
    "database", "migrations", "open", "self", "temporaryScripts", "Self", "init", "Type",
    "Protocol",
  ]

  /// The names of types that a table's struct must not shadow: types that generated code mentions,
  /// or that most Swift files use.
  static let reservedTypes: Set<String> = [
    // Swift
    "Actor", "Any", "AnyObject", "Array", "AsyncSequence", "AsyncStream", "Bool", "Character",
    "Clock",
    "Codable", "Collection", "Comparable", "Decodable", "Decoder", "Dictionary", "Double",
    "Duration",
    "Encodable", "Encoder", "Equatable", "Error", "Float", "Hashable", "Hasher", "Identifiable",
    "Int",
    "Int8", "Int16", "Int32", "Int64", "Iterator", "Mirror", "Never", "Optional", "Protocol",
    "Range",
    "Result", "Self", "Sendable", "Sequence", "Set", "String", "Substring", "Swift", "Task", "Type",
    "UInt", "UInt8", "UInt16", "UInt32", "UInt64", "Unicode", "Void",
    // Foundation and SwiftUI, in the files that use this one
    "Bundle", "Calendar", "Data", "Date", "Decimal", "Foundation", "Locale", "Notification",
    "Process",
    "Thread", "Timer", "URL", "UUID", "View",
    // Holt
    "ColumnFormats", "ColumnIndex", "Configuration", "Connection", "Database",
    "GeneratedDatabase",
    "Migration", "Observation", "Observe", "Queries", "Query", "QueryGen",
    "Region", "Row", "RowDecodable", "RowID", "SQL", "SQLiteCore", "SQLiteError", "SQLiteValue",
    "Schema",
    "GeneratedQuery", "Lists", "Statement", "StatementQuery",
    // Generic parameters and associated types that are in scope where the names are used
    "Input", "Output", "Failure", "Element", "ID",
  ]

  /// The members of every database type for PostgreSQL, in addition to the others.
  static let reservedPostgreSQLMembers: Set<String> = ["checks"]

  /// The names of types that generated code for PostgreSQL mentions, in addition to the others.
  static let reservedPostgreSQLTypes: Set<String> = [
    "DataValue", "JSONDocument", "PostgreSQLComposite", "PostgreSQLConnection",
    "PostgreSQLDatabase", "PostgreSQLDate", "PostgreSQLEnumeration", "PostgreSQLError",
    "PostgreSQLField", "PostgreSQLGeneratedDatabase", "PostgreSQLInterval",
    "PostgreSQLMigration", "PostgreSQLQuery", "PostgreSQLRange", "PostgreSQLRow",
    "PostgreSQLRowDecodable", "PostgreSQLRowStream", "PostgreSQLStatementQuery",
    "PostgreSQLTime", "PostgreSQLValue", "QueryGenPostgreSQL",
  ]
}
