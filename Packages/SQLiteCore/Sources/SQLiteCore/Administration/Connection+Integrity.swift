extension Connection {
  /// A row that refers to a row that does not exist.
  public struct ForeignKeyViolation: Hashable, Sendable {
    /// The table that contains the row.
    public let table: String
    /// The row's rowid, or `nil` in a table without rowids.
    public let rowID: RowID?
    /// The referenced table.
    public let parentTable: String
    /// The foreign key, or `nil` if the table's foreign keys can't be read.
    public let foreignKey: TableSchema.ForeignKey?
  }
}

extension Connection {
  /// Checks the integrity of the file: its structure, its indexes, and `NOT NULL`, `CHECK` and `UNIQUE` constraints.
  ///
  /// - Parameters:
  ///   - schema: The database.
  ///   - table: The table to check, or `nil` for all.
  ///   - maximumErrors: The maximum number of problems to find. If a table is given, SQLite determines the number.
  /// - Returns: SQLite's descriptions of the problems, or an empty array if there are none.
  /// - Throws: ``SQLiteError`` if the file is too damaged to be checked: ``SQLiteError/Code/corrupt`` or
  ///   ``SQLiteError/Code/notADatabase``; ``SQLiteError/Code/error`` if there is no such table;
  ///   ``SQLiteError/Code/unknownSchema``.
  /// - Complexity: O(*n* log *n*) in the size of the file.
  public func integrityCheck(
    in schema: String = "main", table: String? = nil, maximumErrors: Int = 100
  ) throws(SQLiteError) -> [String] {
    try check("integrity_check", in: schema, table: table, maximumErrors: maximumErrors)
  }

  /// Checks the integrity of the file as ``integrityCheck(in:table:maximumErrors:)`` does, without comparing indexes
  /// with their tables.
  ///
  /// - Throws: The same errors as ``integrityCheck(in:table:maximumErrors:)``.
  /// - Complexity: O(*n*) in the size of the file.
  public func quickCheck(
    in schema: String = "main", table: String? = nil, maximumErrors: Int = 100
  ) throws(SQLiteError) -> [String] {
    try check("quick_check", in: schema, table: table, maximumErrors: maximumErrors)
  }

  private func check(
    _ pragma: String, in schema: String, table: String?, maximumErrors: Int
  ) throws(SQLiteError) -> [String] {
    let argument = table.map { SQLiteValue.text($0) } ?? .integer(Int64(max(1, maximumErrors)))
    let rows = try pragmaRows(pragma, argument: argument, schema: schema)
    let lines = rows.compactMap { row in
      if case .text(let text)? = row.first { text } else { nil }
    }
    return lines == ["ok"] ? [] : lines
  }

  /// Returns the rows that refer to rows that do not exist.
  ///
  /// Even if foreign keys are enforced, there can be rows that were written while they were not.
  ///
  /// ```swift
  /// for violation in try connection.foreignKeyViolations() {
  ///   print(violation.table, violation.rowID?.rawValue ?? 0, "→", violation.parentTable)
  /// }
  /// ```
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/error`` if there is no such table, or a foreign key does
  ///   not match its parent table; ``SQLiteError/Code/unknownSchema``.
  public func foreignKeyViolations(
    of table: String? = nil, in schema: String = "main"
  ) throws -> [ForeignKeyViolation] {
    var known: [String: [TableSchema.ForeignKey]] = [:]
    let rows = try pragmaRows(
      "foreign_key_check", argument: table.map { .text($0) }, schema: schema)
    return try rows.compactMap { row in
      guard case .text(let table) = row[0], case .text(let parent) = row[2],
        case .integer(let id) = row[3]
      else { return nil }
      let keys = try known[table] ?? foreignKeys(of: table, in: schema)
      known[table] = keys
      var rowID: RowID?
      if case .integer(let key) = row[1] { rowID = RowID(rawValue: key) }
      return ForeignKeyViolation(
        table: table, rowID: rowID, parentTable: parent,
        foreignKey: keys.first { $0.id == Int(id) })
    }
  }
}
