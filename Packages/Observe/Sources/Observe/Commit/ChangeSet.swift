public import SQLiteCore

/// The net changes of one committed transaction.
///
/// A row that is inserted and then deleted does not appear, one that is updated twice appears once,
/// and one that is set to its previous values does not count as updated. If the exact changes are
/// unknown, a change set contains more than was changed, never less.
///
/// A change set prints as readable text: `country: updated 1 row (name: "A" → "B")`.
public struct ChangeSet: Hashable, Sendable {
  /// The sequence numbers of the commits: one number, or a range if commits were merged.
  public internal(set) var sequences: ClosedRange<UInt64>
  /// The changes of each changed table.
  public internal(set) var tables: [TableName: TableChange]
  /// Indicates whether the schema changed. Individual rows are then unknown, and any value may have
  /// changed.
  public internal(set) var schemaChanged: Bool
  /// Indicates whether tables that are not in ``tables`` may have changed. If so, treat everything
  /// as changed.
  public internal(set) var isUnbounded: Bool
  /// The sources of the changes.
  public internal(set) var origins = Origins.commits

  /// Creates a change set for a ``ChangePublisher``, which assigns its number.
  ///
  /// - Parameters:
  ///   - tables: The changes of each changed table.
  ///   - schemaChanged: Whether the schema changed.
  ///   - isUnbounded: Whether tables that are not in `tables` may have changed.
  public init(
    tables: [TableName: TableChange] = [:], schemaChanged: Bool = false, isUnbounded: Bool = false
  ) {
    sequences = 0...0
    self.tables = tables
    self.schemaChanged = schemaChanged
    self.isUnbounded = isUnbounded
  }

  /// The number of the last commit. A database's commits are numbered from 1, starting with the
  /// first observed one; commits that change nothing have no number.
  public var sequence: UInt64 { sequences.upperBound }

  /// Indicates whether nothing changed.
  public var isEmpty: Bool { tables.isEmpty && !schemaChanged && !isUnbounded }

  /// Indicates whether anything may have changed, so that the list of tables is incomplete.
  var coversEverything: Bool { schemaChanged || isUnbounded }
}

extension DatabaseObservation {
  /// The outcome of a transaction that changed something.
  public enum TransactionEvent: Hashable, Sendable {
    /// The transaction was committed with these net changes.
    case commit(ChangeSet)
    /// The transaction was rolled back: explicitly, by an error, or by a veto. The tables' contents
    /// are restored.
    case rollback(tables: Set<TableName>)
  }
}

extension ChangeSet: CustomStringConvertible {
  /// One line per table, sorted by name.
  public var description: String {
    var lines = tables.sorted { $0.key.description < $1.key.description }.map { table, change in
      "\(table): \(change)"
    }
    if schemaChanged { lines.append("the schema was changed") }
    if isUnbounded { lines.append("anything may have changed") }
    return lines.isEmpty ? "nothing was changed" : lines.joined(separator: "\n")
  }
}

extension ChangeSet.TableChange: CustomStringConvertible {
  public var description: String {
    var parts: [String] = []
    for (kind, rowKind, verb) in [
      (Kinds.insert, Hooks.RowChange.Kind.insert, "inserted"), (.update, .update, "updated"),
      (.delete, .delete, "deleted"),
    ] where kinds.contains(kind) {
      let rows = rows?.filter { $0.kind == rowKind }
      let count = rows.map { $0.count == 1 ? "1 row" : "\($0.count) rows" } ?? "rows"
      var detail = ""
      if let rows, rows.count == 1, let row = rows.first {
        detail = row.description
      } else if kind == .update, case .some(let columns) = updatedColumns {
        detail = columns.map(\.name).sorted().joined(separator: ", ")
      }
      parts.append("\(verb) \(count)" + (detail.isEmpty ? "" : " (\(detail))"))
    }
    if rows == nil, kinds == .all, updatedColumns == .all { return "changed" }
    return parts.joined(separator: ", ")
  }
}

extension ChangeSet.ChangedRow: CustomStringConvertible {
  /// The values that an update changed, or the values of an inserted or deleted row.
  public var description: String {
    let parts = columns.indices.compactMap { index -> String? in
      switch (old?[index], new?[index]) {
      case (let old?, let new?):
        changed.contains(index)
          ? "\(columns[index]): \(description(of: old, index, unknownOld)) → "
            + description(of: new, index, unknownNew) : nil
      case (let value?, nil): "\(columns[index]): \(description(of: value, index, unknownOld))"
      case (nil, let value?): "\(columns[index]): \(description(of: value, index, unknownNew))"
      case (nil, nil): nil
      }
    }
    let limit = 8
    guard parts.count > limit else { return parts.joined(separator: ", ") }
    return parts.prefix(limit).joined(separator: ", ") + ", …"
  }

  private func description(
    of value: SQLiteValue, _ index: Int, _ unknown: Set<Int>
  ) -> String {
    unknown.contains(index) ? "?" : value.shortDescription
  }
}

