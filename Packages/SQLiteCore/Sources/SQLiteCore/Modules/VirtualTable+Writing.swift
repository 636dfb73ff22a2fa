extension VirtualTable {
  /// A virtual table that SQL may change. Each row has a rowid that identifies it.
  ///
  /// The values of a row are those of all columns, hidden ones included. A method that throws must leave the table
  /// as it was. To report a violated constraint, throw ``SQLiteError`` with code ``SQLiteError/Code/constraint`` or
  /// one of its kinds: `INSERT OR IGNORE` then skips the row, `OR FAIL` and `OR ROLLBACK` act as for other tables.
  ///
  /// ```swift
  /// extension Notes: VirtualTable.WritableTable {
  ///   func insert(
  ///     _ values: borrowing FunctionArguments, rowID: RowID?,
  ///     onConflict: VirtualTable.ConflictResolution
  ///   ) throws -> RowID {
  ///     let id = rowID?.rawValue ?? (notes.keys.max() ?? 0) + 1
  ///     guard notes[id] == nil || onConflict == .replace else {
  ///       throw SQLiteError(code: .constraintRowID, message: "there is a note \(id)")
  ///     }
  ///     notes[id] = values[0]
  ///     return RowID(rawValue: id)
  ///   }
  ///
  ///   func update(
  ///     _ rowID: RowID, to newRowID: RowID, _ values: borrowing FunctionArguments,
  ///     onConflict: VirtualTable.ConflictResolution
  ///   ) throws {
  ///     guard newRowID == rowID else {
  ///       throw SQLiteError(code: .constraintRowID, message: "a note keeps its number")
  ///     }
  ///     notes[rowID.rawValue] = values[0]
  ///   }
  ///
  ///   func delete(_ rowID: RowID) { notes[rowID.rawValue] = nil }
  /// }
  /// ```
  ///
  /// Without ``TransactionalTable``, no rollback undoes the changes.
  ///
  /// SQLite reports changes of virtual tables to no hook but commits and rollbacks: a ``TransactionObserver`` is
  /// asked about the statement that writes the table, and receives none of the rows.
  public protocol WritableTable: Table {
    /// Inserts a row.
    ///
    /// - Parameters:
    ///   - values: The values of all columns.
    ///   - rowID: The rowid that the statement asks for; `nil` if the table chooses one.
    ///   - onConflict: What the statement asks for if the row violates a constraint. With
    ///     ``ConflictResolution/replace``, the table removes the rows that are in the way.
    /// - Returns: The rowid of the row.
    func insert(
      _ values: borrowing FunctionArguments, rowID: RowID?, onConflict: ConflictResolution
    ) throws -> RowID

    /// Changes a row.
    ///
    /// - Parameters:
    ///   - rowID: The row's rowid.
    ///   - newRowID: The rowid that the row has from now on, in most cases the same.
    ///   - values: The values of all columns, those that do not change included.
    ///   - onConflict: As for ``insert(_:rowID:onConflict:)``.
    func update(
      _ rowID: RowID, to newRowID: RowID, _ values: borrowing FunctionArguments,
      onConflict: ConflictResolution
    ) throws

    /// Deletes a row.
    func delete(_ rowID: RowID) throws
  }

  /// What a statement asks for if a row violates a constraint: https://sqlite.org/lang_conflict.html
  public enum ConflictResolution: Hashable, Sendable, CaseIterable {
    case rollback, ignore, fail, abort, replace
  }

  /// A writable virtual table that takes part in transactions and savepoints.
  ///
  /// The simplest way to conform is to copy the content in ``savepoint(_:)`` and to take the copy back in
  /// ``rollback(toSavepoint:)``. SQLite opens a savepoint of its own for a statement that may fail halfway.
  public protocol TransactionalTable: WritableTable {
    /// Begins a transaction, before the first change in it.
    func begin() throws
    /// Prepares the commit. This is the last method that may fail it.
    func sync() throws
    /// Makes the changes of the transaction permanent.
    func commit()
    /// Undoes the changes of the transaction.
    func rollback()
    /// Opens a savepoint. Numbers grow from outer savepoints to inner ones.
    func savepoint(_ number: Int) throws
    /// Ends a savepoint and those of greater numbers, and keeps their changes.
    func release(savepoint number: Int) throws
    /// Undoes the changes since a savepoint, which stays open. Those of greater numbers end.
    func rollback(toSavepoint number: Int) throws
  }
}
