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
    private(set) var layout: ChangeSet.TableLayout?

    private init(
      kinds: Kinds, updatedColumns: Region.ColumnSet, rows: [ChangedRow],
      layout: ChangeSet.TableLayout
    ) {
      self.kinds = kinds
      self.updatedColumns = updatedColumns
      self.rows = rows
      self.layout = layout
    }

    /// Creates a change whose rows are unknown.
    ///
    /// - Parameters:
    ///   - kinds: The kinds of changes to the table's rows.
    ///   - updatedColumns: The columns whose values updates may have changed.
    public init(kinds: Kinds, updatedColumns: Region.ColumnSet = .none) {
      self.kinds = kinds
      self.updatedColumns = updatedColumns
      rows = nil
      layout = nil
    }

    /// Creates the net change of a table's rows.
    ///
    /// A row that was changed several times is combined into one change.
    ///
    /// - Parameters:
    ///   - rows: The changed rows, in the order of the changes. A row whose key changes is a deleted row and an inserted
    ///     one.
    ///   - layout: The layout with which the rows were created.
    /// - Complexity: O(*n*) in the number of rows.
    public init(netOf rows: [ChangedRow], layout: ChangeSet.TableLayout) {
      self.init(ChangedRow.net(of: rows), layout: layout)
    }

    mutating func discardRows() {
      rows = nil
      layout = nil
    }

    /// An unspecified change of a table: any row may have changed in any way.
    public static let unknown = TableChange(kinds: .all, updatedColumns: .all)
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
    /// The values before the commit; `nil` for an inserted row. A value that is unknown is NULL here: see
    /// ``oldValue(of:)``.
    public let old: [SQLiteValue]?
    /// The values after the commit; `nil` for a deleted row. A value that is unknown is NULL here.
    public let new: [SQLiteValue]?
    /// The indices in ``columns`` whose values an update changed, or may have changed.
    let changed: [Int]
    /// The indices of unknown values, which SQLite does not have.
    let unknownOld: Set<Int>
    let unknownNew: Set<Int>

    init(
      key: Key, columns: [Region.ColumnName], old: [SQLiteValue]?, new: [SQLiteValue]?,
      changed: [Int], unknownOld: Set<Int> = [], unknownNew: Set<Int> = []
    ) {
      self.key = key
      self.columns = columns
      self.old = old
      self.new = new
      self.changed = changed
      self.unknownOld = unknownOld
      self.unknownNew = unknownNew
    }

    public var kind: Hooks.RowChange.Kind {
      switch (old, new) {
      case (nil, _): .insert
      case (_, nil): .delete
      default: .update
      }
    }

    /// The columns whose values an update changed; empty for an inserted or deleted row.
    public var changedColumns: [Region.ColumnName] { changed.map { columns[$0] } }

    /// Returns a column's value before the commit, or `nil` if the row or the column did not exist, or the value is
    /// unknown.
    public func oldValue(of column: Region.ColumnName) -> SQLiteValue? {
      value(of: column, in: old, unknownOld)
    }

    /// Returns a column's value after the commit, or `nil` if the row was deleted or has no such
    /// column, or the value is unknown.
    public func newValue(of column: Region.ColumnName) -> SQLiteValue? {
      value(of: column, in: new, unknownNew)
    }

    private func value(
      of column: Region.ColumnName, in values: [SQLiteValue]?, _ unknown: Set<Int>
    ) -> SQLiteValue? {
      guard let values, let index = columns.firstIndex(of: column), !unknown.contains(index) else {
        return nil
      }
      return values[index]
    }
  }
}

