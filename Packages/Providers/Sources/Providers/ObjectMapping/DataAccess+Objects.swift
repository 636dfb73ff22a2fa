public import SQLiteCore

/// Tables of types.
extension DataAccess {
  /// Creates the table of a type, and the tables of all types that it refers to, if they do not
  /// exist.
  ///
  /// `save(_:)` does this too. Use this method to read a table before anything is saved. Existing
  /// tables are not changed: see ``updateTableSchema(_:allowingLoss:dryRun:)``.
  ///
  /// ```swift
  /// try provider.registerTableSchema(Category.self)
  /// ```
  ///
  /// - Throws: ``ProviderError`` with code ``ProviderError/Code/schemaMismatch``,
  ///   ``ProviderError/Code/missingKey`` or ``ProviderError/Code/wrongKeyType`` if the type can't
  ///   be stored in a table; `SQLiteError` if SQLite refuses a table. No table is created then.
  public func registerTableSchema<Table: DataTable>(_ type: Table.Type) throws {
    try write { try ObjectStore($0).register(type) }
  }

  /// Drops the table of a type with all its rows, and the tables of its ``CrossReference``s.
  ///
  /// The tables of types that it refers to are kept. A missing table is not an error.
  ///
  /// - Throws: `SQLiteError` with code `constraintForeignKey` if rows of another table refer to
  ///   this table's rows.
  public func dropTable<Table: DataTable>(_ type: Table.Type) throws {
    try write { try ObjectStore($0).drop(type) }
  }

  /// Returns the number of rows in a type's table that satisfy a filter.
  ///
  /// - Parameters:
  ///   - type: The type.
  ///   - filter: The SQL condition after `WHERE`; if it is blank, all rows are counted.
  ///   - parameters: The values of the filter's parameters `?`, in order; `nil` is NULL.
  /// - Throws: ``ProviderError`` with code ``ProviderError/Code/unknownTable`` if the table does
  ///   not exist; `SQLiteError` if the filter is invalid.
  public func rowCount<Table: DataTable>(
    forType type: Table.Type, filteredBy filter: SQL = "",
    withParameters parameters: [(any SQLiteBindable)?] = []
  ) throws -> Int {
    try read {
      try ObjectStore($0).count(type, filter: filter, parameters.map(SQLiteValue.bindable))
    }
  }

  /// Returns whether a type's table has a row with a key.
  ///
  /// - Parameters:
  ///   - type: The type.
  ///   - key: The key, or a ``Record/Key`` if the key has several columns.
  /// - Throws: ``ProviderError`` with code ``ProviderError/Code/unknownTable`` if the table does
  ///   not exist, or ``ProviderError/Code/wrongKeyType`` if the type of the key, or its number of
  ///   columns, is wrong.
  public func hasRow<Table: DataTable>(
    forType type: Table.Type, matchingPrimaryKey key: any SQLiteBindable
  ) throws -> Bool {
    try read { try ObjectStore($0).hasRow(type, key: key) }
  }
}

