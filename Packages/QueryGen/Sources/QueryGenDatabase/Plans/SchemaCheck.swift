internal import Primitives
internal import QueryGenDriver
internal import SQLSemantics
internal import SQLiteCore

/// Applies the rules that are about the schema.
struct SchemaCheck {
  let objects: SchemaObjects
  let connection: Connection

  /// The tables by name.
  var tables: [TableSchema] {
    objects.tables.values.filter { $0.kind == .table }.sorted { $0.name.name < $1.name.name }
  }

  /// Finds foreign keys of a table for which SQLite reads all its rows.
  func unindexedForeignKeys(of table: TableSchema) throws(SQLiteError) -> [SchemaFinding] {
    var found: [SchemaFinding] = []
    for key in table.foreignKeys where !Self.isIndexed(key.columns, of: table) {
      let keys = key.columns.compactMap { IndexCandidate.Key($0.asciiLowercased, of: table) }
      let name = objects.indexName(table, keys.map(\.word))
      let tableName = table.name.name.nameInSQL
      let proposal = IndexProposal(
        name: name,
        sql: "CREATE INDEX \(name.nameInSQL) ON \(tableName) "
          + "(\(keys.map(\.sql).joined(separator: ", ")))")
      // SQLite looks for child rows with this statement: https://sqlite.org/foreignkeys.html
      let lookup = PlannedStatement(
        sql: "SELECT 1 FROM \(tableName) WHERE "
          + keys.map { "\($0.sql) = ?" }.joined(separator: " AND "), connection: connection)
      let plan = try lookup.plan(withIndex: proposal.sql)
      let isUsed = plan.flatMap(\.accesses).contains { $0.indexName == name.asciiLowercased }
      found.append(
        SchemaFinding(
          .foreignKey(table: table.name.name, columns: key.columns),
          PlanFinding(
            .unindexedForeignKey,
            "every delete and key update in `\(key.parentTable)` reads all rows of "
              + "`\(table.name.name)`, since no index begins with the foreign key's columns",
            index: isUsed ? proposal : nil)))
    }
    return found
  }

  /// Returns whether an index, or the primary key, begins with the columns in any order.
  private static func isIndexed(_ columns: [String], of table: TableSchema) -> Bool {
    let columns = Set(columns.map(\.asciiLowercased))
    if columns.count == 1, let column = columns.first, table.isRowIDColumn(column) { return true }
    let keys =
      table.indexes.filter { !$0.isPartial }.map(\.columns)
      + (table.isWithoutRowID ? [table.primaryKey.map { $0.name as String? }] : [])
    return keys.contains { key in
      Set(key.prefix(columns.count).compactMap { $0?.asciiLowercased }) == columns
    }
  }

  /// Finds indexes that neither a plan, nor a constraint, nor a foreign key uses.
  func unusedIndexes(_ used: Set<String>) -> [SchemaFinding] {
    tables.flatMap { table in
      table.indexes.filter { index in
        index.origin == .statement && !index.isUnique
          && !used.contains(index.name.asciiLowercased)
          && !table.foreignKeys.contains { key in
            !index.isPartial
              && Set(index.columns.prefix(key.columns.count).compactMap { $0?.asciiLowercased })
                == Set(key.columns.map(\.asciiLowercased))
          }
      }.map { index in
        SchemaFinding(
          .index(index.name),
          PlanFinding(
            .unusedIndex,
            "neither a query nor a constraint uses the index `\(index.name)`, but every write to "
              + "`\(table.name.name)` updates it"))
      }
    }
  }
}
