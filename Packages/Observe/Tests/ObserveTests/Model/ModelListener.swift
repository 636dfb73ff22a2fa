import Foundation
import SQLiteCore

@testable import Observe

/// Receives all changes, and maintains a copy of every table with them.
///
/// `@unchecked Sendable`: `lock` guards the other properties.
final class ModelListener: @unchecked Sendable {
  typealias Rows = [ChangeSet.ChangedRow.Key: [Region.ColumnName: SQLiteValue]]

  private let ledger: ModelLedger
  private let name: String
  private let lock = NSLock()
  /// The tables according to the changes; tables with unknown changes are missing.
  private var tables: [TableName: Rows] = [:]
  /// The last received commit.
  private var position: UInt64
  /// The changes since the last check.
  private var reported: [ChangeSet] = []

  init(_ number: Int, _ ledger: ModelLedger, from position: UInt64) {
    self.ledger = ledger
    name = "listener \(number)"
    self.position = position
  }

  /// Begins to listen at the commit that the copy is based on.
  func start(_ database: Database) -> Task<Void, Never> {
    let changes = database.changes()
    return Task {
      do {
        for try await change in changes { receive(change) }
      } catch {
        ledger.report("\(name): \(error)")
      }
    }
  }

  private func receive(_ changes: ChangeSet) {
    lock.withLock {
      if changes.sequences.lowerBound != position + 1 {
        ledger.report("\(name): \(changes.sequences) was received after \(position)")
      }
      position = changes.sequences.upperBound
      reported.append(changes)
      if changes.coversEverything {
        tables = [:]
        return
      }
      for (table, change) in changes.tables { apply(change, to: table) }
    }
  }

  private func apply(_ change: ChangeSet.TableChange, to table: TableName) {
    guard var rows = tables.removeValue(forKey: table), let changed = change.rows else { return }
    for row in changed {
      let old = rows[row.key]
      if (old == nil) != (row.old == nil) {
        ledger.report("\(name): \(table): \(row) \(row.kind), where \(old ?? [:]) was")
      }
      if let old, let values = row.old {
        for (column, value) in zip(row.columns, values) where old[column] != value {
          // In a row that is older than its column, NULL represents the default.
          let index = row.columns.firstIndex(of: column) ?? 0
          if value.isNull, change.layout?.defaulted.contains(index) == true { continue }
          ledger.report("\(name): \(table).\(column) was \(value), where \(old) was")
        }
      }
      rows[row.key] = row.new.map { values in
        Dictionary(uniqueKeysWithValues: zip(row.columns, values))
      }
    }
    tables[table] = rows
  }

  /// Compares the copy with the actual tables, and copies unknown tables again.
  func check(_ truth: [TableName: Rows], at last: UInt64) -> [ChangeSet] {
    lock.withLock {
      if position != last {
        ledger.report("\(name): the last received commit was \(position), not \(last)")
      }
      for (table, rows) in truth {
        if let copy = tables[table], copy != rows {
          let wrong = Set(copy.keys).union(rows.keys).filter { copy[$0] != rows[$0] }
          for key in wrong {
            ledger.report(
              "\(name): \(table) \(key) is \(rows[key] ?? [:]), copied as \(copy[key] ?? [:])")
          }
        }
      }
      tables = truth
      defer { reported = [] }
      return reported
    }
  }

  /// The stored columns of each table, by row key.
  static func rows(_ connection: Connection) throws -> [TableName: Rows] {
    var all: [TableName: Rows] = [:]
    for table in try connection.allTables()
    where (table.kind == .table || table.kind == .shadow)
      && !table.name.name.lowercased().hasPrefix("sqlite_")
    {
      let columns = table.stored
      let list = columns.map { "\"\($0)\"" }.joined(separator: ", ")
      var rows: Rows = [:]
      let key = table.isWithoutRowID ? "0" : "rowid"
      for values in try connection.rows(
        "SELECT \(unsafe: key), \(unsafe: list) FROM \(unsafe: table.quoted)")
      {
        let row = Dictionary(
          uniqueKeysWithValues: zip(columns.map { Region.ColumnName($0) }, values.dropFirst()))
        if table.isWithoutRowID {
          rows[.primaryKey(table.primaryKey.map { row[Region.ColumnName($0.name)] ?? .null })] = row
        } else if case .integer(let id) = values[0] {
          rows[.rowID(RowID(rawValue: id))] = row
        }
      }
      all[table.name] = rows
    }
    return all
  }
}

/// Listens to transactions.
///
/// `@unchecked Sendable`: `lock` guards the other properties.
final class ModelEvents: @unchecked Sendable {
  private let ledger: ModelLedger
  private let lock = NSLock()
  private var position: UInt64
  private var rollbacks = 0
  private let rollbacksBefore: Int

  init(_ ledger: ModelLedger, from position: UInt64) {
    self.ledger = ledger
    self.position = position
    rollbacksBefore = ledger.rollbacks
  }

  func start(_ database: Database) -> Task<Void, Never> {
    // Events are counted from the iterator's creation.
    let events = database.transactionEvents.makeAsyncIterator()
    return Task {
      var events = events
      do {
        while let event = try await events.next() { receive(event) }
      } catch {
        ledger.report("transaction events: \(error)")
      }
    }
  }

  private func receive(_ event: DatabaseObservation.TransactionEvent) {
    lock.withLock {
      switch event {
      case .rollback: rollbacks += 1
      case .commit(let changes):
        if changes.sequences.lowerBound != position + 1 {
          ledger.report("transaction events: \(changes.sequences) came after \(position)")
        }
        position = changes.sequence
      }
    }
  }

  func check(at last: UInt64) {
    lock.withLock {
      if position != last { ledger.report("transaction events: \(position), and not \(last)") }
      if rollbacks > ledger.rollbacks - rollbacksBefore {
        ledger.report("transaction events: more rollbacks than there were")
      }
    }
  }
}
