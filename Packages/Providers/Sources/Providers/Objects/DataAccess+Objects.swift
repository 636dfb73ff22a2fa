public import SQLiteCore

/// Tables of types.
extension DataAccess {
  /// Makes the table of a type, and those of all types that it refers to, where they are missing.
  ///
  /// `save(_:)` does so too: this is for who wants to read a table before anything is saved. Tables that are
  /// there are left as they are: see ``updateTableSchema(_:allowingLoss:dryRun:)``.
  ///
  /// ```swift
  /// try provider.registerTableSchema(Category.self)
  /// ```
  ///
  /// - Throws: ``ProviderError`` with code ``ProviderError/Code/schemaMismatch``,
  ///   ``ProviderError/Code/missingKey`` or ``ProviderError/Code/wrongKeyType`` where the type can't be a table;
  ///   `SQLiteError` where SQLite refuses one. No table is made then.
  public func registerTableSchema<Table: DataTable>(_ type: Table.Type) throws {
    try write { try ObjectStore($0).register(type) }
  }

  /// Drops the table of a type with all its rows, and the tables of its ``CrossReference``s.
  ///
  /// The tables of types that it refers to stay. No table is not an error.
  ///
  /// - Throws: `SQLiteError` with code `constraintForeignKey` where rows of another table refer to rows of this
  ///   one.
  public func dropTable<Table: DataTable>(_ type: Table.Type) throws {
    try write { try ObjectStore($0).drop(type) }
  }

  /// How many rows the table of a type has, or how many of them a filter leaves.
  ///
  /// - Parameters:
  ///   - type: The type.
  ///   - filter: What follows on `WHERE` in SQL; nothing, or no more than space, for all rows.
  ///   - parameters: The values of its parameters `?`, in their order; `nil` is NULL.
  /// - Throws: ``ProviderError`` with code ``ProviderError/Code/unknownTable`` where there is no table;
  ///   `SQLiteError` of the filter.
  public func rowCount<Table: DataTable>(
    forType type: Table.Type, filteredBy filter: SQL = "",
    withParameters parameters: [(any SQLiteBindable)?] = []
  ) throws -> Int {
    try read {
      try ObjectStore($0).count(type, filter: filter, parameters.map(SQLiteValue.bindable))
    }
  }

  /// Whether the table of a type has a row with a key.
  ///
  /// - Parameters:
  ///   - type: The type.
  ///   - key: The key, or a ``Record/Key`` where it has several columns.
  /// - Throws: ``ProviderError`` with code ``ProviderError/Code/unknownTable`` where there is no table,
  ///   ``ProviderError/Code/wrongKeyType`` where the keys are of another kind or have another number of columns.
  public func hasRow<Table: DataTable>(
    forType type: Table.Type, matchingPrimaryKey key: any SQLiteBindable
  ) throws -> Bool {
    try read { try ObjectStore($0).hasRow(type, key: key) }
  }
}

/// Objects of types.
extension DataAccess {
  /// Reads rows of the table of a type.
  ///
  /// ```swift
  /// let recent = try provider.getRows(
  ///   ofType: Category.self, filteredBy: "enabled AND added > ?", orderedBy: "name",
  ///   limitedTo: 20, withParameters: [Date.now.addingTimeInterval(-86_400)])
  /// ```
  ///
  /// Rows that they refer to are read with them, by one statement for each property and level, whatever the
  /// number of rows: see ``CrossReference``.
  ///
  /// - Parameters:
  ///   - type: The type.
  ///   - filter: What follows on `WHERE` in SQL; nothing, or no more than space, for all rows.
  ///   - order: What follows on `ORDER BY`; nothing for the order in which SQLite finds them.
  ///   - start: How many rows to pass over, also where there is no limit.
  ///   - limit: The most rows to read; all where it is zero.
  ///   - parameters: The values of the parameters `?` in the filter and the order; `nil` is NULL.
  /// - Throws: ``ProviderError`` with code ``ProviderError/Code/unknownTable`` where there is no table,
  ///   ``ProviderError/Code/schemaMismatch`` where it lacks a column,
  ///   ``ProviderError/Code/cyclicReference`` and ``ProviderError/Code/danglingReference`` where a row that is
  ///   referred to can't be made; `SQLiteError` of the filter, or of a value that the type can't have; what the type
  ///   throws.
  public func getRows<Table: DataTable>(
    ofType type: Table.Type, filteredBy filter: SQL = "", orderedBy order: SQL = "",
    startingAt start: Int = 0, limitedTo limit: Int = 0,
    withParameters parameters: [(any SQLiteBindable)?] = []
  ) throws -> [Table] {
    let query = ObjectQuery(filter: filter, order: order, start: start, limit: limit)
    return try read { try ObjectStore($0).rows(type, query, parameters.map(SQLiteValue.bindable)) }
  }

  /// Reads the rows that a statement gives as objects of a type.
  ///
  /// The result needs a column for each property that is not optional, by its name; of one with a
  /// ``CrossReference`` the key.
  ///
  /// - Throws: As ``getRows(ofType:filteredBy:orderedBy:startingAt:limitedTo:withParameters:)``, but for the statement's
  ///   own errors, which are `SQLiteError`s as they come.
  public func getRows<Table: DataTable>(
    ofType type: Table.Type, matchingSQL sql: SQL,
    withParameters parameters: [(any SQLiteBindable)?] = []
  ) throws -> [Table] {
    try read { try ObjectStore($0).rows(type, sql: sql, parameters.map(SQLiteValue.bindable)) }
  }

