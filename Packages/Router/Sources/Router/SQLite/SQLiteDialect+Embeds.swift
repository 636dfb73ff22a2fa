internal import SQLiteCore

/// Embedded rows as JSON. ``EmbeddedJSONReader`` parses the JSON.
extension SQLiteDialect {
  /// Writes embedded rows as an object, or as an array of objects.
  static func write(_ embed: EmbedSelection, to writer: inout Writer) throws {
    if embed.isToMany {
      writer.write("(SELECT coalesce('[' || group_concat(\"row\", ',') || ']', '[]') FROM (SELECT ")
    } else {
      writer.write("(SELECT ")
    }
    try writer.writeObject(embed)
    if embed.isToMany { writer.write(" AS \"row\"") }
    try writer.writeRows(of: embed)
    writer.write(embed.isToMany ? "))" : ")")
  }

  /// Returns the storage classes, starting with the most likely one for the declared type, which is then tested first.
  fileprivate static func storageClasses(of declaredType: String) -> [String] {
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
  fileprivate static func json(_ text: String) -> String {
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

extension StatementWriter<SQLiteDialect> {
  fileprivate mutating func writeObject(_ selection: EmbedSelection) throws {
    let (columns, embed, scope) = (selection.columns, selection.embed, selection.scope)
    func key(_ name: String, _ index: Int) -> String {
      "\(SQLiteValue.text("\(index == 0 ? "" : ",")\(SQLiteDialect.json(name)):"))"
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
    let schema = try scope.table.routeColumn(column.name)
    write("CASE typeof(")
    try write(column, in: scope)
    write(")")
    for storage in SQLiteDialect.storageClasses(of: schema.declaredType) {
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
}
