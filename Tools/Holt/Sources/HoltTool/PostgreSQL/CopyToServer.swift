import Foundation
import PostgreSQL
import Primitives
import SQLiteCore
import Terminal

/// Copies tables of SQLite into a PostgreSQL database.
///
/// Each table is copied in a transaction that also records it. Foreign keys are added at the end. The tables of an
/// interrupted copy are kept by the next one.
struct CopyToServer {
  private let source: Connection
  /// The file that the tables come from.
  private let file: String
  private let address: ServerAddress
  private let options: MovingOptions

  /// - Parameter source: A connection to the tables. No other code may use it during the copy.
  init(
    from source: Connection, file: String, to address: ServerAddress, _ options: MovingOptions
  ) {
    (self.source, self.file, self.address, self.options) = (source, file, address, options)
  }

  private var schema: String { options.schema }
  private var recordTable: String { PortableTable.qualified(CopyRecord.table, schema) }

  func run() async throws -> MovingReport {
    // Everything is read from one state of the file.
    try source.execute("BEGIN")
    defer { try? source.execute("ROLLBACK") }
    let read = try PortableSchema(sqlite: source, tables: options.tables, types: options.types)
    for name in options.tables where try source.table(name) == nil {
      throw ToolError("no such table: \(name)", file: file)
    }
    return try await address.withConnection { connection in
      // Names are always qualified, except for the names of PostgreSQL.
      try await connection.execute("SET search_path = pg_catalog")
      try await lock(connection)
      return try await run(read, connection)
    }
  }

  /// Waits for another copy into the schema, which can be one that was killed.
  private func lock(_ connection: PostgreSQLConnection) async throws {
    try await connection.execute("SET lock_timeout = '10s'")
    do {
      try await connection.run(
        "SELECT pg_advisory_lock(hashtext('holt copy'), hashtext($1))", schema)
    } catch let error as PostgreSQLError where error.code == .lockNotAvailable {
      throw ToolError("another copy into the schema is running", file: address.description)
    }
    try await connection.execute("SET lock_timeout = 0")
  }

  private func run(
    _ read: PortableSchema, _ connection: PostgreSQLConnection
  ) async throws -> MovingReport {
    var records = try await records(connection)
    if options.restarts, !records.isEmpty {
      try await dropCopied(records, connection)
      records = []
    }
    let sourceName =
      (file as NSString).isAbsolutePath || file == "-"
      ? file : FileManager.default.currentDirectoryPath + "/" + file
    try options.check(records, source: sourceName, destination: address.description)
    let catalog = try await ServerCatalog(connection, schema: schema)
    var read = read
    read.removeInvalidForeignKeys(existing: Set(catalog.tables.map(\.name)))
    let problems = read.problems
    try options.check(problems, source: file)
    var tables: [MovedTable] = []
    for (name, table) in try options.renamed(read, source: file) {
      tables.append(try await plan(table, named: name, records, catalog, connection))
    }
    try checkForeignKeys(tables)
    try await connection.execute(
      PostgreSQLQuery(
        unsafe: """
          CREATE SCHEMA IF NOT EXISTS \(SQLName.quoted(schema));
          CREATE TABLE IF NOT EXISTS \(recordTable) \(CopyRecord.columns)
          """))
    var expected: [TableChecksum] = []
    let bar = ProgressBar("copying")
    do {
      for table in tables {
        expected.append(try await copy(table, source: sourceName, bar, connection))
      }
    } catch {
      try? await removeRecords(of: [], connection)
      throw error
    }
    try await verify(tables, expected, connection)
    try await finish(tables, connection)
    bar.end()
    return MovingReport(
      tables: zip(tables, expected).map { table, checksum in
        (table.table.name, checksum.rowCount)
      }, problems: problems)
  }

  // MARK: Planning

  private func records(_ connection: PostgreSQLConnection) async throws -> [CopyRecord] {
    let exists = try await connection.value(
      Bool.self, "SELECT to_regclass($1) IS NOT NULL", recordTable)
    guard exists == true else { return [] }
    let rows = try await connection.fetchAll(
      CatalogRow.self,
      PostgreSQLQuery(
        unsafe: """
          SELECT source, table_name, is_created = 1, row_count, checksum, source_rows, source_checksum
          FROM \(recordTable)
          """))
    return rows.compactMap { row in
      guard
        let checksum = TableChecksum(rowCount: Int(row.integer(3)), text: row.text(4)),
        let source = TableChecksum(rowCount: Int(row.integer(5)), text: row.text(6))
      else { return nil }
      return CopyRecord(
        source: row.text(0), table: row.text(1), isCreated: row.bool(2), checksum: checksum,
        sourceChecksum: source)
    }
  }

