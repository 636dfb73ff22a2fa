internal import SQLiteCore

/// Copies the rows of one table.
struct TableTransfer {
  private let table: StoredTable
  private let settings: DataTransfer
  private let source: Connection
  private let target: Connection
  /// A Boolean value that indicates whether rows keep their rowids, by which a continued copy
  /// identifies them.
  private let keepsRowIDs: Bool
  private let columns: [String]
  private var record: TransferRecord
  /// The record of an interrupted copy.
  private var interruptedRecord: TransferRecord?

  init(
    _ table: StoredTable, _ settings: DataTransfer, from source: Connection, to target: Connection
  ) throws {
    self.table = table
    self.settings = settings
    self.source = source
    self.target = target
    columns = table.columns.map { SQLName.quoted($0.name) }
    var exists = try target.hasTable(table.name)
    var found = try TransferRecord.find(table.name, in: target)
    if exists {
      switch settings.existingTables {
      case .appended: found = nil
      case .replaced: exists = false
      case .continued:
        if found == nil { throw ProviderError.tableExists(table.name) }
      case .refused: throw ProviderError.tableExists(table.name)
      }
    }
    keepsRowIDs =
      table.rowIDName != nil && table.rowIDColumn == nil && settings.existingTables != .appended
    if !exists {
      found = nil
      try target.transaction {
        try target.execute("DROP TABLE IF EXISTS \(identifier: table.name)")
        try target.runDDL(table.sql)
        // Identifies the table as this copy's, even if the copy fails next.
        try TransferRecord().save(table.name, in: target)
      }
    }
    interruptedRecord = found
    let before = try found == nil ? Self.sum(of: table, in: target) : (checksum: 0, count: 0)
    record = TransferRecord(initialChecksum: before.checksum, initialCount: before.count)
  }

  /// Refuses a table that is not part of an interrupted copy, or that has rows which do not belong
  /// to the copy: these would be lost, or be considered the source's.
  static func check(_ table: StoredTable, isContinuedIn target: Connection) throws {
    guard try target.hasTable(table.name) else { return }
    guard let record = try TransferRecord.find(table.name, in: target), record.initialCount == 0,
      try Set(table.columns.map { FoldedName($0.name) }).isSubset(
        of: target.columns(of: table.name).map { FoldedName($0.name) })
    else { throw ProviderError.tableExists(table.name) }
    let existing = try sum(of: table, in: target)
    guard existing.checksum == record.checksum, existing.count == record.rowCount else {
      throw ProviderError(
        .tableExists, "the target's table has rows that do not belong to the interrupted copy",
        table: table.name)
    }
  }

  /// Returns the number of a table's rows, and the sum of their checksums.
  private static func sum(
    of table: StoredTable, in connection: Connection
  ) throws -> (checksum: UInt64, count: Int) {
    var (sum, count): (UInt64, Int) = (0, 0)
    let columnCount = table.columns.count
    try table.forEachRow(of: connection) { row in
      sum &+= try checksum(of: row, columnCount)
      count += 1
    }
    return (sum, count)
  }

  private static func checksum(of row: borrowing Row, _ columnCount: Int) throws -> UInt64 {
    var checksum = RowChecksum()
    for index in 0..<columnCount { try checksum.add(row, at: index) }
    return checksum.value
  }

  // MARK: Copying

  /// - Returns: The result, after row counts and checksums were compared.
  mutating func run(_ progress: (Int) throws -> Void) throws -> DataTransfer.Report.Table {
    let keptCount = try copyRows(progress)
    let existing = try Self.sum(of: table, in: target)
    guard existing.count == record.initialCount + record.rowCount,
      existing.checksum == record.initialChecksum &+ record.checksum
    else {
      throw ProviderError(
        .transferMismatch, "the target's rows differ from the source's", table: table.name)
    }
    return .init(
      name: table.name, rowCount: record.rowCount, keptCount: keptCount, checksum: record.checksum)
  }

  /// - Returns: The number of rows that were already copied.
  private mutating func copyRows(_ progress: (Int) throws -> Void) throws -> Int {
    let columnCount = table.columns.count
    var names = columns
    if keepsRowIDs, let name = table.rowIDName { names.append(name) }
    let placeholders = Array(repeating: "?", count: names.count).joined(separator: ", ")
    let name = SQLName.quoted(table.name)
    let insert = try target.prepare(
      names.isEmpty
        ? "INSERT INTO \(unsafe: name) DEFAULT VALUES"
        : "INSERT INTO \(unsafe: name) (\(unsafe: names.joined(separator: ", "))) VALUES (\(unsafe: placeholders))"
    )
    var kept = try rowsToKeep()
    let keptCount = kept
    var reportedRowCount: Int?
    try target.execute("BEGIN IMMEDIATE")
    try table.forEachRow(of: source, withRowID: keepsRowIDs) { row in
      record.checksum &+= try Self.checksum(of: row, columnCount)
      record.rowCount += 1
      if kept > 0 {
        kept -= 1
        return
      }
      try insert.bindAll(of: RowValues(values: row.values))
      try insert.run()
      if record.rowCount.isMultiple(of: max(1, settings.batchSize)) {
        try commit()
        reportedRowCount = record.rowCount
        try progress(record.rowCount)
        try target.execute("BEGIN IMMEDIATE")
      }
    }
    try commit()
    if reportedRowCount != record.rowCount { try progress(record.rowCount) }
    return keptCount
  }

  private mutating func commit() throws {
    try record.save(table.name, in: target)
    try target.execute("COMMIT")
  }

  /// Returns the number of the source's first rows that an interrupted copy has copied. If the
  /// source's rows have changed, the target's are deleted.
  private mutating func rowsToKeep() throws -> Int {
    guard let interruptedRecord, interruptedRecord.rowCount > 0 else { return 0 }
    var (sum, count): (UInt64, Int) = (0, 0)
    let columnCount = table.columns.count
    try table.forEachRow(of: source) { row in
      guard count < interruptedRecord.rowCount else { return }
      sum &+= try Self.checksum(of: row, columnCount)
      count += 1
    }
    if sum == interruptedRecord.checksum, count == interruptedRecord.rowCount { return count }
    try target.run("DELETE FROM \(identifier: table.name)")
    return 0
  }
}
