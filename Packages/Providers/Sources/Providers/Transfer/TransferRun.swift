internal import Primitives
internal import SQLiteCore

/// A single copy: its source, and the handling of each table.
struct TransferRun<Target: DataProvider> {
  private let settings: DataTransfer
  private let source: Connection
  private let contents: DatabaseContents
  private let tables: [StoredTable]
  private let target: Target
  private let totalRows: Int
  private var completedRows = 0
  private var report = DataTransfer.Report()

  init(_ settings: DataTransfer, from source: Connection, to target: Target) throws {
    self.settings = settings
    self.source = source
    self.target = target
    contents = try DatabaseContents(source)
    tables = try Self.selected(contents.tables, settings.tables)
    totalRows = try tables.reduce(0) { try $0 + source.rowCount(of: $1.name) }
  }

  private static func selected(
    _ tables: [StoredTable], _ names: [String]?
  ) throws -> [StoredTable] {
    let tables = tables.filter { $0.name != TransferRecord.tableName }
    guard let names else { return tables }
    var taken: Set<FoldedName> = []
    return try names.filter { taken.insert(FoldedName($0)).inserted }.map { name in
      guard let table = tables.first(where: { $0.schema.name == TableName(name) }) else {
        throw ProviderError(.unknownTable, "the source has no such table", table: name)
      }
      return table
    }
  }

  mutating func copy(_ progress: (DataTransfer.CopyProgress) throws -> Void) throws
    -> DataTransfer.Report
  {
    let database = try target.database()
    try database.writeWithoutTransaction { try begin($0) }
    do {
      return try copyTables(to: database, progress)
    } catch {
      // A copy that can't be continued leaves no record.
      if settings.existingTables == .appended {
        try? database.writeWithoutTransaction { connection in
          try connection.transaction { try TransferRecord.end(in: connection) }
        }
      }
      throw error
    }
  }

  /// Refuses invalid copies before anything is written.
  private func begin(_ connection: Connection) throws {
    let isBegun = try TransferRecord.isBegun(in: connection)
    for table in tables {
      switch settings.existingTables {
      case .refused:
        if try connection.hasTable(table.name) { throw ProviderError.tableExists(table.name) }
      case .continued:
        if isBegun {
          try TableTransfer.check(table, isContinuedIn: connection)
        } else if try connection.hasTable(table.name) {
          throw ProviderError.tableExists(table.name)
        }
      case .replaced, .appended: break
      }
      try checkReferencedTables(of: table, connection)
    }
    try connection.transaction { try TransferRecord.begin(in: connection) }
  }

  /// Refuses rows that refer to a table of the source which is neither copied nor in the target.
  private func checkReferencedTables(of table: StoredTable, _ target: Connection) throws {
    for reference in table.schema.foreignKeys {
      let parent = TableName(reference.parentTable)
      guard !tables.contains(where: { $0.schema.name == parent }),
        try source.hasTable(parent.name), try !target.hasTable(parent.name)
      else { continue }
      let columns = reference.columns.map { "\(SQLName.quoted($0)) IS NOT NULL" }
      let referring = try source.value(
        Int.self,
        """
        SELECT 1 FROM \(identifier: table.name) WHERE \(unsafe: columns.joined(separator: " AND ")) LIMIT 1
        """)
      guard referring != nil else { continue }
      throw ProviderError(
        .danglingReference,
        "rows refer to the table \(parent.name), which the target lacks: copy it too",
        table: table.name, column: reference.columns.first)
    }
  }

  private mutating func copyTables(
    to database: Database, _ progress: (DataTransfer.CopyProgress) throws -> Void
  ) throws -> DataTransfer.Report {
    for table in tables {
      let copied = try database.writeWithoutTransaction { connection in
        // Foreign keys can refer to rows that are copied later; they are checked at the end.
        let enforces = try connection.isOn(.foreignKeys)
        let fires = try connection.isOn(.triggers)
        try connection.setOption(.foreignKeys, on: false)
        // Only triggers of the schema: a format can track rows with temporary triggers.
        if try connection.hasTriggers { try connection.setOption(.triggers, on: false) }
        defer {
          try? connection.setOption(.foreignKeys, on: enforces)
          try? connection.setOption(.triggers, on: fires)
        }
        var copy = try TableTransfer(table, settings, from: source, to: connection)
        return try copy.run { rows in
          try progress(
            DataTransfer.CopyProgress(
              table: table.name, tableRows: rows, completedRows: completedRows + rows,
              totalRows: totalRows))
        }
      }
      completedRows += copied.rowCount
      report.tables.append(copied)
      if settings.persistsEachTable { try target.persist() }
    }
    try database.writeWithoutTransaction { try finish($0) }
    return report
  }

  /// Creates the objects that require the rows, and checks foreign keys.
  private mutating func finish(_ connection: Connection) throws {
    try connection.transaction {
      for table in tables {
        guard let sequence = table.sequence,
          try connection.columns(of: table.name).contains(where: \.isAutoincrement)
        else { continue }
        try connection.run(
          "DELETE FROM sqlite_sequence WHERE name = ?1 AND seq < ?2", table.name, sequence)
        try connection.run(
          """
          INSERT INTO sqlite_sequence SELECT ?1, ?2
          WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = ?1)
          """, table.name, sequence)
      }
      try createOtherObjects(connection)
      try checkReferences(connection)
      try TransferRecord.end(in: connection)
      if settings.tables == nil {
        try connection.setPragma("user_version", to: .integer(Int64(contents.userVersion)))
        try connection.setPragma("application_id", to: .integer(Int64(contents.applicationID)))
      }
    }
  }

