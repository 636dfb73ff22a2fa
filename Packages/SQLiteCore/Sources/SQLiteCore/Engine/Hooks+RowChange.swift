internal import CSQLite

extension Hooks {
  /// A row that is about to change. It is valid only during the call of the observer.
  @safe public struct RowChange: ~Copyable {
    /// The kind of a row change.
    public enum Kind: Hashable, Sendable { case insert, update, delete }

    /// The kind of the change.
    public let kind: Kind
    /// The table, as the schema spells it.
    public let table: TableName
    /// The rowid before the change; meaningless for an insert, and 0 in a table without rowids.
    public let oldRowID: RowID
    /// The rowid after the change; meaningless for a delete, and 0 in a table without rowids.
    public let newRowID: RowID
    private let db: OpaquePointer

    init(
      kind: Kind, table: TableName, oldRowID: RowID, newRowID: RowID, db: OpaquePointer
    ) {
      self.kind = kind
      self.table = table
      self.oldRowID = oldRowID
      self.newRowID = newRowID
      unsafe self.db = db
    }

    /// The number of the table's columns.
    ///
    /// Indexes count the stored columns in their order. Virtual generated columns have no index,
    /// and indexes after the last stored column have no value.
    public var columnCount: Int { Int(unsafe holt_preupdate_count(db)) }

    /// The nesting depth in triggers and foreign key actions; 0 for the statement itself.
    public var depth: Int { Int(unsafe holt_preupdate_depth(db)) }

    /// The column that a blob handle writes, if that causes the change. Such a change has the kind
    /// ``Kind/delete`` and no new value.
    public var blobColumn: ColumnIndex? {
      let index = unsafe holt_preupdate_blobwrite(db)
      return index < 0 ? nil : ColumnIndex(Int(index))
    }

    /// A stored column's value before the change; `nil` for an insert.
    ///
    /// For a column that was added after the row was written, SQLite 3.40 returns NULL instead of
    /// the column's default.
    public func oldValue(at index: ColumnIndex) -> SQLiteValue? { old(at: index)?.copy }

    /// A stored column's value after the change; `nil` for a delete.
    public func newValue(at index: ColumnIndex) -> SQLiteValue? { new(at: index)?.copy }

    /// Returns the total size of a stored column's text or blob before and after the change.
    public func byteCount(at index: ColumnIndex) -> Int {
      (old(at: index)?.byteCount ?? 0) + (new(at: index)?.byteCount ?? 0)
    }

    /// Returns whether an update changes a stored column's value. Compares the bytes without
    /// copying them. Returns `true` if the values are not available.
    public func changesValue(at index: ColumnIndex) -> Bool {
      guard let old = old(at: index), let new = new(at: index) else { return true }
      return !old.isIdentical(to: new)
    }

    private func old(at index: ColumnIndex) -> EngineValue? {
      var value: OpaquePointer?
      guard kind != .insert,
        unsafe holt_preupdate_old(db, Int32(clamping: index.rawValue), &value) == SQLITE_OK,
        let value = unsafe value
      else { return nil }
      return unsafe EngineValue(value)
    }

    private func new(at index: ColumnIndex) -> EngineValue? {
      var value: OpaquePointer?
      guard kind != .delete,
        unsafe holt_preupdate_new(db, Int32(clamping: index.rawValue), &value) == SQLITE_OK,
        let value = unsafe value
      else { return nil }
      return unsafe EngineValue(value)
    }
  }
}
