extension TableSchema {
  /// A column whose name is, to SQLite, that of a column before it; `nil` in every table that can be created.
  public var duplicateColumnName: Column? {
    columns.enumerated().first { place, column in
      columns[..<place].contains { $0.name.isEqualIgnoringASCIICase(column.name) }
    }?.element
  }

  /// The columns that `INSERT` and `UPDATE` can write: neither generated nor hidden ones.
  public var writableColumns: [Column] { columns.filter { $0.kind == .stored } }

  /// Whether a column of this name is ``rowIDColumn``.
  public func isRowIDColumn(_ name: String) -> Bool {
    rowIDColumn.map { $0.isEqualIgnoringASCIICase(name) } ?? false
  }

  /// A name of the rowid that no column has; `nil` if all are taken, or the table has no rowid.
  ///
  /// Unlike ``rowIDColumn``, it exists in virtual tables too.
  public var rowIDName: String? {
    guard !isWithoutRowID, kind != .view else { return nil }
    return ["rowid", "_rowid_", "oid"].first { column(named: $0) == nil }
  }

  /// Whether no row has NULL in a column.
  ///
  /// A column of a view or a virtual table can always be NULL, and so can the primary key of an ordinary table that is neither the
  /// rowid nor declared `NOT NULL`: https://sqlite.org/lang_createtable.html#the_primary_key
  public func isNeverNull(_ column: Column) -> Bool {
    guard kind == .table || kind == .shadow else { return false }
    let isNeededKey = column.primaryKeyPosition != nil && (isWithoutRowID || isStrict)
    return column.isNotNull || isNeededKey || isRowIDColumn(column.name)
  }

  /// The columns of each key: of the primary key, and of each unique index that holds every row.
  ///
  /// No two rows have the same values in them, as far as these are not NULL: a unique index may hold many rows with NULL. Left out
  /// are partial indexes, those with an expression, and those that compare a column's texts more strictly than the column does.
  public var uniqueKeys: [[String]] {
    let hasKeyIndex = indexes.contains { $0.origin == .primaryKey }
    let key = primaryKey.isEmpty || hasKeyIndex ? [] : [primaryKey.map(\.name)]
    return key + indexes.compactMap { keyColumns(of: $0) }
  }

  /// The columns of a unique index; `nil` if rows with the same values may exist.
  private func keyColumns(of index: Index) -> [String]? {
    guard index.isUnique, !index.isPartial else { return nil }
    var names: [String] = []
    for key in index.keys {
      guard let name = key.column, let column = column(named: name) else { return nil }
      // Texts with the same bytes are equal in every collation.
      let collation = column.collation ?? "BINARY"
      let isAsStrict =
        collation.isEqualIgnoringASCIICase("BINARY")
        || collation.isEqualIgnoringASCIICase(key.collation)
      guard isAsStrict else { return nil }
      names.append(name)
    }
    return names
  }

  /// Whether the columns of these names are one of the ``uniqueKeys``, in any order.
  public func isUnique(_ columns: [String]) -> Bool {
    uniqueKeys.contains { Self.isSameSet($0, columns) }
  }

  /// Whether `ON CONFLICT` can name these columns: those of a primary key or a unique index, whatever its collations.
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
