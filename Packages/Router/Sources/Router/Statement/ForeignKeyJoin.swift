internal import SQLiteCore

/// A join of one table's rows with another table's rows, by foreign keys.
struct ForeignKeyJoin {
  /// Pairs of columns of two tables with equal values.
  typealias Pairs = [(source: String, target: String)]

  let table: TableSchema
  /// The columns that join the source table with the target one, or with the join table.
  let pairs: Pairs
  let isToMany: Bool
  /// A join table, with the columns that join it with the target table.
  var joinTable: (table: TableSchema, pairs: Pairs)?

  /// Finds the unique join with another table.
  ///
  /// - Throws: ``RouterError`` with code ``RouterError/Code/unknownRelation`` or
  ///   ``RouterError/Code/ambiguousRelation``.
  static func find(
    _ embed: DatabaseRoute.Embed, from source: TableSchema, in catalog: some RouteCatalog
  ) throws -> ForeignKeyJoin {
    if let schema = embed.table.schema, !schema.isSameName(as: source.name.schema) {
      throw RouterError.invalid(
        "foreign keys can't connect the databases \(source.name.schema) and \(schema)")
    }
    let target = try catalog.table(embed.table.name)
    var found = try direct(embed, source, target, catalog)
    if found.isEmpty { found = try throughJoinTable(embed, source, target, catalog) }
    guard let join = found.first else {
      throw RouterError(
        code: .unknownRelation,
        message: "no foreign key connects \(source.name.name) and \(target.name.name)"
          + (embed.via.map { " via \($0)" } ?? ""), table: source.name.name)
    }
    guard found.count == 1 else {
      throw RouterError(
        code: .ambiguousRelation,
        message:
          "\(source.name.name) and \(target.name.name) are related in \(found.count) ways: "
          + "specify one by `via`",
        table: source.name.name)
    }
    return join
  }

  private static func direct(
    _ embed: DatabaseRoute.Embed, _ source: TableSchema, _ target: TableSchema,
    _ catalog: some RouteCatalog
  ) throws -> [ForeignKeyJoin] {
    var found: [ForeignKeyJoin] = []
    for key in source.foreignKeys where key.parentTable.isSameName(as: target.name.name) {
      guard embed.via.map({ via in key.columns.contains { $0.isSameName(as: via) } }) ?? true else {
        continue
      }
      let parents = parentColumns(key, target)
      found.append(
        ForeignKeyJoin(
          table: target, pairs: zip(key.columns, parents).map { ($0, $1) }, isToMany: false))
    }
    let isSelf = source.name == target.name
    for key in target.foreignKeys where key.parentTable.isSameName(as: source.name.name) {
      let matchesVia =
        embed.via.map { via in
          key.columns.contains {
            (!isSelf && $0.isSameName(as: via)) || "\(target.name.name).\($0)".isSameName(as: via)
          }
        } ?? true
      guard matchesVia else { continue }
      let parents = parentColumns(key, source)
      found.append(
        ForeignKeyJoin(
          table: target, pairs: zip(parents, key.columns).map { ($0, $1) },
          isToMany: !target.isUnique(key.columns)))
    }
    return found
  }

  private static func throughJoinTable(
    _ embed: DatabaseRoute.Embed, _ source: TableSchema, _ target: TableSchema,
    _ catalog: some RouteCatalog
  ) throws -> [ForeignKeyJoin] {
    var found: [ForeignKeyJoin] = []
    for name in try catalog.tables(referringTo: target.name.name) {
      if let via = embed.via, !via.isSameName(as: name) { continue }
      let join = try catalog.table(name)
      for first in join.foreignKeys where first.parentTable.isSameName(as: source.name.name) {
        for second in join.foreignKeys
        where second.id != first.id && second.parentTable.isSameName(as: target.name.name) {
          let columns = first.columns + second.columns
          let isKey = columns.allSatisfy { name in
            join.primaryKey.contains { $0.name.isSameName(as: name) }
          }
          guard isKey || embed.via != nil else { continue }
          found.append(
            ForeignKeyJoin(
              table: target,
              pairs: zip(parentColumns(first, source), first.columns).map { ($0, $1) },
              isToMany: true,
              joinTable: (
                join, zip(second.columns, parentColumns(second, target)).map { ($0, $1) }
              )))
        }
      }
    }
    return found
  }

  private static func parentColumns(_ key: TableSchema.ForeignKey, _ parent: TableSchema)
    -> [String]
  {
    key.parentColumns.isEmpty ? parent.primaryKey.map(\.name) : key.parentColumns
  }
}
