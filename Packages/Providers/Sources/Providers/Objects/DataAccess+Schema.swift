public import SQLiteCore

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