  /// Drops the tables of an incomplete copy.
  private func dropCopied(
    _ records: [CopyRecord], _ connection: PostgreSQLConnection
  ) async throws {
    if let record = records.first(where: { !$0.isCreated }) {
      throw ToolError(
        "can't restart the copy, because rows were added to \(record.table), which existed before",
        file: address.description,
        hint: "delete the rows, and drop the table \(CopyRecord.table)")
    }
    let drops = records.map { "DROP TABLE IF EXISTS \(PortableTable.qualified($0.table, schema));" }
    try await connection.execute(
      PostgreSQLQuery(unsafe: drops.joined(separator: "\n") + "DROP TABLE \(recordTable)"))
  }

  private func plan(
    _ table: PortableTable, named sourceName: String, _ records: [CopyRecord],
    _ catalog: ServerCatalog, _ connection: PostgreSQLConnection
  ) async throws -> MovedTable {
    let existing = catalog.table(table.name)
    let record = records.first { $0.table == table.name }
    var moved = MovedTable(
      sourceName: sourceName, table: table, action: .create,
      columns: table.storedColumns.map { column in
        (column.name, column.name, column.type, column.isNotNull)
      })
    if let record, existing != nil {
      moved.action = .keep(record)
      guard !record.isCreated, let existing else { return moved }
      moved.columns = try columns(of: table, in: existing)
      return moved
    }
    guard let existing else { return moved }
    let name = PortableTable.qualified(table.name, schema)
    let hasRows = try await connection.value(
      Bool.self, PostgreSQLQuery(unsafe: "SELECT EXISTS (SELECT FROM \(name))"))
    moved.action = try options.action(
      forExisting: table.name, hasRows: hasRows ?? true, destination: address.description)
    if moved.action == .append { moved.columns = try columns(of: table, in: existing) }
    return moved
  }

  /// Returns the columns of a table that exists.
  private func columns(
    of table: PortableTable, in existing: ServerCatalog.Table
  ) throws -> [(source: String, target: String, type: ColumnType, isRequired: Bool)] {
    try table.storedColumns.map { column in
      let sameName = existing.columns.filter { SQLName.isSame($0.name, column.name) }
      guard let found = sameName.first(where: { $0.name == column.name }) ?? sameName.first else {
        throw ToolError(
          "the table \(table.name) has no column \(column.name)", file: address.description)
      }
      let type = ColumnType(postgreSQL: found.type, base: found.baseType)
      guard !found.isGenerated, type.isWritable else {
        throw ToolError(
          "can't write the column \(table.name).\(found.name) of type \(found.type)",
          file: address.description)
      }
      return (column.name, found.name, type, found.isNotNull)
    }
  }

  /// Checks that each reference has its row, because PostgreSQL refuses the foreign key otherwise.
  private func checkForeignKeys(_ tables: [MovedTable]) throws {
    for table in tables where table.isCreated && !table.table.foreignKeys.isEmpty {
      let columns = Set(table.table.foreignKeys.map(\.columns))
      // SQLite can't check a table that also has an invalid foreign key. PostgreSQL checks it at the end.
      let violations = (try? source.foreignKeyViolations(of: table.sourceName)) ?? []
      for violation in violations {
        guard let key = violation.foreignKey,
          columns.contains(where: { $0.elementsEqual(key.columns, by: SQLName.isSame) })
        else { continue }
        let row = violation.rowID.map { "row \($0.rawValue)" } ?? "a row"
        throw ToolError(
          "\(row) of \(violation.table) references a missing row of \(violation.parentTable) via "
            + key.columns.joined(separator: ", "),
          file: file, hint: "`holt check` lists all of these rows")
      }
    }
  }

  // MARK: Copying

  /// Copies a table, and records that.
  ///
  /// - Returns: The checksum that the table in PostgreSQL must have.
  private func copy(
    _ moved: MovedTable, source sourceName: String, _ bar: ProgressBar,
    _ connection: PostgreSQLConnection
  ) async throws -> TableChecksum {
    let reader = try SQLiteRowReader(
      source, moved, name: moved.sourceName, columns: moved.columns.map(\.source), file: file,
      bar: bar)
    if case .keep(let record) = moved.action {
      try reader.readAll()
      guard reader.checksum == record.sourceChecksum else {
        throw ToolError.sourceChanged(moved.table.name, destination: address.description)
      }
      return record.checksum
    }
    let sequence = try highestKey(of: moved)
    let schema = schema
    let record = recordTable
    do {
      return try await connection.transaction { connection in
        let name = PortableTable.qualified(moved.table.name, schema)
        var before = TableChecksum()
        if moved.isCreated {
          let drop = moved.action == .replace ? "DROP TABLE \(name);" : ""
          try await connection.execute(
            PostgreSQLQuery(unsafe: drop + moved.table.postgreSQLSQL(schema: schema)))
        } else {
          try await connection.execute(
            PostgreSQLQuery(unsafe: "LOCK TABLE \(name) IN SHARE ROW EXCLUSIVE MODE"))
          before = try await Self.checksum(of: moved, schema, connection)
        }
        try await connection.copy(
          into: moved.table.name, schema: schema, columns: moved.columns.map(\.target), rows: reader
        )
        if moved.isCreated {
          for statement in moved.table.postgreSQLKeySQL(schema: schema) {
            try await connection.execute(PostgreSQLQuery(unsafe: statement))
          }
        }
        try await Self.setSequences(moved, highest: sequence, name, connection)
        let total = before + reader.checksum
        try await connection.run(
          PostgreSQLQuery(unsafe: "INSERT INTO \(record) VALUES ($1, $2, $3, $4, $5, $6, $7)"),
          sourceName, moved.table.name, moved.isCreated ? 1 : 0, total.rowCount, total.text,
          reader.checksum.rowCount, reader.checksum.text)
        return total
      }
    } catch {
      throw reader.failure ?? error
    }
  }