/// Objects of types.
extension DataAccess {
  /// Reads rows of a type's table.
  ///
  /// ```swift
  /// let recent = try provider.getRows(
  ///   ofType: Category.self, filteredBy: "enabled AND added > ?", orderedBy: "name",
  ///   limitedTo: 20, withParameters: [Date.now.addingTimeInterval(-86_400)])
  /// ```
  ///
  /// Rows that they refer to are also read, with one statement for each property and level,
  /// regardless of the number of rows: see ``CrossReference``.
  ///
  /// - Parameters:
  ///   - type: The type.
  ///   - filter: The SQL condition after `WHERE`; if it is blank, all rows are read.
  ///   - order: The SQL terms after `ORDER BY`; if it is blank, the order is undefined.
  ///   - start: The number of rows to skip, also without a limit.
  ///   - limit: The maximum number of rows to read; 0 for all.
  ///   - parameters: The values of the parameters `?` in the filter and the order; `nil` is NULL.
  /// - Throws: ``ProviderError`` with code ``ProviderError/Code/unknownTable`` if the table does
  ///   not exist, ``ProviderError/Code/schemaMismatch`` if it lacks a column, or
  ///   ``ProviderError/Code/cyclicReference`` and ``ProviderError/Code/danglingReference`` if a
  ///   referenced row can't be loaded; `SQLiteError` for an invalid filter, or a value that the
  ///   type can't represent; any error that the type throws.
  public func getRows<Table: DataTable>(
    ofType type: Table.Type, filteredBy filter: SQL = "", orderedBy order: SQL = "",
    startingAt start: Int = 0, limitedTo limit: Int = 0,
    withParameters parameters: [(any SQLiteBindable)?] = []
  ) throws -> [Table] {
    let clauses = SQL.clauses(filter: filter, order: order, start: start, limit: limit)
    return try read {
      try ObjectStore($0).rows(type, clauses, parameters.map(SQLiteValue.bindable))
    }
  }

  /// Reads the rows of a statement as objects of a type.
  ///
  /// The result needs a column for each property that is not optional, with the property's name. A
  /// type with a ``CrossReference`` also needs its key.
  ///
  /// - Throws: The same errors as
  ///   ``getRows(ofType:filteredBy:orderedBy:startingAt:limitedTo:withParameters:)``, except that
  ///   errors of the statement itself are unmodified `SQLiteError`s.
  public func getRows<Table: DataTable>(
    ofType type: Table.Type, matchingSQL sql: SQL,
    withParameters parameters: [(any SQLiteBindable)?] = []
  ) throws -> [Table] {
    try read { try ObjectStore($0).rows(type, sql: sql, parameters.map(SQLiteValue.bindable)) }
  }

  /// Returns the row with a key; `nil` if the row does not exist.
  ///
  /// - Parameters:
  ///   - type: The type.
  ///   - key: The key, or a ``Record/Key`` if the key has several columns.
  /// - Throws: The same errors as
  ///   ``getRows(ofType:filteredBy:orderedBy:startingAt:limitedTo:withParameters:)``;
  ///   ``ProviderError`` with code ``ProviderError/Code/wrongKeyType`` if the type of the key, or
  ///   its number of columns, is wrong.
  public func getRow<Table: DataTable>(
    ofType type: Table.Type, forPrimaryKeyValue key: any SQLiteBindable
  ) throws -> Table? {
    try read { try ObjectStore($0).row(type, key: key) }
  }

  /// Returns the row with a key of the type's `Key` type; `nil` if the row does not exist.
  ///
  /// - Throws: The same errors as ``getRow(ofType:forPrimaryKeyValue:)-(_,SQLiteBindable)``.
  public func getRow<Table: KeyedDataTable>(
    ofType type: Table.Type, forKey key: Table.Key
  ) throws -> Table? {
    try read { try ObjectStore($0).row(type, key: key) }
  }

  /// Returns the row at an index among the rows that satisfy a filter, counting from 0; `nil` if
  /// there are fewer rows.
  ///
  /// - Throws: The same errors as
  ///   ``getRows(ofType:filteredBy:orderedBy:startingAt:limitedTo:withParameters:)``.
  public func getRow<Table: DataTable>(
    ofType type: Table.Type, atIndex index: Int, filteredBy filter: SQL = "",
    orderedBy order: SQL = "", withParameters parameters: [(any SQLiteBindable)?] = []
  ) throws -> Table? {
    guard index >= 0 else { return nil }
    return try getRows(
      ofType: type, filteredBy: filter, orderedBy: order, startingAt: index, limitedTo: 1,
      withParameters: parameters
    ).first
  }