  private func checkReferences(_ connection: Connection) throws {
    let known = Dictionary(grouping: try source.foreignKeyViolations(), by: \.table)
    let found = Dictionary(grouping: try connection.foreignKeyViolations(), by: \.table)
    for table in tables {
      let count = found[table.name]?.count ?? 0
      guard count > known[table.name]?.count ?? 0 else { continue }
      throw ProviderError(
        .transferMismatch, "\(count) rows refer to rows that are missing in the target",
        table: table.name)
    }
  }

  private mutating func createOtherObjects(_ connection: Connection) throws {
    let names = settings.tables.map { Set($0.map { TableName($0) }) }
    for object in contents.otherObjects {
      if let names, !names.contains(TableName(object.table)) || object.type == "view" { continue }
      let exists = try connection.value(
        Int.self, "SELECT 1 FROM sqlite_schema WHERE name = ? COLLATE NOCASE", object.name)
      guard exists == nil else { continue }
      try connection.runDDL(object.sql)
      report.createdObjectCount += 1
    }
  }
}

extension Connection {
  fileprivate var hasTriggers: Bool {
    get throws {
      try value(Int.self, "SELECT 1 FROM sqlite_schema WHERE type = 'trigger' LIMIT 1") != nil
    }
  }

  func rowCount(of table: String) throws -> Int {
    try value(Int.self, "SELECT count(*) FROM \(identifier: table)") ?? 0
  }
}

extension ProviderError {
  static func tableExists(_ table: String) -> ProviderError {
    ProviderError(.tableExists, "the target already has a table with this name", table: table)
  }
}

/// The record of an unfinished copy in its target, with which an interrupted copy is continued.
struct TransferRecord: RowDecodable {
  /// The number of the source's rows that were copied, starting with the first.
  var rowCount: Int
  /// The sum of these rows' checksums.
  var checksum: UInt64
  /// The checksum and the number of the rows that existed before the copy.
  var initialChecksum: UInt64
  var initialCount: Int

  static let tableName = "holt_transfer"

  static func begin(in connection: Connection) throws {
    try connection.execute(
      """
      CREATE TABLE IF NOT EXISTS \(unsafe: tableName) (
        name TEXT PRIMARY KEY COLLATE NOCASE, rows INTEGER, checksum INTEGER,
        former_checksum INTEGER, former_rows INTEGER)
      """)
  }

  /// Returns whether an interrupted copy has left records.
  static func isBegun(in connection: Connection) throws -> Bool {
    try connection.hasTable(tableName)
  }

  static func end(in connection: Connection) throws {
    try connection.execute("DROP TABLE \(unsafe: tableName)")
  }

  static func find(_ table: String, in connection: Connection) throws -> TransferRecord? {
    try connection.fetchOne(
      TransferRecord.self,
      """
      SELECT rows, checksum, former_checksum, former_rows FROM \(unsafe: tableName)
      WHERE name = ?
      """, table)
  }

  func save(_ table: String, in connection: Connection) throws {
    try connection.run(
      "INSERT OR REPLACE INTO \(unsafe: Self.tableName) VALUES (?, ?, ?, ?, ?)", table, rowCount,
      Int64(bitPattern: checksum), Int64(bitPattern: initialChecksum), initialCount)
  }

  init(initialChecksum: UInt64 = 0, initialCount: Int = 0) {
    (rowCount, checksum) = (0, 0)
    (self.initialChecksum, self.initialCount) = (initialChecksum, initialCount)
  }

  init(row: borrowing Row) throws(SQLiteError) {
    rowCount = try row.read(at: 0)
    checksum = UInt64(bitPattern: try row.integer(at: 1))
    initialChecksum = UInt64(bitPattern: try row.integer(at: 2))
    initialCount = try row.read(at: 3)
  }
}

/// A checksum of a row's values. Rows with equal values have equal checksums, and other rows almost
/// certainly do not.
///
/// The sum of checksums does not depend on the order of the rows. A real number with an integral
/// value is treated as an integer, because a column can store it as one.
struct RowChecksum {
  private(set) var value: UInt64 = 0x9E37_79B9_7F4A_7C15

  mutating func add(_ row: borrowing Row, at index: Int) throws {
    let column = ColumnIndex(index)
    switch try row.storageClass(at: column) {
    case .null: mix(1, 0)
    case .integer: mix(2, UInt64(bitPattern: try row.integer(at: column)))
    case .real:
      let real = try row.real(at: column)
      if let integer = Int64(exactly: real) {
        mix(2, UInt64(bitPattern: integer))
      } else {
        mix(3, real.bitPattern)
      }
    case .text:
      try row.withText(at: column) { add($0, 4) }
    case .blob:
      try row.withBlob(at: column) { add($0, 5) }
    }
  }

  private mutating func add(_ bytes: Span<UInt8>, _ kind: UInt64) {
    mix(kind, UInt64(bytes.count))
    var at = 0
    while at &+ 8 <= bytes.count {
      mix(kind, bytes.word(at: at))
      at &+= 8
    }
    while at < bytes.count {
      mix(kind, UInt64(bytes[at]))
      at &+= 1
    }
  }

  @inline(__always)
  private mutating func mix(_ kind: UInt64, _ bits: UInt64) {
    let product = (value ^ bits).multipliedFullWidth(by: 0xD6E8_FEB8_6659_FD93 &+ kind << 1)
    value = product.high ^ product.low ^ (kind &* 0xA076_1D64_78BD_642F)
  }
}