  /// The largest key that SQLite has generated for a table with `AUTOINCREMENT`.
  private func highestKey(of moved: MovedTable) throws -> Int64? {
    guard try source.table("sqlite_sequence") != nil else { return nil }
    return try source.value(
      Int64.self, "SELECT seq FROM sqlite_sequence WHERE name = ?", moved.sourceName)
  }

  /// Moves the sequences of the columns to the keys after the copied ones.
  private static func setSequences(
    _ moved: MovedTable, highest: Int64?, _ name: String, _ connection: PostgreSQLConnection
  ) async throws {
    for column in moved.columns where column.type.isInteger {
      try await connection.run(
        PostgreSQLQuery(
          unsafe: """
            SELECT setval(s.name, v.value) FROM
              (SELECT pg_get_serial_sequence($1, $2)::regclass AS name) AS s,
              LATERAL (SELECT CASE WHEN s.name IS NOT NULL THEN GREATEST(
                (SELECT max(\(SQLName.quoted(column.target))) FROM \(name)), $3,
                pg_sequence_last_value(s.name)) END AS value) AS v
            WHERE v.value >= 1
            """), name, column.target, highest)
    }
  }

  // MARK: Verification

  /// Returns the checksum of a table in PostgreSQL.
  private static func checksum(
    of moved: MovedTable, _ schema: String, _ connection: PostgreSQLConnection
  ) async throws -> TableChecksum {
    let writer = ServerRowWriter(moved, into: nil, file: "")
    let columns = moved.columns.map { ($0.target, $0.type) }
    let query = ServerRowWriter.query(columns, of: moved.table.name, schema: schema)
    try await Receiving.run({ try writer.add($0) }) { try await connection.copyRows(of: query, $0) }
    return writer.checksum
  }

  private func verify(
    _ tables: [MovedTable], _ expected: [TableChecksum], _ connection: PostgreSQLConnection
  ) async throws {
    let schema = schema
    let database = address.description
    let snapshot = PostgreSQLTransactionOptions(isolation: .repeatableRead, isReadOnly: true)
    try await connection.transaction(snapshot) { connection in
      for (table, checksum) in zip(tables, expected) {
        let found = try await Self.checksum(of: table, schema, connection)
        guard found == checksum else {
          throw ToolError.differs(table.table.name, found, checksum, destination: database)
        }
      }
    }
  }

  /// Adds the foreign keys, and removes the records.
  private func finish(_ tables: [MovedTable], _ connection: PostgreSQLConnection) async throws {
    let created = tables.filter { table in
      if case .keep(let record) = table.action { record.isCreated } else { table.isCreated }
    }
    let statements = created.flatMap { $0.table.postgreSQLForeignKeySQL(schema: schema) }
    let names = tables.map(\.table.name)
    let record = recordTable
    try await connection.transaction { connection in
      for statement in statements {
        try await connection.execute(PostgreSQLQuery(unsafe: statement))
      }
      try await Self.removeRecords(of: names, in: record, connection)
    }
  }

  /// Removes the records of tables, and their table if it has no others.
  private func removeRecords(of names: [String], _ connection: PostgreSQLConnection) async throws {
    try await Self.removeRecords(of: names, in: recordTable, connection)
  }

  private static func removeRecords(
    of names: [String], in table: String, _ connection: PostgreSQLConnection
  ) async throws {
    try await connection.run(
      PostgreSQLQuery(unsafe: "DELETE FROM \(table) WHERE table_name = ANY ($1)"), names)
    let hasOthers = try await connection.value(
      Bool.self, PostgreSQLQuery(unsafe: "SELECT EXISTS (SELECT FROM \(table))"))
    if hasOthers == false {
      try await connection.execute(PostgreSQLQuery(unsafe: "DROP TABLE \(table)"))
    }
  }
}
