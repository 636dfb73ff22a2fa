extension TableSchema {
  /// The first column with the same name as an earlier column, ignoring ASCII case; `nil` for every table that SQLite
  /// can create.
  public var duplicateColumnName: Column? {
    columns.enumerated().first { index, column in
      columns[..<index].contains { $0.name.isEqualIgnoringASCIICase(column.name) }
    }?.element
  }

  /// The columns that `INSERT` and `UPDATE` can write: all except generated and hidden columns.
  public var writableColumns: [Column] { columns.filter { $0.kind == .stored } }

  /// Returns whether the column with this name is the ``rowIDColumn``.
  public func isRowIDColumn(_ name: String) -> Bool {
    rowIDColumn.map { $0.isEqualIgnoringASCIICase(name) } ?? false
  }

  /// A name of the rowid that is not a column's name; `nil` if there is no such name, or the table has no rowid.
  ///
  /// Unlike ``rowIDColumn``, the name is available for virtual tables too.
  public var rowIDName: String? {
    guard !isWithoutRowID, kind != .view else { return nil }
    return ["rowid", "_rowid_", "oid"].first { column(named: $0) == nil }
  }

  /// Returns whether a column is never NULL.
  ///
  /// A column of a view or a virtual table can always be NULL. So can a primary key column of an ordinary table, unless
  /// the column is the rowid or declared `NOT NULL`: https://sqlite.org/lang_createtable.html#the_primary_key
  public func isNeverNull(_ column: Column) -> Bool {
    guard kind == .table || kind == .shadow else { return false }
    let isNeededKey = column.primaryKeyPosition != nil && (isWithoutRowID || isStrict)
    return column.isNotNull || isNeededKey || isRowIDColumn(column.name)
  }

  /// The columns of the primary key, and of each unique index that contains every row.
  ///
  /// No two rows have the same non-NULL values in a key's columns. A unique index can contain several rows with NULL.
  /// Omitted are partial indexes, indexes on expressions, and indexes whose collation treats more text values as
  /// distinct than the column's.
  public var uniqueKeys: [[String]] {
    let hasKeyIndex = indexes.contains { $0.origin == .primaryKey }
    let key = primaryKey.isEmpty || hasKeyIndex ? [] : [primaryKey.map(\.name)]
    return key + indexes.compactMap { keyColumns(of: $0) }
  }

  /// Returns a unique index's columns; `nil` if several rows can have the same values.
  private func keyColumns(of index: Index) -> [String]? {
    guard index.isUnique, !index.isPartial else { return nil }
    var names: [String] = []
    for key in index.keys {
      guard let name = key.column, let column = column(named: name) else { return nil }
      // Text values with the same bytes are equal in every collation.
      let collation = column.collation ?? "BINARY"
      let isAsStrict =
        collation.isEqualIgnoringASCIICase("BINARY")
        || collation.isEqualIgnoringASCIICase(key.collation)
      guard isAsStrict else { return nil }
      names.append(name)
    }
    return names
  }

  /// Returns whether the columns with these names are one of the ``uniqueKeys``, in any order.
  public func isUnique(_ columns: [String]) -> Bool {
    uniqueKeys.contains { Self.isSameSet($0, columns) }
  }

  /// Returns whether these columns can be the target of `ON CONFLICT`: the columns of a primary key or of a unique
  /// index with any collations.
  public func isConflictTarget(_ columns: [String]) -> Bool {
    isUnique(columns)
      || indexes.contains { index in
        let names = index.columns.compactMap(\.self)
        return index.isUnique && !index.isPartial && names.count == index.keys.count
          && Self.isSameSet(names, columns)
      }
  }

  private static func isSameSet(_ names: [String], _ others: [String]) -> Bool {
    names.count == others.count
      && names.allSatisfy { name in others.contains { $0.isEqualIgnoringASCIICase(name) } }
  }
}