  /// Reads the row with a key; `nil` where there is none.
  ///
  /// - Parameters:
  ///   - type: The type.
  ///   - key: The key, or a ``Record/Key`` where it has several columns.
  /// - Throws: As ``getRows(ofType:filteredBy:orderedBy:startingAt:limitedTo:withParameters:)``;
  ///   ``ProviderError`` with code ``ProviderError/Code/wrongKeyType`` where the keys are of another kind or have
  ///   another number of columns.
  public func getRow<Table: DataTable>(
    ofType type: Table.Type, forPrimaryKeyValue key: any SQLiteBindable
  ) throws -> Table? {
    try read { try ObjectStore($0).row(type, key: key) }
  }

  /// Reads the row with a key of the type's own; `nil` where there is none.
  ///
  /// - Throws: As ``getRow(ofType:forPrimaryKeyValue:)-(_,SQLiteBindable)``.
  public func getRow<Table: KeyedDataTable>(
    ofType type: Table.Type, forKey key: Table.Key
  ) throws -> Table? {
    try read { try ObjectStore($0).row(type, key: key) }
  }

  /// Reads the row at a place among those that a filter leaves, counting from 0; `nil` where there are not so many.
  ///
  /// - Throws: As ``getRows(ofType:filteredBy:orderedBy:startingAt:limitedTo:withParameters:)``.
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

  /// Makes an object whose key is the next one of its table: as ``makeID(_:)`` has it.
  ///
  /// All else is as `init()` has it. With ``DataTableKeyType/uniqueValue`` so is the key.
  public func make<Table: DataTable>(_ type: Table.Type) throws -> Table {
    try read { try ObjectStore($0).make(type) }
  }

  /// The next key of a table: an `Int`, a `String`, or `nil` where the application makes the keys.
  ///
  /// Nobody else is kept from taking the number before it is saved. The table need not be there.
  ///
  /// ```swift
  /// if let id = try provider.makeID(Category.self) as? Int { category.id = id }
  /// ```
  ///
  /// - Throws: ``ProviderError`` with code ``ProviderError/Code/limitExceeded`` where no larger number is left.
  public func makeID<Table: DataTable>(_ type: Table.Type) throws -> (any Sendable)? {
    try read { try ObjectStore($0).makeID(type) }
  }
}

extension DataAccess {
  /// Changes the table of a type, and those of all types that it refers to, to the form that the types have now.
  ///
  /// Tables that are missing are made. Of one that is there, the rows are kept with all that fits: a new column gets the
  /// value that it has in `init()`'s value, and so does a NULL where the property is no longer
  /// optional. Nothing is guessed: a property that was renamed is a new column, and the old one is lost,
  /// unless it is renamed by SQL before. Indexes, triggers and references stay, and so do `CHECK`, `UNIQUE`, `COLLATE`,
  /// `DEFAULT`, and columns that other tables refer to: where these are the primary key, the type's key is unique beside
  /// it. Tables of links are changed likewise;
  /// which of their columns is which is told by what they refer to, so that links are kept where the
  /// columns have other names. A new property that is a ``DataTable`` must be optional where there are rows.
  ///
  /// ```swift
  /// print(try provider.updateTableSchema(Category.self, dryRun: true))
  /// try provider.updateTableSchema(Category.self)
  /// ```
  ///
  /// - Parameters:
  ///   - type: The type.
  ///   - allowingLoss: Whether columns may be dropped that the type does not have, and values changed that
  ///     its columns can't hold.
  ///   - dryRun: Whether to tell only what would be done, and what would be lost.
  /// - Returns: What was done: the steps with their SQL and their losses. Printed, it is a script.
  /// - Throws: ``ProviderError`` with code ``ProviderError/Code/lossyChange`` that lists what would be lost, with code
  ///   ``ProviderError/Code/schemaMismatch`` where rows would have to refer to others that nobody names;
  ///   `SQLiteError` where rows do not fit the new form, and with code `referencesEnforced` where a table must be made
  ///   anew that others refer to, and a transaction is open. Nothing is changed then.
  @discardableResult
  public func updateTableSchema<Table: DataTable>(
    _ type: Table.Type, allowingLoss: Bool = false, dryRun: Bool = false
  ) throws -> SchemaDiff {
    if dryRun { return try read { try ObjectStore($0).difference(type) } }
    func update(_ connection: Connection) throws -> SchemaDiff {
      try ObjectStore(connection).update(type, allowingLoss: allowingLoss)
    }
    // Inside of a transaction, references can't be suspended while a table is made anew.
    if let provider = self as? any DataProvider {
      return try provider.session.writeWithoutTransaction(update)
    }
    return try write(update)
  }
}

extension DataProvider {
  /// Changes the table of a type, and those of all types that it refers to, to the form that the types have now.
  ///
  /// - Throws: As the synchronous form; `CancellationError` where the task was cancelled, and then nothing is changed.
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
