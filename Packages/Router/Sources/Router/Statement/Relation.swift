internal import SQLiteCore

/// How the rows of one table find those of another, by foreign keys.
struct Relation {
  /// Columns of two tables that have the same values.
  typealias Pairs = [(near: String, far: String)]

  let table: TableFacts
  /// From the near table to the far one; or to the one between.
  let pairs: Pairs
  let isToMany: Bool
  /// A table between the two, with what it refers to the far one by.
  var through: (table: TableFacts, pairs: Pairs)?

  /// The one way to another table.
  ///
  /// - Throws: ``RouterError`` with code ``RouterError/Code/unknownRelation`` or
  ///   ``RouterError/Code/ambiguousRelation``.
  static func find(
    _ embed: DatabaseRoute.Embed, from near: TableFacts, in catalog: Catalog
  ) throws -> Relation {
    if let schema = embed.table.schema, !schema.isSameName(as: near.schema ?? "main") {
      throw RouterError.invalid(
        "no foreign key leads from the database \(near.schema ?? "main") to \(schema)")
    }
    let far = try catalog.table(embed.table.name)
    var found = try direct(embed, near, far, catalog)
    if found.isEmpty { found = try through(embed, near, far, catalog) }
    guard let relation = found.first else {
      throw RouterError(
        code: .unknownRelation,
        message: "no foreign key leads from \(near.name) to \(far.name)"
          + (embed.via.map { " by \($0)" } ?? ""), table: near.name)
    }
    guard found.count == 1 else {
      throw RouterError(
        code: .ambiguousRelation,
        message: "\(found.count) ways lead from \(near.name) to \(far.name): say which by `via`",
        table: near.name)
    }
    return relation
  }

  private static func direct(
    _ embed: DatabaseRoute.Embed, _ near: TableFacts, _ far: TableFacts, _ catalog: Catalog
  ) throws -> [Relation] {
    var found: [Relation] = []
    for key in near.foreignKeys where key.parentTable.isSameName(as: far.name) {
      guard embed.via.map({ via in key.columns.contains { $0.isSameName(as: via) } }) ?? true else {
        continue
      }
      let parents = parentColumns(key, far)
      found.append(
        Relation(
          table: far, pairs: zip(key.columns, parents).map { ($0, $1) }, isToMany: false))
    }
    let isSelf = near.name == far.name
    for key in far.foreignKeys where key.parentTable.isSameName(as: near.name) {
      let isMeant =
        embed.via.map { via in
          key.columns.contains {
            (!isSelf && $0.isSameName(as: via)) || "\(far.name).\($0)".isSameName(as: via)
          }
        } ?? true
      guard isMeant else { continue }
      let parents = parentColumns(key, near)
      found.append(
        Relation(
          table: far, pairs: zip(parents, key.columns).map { ($0, $1) },
          isToMany: !far.isUnique(key.columns)))
    }
    return found
  }

  private static func through(
    _ embed: DatabaseRoute.Embed, _ near: TableFacts, _ far: TableFacts, _ catalog: Catalog
  ) throws -> [Relation] {
    var found: [Relation] = []
    for name in try catalog.tables(referringTo: far.name) {
      if let via = embed.via, !via.isSameName(as: name) { continue }
      let join = try catalog.table(name)
      for first in join.foreignKeys where first.parentTable.isSameName(as: near.name) {
        for second in join.foreignKeys
        where second.id != first.id && second.parentTable.isSameName(as: far.name) {
          let columns = first.columns + second.columns
          let isKey = columns.allSatisfy { name in
            join.key.contains { $0.name.isSameName(as: name) }
          }
          guard isKey || embed.via != nil else { continue }
          found.append(
            Relation(
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

  private static func parentColumns(_ key: TableSchema.ForeignKey, _ parent: TableFacts) -> [String]
  {
    key.parentColumns.isEmpty ? parent.key.map(\.name) : key.parentColumns
  }
}
