internal import Observe
internal import PostgreSQL
internal import Router
internal import SQLiteCore

/// Combines the messages of a replication stream into a change set for each transaction.
struct TransactionReader {
  /// The change of one transaction to one table.
  private struct PendingTable {
    var kinds: ChangeSet.TableChange.Kinds = []
    /// The rows, or `nil` if there are too many, or they can't be described.
    var rows: [ChangeSet.ChangedRow]? = []
  }

  /// The limits of the rows of a change set. Beyond them, only the tables are known.
  private static let maximumRows = 1_000
  private static let maximumBytes = 256 * 1_024

  private var tables: [UInt32: ReplicatedTable] = [:]
  private var transaction: UInt32 = 0
  private var pending: [UInt32: PendingTable] = [:]
  private var schemaChanged = false
  private var isUnbounded = false
  private var rowCount = 0
  private var byteCount = 0

  /// Indicates whether the values of further rows of the transaction are used.
  var needsRows: Bool { rowCount < Self.maximumRows && byteCount < Self.maximumBytes }

  /// Sets the description of a table, which its message preceded.
  ///
  /// - Returns: Whether the table's schema may have changed since it was read.
  mutating func describe(_ table: ReplicatedTable) -> Bool {
    guard let previous = tables.updateValue(table, forKey: table.relation.id) else { return true }
    if previous.relation == table.relation, previous.names == table.names { return false }
    // Rows before the change have other columns.
    schemaChanged = true
    pending[table.relation.id]?.rows = nil
    return true
  }

  /// Adds a message.
  ///
  /// - Returns: The changes of a transaction that ends with the message, with the lower half of its number.
  mutating func add(
    _ message: PostgreSQLReplicationMessage
  ) -> (changes: ChangeSet, transaction: UInt32)? {
    switch message {
    case .begin(let transaction, _): self.transaction = transaction
    case .commit:
      defer { reset() }
      return (changeSet(), transaction)
    case .insert(let id, let new): record(id, .insert) { $0.rows(new: new) }
    case .update(let id, let old, let new): record(id, .update) { $0.rows(old: old, new: new) }
    case .delete(let id, let old): record(id, .delete) { $0.rows(old: old) }
    case .truncate(let ids):
      for id in ids { record(id, .delete) { _ in nil } }
    case .relation, .type, .origin, .message: break
    }
    return nil
  }

  private mutating func reset() {
    pending = [:]
    schemaChanged = false
    isUnbounded = false
    rowCount = 0
    byteCount = 0
  }

  private mutating func record(
    _ id: UInt32, _ kinds: ChangeSet.TableChange.Kinds,
    _ rows: (ReplicatedTable) -> (rows: [ChangeSet.ChangedRow], size: Int)?
  ) {
    guard let table = tables[id] else {
      isUnbounded = true
      return
    }
    var change = pending.removeValue(forKey: id) ?? PendingTable()
    // An update that changes the key moves the row.
    change.kinds.formUnion(kinds == .update ? .all : kinds)
    if change.rows != nil {
      if needsRows, let found = rows(table) {
        change.rows?.append(contentsOf: found.rows)
        rowCount += found.rows.count
        byteCount += found.size
      } else {
        change.rows = nil
      }
    }
    pending[id] = change
  }

  private func changeSet() -> ChangeSet {
    var changes: [TableName: ChangeSet.TableChange] = [:]
    for (id, pending) in pending {
      guard let table = tables[id] else { continue }
      let change: ChangeSet.TableChange
      if let rows = pending.rows, let layout = table.layout {
        change = ChangeSet.TableChange(netOf: rows, layout: layout)
        if change.kinds.isEmpty { continue }
      } else {
        change = ChangeSet.TableChange(
          kinds: pending.kinds, updatedColumns: pending.kinds.contains(.update) ? .all : .none)
      }
      for name in table.names {
        // Partitions of one table, or tables whose names differ in case.
        changes[name] = changes[name] == nil ? change : .unknown
      }
    }
    return ChangeSet(tables: changes, schemaChanged: schemaChanged, isUnbounded: isUnbounded)
  }
}

/// A table of a replication stream, with the properties that the stream does not contain.
struct ReplicatedTable: Sendable {
  let relation: PostgreSQLReplicationRelation
  /// The names of the table and of the tables that it is a part of.
  let names: [TableName]
  /// `nil` if the rows can't be described.
  let layout: ChangeSet.TableLayout?
  private let key: Set<Int>

