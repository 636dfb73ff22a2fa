public import SQLiteCore

extension ModelSession {
  /// What is done with a row as it is saved.
  public enum SaveOperation: Hashable, Sendable {
    case insert
    case update
    /// It is inserted, or takes the place of the row that it contradicts.
    case upsert
    case delete
  }
}

/// A table whose rows take part in their being saved and deleted. All functions have a default that does nothing.
///
/// ```swift
/// struct Value: Table, SavingHooks {
///   var id: AutoId = 0
///   var name = ""
///   mutating func willValidate() throws {
///     name = name.trimmed
///     if name.isEmpty { throw NameError.empty }
///   }
///   func didSave(_ deed: ModelSession.SaveOperation, in connection: Connection) throws {
///     try connection.run("INSERT INTO journal (entry) VALUES (?)", name)
///   }
/// }
/// ```
///
/// The order, of each row:
///
/// 1. ``willValidate()``, ``willSave(_:)``, then ``willInsert()`` or ``willUpdate(from:)``; or ``willDelete()``. They are called
///    on the actor of whoever saves, before anything is written, and may change the row. Of models that are as their rows,
///    and so are not written, none is called. For an upsert, of which it is not known what it will be, neither of the last two is.
/// 2. In the transaction, when the row was written: ``didSave(_:in:)``. What they write is committed with the row.
/// 3. Then ``didCommit(_:)``, once all is committed, or ``didRollback(_:)``, if it is not.
///
/// What any of the first two throws is thrown to whoever saves, and nothing is written, not of any row. Rows that foreign keys
/// delete along with others, and those that the application's own SQL writes, are not told of.
public protocol SavingHooks: Table {
  /// Makes the row what it should be, or says what is wrong with it.
  mutating func willValidate() throws
  /// The row is about to be inserted or updated.
  mutating func willSave(_ deed: ModelSession.SaveOperation) throws
  /// The row is about to be inserted. A key that SQLite makes is not known yet.
  mutating func willInsert() throws
  /// The row is about to be updated.
  ///
  /// - Parameter former: What it was when it was fetched or saved.
  mutating func willUpdate(from former: Self) throws
  /// The row is about to be deleted, or marked as deleted.
  func willDelete() throws
  /// The row was written, in a transaction that is still open, on the writer's thread.
  ///
  /// - Parameters:
  ///   - deed: What was done with the row.
  ///   - connection: The writer: what is done with it is part of the transaction.
  func didSave(_ deed: ModelSession.SaveOperation, in connection: Connection) throws
  /// The transaction is committed, and models are as their rows. On the actor of whoever saves.
  func didCommit(_ deed: ModelSession.SaveOperation)
  /// The transaction was rolled back: nothing of it is in the database. On the actor of whoever saves.
  func didRollback(_ deed: ModelSession.SaveOperation)
}

extension SavingHooks {
  public mutating func willValidate() throws {}
  public mutating func willSave(_ deed: ModelSession.SaveOperation) throws {}
  public mutating func willInsert() throws {}
  public mutating func willUpdate(from former: Self) throws {}
  public func willDelete() throws {}
  public func didSave(_ deed: ModelSession.SaveOperation, in connection: Connection) throws {}
  public func didCommit(_ deed: ModelSession.SaveOperation) {}
  public func didRollback(_ deed: ModelSession.SaveOperation) {}
}

extension SavingHooks {
  /// Calls what is called before the row is written.
  fileprivate mutating func runBefore(
    _ deed: ModelSession.SaveOperation, former: (any SavingHooks)?
  ) throws {
    if deed == .delete { return try willDelete() }
    try willValidate()
    try willSave(deed)
    switch deed {
    case .insert: try willInsert()
    case .update: if let former = former as? Self { try willUpdate(from: former) }
    case .upsert, .delete: break
    }
  }
}

extension Table {
  /// Calls what is called before the row is written.
  mutating func willBeSaved(_ deed: ModelSession.SaveOperation, former: Self? = nil) throws {
    guard var row = self as? any SavingHooks else { return }
    try row.runBefore(deed, former: former as? any SavingHooks)
    if let changed = row as? Self { self = changed }
  }

  /// The row with the key that SQLite has made for it.
  func withKey(_ rowID: Int64?) -> Self {
    guard let rowID, let id = ID(madeBySQLite: rowID) else { return self }
    var row = self
    row.id = id
    return row
  }
}
