extension Connection {
  /// A row that refers to one which does not exist.
  public struct ForeignKeyViolation: Hashable, Sendable {
    /// The table of the row.
    public let table: String
    /// The row's key; `nil` in a table without rowids.
    public let rowID: RowID?
    /// The table that it refers to.
    public let parentTable: String
    /// The reference; `nil` where the table's references can't be read.
    public let foreignKey: TableSchema.ForeignKey?
  }
}

extension Connection {
  /// Looks for damage in the file: in its structure, its indexes, and against `NOT NULL`, `CHECK` and
  /// `UNIQUE`.
  ///
  /// - Parameters:
  ///   - schema: The database.
  ///   - table: The one table to look at; `nil` for all.
  ///   - maximumErrors: How many problems are looked for. Of one table, SQLite says when to stop.
  /// - Returns: The problems in SQLite's words; none where all is well.
  /// - Throws: ``SQLiteError`` where the file is too damaged to be looked at:
  ///   ``SQLiteError/Code/corrupt``, ``SQLiteError/Code/notADatabase``; ``SQLiteError/Code/error``
  ///   where there is no such table, ``SQLiteError/Code/unknownSchema``.
  /// - Complexity: O(*n* log *n*) in the size of the file.
  public func integrityCheck(
    in schema: String = "main", table: String? = nil, maximumErrors: Int = 100
  ) throws(SQLiteError) -> [String] {
    try check("integrity_check", in: schema, table: table, maximumErrors: maximumErrors)
  }

  /// As ``integrityCheck(in:table:maximumErrors:)``, without comparing indexes with their tables.
  ///
  /// - Throws: As ``integrityCheck(in:table:maximumErrors:)``.
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

  /// The rows that refer to rows which do not exist.
  ///
  /// There may be some, although references are enforced: rows that were written while they were
  /// not.
  ///
  /// ```swift
  /// for violation in try connection.foreignKeyViolations() {
  ///   print(violation.table, violation.rowID?.rawValue ?? 0, "→", violation.parentTable)
  /// }
  /// ```
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/error`` where there is no such table, or
  ///   a reference does not fit its parent; ``SQLiteError/Code/unknownSchema``.
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
