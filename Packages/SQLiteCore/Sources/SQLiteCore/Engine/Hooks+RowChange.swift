internal import CSQLite

extension Hooks {
  /// A row that is about to change: lent for the length of one call.
  @safe public struct RowChange: ~Copyable {
    /// What happens to a row.
    public enum Kind: Hashable, Sendable { case insert, update, delete }

    /// Whether the row comes, changes or goes.
    public let kind: Kind
    /// The table, as the schema spells it.
    public let table: TableName
    /// The row's key before; meaningless for an insert, and 0 in a table without rowids.
    public let oldRowID: RowID
    /// The row's key after; meaningless for a delete, and 0 in a table without rowids.
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
    /// Values are numbered by the columns that are stored, in their order: those that are generated when
    /// they are read have no number, and the numbers past the last stored column no value.
    public var columnCount: Int { Int(unsafe holt_preupdate_count(db)) }

    /// How deep in triggers and foreign key actions the cause lies; 0 for the statement itself.
    public var depth: Int { Int(unsafe holt_preupdate_depth(db)) }

    /// The column that a blob handle writes, where that is the cause: such a change has the kind
    /// ``Kind/delete`` and no new value.
    public var blobColumn: ColumnIndex? {
      let index = unsafe holt_preupdate_blobwrite(db)
      return index < 0 ? nil : ColumnIndex(Int(index))
    }

    /// A stored column's value before the change; `nil` for an insert.
    ///
    /// Of a column that was added after the row was written, SQLite 3.40 says NULL in place of its
    /// default.
    public func oldValue(at index: ColumnIndex) -> SQLiteValue? { old(at: index)?.copy }

    /// A stored column's value after the change; `nil` for a delete.
    public func newValue(at index: ColumnIndex) -> SQLiteValue? { new(at: index)?.copy }

    /// The length of a stored column's texts and blobs, before and after the change together.
    public func byteCount(at index: ColumnIndex) -> Int {
      (old(at: index)?.byteCount ?? 0) + (new(at: index)?.byteCount ?? 0)
    }

    /// Whether an update gives a stored column another value than it had: decided by the values'
    /// bytes, without copying them. `true` where it can't be told.
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