extension SQLiteValue {
  /// A short, single-line form of the value for display.
  fileprivate var shortDescription: String {
    switch self {
    case .text(let text):
      let limit = 48
      let head = String(text.prefix(limit)).debugDescription
      return text.count > limit ? "\(head)…" : head
    case .blob(let bytes): return bytes.count == 1 ? "1 byte" : "\(bytes.count) bytes"
    case .null, .integer, .real: return description
    }
  }
}

extension ChangeSet {
  /// Merges the changes of later commits: their tables and columns, without rows.
  mutating func merge(_ later: ChangeSet) {
    sequences = sequences.lowerBound...max(sequences.upperBound, later.sequences.upperBound)
    schemaChanged = schemaChanged || later.schemaChanged
    isUnbounded = isUnbounded || later.isUnbounded
    origins.formUnion(later.origins)
    for table in Array(tables.keys) { tables[table]?.discardRows() }
    for (table, change) in later.tables { merge(change, into: table) }
  }

  /// Merges changes of one table, without rows.
  mutating func merge(_ change: TableChange, into table: TableName) {
    var merged = tables[table] ?? TableChange(kinds: [])
    merged.kinds.formUnion(change.kinds)
    merged.updatedColumns.formUnion(change.updatedColumns)
    merged.discardRows()
    tables[table] = merged
  }

  /// The approximate memory use of the rows.
  var estimatedSize: Int {
    tables.values.reduce(64) { sum, change in
      (change.rows ?? []).reduce(sum + 128) { sum, row in
        sum + 96 + ((row.old ?? []) + (row.new ?? [])).reduce(0) { $0 + $1.estimatedSize }
      }
    }
  }
}

extension ChangeSet {
  /// The sources of changes: several if the changes of several commits were merged.
  public struct Origins: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// A transaction of this database was committed.
    public static let commits = Origins(rawValue: 1)
    /// `Database.notifyChanges(in:)` was called.
    public static let notifications = Origins(rawValue: 2)
  }
}

extension Region {
  /// Returns whether a value that depends on this region may differ after the given changes.
  ///
  /// An inserted or deleted row of a table that is read always matters. An update matters if it
  /// changes the value of a column that is read. If the region has a row predicate, the predicate
  /// must hold for the row's old or new values, or be undecidable.
  public func overlaps(_ changes: ChangeSet) -> Bool {
    switch extent {
    case .everything: return !changes.isEmpty
    case .tables(let tables):
      if changes.coversEverything { return !tables.isEmpty }
      if tables.count <= changes.tables.count {
        return tables.contains { table, region in
          changes.tables[table].map { region.overlaps($0) } ?? false
        }
      }
      return changes.tables.contains { table, change in
        tables[table]?.overlaps(change) ?? false
      }
    }
  }
}

extension TableRegion {
  func overlaps(_ change: ChangeSet.TableChange) -> Bool {
    guard
      !change.kinds.isDisjoint(with: [.insert, .delete])
        || columns.intersects(change.updatedColumns)
    else { return false }
    guard rows != nil, let changed = change.rows, let layout = change.layout else { return true }
    return changed.contains { overlaps($0, layout: layout) }
  }

  /// Returns whether the change of one row matters.
  func overlaps(_ row: ChangeSet.ChangedRow, layout: ChangeSet.TableLayout) -> Bool {
    if row.kind == .update, !reads(row, layout: layout) { return false }
    guard let rows else { return true }
    return rows.mayHold(for: row, layout: layout)
  }

  /// Returns whether an update changed a column that is read. Any update may change a computed
  /// column.
  private func reads(_ row: ChangeSet.ChangedRow, layout: ChangeSet.TableLayout) -> Bool {
    row.changed.contains { columns.contains(row.columns[$0]) }
      || layout.computed.contains { columns.contains($0) }
  }

  /// Returns the part of a table's changes that is in this region, or `nil` if there is none.
  func restrict(_ change: ChangeSet.TableChange) -> ChangeSet.TableChange? {
    guard overlaps(change) else { return nil }
    guard rows != nil, let changed = change.rows, let layout = change.layout else { return change }
    return ChangeSet.TableChange(changed.filter { overlaps($0, layout: layout) }, layout: layout)
  }
}

extension ChangeSet {
  /// Returns the part of the changes that is in a region.
  func restricted(to region: Region) -> ChangeSet {
    guard case .tables(let regions) = region.extent else { return self }
    var changes = self
    changes.tables = [:]
    for (table, change) in tables { changes.tables[table] = regions[table]?.restrict(change) }
    return changes
  }
}

extension ChangeSet {
  /// Creates a change set of unspecified changes in a region.
  init(changing region: Region) {
    if case .tables(let tables) = region.extent {
      self.init(tables: tables.mapValues { TableChange(changing: $0) })
    } else {
      self.init(isUnbounded: true)
    }
    origins = .notifications
  }
}

extension ChangeSet.TableChange {
  fileprivate init(changing region: TableRegion) {
    switch region.columns {
    case .some(let columns) where region.rows == nil:
      self.init(
        kinds: columns.isEmpty ? [.insert, .delete] : .update, updatedColumns: region.columns)
    default: self.init(kinds: .all, updatedColumns: region.columns)
    }
  }
}