  /// Creates an object with the next key of its table, as returned by ``makeID(_:)``.
  ///
  /// All other properties have the values of `init()`. With ``DataTableKeyType/uniqueValue``, so
  /// does the key.
  public func make<Table: DataTable>(_ type: Table.Type) throws -> Table {
    try read { try ObjectStore($0).make(type) }
  }

  /// Returns the next key of a table: an `Int`, a `String`, or `nil` if the application provides
  /// the keys.
  ///
  /// The key is not reserved: another writer can use it first. The table need not exist.
  ///
  /// ```swift
  /// if let id = try provider.makeID(Category.self) as? Int { category.id = id }
  /// ```
  ///
  /// - Throws: ``ProviderError`` with code ``ProviderError/Code/limitExceeded`` if there is no
  ///   larger key.
  public func makeID<Table: DataTable>(_ type: Table.Type) throws -> (any Sendable)? {
    try read { try ObjectStore($0).makeID(type) }
  }
}

extension DataAccess {
  /// Changes the table of a type, and the tables of all types that it refers to, to match the
  /// types.
  ///
  /// Missing tables are created. An existing table keeps its rows with all matching columns: a new
  /// column gets the value in `init()`, as does a NULL if the property is no longer optional. A
  /// renamed property is a new column, and the old column is lost, unless SQL renames it first.
  /// Indexes, triggers and foreign keys are kept, and so are `CHECK`, `UNIQUE`, `COLLATE`,
  /// `DEFAULT`, and columns that other tables refer to: if these are the primary key, the type's
  /// key becomes an additional `UNIQUE` constraint. Tables of links are changed in the same way;
  /// their columns are identified by their foreign keys, so that links are kept if the columns are
  /// renamed. If there are rows, a new property that is a ``DataTable`` must be optional.
  ///
  /// ```swift
  /// print(try provider.updateTableSchema(Category.self, dryRun: true))
  /// try provider.updateTableSchema(Category.self)
  /// ```
  ///
  /// - Parameters:
  ///   - type: The type.
  ///   - allowingLoss: Whether to drop columns that the type lacks, and to change values that its
  ///     columns can't hold.
  ///   - dryRun: Whether to only report the changes and losses.
  /// - Returns: The changes: the steps with their SQL and their losses. The description is a
  ///   script.
  /// - Throws: ``ProviderError`` with code ``ProviderError/Code/lossyChange`` that lists the
  ///   losses, or with code ``ProviderError/Code/schemaMismatch`` if rows would need references
  ///   that are unknown; `SQLiteError` if rows violate the new schema, or with code
  ///   `referencesEnforced` if a table that others refer to must be recreated while a transaction
  ///   is open. No table is changed then.
  @discardableResult
  public func updateTableSchema<Table: DataTable>(
    _ type: Table.Type, allowingLoss: Bool = false, dryRun: Bool = false
  ) throws -> SchemaDiff {
    if dryRun { return try read { try ObjectStore($0).difference(type) } }
    func update(_ connection: Connection) throws -> SchemaDiff {
      try ObjectStore(connection).update(type, allowingLoss: allowingLoss)
    }
    // Foreign key enforcement can't be disabled inside a transaction, as recreating a table
    // requires.
    if let provider = self as? any DataProvider {
      return try provider.session.writeWithoutTransaction(update)
    }
    return try write(update)
  }
}

extension DataProvider {
  /// Changes the table of a type, and the tables of all types that it refers to, to match the
  /// types.
  ///
  /// - Throws: The same errors as the synchronous form; `CancellationError` if the task was
  ///   cancelled, in which case no table is changed.
  @discardableResult
  public func updateTableSchema<Table: DataTable>(
    _ type: Table.Type, allowingLoss: Bool = false, dryRun: Bool = false
  ) async throws -> SchemaDiff {
    if dryRun { return try await read { try ObjectStore($0).difference(type) } }
    return try await session.writeWithoutTransaction {
      try ObjectStore($0).update(type, allowingLoss: allowingLoss)
    }
  }
}