extension ChangeSet.ChangedRow {
  /// Creates a row of a table with a layout, for a ``ChangeSource``.
  ///
  /// ```swift
  /// let row = ChangeSet.ChangedRow(in: layout, old: [1, nil], new: [1, "Ada"])
  /// ```
  ///
  /// - Parameters:
  ///   - layout: The layout, whose key must have equal values in `old` and `new`.
  ///   - old: The values before the change; `nil` for an inserted row, and for each unknown value.
  ///   - new: The values after the change; `nil` for a deleted row, and for each unknown value.
  ///   - unchanged: The indices of columns that an update has certainly not changed, even if their values are unknown.
  public init(
    in layout: ChangeSet.TableLayout, old: [SQLiteValue?]?, new: [SQLiteValue?]?,
    unchanged: Set<Int> = []
  ) {
    precondition(
      [old, new].allSatisfy { $0 == nil || $0?.count == layout.columns.count },
      "a changed row must have a value for each column of its layout")
    let known = new ?? old ?? []
    self.init(
      key: .primaryKey((layout.primaryKey ?? []).map { known[$0] ?? .null }),
      columns: layout.columns, old: old, new: new,
      mayHaveChanged: layout.columns.indices.filter { !unchanged.contains($0) })
  }

  /// - Parameter mayHaveChanged: The columns that an update may have changed, unless their values are equal.
  private init(
    key: Key, columns: [Region.ColumnName], old: [SQLiteValue?]?, new: [SQLiteValue?]?,
    mayHaveChanged: [Int]
  ) {
    func unknown(_ values: [SQLiteValue?]?) -> Set<Int> {
      Set((values ?? []).indices.filter { values?[$0] == nil })
    }
    var changed: [Int] = []
    if let old, let new {
      changed = mayHaveChanged.filter { index in
        guard let old = old[index], let new = new[index] else { return true }
        return !old.definitelyEquals(new)
      }
    }
    self.init(
      key: key, columns: columns, old: old?.map { $0 ?? .null }, new: new?.map { $0 ?? .null },
      changed: changed, unknownOld: unknown(old), unknownNew: unknown(new))
  }

  /// Returns changes with one change for each key, without rows that did not change.
  static func net(of rows: [Self]) -> [Self] {
    var positions: [Key: Int] = [:]
    var net: [Self?] = []
    for row in rows {
      if let position = positions[row.key] {
        net[position] = net[position].map { $0.followed(by: row) } ?? row
      } else {
        positions[row.key] = net.count
        net.append(row)
      }
    }
    return net.compactMap { row in
      guard let row, row.old != nil || row.new != nil else { return nil }
      return row.old != nil && row.new != nil && row.changed.isEmpty ? nil : row
    }
  }

  /// Returns the combination of this change with a later change of the same row.
  private func followed(by later: Self) -> Self {
    func values(_ values: [SQLiteValue]?, _ unknown: Set<Int>) -> [SQLiteValue?]? {
      // A `nil` would be NULL.
      values?.enumerated().map { unknown.contains($0.offset) ? .none : .some($0.element) }
    }
    var new = values(later.new, later.unknownNew)
    if var merged = new, let earlier = values(self.new, unknownNew), later.old != nil {
      // A value that the later update has not changed.
      for index in later.unknownNew where !later.changed.contains(index) {
        merged[index] = earlier[index]
      }
      new = merged
    }
    let areUpdates = old != nil && self.new != nil && later.old != nil
    return Self(
      key: key, columns: columns, old: values(old, unknownOld), new: new,
      mayHaveChanged: areUpdates
        ? Set(changed).union(later.changed).sorted() : Array(columns.indices))
  }
}

extension ChangeSet.TableChange {
  /// Creates the net change of a table; fails if there is none.
  init?(_ pending: PendingTable, layout: ChangeSet.TableLayout?) {
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

  init(_ rows: [ChangeSet.ChangedRow], layout: ChangeSet.TableLayout) {
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

  private init(summaryOf pending: PendingTable, layout: ChangeSet.TableLayout) {
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
  private let layout: ChangeSet.TableLayout
  private var entries: [(key: ChangeSet.ChangedRow.Key, old: [SQLiteValue]?, new: [SQLiteValue]?)] =
    []
  private var positions: [ChangeSet.ChangedRow.Key: Int] = [:]

  /// - Returns: `nil` if the events don't fit the layout.
  init?(_ events: [RowEvent], layout: ChangeSet.TableLayout) {
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
