internal import SQLiteCore

/// SQLite's SQL.
enum SQLiteDialect: SQLDialect {
  typealias Catalog = SQLiteCatalog

  static var name: String { "SQLite" }
  static var ordersNullsFirst: Bool { true }
  static var unlimited: SQLiteValue { .integer(-1) }
  static var distinguishesSpelling: Bool { false }
  static var insertsManyRecords: Bool { false }

  static func parameter(_ number: Int) -> String { "?\(number)" }

  static func binding(
    _ argument: DatabaseRoute.CustomStatement.Argument
  ) -> any SQLiteBindable {
    argument
  }

  static func writePart(
    of column: DatabaseRoute.Column, in scope: Scope, to writer: inout Writer
  ) throws {
    let name = try scope.table.routeColumn(column.name).name
    writer.write("json_extract(")
    writer.write(name: name, in: scope)
    writer.write(", ")
    writer.bind(.text(try path(column)))
    writer.write(")")
  }

  /// Returns a path in the form of SQLite's JSON functions.
  private static func path(_ column: DatabaseRoute.Column) throws(RouterError) -> String {
    var path = "$"
    for step in column.path {
      switch step {
      case .index(let index):
        guard index >= 0 else { throw .invalid("an index in JSON must not be negative") }
        path += "[\(index)]"
      case .key(let key):
        // Within quotes all other characters are literal; these can't be escaped.
        guard !key.utf8.contains(where: { $0 == UInt8(ascii: "\"") || $0 == 0 || $0 == 92 }) else {
          throw .invalid(
            "a key with a quote, a backslash or a NUL can't be looked up in JSON",
            column: column.name)
        }
        path += ".\"\(key)\""
      }
    }
    return path
  }

  static func write(
    _ aggregate: DatabaseRoute.Aggregate, in scope: Scope, to writer: inout Writer
  ) throws {
    try writer.writeCall(of: aggregate, in: scope)
  }

  static func writeValues(
    of records: ArraySlice<DatabaseRoute.Record>, into columns: [String], of table: TableSchema,
    to writer: inout Writer
  ) throws {
    for record in records {
      writer.write(" VALUES (")
      try writer.writeEach(record.fields) { $0.bind($1.value) }
      writer.write(")")
    }
  }

  /// Returns a clause that overrides conflict clauses of the schema, which could delete the existing row regardless of
  /// row filters. For other tables it is empty, because it would also apply to writes of triggers.
  static func writeModifier(for table: TableSchema) -> String {
    table.kind == .table && table.sql?.lowercased().contains("conflict") ?? false
      ? "OR ABORT " : ""
  }

  static func comparisonRules(
    of table: TableSchema, in catalog: SQLiteCatalog
  ) throws -> @Sendable (TableSchema.Column?) -> ComparisonRules {
    let isUTF8 = try catalog.isUTF8()
    return { column in
      column.map { ComparisonRules($0, of: table, isUTF8: isUTF8) } ?? .ofJSON(isUTF8: isUTF8)
    }
  }
}
