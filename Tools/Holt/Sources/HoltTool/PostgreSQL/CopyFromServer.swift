import Foundation
import PostgreSQL
import Primitives
import SQLiteCore
import Terminal

/// Copies tables of a PostgreSQL database into an SQLite database.
///
/// Each table is copied in a transaction that also records it. The tables of an interrupted copy are kept by the next
/// one.
struct CopyFromServer {
  private let address: ServerAddress
  private let destination: String
  private let options: MovingOptions

  init(from address: ServerAddress, to destination: String, _ options: MovingOptions) {
    (self.address, self.destination, self.options) = (address, destination, options)
  }

  private var recordTable: String { SQLName.quoted(CopyRecord.table) }
  private var sourceName: String { "\(address.description) (\(options.schema))" }

  func run() async throws -> MovingReport {
    let options = options
    return try await address.withConnection { connection in
      let snapshot = PostgreSQLTransactionOptions(isolation: .repeatableRead, isReadOnly: true)
      return try await connection.transaction(snapshot) { connection in
        // Row-level security must not hide rows.
        try await connection.execute(
          "SET LOCAL search_path = pg_catalog; SET LOCAL row_security = off")
        let catalog = try await ServerCatalog(connection, schema: options.schema)
        return try await copy(catalog, connection)
      }
    }
  }

  private func copy(
    _ catalog: ServerCatalog, _ connection: PostgreSQLConnection
  ) async throws -> MovingReport {
    for name in options.tables where catalog.table(name) == nil {
      throw ToolError(
        "no such table: \(name)", file: address.description,
        hint: "existing tables: \(catalog.tables.map(\.name).joined(separator: ", "))")
    }
    var read = PortableSchema(
      postgreSQL: catalog, schema: options.schema, tables: options.tables)
    let isNew = !FileManager.default.fileExists(atPath: destination)
    var existing: Set<String> = []
    if !isNew, !options.isStaging {
      try DatabaseFile.check(destination, writes: true)
      let reading = try DatabaseFile.open(destination)
      existing = Set(try reading.tables().map(\.name.name))
    }
    read.removeInvalidForeignKeys(existing: existing)
    try options.check(read.problems, source: address.description)
    let configuration = options.isStaging ? Configuration.staging : .writing(destination)
    let database = try Connection(path: destination, configuration: configuration)
    try database.execute("PRAGMA foreign_keys = OFF")
    try database.setOption(.triggers, on: false)
    let report: MovingReport
    do {
      var records = try records(database)
      if options.restarts, !records.isEmpty {
        try dropCopied(records, database)
        records = []
      }
      try options.check(records, source: sourceName, destination: destination)
      let tables = try options.renamed(read, source: address.description).map { name, table in
        try plan(table, named: name, records, database)
      }
      report = try await copy(tables, database, connection, problems: read.problems)
    } catch {
      // An empty database is not left behind.
      let isEmpty = (try? database.tables().isEmpty) ?? false
      try? database.close()
      if isNew, isEmpty {
        for suffix in ["", "-wal", "-shm", "-journal"] {
          try? FileManager.default.removeItem(atPath: destination + suffix)
        }
      }
      throw error
    }
    try database.close()
    return report
  }

  private func copy(
    _ tables: [MovedTable], _ database: Connection, _ connection: PostgreSQLConnection,
    problems: [SchemaProblem]
  ) async throws -> MovingReport {
    try database.execute(
      SQL(unsafe: "CREATE TABLE IF NOT EXISTS \(recordTable) \(CopyRecord.columns)"))
    var expected: [TableChecksum] = []
    let bar = ProgressBar(options.isStaging ? "reading" : "copying")
    do {
      for table in tables {
        expected.append(try await copy(table, database, connection, bar))
      }
    } catch {
      try? removeRecords(of: [], database)
      throw error
    }
    bar.end()
    if !options.isStaging { try verify(tables, expected, database) }
    try database.transaction { try removeRecords(of: tables.map(\.table.name), database) }
    return MovingReport(
      tables: zip(tables, expected).map { ($0.table.name, $1.rowCount) }, problems: problems)
  }

