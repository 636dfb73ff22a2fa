public import Router
public import SQLiteCore

/// PostgreSQL's SQL.
///
/// A statement's parameters have the types that the server infers from the columns that they are compared with or
/// assigned to; where the server can't, or where another type would prevent the use of an index, the text casts them.
/// Values are encoded as these types. Names are compared exactly: see ``PostgreSQLCatalog``.
public enum PostgreSQLDialect: SQLDialect {
  public typealias Catalog = PostgreSQLCatalog
  public typealias Binding = DatabaseRoute.CustomStatement.Argument

  public static var name: String { "PostgreSQL" }
  public static var ordersNullsFirst: Bool { false }
  public static var unlimited: SQLiteValue { .null }
  public static var distinguishesSpelling: Bool { true }
  public static var insertsManyRecords: Bool { true }

  public static func parameter(_ number: Int) -> String { "$\(number)" }

  public static func binding(_ argument: DatabaseRoute.CustomStatement.Argument) -> Binding {
    argument
  }

  // MARK: Columns

  /// Writes a part of JSON as a `jsonb` value; a `null` in the JSON is NULL.
  public static func writePart(
    of column: DatabaseRoute.Column, in scope: Scope, to writer: inout Writer
  ) throws {
    guard writer.writesText else { return }
    writer.write("nullif(")
    try writePath(column, in: scope, isText: false, to: &writer)
    writer.write(", 'null'::jsonb)")
  }

  /// Writes a part of JSON, as `jsonb` or as text.
  static func writePath(
    _ column: DatabaseRoute.Column, in scope: Scope, isText: Bool, to writer: inout Writer
  ) throws {
    guard writer.writesText else { return }
    let schema = try scope.table.routeColumn(column.name)
    writer.write("(")
    writer.write(name: schema.name, in: scope)
    if PostgreSQLType(schema.declaredType) != .jsonb { writer.write("::jsonb") }
    for (number, step) in column.path.enumerated() {
      let isLast = number == column.path.count - 1
      writer.write(isLast && isText ? " ->> " : " -> ")
      switch step {
      case .index(let index):
        guard index >= 0 else {
          throw invalid("an index in JSON must not be negative", column.name)
        }
        writer.write("\(index)")
      case .key(let key):
        let literal = try literal(key, column.name)
        writer.write(literal)
      }
    }
    writer.write(")")
  }

  /// Returns a text as a literal that has the same meaning with any setting of `standard_conforming_strings`.
  ///
  /// The keys of JSON are literals and not parameters, because the server considers two expressions with different
  /// parameters as different, also in `GROUP BY`.
  private static func literal(_ text: String, _ column: String) throws(RouterError) -> String {
    guard !text.utf8.contains(0) else {
      throw invalid("a key with a NUL can't be looked up in JSON", column)
    }
    var literal = text.utf8.contains(UInt8(ascii: "\\")) ? "E'" : "'"
    for scalar in text.unicodeScalars {
      if scalar == "'" || scalar == "\\" { literal.unicodeScalars.append(scalar) }
      literal.unicodeScalars.append(scalar)
    }
    return literal + "'"
  }

  static func invalid(_ message: String, _ column: String) -> RouterError {
    RouterError(code: .invalidRoute, message: message, column: column)
  }

  /// Returns the type of a column, or of an aggregate in a grouped result.
  static func type(
    of column: DatabaseRoute.Column, in scope: Scope, _ writer: Writer
  ) throws -> PostgreSQLType {
    guard let groups = scope.groups else { return try type(of: column, in: scope.table) }
    let index = try writer.index(of: column, in: groups, scope)
    guard index >= groups.columns.count else {
      return try type(of: groups.columns[index], in: scope.table)
    }
    let aggregate = groups.aggregates[index - groups.columns.count]
    guard let column = aggregate.column else { return .integer }
    switch aggregate.function {
    case .count: return .integer
    case .average: return .float
    default: return try type(of: column, in: scope.table)
    }
  }

  private static func type(
    of column: DatabaseRoute.Column, in table: TableSchema
  ) throws -> PostgreSQLType {
    guard column.path.isEmpty else { return .jsonb }
    return PostgreSQLType(try table.routeColumn(column.name).declaredType)
  }