  /// - Parameter properties: The properties of the table; `nil` if they could not be read.
  init(_ relation: PostgreSQLReplicationRelation, _ properties: Properties?) {
    self.relation = relation
    names =
      [TableName(schema: relation.schema, relation.name)]
      + (properties?.ancestors ?? []).filter {
        $0.schema != relation.schema || $0.name != relation.name
      }
    let columnNames = relation.columns.map { Region.ColumnName($0.name) }
    guard let properties, Set(columnNames).count == columnNames.count else {
      layout = nil
      key = []
      return
    }
    // With all columns as the replica identity, the primary key identifies the row.
    let primaryKey = relation.columns.indices.filter {
      properties.columns[relation.columns[$0].name]?.isKey == true
    }
    let identity = relation.columns.indices.filter { relation.columns[$0].isKey }
    key = Set(relation.identity == .full && !primaryKey.isEmpty ? primaryKey : identity)
    layout = ChangeSet.TableLayout(
      columns: relation.columns.map { column in
        ChangeSet.TableLayout.Column(
          Region.ColumnName(column.name), properties.comparison(of: column))
      },
      computed: properties.generated.map { Region.ColumnName($0) }, key: key.sorted())
  }

  // MARK: Rows

  typealias Rows = (rows: [ChangeSet.ChangedRow], size: Int)

  /// Returns an inserted row, with its approximate size; `nil` if it can't be described.
  func rows(new: PostgreSQLReplicationRow) -> Rows? {
    guard let layout, let values = values(new) else { return nil }
    return ([ChangeSet.ChangedRow(in: layout, old: nil, new: values)], size(values))
  }

  /// Returns a deleted row.
  func rows(old: PostgreSQLReplicationMessage.OldRow) -> Rows? {
    guard let layout, let values = values(old) else { return nil }
    return ([ChangeSet.ChangedRow(in: layout, old: values, new: nil)], size(values))
  }

  /// Returns an updated row; a deleted and an inserted one if the key has changed.
  func rows(
    old: PostgreSQLReplicationMessage.OldRow?, new: PostgreSQLReplicationRow
  ) -> Rows? {
    guard let layout, var newValues = values(new) else { return nil }
    var unchanged = Set(newValues.indices.filter { new.isUnchanged(at: $0) })
    guard let old else {
      // The key has not changed, or there is none.
      if key.isEmpty { return nil }
      unchanged.formUnion(key)
      let oldValues = newValues.indices.map { key.contains($0) ? newValues[$0] : nil }
      let row = ChangeSet.ChangedRow(
        in: layout, old: oldValues, new: newValues, unchanged: unchanged)
      return ([row], size(newValues))
    }
    guard let oldValues = values(old) else { return nil }
    for index in unchanged { newValues[index] = oldValues[index] }
    let size = size(oldValues) + size(newValues)
    guard key.allSatisfy({ oldValues[$0] == newValues[$0] }) else {
      return (
        [
          ChangeSet.ChangedRow(in: layout, old: oldValues, new: nil),
          ChangeSet.ChangedRow(in: layout, old: nil, new: newValues),
        ], size
      )
    }
    let row = ChangeSet.ChangedRow(
      in: layout, old: oldValues, new: newValues, unchanged: unchanged)
    return ([row], size)
  }

  private func values(_ old: PostgreSQLReplicationMessage.OldRow) -> [SQLiteValue?]? {
    switch old {
    case .full(let row): return values(row)
    case .key(let row):
      return values(row)?.enumerated().map { index, value in
        relation.columns[index].isKey ? value : nil
      }
    }
  }

  private func values(_ row: PostgreSQLReplicationRow) -> [SQLiteValue?]? {
    guard let values = try? row.values(of: relation) else { return nil }
    return values.map { value in value.map { SQLiteValue(comparable: $0) } }
  }

  private func size(_ values: [SQLiteValue?]) -> Int {
    values.reduce(0) { sum, value in
      switch value {
      case .text(let text): sum + 32 + text.utf8.count
      case .blob(let bytes): sum + 32 + bytes.count
      default: sum + 32
      }
    }
  }
}

extension SQLiteValue {
  /// Creates the form of a value in which it is compared with the values of filters.
  fileprivate init(comparable value: PostgreSQLValue) {
    if case .scalar(.decimal(let text)) = value, let integer = Int64(text) {
      self = .integer(integer)
    } else {
      self.init(value.dataValue)
    }
  }
}
