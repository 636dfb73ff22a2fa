internal import SQLiteCore

/// One copy: what is read, and what becomes of each table.
struct TransferRun<Target: DataProvider> {
  private let settings: DataTransfer
  private let source: Connection
  private let contents: MirrorContents
  private let tables: [StoredTable]
  private let target: Target
  private let totalRows: Int
  private var completedRows = 0
  private var report = TransferReport()

  init(_ settings: DataTransfer, from source: Connection, to target: Target) throws {
    self.settings = settings
    self.source = source
    self.target = target
    contents = try MirrorContents(source)
    tables = try Self.selected(contents.tables, settings.tables)
    totalRows = try tables.reduce(0) { try $0 + source.rowCount(of: $1.name) }
  }

  private static func selected(
    _ tables: [StoredTable], _ names: [String]?
  ) throws -> [StoredTable] {
    let tables = tables.filter { $0.name != TransferRecord.tableName }
    guard let names else { return tables }
    return try names.map { name in
      guard let table = tables.first(where: { $0.schema.name == TableName(name) }) else {
        throw ProviderError(.unknownTable, "the source has no such table", table: name)
      }
      return table
    }
  }

  mutating func copy(_ progress: (TransferProgress) throws -> Void) throws -> TransferReport {
    let database = try target.database()
    try database.writeWithoutTransaction { connection in
      if settings.existingTables == .refused {
        for table in tables where try connection.hasTable(table.name) {
          throw ProviderError.tableExists(table.name)
        }
      }
      try connection.transaction { try TransferRecord.begin(in: connection) }
    }
    for table in tables {
      let copied = try database.writeWithoutTransaction { connection in
        // References may lead to rows that come later, and are looked at afterwards.
        let enforces = try connection.isOn(.foreignKeys)
        try connection.turn(.foreignKeys, on: false)
        defer { try? connection.turn(.foreignKeys, on: enforces) }
        var copy = try TableTransfer(table, settings, from: source, to: connection)
        return try copy.run { rows in
          try progress(
            TransferProgress(
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

  /// Makes what the rows had to be there for, and looks whether references lead somewhere.
  private mutating func finish(_ connection: Connection) throws {
    try connection.transaction {
      for table in tables {
        guard let sequence = table.sequence else { continue }
        try connection.run(
          "DELETE FROM sqlite_sequence WHERE name = ?1 AND seq < ?2", table.name, sequence)
        try connection.run(
          """
          INSERT INTO sqlite_sequence SELECT ?1, ?2
          WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = ?1)
          """, table.name, sequence)
      }
      try makeOthers(connection)
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
        .transferMismatch, "\(count) rows refer to rows that the target lacks", table: table.name)
    }
  }

  private mutating func makeOthers(_ connection: Connection) throws {
    let names = settings.tables.map { Set($0.map { TableName($0) }) }
    for object in contents.others {
      if let names, !names.contains(TableName(object.table)) || object.type == "view" { continue }
      let isThere = try connection.value(
        Int.self, "SELECT 1 FROM sqlite_schema WHERE name = ? COLLATE NOCASE", object.name)
      guard isThere == nil else { continue }
      try MirrorSchema.run(object.sql, on: connection)
      report.otherCount += 1
    }
  }
}

extension Connection {
  func rowCount(of table: String) throws -> Int {
    try value(Int.self, "SELECT count(*) FROM \(SQLName.quoted(table))") ?? 0
  }
}

extension ProviderError {
  static func tableExists(_ table: String) -> ProviderError {
    ProviderError(.tableExists, "the target has such a table already", table: table)
  }
}
