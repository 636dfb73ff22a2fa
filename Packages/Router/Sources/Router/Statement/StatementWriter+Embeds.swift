internal import SQLiteCore

/// Embedded rows as the value of a column, so that one statement reads all rows in one snapshot.
extension StatementWriter {
  /// Writes an embed as a value.
  public mutating func write(_ embed: DatabaseRoute.Embed, _ parent: Scope) throws {
    guard !embed.name.isEmpty, !embed.name.utf8.contains(0) else {
      throw RouterError.invalid("an embed needs a name")
    }
    try countTerms(1)
    let join = try ForeignKeyJoin.find(embed, from: parent.table, in: catalog)
    let scope = Scope(table: join.table, alias: freshAlias())
    let columns =
      embed.columns.isEmpty
      ? scope.table.resultNames(beside: embed.embeds).map { DatabaseRoute.Column($0) }
      : embed.columns
    if !embed.embeds.isEmpty { try checkNames(of: embed.embeds, beside: columns, scope) }
    try Dialect.write(
      EmbedSelection(
        embed: embed, columns: columns, scope: scope, isToMany: join.isToMany, parent: parent,
        join: join), to: &self)
  }

  /// Writes the clauses of embedded rows, from `FROM` to `OFFSET`.
  public mutating func writeRows(of selection: EmbedSelection) throws {
    let embed = selection.embed
    try writeSource(embed, selection.join, selection.scope, selection.parent)
    try write(embed.orders, in: selection.scope)
    write(" LIMIT ")
    bind(limit: selection.isToMany ? embed.limit ?? -1 : 1)
    write(" OFFSET ")
    bind(.integer(Int64(embed.offset ?? 0)))
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
      guard let scope, let filter = settings.rowFilters[scope.table.routeTable] else {
        continue
      }
      try filter.checkDepth(settings.limits.filterDepth)
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
}
