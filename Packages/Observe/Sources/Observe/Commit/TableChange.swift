public import SQLiteCore

extension ChangeSet {
  /// The changes of a commit to one table.
  public struct TableChange: Hashable, Sendable {
    /// The kinds of changes to rows.
    public struct Kinds: OptionSet, Hashable, Sendable {
      public let rawValue: UInt8
      public init(rawValue: UInt8) { self.rawValue = rawValue }

      public static let insert = Kinds(rawValue: 1)
      public static let update = Kinds(rawValue: 2)
      public static let delete = Kinds(rawValue: 4)
      public static let all: Kinds = [.insert, .update, .delete]
    }

    /// The kinds of changes to the table's rows.
    public internal(set) var kinds: Kinds
    /// The columns whose values were changed by updates, including generated columns.
    public internal(set) var updatedColumns: Region.ColumnSet
    /// The changed rows, in the order of their first change; `nil` if there were too many to keep,
    /// or they are unknown.
    public internal(set) var rows: [ChangedRow]?
    /// The table's layout, which defines how values compare; `nil` if no rows are known.
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

    mutating func discardRows() {
      rows = nil
      layout = nil
    }

    /// An unspecified change of a table.
    static let unknown = TableChange(kinds: .all, updatedColumns: .all)
  }
}

extension ChangeSet {
  /// A row that a commit changed, with its values before and after.
  public struct ChangedRow: Hashable, Sendable {
    /// The identity of the row within its table.
    public enum Key: Hashable, Sendable {
      case rowID(RowID)
      /// The values of the primary key, in the key's order, for a table without rowids.
      case primaryKey([SQLiteValue])
    }

    public let key: Key
    /// The table's stored columns. ``old`` and ``new`` hold one value for each.
    public let columns: [Region.ColumnName]
    /// The values before the commit; `nil` for an inserted row.
    public let old: [SQLiteValue]?
    /// The values after the commit; `nil` for a deleted row.
    public let new: [SQLiteValue]?
    /// The indices in ``columns`` whose values an update changed.
    let changed: [Int]

    public var kind: Hooks.RowChange.Kind {
      switch (old, new) {
      case (nil, _): .insert
      case (_, nil): .delete
      default: .update
      }
    }

    /// The columns whose values an update changed; empty for an inserted or deleted row.
    public var changedColumns: [Region.ColumnName] { changed.map { columns[$0] } }

    /// Returns a column's value before the commit, or `nil` if the row or the column did not exist.
    public func oldValue(of column: Region.ColumnName) -> SQLiteValue? {
      value(of: column, in: old)
    }

    /// Returns a column's value after the commit, or `nil` if the row was deleted or has no such
    /// column.
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
  /// Creates the net change of a table; fails if there is none.
  init?(_ pending: PendingTable, layout: TableLayout?) {
    guard let layout else {
      self = .unknown
      return
    }
    if !pending.capturesRows, pending.kinds.contains(.update) {
      // The updated columns are unknown.
      self = .unknown
    } else if !pending.isExact {
      self.init(summaryOf: pending, layout: layout)
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

  private init(summaryOf pending: PendingTable, layout: TableLayout) {
    guard pending.kinds.contains(.update) else {
      self.init(kinds: pending.kinds)
      return
    }
    let changed = pending.changedColumns.union(layout.defaulted).filter {
      $0 < layout.columns.count
    }
    // A row whose key changes is another row: its position in the table's order may change.
    let movesRows = layout.primaryKey.map { !changed.isDisjoint(with: $0) } ?? false
    self.init(
      kinds: changed.isEmpty
        ? pending.kinds.subtracting(.update) : movesRows ? .all : pending.kinds,
      updatedColumns: .some(
        Set(changed.map { layout.columns[$0] }).union(changed.isEmpty ? [] : layout.computed)))
  }
}

/// The rows of a table that a transaction changed, each once, with the values before and after.
private struct NetRows {
  private let layout: TableLayout
  private var entries: [(key: ChangeSet.ChangedRow.Key, old: [SQLiteValue]?, new: [SQLiteValue]?)] =
    []
  private var positions: [ChangeSet.ChangedRow.Key: Int] = [:]

  /// - Returns: `nil` if the events don't fit the layout.
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
      if let oldKey { record(oldKey, old: old, new: oldKey == newKey ? new : nil) }
      if let newKey, oldKey != newKey { record(newKey, old: nil, new: new) }
    }
  }

  var rows: [ChangeSet.ChangedRow] {
    entries.compactMap { entry in
      var changed: [Int] = []
      switch (entry.old, entry.new) {
      case (nil, nil): return nil
      case (let old?, let new?):
        changed = layout.columns.indices.filter { index in
          !old[index].definitelyEquals(new[index])
            || (old[index].isNull && layout.defaulted.contains(index))
        }
        if changed.isEmpty { return nil }
      default: break
      }
      return ChangeSet.ChangedRow(
        key: entry.key, columns: layout.columns, old: entry.old, new: entry.new, changed: changed)
    }
  }

  private mutating func record(
    _ key: ChangeSet.ChangedRow.Key, old: [SQLiteValue]?, new: [SQLiteValue]?
  ) {
    if let known = positions[key] {
      entries[known].new = new
    } else {
      positions[key] = entries.count
      entries.append((key, old, new))
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
