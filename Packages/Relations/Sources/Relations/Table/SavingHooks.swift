public import SQLiteCore

extension ModelSession {
  /// The operation that saves or deletes a row.
  public enum SaveOperation: Hashable, Sendable {
    case insert
    case update
    /// The row is inserted, or replaces the row that it conflicts with.
    case upsert
    case delete
  }
}

/// A table with callbacks for saving and deleting its rows. All callbacks have a default
/// implementation that does nothing.
///
/// ```swift
/// struct Value: Table, SavingHooks {
///   var id: AutoId = 0
///   var name = ""
///   mutating func willValidate() throws {
///     name = name.trimmed
///     if name.isEmpty { throw NameError.empty }
///   }
///   func didSave(_ operation: ModelSession.SaveOperation, in connection: Connection) throws {
///     try connection.run("INSERT INTO journal (entry) VALUES (?)", name)
///   }
/// }
/// ```
///
/// The callbacks of each row run in this order:
///
/// 1. Before anything is written, on the caller's actor: ``willValidate()``, ``willSave(_:)``, then
///    ``willInsert()`` or ``willUpdate(from:)``; or ``willDelete()``. They may change the row.
///    Unchanged models, which are not written, receive no callbacks. An upsert calls neither
///    ``willInsert()`` nor ``willUpdate(from:)``, since its outcome is not known yet.
/// 2. In the transaction, after the row was written: ``didSave(_:in:)``. Its writes are committed
///    with the row.
/// 3. After the transaction: ``didCommit(_:)`` if it was committed, or ``didRollback(_:)`` if it
///    was rolled back.
///
/// An error thrown in the first two steps is rethrown to the caller, and no row is written. Rows
/// that foreign keys delete, and rows that the application's own SQL writes, receive no callbacks.
public protocol SavingHooks: Table {
  /// Normalizes the row, or throws if it is invalid.
  mutating func willValidate() throws
  /// Called before the row is inserted or updated.
  mutating func willSave(_ operation: ModelSession.SaveOperation) throws
  /// Called before the row is inserted. A key that SQLite generates is not set yet.
  mutating func willInsert() throws
  /// Called before the row is updated.
  ///
  /// - Parameter former: The row when it was fetched or saved.
  mutating func willUpdate(from former: Self) throws
  /// Called before the row is deleted or marked as deleted.
  func willDelete() throws
  /// Called on the writer's thread after the row was written, before the transaction is committed.
  ///
  /// - Parameters:
  ///   - operation: The operation.
  ///   - connection: The writer. Its writes are part of the transaction.
  func didSave(_ operation: ModelSession.SaveOperation, in connection: Connection) throws
  /// Called on the caller's actor after the transaction was committed and the models were updated.
  func didCommit(_ operation: ModelSession.SaveOperation)
  /// Called on the caller's actor after the transaction was rolled back.
  func didRollback(_ operation: ModelSession.SaveOperation)
}

extension SavingHooks {
  public mutating func willValidate() throws {}
  public mutating func willSave(_ operation: ModelSession.SaveOperation) throws {}
  public mutating func willInsert() throws {}
  public mutating func willUpdate(from former: Self) throws {}
  public func willDelete() throws {}
  public func didSave(_ operation: ModelSession.SaveOperation, in connection: Connection) throws {}
  public func didCommit(_ operation: ModelSession.SaveOperation) {}
  public func didRollback(_ operation: ModelSession.SaveOperation) {}
}

extension SavingHooks {
  /// Calls the callbacks that precede the write.
  fileprivate mutating func runBefore(
    _ operation: ModelSession.SaveOperation, former: (any SavingHooks)?
  ) throws {
    if operation == .delete { return try willDelete() }
    try willValidate()
    try willSave(operation)
    switch operation {
    case .insert: try willInsert()
    case .update: if let former = former as? Self { try willUpdate(from: former) }
    case .upsert, .delete: break
    }
  }
}

extension Table {
  /// Calls the callbacks that precede the write.
  mutating func willBeSaved(_ operation: ModelSession.SaveOperation, former: Self? = nil) throws {
    guard var row = self as? any SavingHooks else { return }
    try row.runBefore(operation, former: former as? any SavingHooks)
    if let changed = row as? Self { self = changed }
  }

  /// Returns the row with the key that SQLite has generated for it.
  func withKey(_ rowID: Int64?) -> Self {
    guard let rowID, let id = ID(generatedBySQLite: rowID) else { return self }
    var row = self
    row.id = id
    return row
  }
}
