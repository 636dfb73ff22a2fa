internal import SQLiteCore

/// Rows of other tables, as JSON in a column: one statement reads all of them at one moment.
extension StatementWriter {
  /// Writes an embed as a value: an object, or an array of objects.
  mutating func write(_ embed: DatabaseRoute.Embed, _ parent: Scope) throws {
    guard !embed.name.isEmpty, !embed.name.utf8.contains(0) else {
      throw RouterError.invalid("an embedded table needs a name")
    }
    try countTerms(1)
    let relation = try Relation.find(embed, from: parent.facts, in: catalog)
    let scope = Scope(facts: relation.table, alias: freshAlias())
    if relation.isToMany {
      write("(SELECT json_group_array(json(\"row\")) FROM (SELECT ")
    } else {
      write("(SELECT ")
    }
    try writeObject(embed, scope)
    if relation.isToMany { write(" AS \"row\"") }
    try writeSource(embed, relation, scope, parent)
    try write(embed.orders, in: scope)
    write(" LIMIT ")
    bind(.integer(Int64(relation.isToMany ? embed.limit ?? -1 : 1)))
    write(" OFFSET ")
    bind(.integer(Int64(embed.offset ?? 0)))
    write(relation.isToMany ? "))" : ")")
  }

  /// Writes whether there is a row to embed.
  mutating func writeExists(_ embed: DatabaseRoute.Embed, _ parent: Scope) throws {
    try countTerms(1)
    let relation = try Relation.find(embed, from: parent.facts, in: catalog)
    let scope = Scope(facts: relation.table, alias: freshAlias())
    write("EXISTS (SELECT 1")
    try writeSource(embed, relation, scope, parent)
    write(")")
  }

  private mutating func writeSource(
    _ embed: DatabaseRoute.Embed, _ relation: Relation, _ scope: Scope, _ parent: Scope
  ) throws {
    write(" FROM \(Self.source(scope.facts)) AS \(SQLName.quoted(scope.alias))")
    var near = scope.alias
    if let through = relation.through {
      near = freshAlias()
      write(" JOIN \(Self.source(through.table)) AS \(SQLName.quoted(near)) ON ")
      write(Self.equal(through.pairs, near, scope.alias))
    }
    write(" WHERE \(Self.equal(relation.pairs, parent.alias, near))")
    for filter in [embed.filter, rowFilters[scope.facts.table]] {
      guard let filter else { continue }
      write(" AND ")
      try write(filter, in: scope)
    }
    for inner in embed.embeds where inner.isRequired {
      write(" AND ")
      try writeExists(inner, scope)
    }
  }

  private static func equal(_ pairs: Relation.Pairs, _ near: String, _ far: String) -> String {
    pairs.map {
      "\(SQLName.quoted(near)).\(SQLName.quoted($0.near)) = \(SQLName.quoted(far)).\(SQLName.quoted($0.far))"
    }.joined(separator: " AND ")
  }

  private mutating func writeObject(_ embed: DatabaseRoute.Embed, _ scope: Scope) throws {
    let columns =
      embed.columns.isEmpty
      ? scope.facts.visibleColumns.map { DatabaseRoute.Column($0.name) } : embed.columns
    write("json_object(")
    try writeEach(columns) { writer, column in
      let schema = try scope.facts.column(column.name)
      let name = column.path.last?.description ?? schema.name
      writer.write("\(SQLiteValue.text(name)), ")
      // JSON tells 1 from true, as SQLite does not.
      let isBool = column.path.isEmpty && schema.declaredType.lowercased().hasPrefix("bool")
      if isBool { writer.write("json(CASE WHEN ") }
      try writer.write(column, in: scope)
      guard isBool else { return }
      writer.write(" THEN 'true' WHEN ")
      try writer.write(column, in: scope)
      writer.write(" IS NOT NULL THEN 'false' ELSE 'null' END)")
    }
    for inner in embed.embeds {
      write(", \(SQLiteValue.text(inner.name)), json(")
      try write(inner, scope)
      write(")")
    }
    write(")")
  }
}