  // MARK: Aggregates

  /// Writes an aggregate whose result has the type that SQLite's has: a sum of integers is an integer, and an average is
  /// a real number.
  public static func write(
    _ aggregate: DatabaseRoute.Aggregate, in scope: Scope, to writer: inout Writer
  ) throws {
    var cast: String?
    var columnCast: String?
    if let column = aggregate.column {
      let type = try type(of: column, in: scope.table)
      switch aggregate.function {
      case .sum where type == .integer: cast = "bigint"
      // The average of integers would be a decimal number, rounded before it becomes a real number.
      case .average where type == .integer: columnCast = "double precision"
      case .average: cast = "double precision"
      default: break
      }
    }
    if cast != nil { writer.write("CAST(") }
    try writer.writeCall(of: aggregate, in: scope, castingColumnTo: columnCast)
    if let cast { writer.write(" AS \(cast))") }
  }

  // MARK: Embedded rows

  /// Writes embedded rows as a composite value, or as an array of composite values, whose fields keep their types.
  public static func write(_ embed: EmbedSelection, to writer: inout Writer) throws {
    writer.write(embed.isToMany ? "ARRAY(SELECT ROW(" : "(SELECT ROW(")
    var isFirst = true
    for column in embed.columns {
      if !isFirst { writer.write(", ") }
      isFirst = false
      try writer.write(column, in: embed.scope)
    }
    for inner in embed.embed.embeds {
      if !isFirst { writer.write(", ") }
      isFirst = false
      try writer.write(inner, embed.scope)
    }
    writer.write(")")
    try writer.writeRows(of: embed)
    writer.write(")")
  }

  // MARK: Writes

  /// Writes the values of rows. A given key replaces the value of an identity column.
  ///
  /// Several records are an array for each column, so that the text is independent of their number. An array of arrays
  /// would have to be rectangular, and `unnest` would flatten it: the values of a column of arrays are strings.
  public static func writeValues(
    of records: ArraySlice<DatabaseRoute.Record>, into columns: [String], of table: TableSchema,
    to writer: inout Writer
  ) throws {
    writer.write(" OVERRIDING SYSTEM VALUE ")
    guard records.count > 1 else {
      writer.write("VALUES (")
      try writer.writeEach(records.first?.fields ?? []) { $0.bind($1.value) }
      return writer.write(")")
    }
    let types = columns.map { name in table.column(named: name)?.declaredType ?? "" }
    let isArray = types.map { PostgreSQLType($0) == .array }
    let selected = types.indices.map { "c\($0)\(isArray[$0] ? "::\(types[$0])" : "")" }
    writer.write("SELECT \(selected.joined(separator: ", ")) FROM unnest(")
    try writer.writeEach(columns.indices) { writer, index in
      let values = records.map { $0.fields[index].value }
      writer.bind(list: isArray[index] ? values.map(ArrayLiteral.converted) : values)
      writer.write("::\(isArray[index] ? "text" : types[index])[]")
    }
    writer.write(") AS \"rows\" (\(types.indices.map { "c\($0)" }.joined(separator: ", ")))")
  }

  public static func writeModifier(for table: TableSchema) -> String { "" }

  public static func comparisonRules(
    of table: TableSchema, in catalog: PostgreSQLCatalog
  ) -> @Sendable (TableSchema.Column?) -> ComparisonRules {
    { column in
      guard let column else { return .unordered(canBeNull: true) }
      let canBeNull = !table.isNeverNull(column)
      let type = PostgreSQLType(column.declaredType)
      if type.isNumber || type == .bool {
        return .numbers(isInteger: type == .integer || type == .bool, canBeNull: canBeNull)
      }
      // Not `character`, which ignores spaces at the end.
      switch (column.declaredType, column.collation) {
      case ("text", "C"), ("character varying", "C"): return .texts(canBeNull: canBeNull)
      case ("text", PostgreSQLCatalog.deterministicCollation),
        ("character varying", PostgreSQLCatalog.deterministicCollation):
        return .unordered(canBeNull: canBeNull, isExact: true)
      default: return .unordered(canBeNull: canBeNull)
      }
    }
  }
}
