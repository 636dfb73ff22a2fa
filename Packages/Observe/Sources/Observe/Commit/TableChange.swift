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

extension ChangeSet.TableChange {
  /// The net effect of a table's changes; `nil` where there is none.
  init?(_ pending: PendingTable, layout: TableLayout?) {
    guard let layout else {
      self = .unknown
      return
    }
    if !pending.isWanted, pending.residue.kinds.contains(.update) {
      // Of which columns is not known.
      self = .unknown
    } else if !pending.isExact {
      self.init(pending.residue, layout: layout)
    } else if let rows = NetRows(pending.events, layout: layout)?.rows {
      self.init(rows, layout: layout)
    } else {
      self = .unknown
    }
    if kinds.isEmpty { return nil }
  }

  init(_ rows: [ChangeSet.ChangedRow], layout: TableLayout) {
    var kinds: Kinds = []
    var updated: Set<Region.ColumnName> = []
    for row in rows {
      switch row.kind {
      case .insert: kinds.insert(.insert)
      case .delete: kinds.insert(.delete)
      case .update:
        kinds.insert(.update)
        updated.formUnion(row.changedColumns)
        updated.formUnion(layout.computed)
      }
    }
    self.init(kinds: kinds, updatedColumns: .some(updated), rows: rows, layout: layout)
  }

  private init(_ residue: Residue, layout: TableLayout) {
    guard residue.kinds.contains(.update) else {
      self.init(kinds: residue.kinds)
      return
    }
    let changed = residue.changedColumns.union(layout.defaulted).filter {
      $0 < layout.columns.count
    }
    // A row whose key changes is another row: it may come elsewhere in its table's order.
    let movesRows = layout.primaryKey.map { !changed.isDisjoint(with: $0) } ?? false
    self.init(
      kinds: changed.isEmpty
        ? residue.kinds.subtracting(.update) : movesRows ? .all : residue.kinds,
      updatedColumns: .some(
        Set(changed.map { layout.columns[$0] }).union(changed.isEmpty ? [] : layout.computed)))
  }
}

/// The rows of a table that a transaction changed, each once: as it was before, and as it is after.
private struct NetRows {
  private struct Entry {
    var key: ChangeSet.ChangedRow.Key
    var old: [SQLiteValue]?
    var new: [SQLiteValue]?
  }

  private let layout: TableLayout
  private var entries: [Entry] = []
  private var positions: [ChangeSet.ChangedRow.Key: Int] = [:]

  /// - Returns: `nil` where the events don't fit the layout.
  init?(_ events: [RowEvent], layout: TableLayout) {
    self.layout = layout
    for event in events {
      let old = event.kind == .insert ? nil : normalized(event.old)
      let new = event.kind == .delete ? nil : normalized(event.new)
      guard [old, new].allSatisfy({ $0 == nil || $0?.count == layout.columns.count }) else {
        return nil
      }
      let oldKey = old.map { key(event.oldRowID, $0) }
      let newKey = new.map { key(event.newRowID, $0) }
      if let oldKey { note(oldKey, old: old, new: oldKey == newKey ? new : nil) }
      if let newKey, oldKey != newKey { note(newKey, old: nil, new: new) }
    }
  }

  var rows: [ChangeSet.ChangedRow] {
    entries.compactMap { entry in
      var changed: [Int] = []
      switch (entry.old, entry.new) {
      case (nil, nil): return nil
      case (let old?, let new?):
        changed = layout.columns.indices.filter { index in
          !old[index].isSurely(new[index])
            || (old[index].isNull && layout.defaulted.contains(index))
        }
        if changed.isEmpty { return nil }
      default: break
      }
      return ChangeSet.ChangedRow(
        key: entry.key, columns: layout.columns, old: entry.old, new: entry.new, changed: changed)
    }
  }

  private mutating func note(
    _ key: ChangeSet.ChangedRow.Key, old: [SQLiteValue]?, new: [SQLiteValue]?
  ) {
    if let known = positions[key] {
      entries[known].new = new
    } else {
      positions[key] = entries.count
      entries.append(Entry(key: key, old: old, new: new))
    }
  }

  private func key(_ rowID: RowID, _ values: [SQLiteValue]) -> ChangeSet.ChangedRow.Key {
    guard let primaryKey = layout.primaryKey else { return .rowID(rowID) }
    return .primaryKey(primaryKey.map { values[$0] })
  }

  private func normalized(_ values: [SQLiteValue]) -> [SQLiteValue] {
    guard !layout.reals.isEmpty else { return values }
    var values = values
    for index in layout.reals where index < values.count {
      if case .integer(let integer) = values[index] { values[index] = .real(Double(integer)) }
    }
    return values
  }
}
