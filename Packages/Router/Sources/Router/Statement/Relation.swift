internal import SQLiteCore

/// A join of one table's rows with another table's rows, by foreign keys.
struct ForeignKeyJoin {
  /// Pairs of columns of two tables with equal values.
  typealias Pairs = [(near: String, far: String)]

  let table: TableSchema
  /// The columns that join the near table with the far one, or with the join table.
  let pairs: Pairs
  let isToMany: Bool
  /// A join table, with the columns that join it with the far table.
  var through: (table: TableSchema, pairs: Pairs)?

  /// Finds the unique join with another table.
  ///
  /// - Throws: ``RouterError`` with code ``RouterError/Code/unknownRelation`` or
  ///   ``RouterError/Code/ambiguousRelation``.
  static func find(
    _ embed: DatabaseRoute.Embed, from near: TableSchema, in catalog: Catalog
  ) throws -> ForeignKeyJoin {
    if let schema = embed.table.schema, !schema.isSameName(as: near.name.schema) {
      throw RouterError.invalid(
        "foreign keys can't connect the databases \(near.name.schema) and \(schema)")
    }
    let far = try catalog.table(embed.table.name)
    var found = try direct(embed, near, far, catalog)
    if found.isEmpty { found = try through(embed, near, far, catalog) }
    guard let relation = found.first else {
      throw RouterError(
        code: .unknownRelation,
        message: "no foreign key connects \(near.name.name) and \(far.name.name)"
          + (embed.via.map { " via \($0)" } ?? ""), table: near.name.name)
    }
    guard found.count == 1 else {
      throw RouterError(
        code: .ambiguousRelation,
        message:
          "\(near.name.name) and \(far.name.name) are related in \(found.count) ways: "
          + "specify one by `via`",
        table: near.name.name)
    }
    return relation
  }

  private static func direct(
    _ embed: DatabaseRoute.Embed, _ near: TableSchema, _ far: TableSchema, _ catalog: Catalog
  ) throws -> [ForeignKeyJoin] {
    var found: [ForeignKeyJoin] = []
    for key in near.foreignKeys where key.parentTable.isSameName(as: far.name.name) {
      guard embed.via.map({ via in key.columns.contains { $0.isSameName(as: via) } }) ?? true else {
        continue
      }
      let parents = parentColumns(key, far)
      found.append(
        ForeignKeyJoin(
          table: far, pairs: zip(key.columns, parents).map { ($0, $1) }, isToMany: false))
    }
    let isSelf = near.name == far.name
    for key in far.foreignKeys where key.parentTable.isSameName(as: near.name.name) {
      let isMeant =
        embed.via.map { via in
          key.columns.contains {
            (!isSelf && $0.isSameName(as: via)) || "\(far.name.name).\($0)".isSameName(as: via)
          }
        } ?? true
      guard isMeant else { continue }
      let parents = parentColumns(key, near)
      found.append(
        ForeignKeyJoin(
          table: far, pairs: zip(parents, key.columns).map { ($0, $1) },
          isToMany: !far.isUnique(key.columns)))
    }
    return found
  }

  private static func through(
    _ embed: DatabaseRoute.Embed, _ near: TableSchema, _ far: TableSchema, _ catalog: Catalog
  ) throws -> [ForeignKeyJoin] {
    var found: [ForeignKeyJoin] = []
    for name in try catalog.tables(referringTo: far.name.name) {
      if let via = embed.via, !via.isSameName(as: name) { continue }
      let join = try catalog.table(name)
      for first in join.foreignKeys where first.parentTable.isSameName(as: near.name.name) {
        for second in join.foreignKeys
        where second.id != first.id && second.parentTable.isSameName(as: far.name.name) {
          let columns = first.columns + second.columns
          let isKey = columns.allSatisfy { name in
            join.primaryKey.contains { $0.name.isSameName(as: name) }
          }
          guard isKey || embed.via != nil else { continue }
          found.append(
            ForeignKeyJoin(
              table: far,
              pairs: zip(parentColumns(first, near), first.columns).map { ($0, $1) },
              isToMany: true,
              through: (
                join, zip(second.columns, parentColumns(second, far)).map { ($0, $1) }
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