  /// Removes the records of tables, and their table if it has no others.
  private func removeRecords(of names: [String], _ database: Connection) throws {
    let records = recordTable
    for name in names {
      try database.run("DELETE FROM \(unsafe: records) WHERE table_name = \(name)")
    }
    let count = try database.value(Int.self, "SELECT count(*) FROM \(unsafe: records)")
    if count == 0 { try database.execute("DROP TABLE \(unsafe: records)") }
  }

  // MARK: Planning

  private func records(_ database: Connection) throws -> [CopyRecord] {
    guard try database.table(CopyRecord.table) != nil else { return [] }
    var records: [CopyRecord] = []
    try database.forEach(
      SQL(
        unsafe: """
          SELECT source, table_name, is_created, row_count, checksum, source_rows, source_checksum
          FROM \(recordTable)
          """)
    ) { row in
      guard
        let checksum = TableChecksum(rowCount: try row.read(at: 3), text: try row.read(at: 4)),
        let source = TableChecksum(rowCount: try row.read(at: 5), text: try row.read(at: 6))
      else { return }
      records.append(
        CopyRecord(
          source: try row.read(at: 0), table: try row.read(at: 1), isCreated: try row.read(at: 2),
          checksum: checksum, sourceChecksum: source))
    }
    return records
  }

  /// Drops the tables of an incomplete copy.
  private func dropCopied(_ records: [CopyRecord], _ database: Connection) throws {
    if let record = records.first(where: { !$0.isCreated }) {
      throw ToolError(
        "can't restart the copy, because rows were added to \(record.table), which existed before",
        file: destination, hint: "delete the rows, and drop the table \(CopyRecord.table)")
    }
    try database.transaction {
      for record in records {
        try database.execute("DROP TABLE IF EXISTS \(identifier: record.table)")
      }
      try database.execute(SQL(unsafe: "DROP TABLE \(recordTable)"))
    }
  }

  private func plan(
    _ table: PortableTable, named sourceName: String, _ records: [CopyRecord],
    _ database: Connection
  ) throws -> MovedTable {
    var moved = MovedTable(
      sourceName: sourceName, table: table, action: .create,
      columns: table.storedColumns.map { ($0.name, $0.name, $0.type, false) })
    let existing = try database.table(table.name)
    if let record = records.first(where: { $0.table == table.name }), existing != nil {
      moved.action = .keep(record)
      guard !record.isCreated, let existing else { return moved }
      try useColumns(of: existing, &moved)
      return moved
    }
    guard let existing else { return moved }
    guard existing.kind == .table else {
      throw ToolError("\(table.name) is not an ordinary table", file: destination)
    }
    let hasRows = try database.value(
      Int.self, "SELECT 1 FROM \(identifier: table.name) LIMIT 1")
    moved.action = try options.action(
      forExisting: table.name, hasRows: hasRows != nil, destination: destination)
    if moved.action == .append { try useColumns(of: existing, &moved) }
    return moved
  }

  /// Uses the columns of a table that exists. SQLite would store a value of any type in them.
  private func useColumns(of existing: TableSchema, _ moved: inout MovedTable) throws {
    for index in moved.columns.indices {
      let column = moved.columns[index]
      guard let found = existing.column(named: column.source) else {
        throw ToolError(
          "the table \(existing.name.name) has no column \(column.source)", file: destination)
      }
      let type = ColumnType.sqlite(found.declaredType) { [] }
      guard found.kind == .stored, let type,
        type.sqliteDeclaration == column.type.sqliteDeclaration
          || type.family == column.type.family && type.family != .exactText
      else {
        throw ToolError(
          "the column \(existing.name.name).\(found.name) is declared as \(found.declaredType), but "
            + "the values are \(column.type.postgreSQLName)", file: destination)
      }
      moved.columns[index].target = found.name
    }
  }

