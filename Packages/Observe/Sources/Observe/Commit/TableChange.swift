public import SQLiteCore

extension ChangeSet {
  /// What a commit did to one table.
  public struct TableChange: Hashable, Sendable {
    /// What was done to rows.
    public struct Kinds: OptionSet, Hashable, Sendable {
      public let rawValue: UInt8
      public init(rawValue: UInt8) { self.rawValue = rawValue }

      public static let insert = Kinds(rawValue: 1)
      public static let update = Kinds(rawValue: 2)
      public static let delete = Kinds(rawValue: 4)
      public static let all: Kinds = [.insert, .update, .delete]
    }

    /// What was done to the table's rows.
    public internal(set) var kinds: Kinds
    /// The columns that updates gave other values, generated columns among them.
    public internal(set) var updatedColumns: Region.ColumnSet
    /// The rows that changed, in the order in which they were first touched; `nil` where they were too
    /// many to keep, or can't be told.
    public internal(set) var rows: [ChangedRow]?
    /// How the rows' values compare; `nil` where no rows are known.
    private(set) var layout: TableLayout?

    init(
      kinds: Kinds, updatedColumns: Region.ColumnSet = .none, rows: [ChangedRow]? = nil,
      layout: TableLayout? = nil
    ) {
      self.kinds = kinds
      self.updatedColumns = updatedColumns
      self.rows = rows
      self.layout = layout
    }

    mutating func forgetRows() {
      rows = nil
      layout = nil
    }

    /// A table of which it is only known that it changed.
    static let unknown = TableChange(kinds: .all, updatedColumns: .all)
  }
}

extension ChangeSet {
  /// One row that a commit changed: how it was before, and how it is since.
  public struct ChangedRow: Hashable, Sendable {
    /// What tells the row from the others of its table.
    public enum Key: Hashable, Sendable {
      case rowID(RowID)
      /// In a table without rowids: the values of its primary key, in the key's order.
      case primaryKey([SQLiteValue])
    }

    public let key: Key
    /// The table's stored columns: ``old`` and ``new`` hold a value of each.
    public let columns: [Region.ColumnName]
    /// The values before; `nil` for a row that was inserted.
    public let old: [SQLiteValue]?
    /// The values since; `nil` for a row that was deleted.
    public let new: [SQLiteValue]?
    /// Which of ``columns`` an update gave other values.
    let changed: [Int]

    public var kind: Hooks.RowChange.Kind {
      switch (old, new) {
      case (nil, _): .insert
      case (_, nil): .delete
      default: .update
      }
    }

    /// The columns that an update gave other values; none for a row that was inserted or deleted.
    public var changedColumns: [Region.ColumnName] { changed.map { columns[$0] } }

    /// A column's value before the commit; `nil` where the row was not there, or has no such column.
    public func oldValue(of column: Region.ColumnName) -> SQLiteValue? {
      value(of: column, in: old)
    }

    /// A column's value since the commit; `nil` where the row is gone, or has no such column.
    public func newValue(of column: Region.ColumnName) -> SQLiteValue? {
      value(of: column, in: new)
    }

    private func value(of column: Region.ColumnName, in values: [SQLiteValue]?) -> SQLiteValue? {
      guard let values, let index = columns.firstIndex(of: column) else { return nil }
      return values[index]
    }
  }
}
