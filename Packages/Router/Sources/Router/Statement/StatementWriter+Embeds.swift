internal import SQLiteCore

/// Embedded rows as JSON in a column, so that one statement reads all rows in one snapshot.
/// ``EmbeddedJSONReader`` parses the JSON.
extension StatementWriter {
  /// Writes an embed as a value: an object, or an array of objects.
  mutating func write(_ embed: DatabaseRoute.Embed, _ parent: Scope) throws {
    guard !embed.name.isEmpty, !embed.name.utf8.contains(0) else {
      throw RouterError.invalid("an embed needs a name")
    }
    try countTerms(1)
    let join = try ForeignKeyJoin.find(embed, from: parent.table, in: catalog)
    let scope = Scope(table: join.table, alias: freshAlias())
    if join.isToMany {
      write("(SELECT coalesce('[' || group_concat(\"row\", ',') || ']', '[]') FROM (SELECT ")
    } else {
      write("(SELECT ")
    }
    try writeObject(embed, scope)
    if join.isToMany { write(" AS \"row\"") }
    try writeSource(embed, join, scope, parent)
    try write(embed.orders, in: scope)
    write(" LIMIT ")
    bind(.integer(Int64(join.isToMany ? embed.limit ?? -1 : 1)))
    write(" OFFSET ")
    bind(.integer(Int64(embed.offset ?? 0)))
    write(join.isToMany ? "))" : ")")
  }

  /// Writes a condition that is true if there is a row to embed.
  mutating func writeExists(_ embed: DatabaseRoute.Embed, _ parent: Scope) throws {
    try countTerms(1)
    let join = try ForeignKeyJoin.find(embed, from: parent.table, in: catalog)
    let scope = Scope(table: join.table, alias: freshAlias())
    write("EXISTS (SELECT 1")
    try writeSource(embed, join, scope, parent)
    write(")")
  }

  private mutating func writeSource(
    _ embed: DatabaseRoute.Embed, _ join: ForeignKeyJoin, _ scope: Scope, _ parent: Scope
  ) throws {
    write(" FROM \(Self.source(scope.table)) AS \(SQLName.quoted(scope.alias))")
    var source = scope.alias
    var between: Scope?
    if let joinTable = join.joinTable {
      source = freshAlias()
      between = Scope(table: joinTable.table, alias: source)
      write(" JOIN \(Self.source(joinTable.table)) AS \(SQLName.quoted(source)) ON ")
      write(Self.equal(joinTable.pairs, source, scope.alias))
    }
    write(" WHERE \(Self.equal(join.pairs, parent.alias, source))")
    if let filter = embed.filter {
      write(" AND ")
      try write(filter, in: scope)
    }
    // Row filters also apply to the join table.
    for scope in [scope, between] {
      guard let scope, let filter = settings.values.rowFilters[scope.table.routeTable] else {
        continue
      }
      try filter.checkDepth(settings.values.limits.filterDepth)
      write(" AND ")
      try write(filter, in: scope)
    }
    for inner in embed.embeds where inner.isRequired {
      write(" AND ")
      try writeExists(inner, scope)
    }
  }

  private static func equal(_ pairs: ForeignKeyJoin.Pairs, _ source: String, _ target: String)
    -> String
  {
    pairs.map {
      "\(SQLName.quoted(source)).\(SQLName.quoted($0.source)) = \(SQLName.quoted(target)).\(SQLName.quoted($0.target))"
    }.joined(separator: " AND ")
  }

  private mutating func writeObject(_ embed: DatabaseRoute.Embed, _ scope: Scope) throws {
    let columns =
      embed.columns.isEmpty
      ? Self.names(of: scope.table, beside: embed.embeds).map { DatabaseRoute.Column($0) }
      : embed.columns
    if !embed.embeds.isEmpty { try checkNames(of: embed.embeds, beside: columns, scope) }
    func key(_ name: String, _ index: Int) -> String {
      "\(SQLiteValue.text("\(index == 0 ? "" : ",")\(Self.json(name)):"))"
    }
    write("'{' || ")
    // The nesting depth of a concatenation equals its number of parts.
    let parts = 0..<columns.count + embed.embeds.count
    try writeBalanced(ArraySlice(parts), separator: " || ", ifEmpty: "''") { writer, index in
      if index < columns.count {
        let name = writer.writesText ? try writer.resultName(of: columns[index], scope) : ""
        writer.write("\(key(name, index)) || ")
        try writer.writeJSON(of: columns[index], scope)
      } else {
        let inner = embed.embeds[index - columns.count]
        writer.write("\(key(inner.name, index)) || coalesce(")
        try writer.write(inner, scope)
        writer.write(", 'null')")
      }
    }
    write(" || '}'")
  }

  /// Writes an expression for JSON text that uniquely represents a column's value.
  private mutating func writeJSON(of column: DatabaseRoute.Column, _ scope: Scope) throws {
    // No values are bound.
    guard writesText || !column.path.isEmpty else { return }
    let schema = try scope.table.column(column.name)
    write("CASE typeof(")
    try write(column, in: scope)
    write(")")
    for storage in Self.storageClasses(of: schema.declaredType) {
      write(" WHEN '\(storage)' THEN ")
      switch storage {
      case "integer":
        // JSON distinguishes 1 from true, which SQLite does not.
        let isBool = column.path.isEmpty && schema.declaredType.lowercased().hasPrefix("bool")
        if isBool {
          write("CASE ")
          try write(column, in: scope)
          write(" WHEN 1 THEN 'true' WHEN 0 THEN 'false' ELSE ")
        }
        try write(column, in: scope)
        if isBool { write(" END") }
      case "real":
        // With enough digits to distinguish the number from its neighbors, which json() and quote() don't write.
        // Infinity is written as a number that overflows.
        write("replace(printf('%!.18g', ")
        try write(column, in: scope)
        write("), 'Inf', '9.0e+999')")
      case "text":
        // The result of a function may be marked as JSON, but must be written as a text.
        let isComputed =
          !column.path.isEmpty || schema.kind != .stored || scope.table.kind != .table
        write(isComputed ? "json_quote(CAST(CAST(" : "json_quote(")
        try write(column, in: scope)
        write(isComputed ? " AS BLOB) AS TEXT))" : ")")
      default:
        write("'[\"' || hex(")
        try write(column, in: scope)
        write(") || '\"]'")
      }
    }
    write(" ELSE 'null' END")
  }

  /// Returns the storage classes, starting with the most likely one for the declared type, which is then tested first.
  private static func storageClasses(of declaredType: String) -> [String] {
    let type = declaredType.lowercased()
    let likely =
      if type.contains("int") || type.hasPrefix("bool") {
        "integer"
      } else if type.contains("char") || type.contains("clob") || type.contains("text") {
        "text"
      } else if ["real", "floa", "doub"].contains(where: { type.contains($0) }) {
        "real"
      } else if type.contains("blob") {
        "blob"
      } else {
        "text"
      }
    return [likely] + ["integer", "text", "real", "blob"].filter { $0 != likely }
  }

  /// Returns a text as a JSON string.
  private static func json(_ text: String) -> String {
    var json = String.UnicodeScalarView()
    json.append("\"")
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\":
        json.append("\\")
        json.append(scalar)
      case "\0"..<" ":
        let digits = String(scalar.value, radix: 16)
        json.append(
          contentsOf: "\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)"
            .unicodeScalars)
      default: json.append(scalar)
      }
    }
    json.append("\"")
    return String(json)
  }
}