  // MARK: Copying

  /// Copies a table, and records that.
  ///
  /// - Returns: The checksum that the table in SQLite must have.
  private func copy(
    _ moved: MovedTable, _ database: Connection, _ connection: PostgreSQLConnection,
    _ bar: ProgressBar
  ) async throws -> TableChecksum {
    let query = ServerRowWriter.query(
      moved.columns.map { ($0.source, $0.type) }, of: moved.sourceName, schema: options.schema)
    if case .keep(let record) = moved.action {
      let writer = ServerRowWriter(moved, into: nil, file: address.description)
      try await Receiving.run({ try writer.add($0) }) {
        try await connection.copyRows(of: query, $0)
      }
      guard writer.checksum == record.sourceChecksum else {
        throw ToolError.sourceChanged(moved.table.name, destination: destination)
      }
      return record.checksum
    }
    let total = try await connection.value(
      Int.self, "SELECT greatest(reltuples, 0)::int8 FROM pg_class WHERE oid = to_regclass($1)",
      PortableTable.qualified(moved.sourceName, options.schema))
    try database.execute("BEGIN IMMEDIATE")
    do {
      var before = TableChecksum()
      switch moved.action {
      case .append: before = try checksum(of: moved, database)
      case .replace: try database.execute("DROP TABLE \(identifier: moved.table.name)")
      case .create, .keep: break
      }
      if moved.isCreated { try database.execute(SQL(unsafe: moved.table.sqliteSQL)) }
      let names = moved.columns.map(\.target)
      let parameters = names.map { _ in "?" }.joined(separator: ", ")
      let insert = try database.prepare(
        SQL(
          unsafe: "INSERT INTO \(SQLName.quoted(moved.table.name)) (\(PortableTable.list(names))) "
            + "VALUES (\(parameters))"))
      let writer = ServerRowWriter(
        moved, into: insert, file: address.description, total: total ?? 0, bar: bar)
      try await Receiving.run({ try writer.add($0) }) {
        try await connection.copyRows(of: query, $0)
      }
      if moved.isCreated {
        for statement in moved.table.sqliteIndexSQL { try database.execute(SQL(unsafe: statement)) }
      }
      let sum = before + writer.checksum
      try database.run(
        SQL(unsafe: "INSERT INTO \(recordTable) VALUES (?, ?, ?, ?, ?, ?, ?)"), sourceName,
        moved.table.name, moved.isCreated, sum.rowCount, sum.text, writer.checksum.rowCount,
        writer.checksum.text)
      try database.execute("COMMIT")
      return sum
    } catch {
      if database.isInTransaction { try? database.execute("ROLLBACK") }
      throw error
    }
  }

  // MARK: Verification

  /// Returns the checksum of a table in SQLite.
  private func checksum(of moved: MovedTable, _ database: Connection) throws -> TableChecksum {
    let reader = try SQLiteRowReader(
      database, moved, name: moved.table.name, columns: moved.columns.map(\.target),
      file: destination)
    try reader.readAll()
    return reader.checksum
  }

  private func verify(
    _ tables: [MovedTable], _ expected: [TableChecksum], _ database: Connection
  ) throws {
    try database.transaction(.deferred) {
      for (table, checksum) in zip(tables, expected) {
        let found = try self.checksum(of: table, database)
        guard found == checksum else {
          throw ToolError.differs(table.table.name, found, checksum, destination: destination)
        }
      }
    }
    for table in tables where table.isCreated && !table.table.foreignKeys.isEmpty {
      guard let violation = try database.foreignKeyViolations(of: table.table.name).first else {
        continue
      }
      throw ToolError(
        "a row of \(violation.table) references a missing row of \(violation.parentTable)",
        file: destination, hint: "the foreign key may not be validated in PostgreSQL")
    }
  }
}
