internal import Primitives

extension Connection {
  /// Returns the statements that create a database's schema: tables, indexes, views and triggers, without rows.
  ///
  /// Objects that SQLite or a virtual table creates automatically are omitted.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/unknownSchema``; the errors of reading.
  public func schemaSQL(of schema: String = "main") throws -> String {
    try requireSchema(schema)
    let parts = try schemaEntries(of: schema)
    let shadows = Set(try allTables(in: schema).filter { $0.kind == .shadow }.map(\.name.name))
    let tables = parts.filter { part in
      part.isTable && !part.isInternal && !shadows.contains(part.name)
    }
    return (tables + parts.others).map { "\($0.statement)\n" }.joined()
  }

  /// Returns the whole database as SQL: see ``dump(_:to:)``.
  ///
  /// - Throws: The same errors as ``dump(_:to:)``.
  public func dumpSQL(of schema: String = "main") throws -> String {
    var text = ""
    try dump(schema) { text += $0 }
    return text
  }

  /// Passes the whole database to `sink` as SQL, one statement at a time, each with a line break.
  ///
  /// If run on an empty database outside a transaction, the SQL creates the same schema and rows, with the same values,
  /// rowids and text encoding. Functions and collations that the schema uses must be registered there. Virtual tables
  /// are written as in SQLite's shell, with their shadow tables: such a dump requires a connection whose
  /// ``Configuration/isDefensive`` is `false`.
  ///
  /// ```swift
  /// var copy = Configuration()
  /// copy.isDefensive = false
  /// try Connection.inMemory(configuration: copy).execute(connection.dumpSQL())
  /// ```
  ///
  /// - Parameters:
  ///   - schema: The database. The SQL does not name it, and so creates the objects in `main`.
  ///   - sink: Receives one statement. An error that it throws ends the dump and is rethrown.
  /// - Throws: Any error that `sink` throws; ``SQLiteError`` if reading fails; ``SQLiteError/Code/unknownSchema``.
  /// - Complexity: O(*n*) in the size of the database, with one statement in memory at a time.
  public func dump(_ schema: String = "main", to sink: (String) throws -> Void) throws {
    try requireSchema(schema)
    // A single transaction, which reads one consistent state.
    try savepoint {
      try SQLDump(connection: self, schema: schema, reading: prepare("SELECT CAST(?1 AS REAL)"))
        .write(to: sink)
    }
  }

  fileprivate func schemaEntries(of schema: String) throws -> [SchemaEntry] {
    var parts: [SchemaEntry] = []
    try forEach(
      """
      SELECT type, name, tbl_name, rootpage, sql FROM \(identifier: schema).sqlite_master
      WHERE sql IS NOT NULL ORDER BY rowid
      """
    ) { row in
      let type = try row.read(String.self, at: 0)
      parts.append(
        SchemaEntry(
          type: type, name: try row.read(at: 1),
          isVirtual: try type == "table" && row.read(Int?.self, at: 3) ?? 0 == 0,
          sql: try row.read(at: 4)))
    }
    return parts
  }
}

/// An entry of the schema table.
private struct SchemaEntry {
  let type: String
  let name: String
  let isVirtual: Bool
  let sql: String

  var isTable: Bool { type == "table" }

  /// The statement with a semicolon that is not part of a trailing comment.
  var statement: String {
    for ended in [sql + ";", sql + "\n;"] {
      let tokens = SQLTokens(ended)
      if tokens.tokens.last?.range.upperBound == tokens.bytes.count { return ended }
    }
    // A block comment can be unterminated.
    return SQLTokens(sql).trimmedText + ";"
  }

  /// Indicates whether the entry is a table with `AUTOINCREMENT`.
  var usesAutoincrement: Bool {
    let tokens = SQLTokens(sql)
    return isTable && (0..<tokens.count).contains { tokens.is($0, "AUTOINCREMENT") }
  }

  /// Indicates whether the entry is internal to SQLite.
  var isInternal: Bool { name.lowercased().hasPrefix("sqlite_") }
}

extension [SchemaEntry] {
  /// The objects that depend on tables. A trigger can depend on a view.
  fileprivate var others: [SchemaEntry] {
    filter { $0.type == "index" } + filter { $0.type == "view" } + filter { $0.type == "trigger" }
  }
}

/// A dump of a database.
private struct SQLDump {
  let connection: Connection
  let schema: String
  /// A statement with which SQLite parses a number: releases differ in the last bit.
  let reading: Statement

  func write(to sink: (String) throws -> Void) throws {
    let parts = try connection.schemaEntries(of: schema)
    let tables = parts.filter { $0.isTable && !$0.isInternal && !$0.isVirtual }
    let virtual = parts.filter(\.isVirtual)
    let withoutRowID = Set(
      try connection.values(
        String.self, "SELECT name FROM pragma_table_list WHERE schema = ?1 COLLATE NOCASE AND wr",
        schema))
    // The encoding of a database with content can't be changed.
    let encoding = try connection.value(String.self, "PRAGMA encoding") ?? "UTF-8"
    if encoding != "UTF-8" { try sink("PRAGMA encoding='\(encoding)';\n") }
    try sink("PRAGMA foreign_keys=OFF;\n")
    try sink("BEGIN;\n")
    for table in tables {
      try sink("\(table.statement)\n")
      try writeRows(of: table.name, hasRowID: !withoutRowID.contains(table.name), to: sink)
    }
    try writeSchema(of: virtual, to: sink)
    try writeInternalTables(among: parts, to: sink)
    for part in parts.others { try sink("\(part.statement)\n") }
    for (name, value) in [
      ("user_version", try connection.userVersion(of: schema)),
      ("application_id", try connection.applicationID(of: schema)),
    ] where value != 0 {
      try sink("PRAGMA \(name)=\(value);\n")
    }
    try sink("COMMIT;\n")
    // Reloads the schema with the virtual tables that were written into it.
    if !virtual.isEmpty { try sink("PRAGMA writable_schema=RESET;\n") }
    if try connection.isOn(.foreignKeys) { try sink("PRAGMA foreign_keys=ON;\n") }
  }

  private func writeRows(
    of table: String, hasRowID: Bool, to sink: (String) throws -> Void
  ) throws {
    guard let found = try connection.table(table, in: schema) else { return }
    let stored = found.writableColumns
    var names = stored.map { SQLName.quoted($0.name) }
    // The rowid is one of the columns, or is written under a name that is not a column's.
    let rowID = hasRowID && found.rowIDColumn == nil ? found.rowIDName : nil
    if let rowID { names.insert(rowID, at: 0) }
    let list = names.joined(separator: ",")
    let isWhole = rowID == nil && stored.count == found.columns.count
    let start =
      "INSERT INTO \(SQLName.quoted(table))\(isWhole ? "" : "(\(list))") VALUES("
    let source = TableName(schema: schema, table)
    try connection.forEach("SELECT \(unsafe: list) FROM \(table: source)") { row in
      var text = start
      for index in 0..<row.columnCount {
        if index > 0 { text += "," }
        text += try literal(in: row, at: ColumnIndex(index))
      }
      try sink(text + ");\n")
    }
  }

  /// Writes statements that add virtual tables to the schema without creating them, because their shadow tables exist.
  private func writeSchema(of tables: [SchemaEntry], to sink: (String) throws -> Void) throws {
    guard !tables.isEmpty else { return }
    try sink("PRAGMA writable_schema=ON;\n")
    for table in tables {
      let name = Self.literal(table.name)
      try sink(
        "INSERT INTO sqlite_master(type,name,tbl_name,rootpage,sql)"
          + " VALUES('table',\(name),\(name),0,\(Self.literal(table.sql)));\n")
    }
    try sink("PRAGMA writable_schema=OFF;\n")
  }

  /// Writes the `AUTOINCREMENT` sequences and the `ANALYZE` statistics.
  private func writeInternalTables(
    among parts: [SchemaEntry], to sink: (String) throws -> Void
  ) throws {
    let names = parts.filter(\.isInternal).map { $0.name.lowercased() }
    // The table of sequences remains after its last user is dropped, and can't be created without one.
    if names.contains("sqlite_sequence"), parts.contains(where: \.usesAutoincrement) {
      try sink("DELETE FROM sqlite_sequence;\n")
      try writeRows(of: "sqlite_sequence", hasRowID: false, to: sink)
    }
    let statistics = names.filter { $0 == "sqlite_stat1" || $0 == "sqlite_stat4" }
    if !statistics.isEmpty { try sink("ANALYZE sqlite_master;\n") }
    for name in statistics { try writeRows(of: name, hasRowID: false, to: sink) }
  }
}

/// SQL literals that evaluate to the same values, bit for bit.
extension SQLDump {
  fileprivate func literal(
    in row: borrowing Row, at index: ColumnIndex
  ) throws(SQLiteError) -> String {
    if case .text = try row.storageClass(at: index) {
      let stored = row.cursor.value(at: index.rawValue)
      switch stored.text {
      case .text(let text): return Self.literal(text)
      case .invalid: return "CAST(\(SQLiteValue.blob(stored.textBytes)) AS TEXT)"
      case .outOfMemory, .other: throw row.outOfMemory(at: index)
      }
    }
    let value = try row.value(at: index)
    if case .real(let number) = value { return try literal(number) }
    return value.description
  }

  private func literal(_ number: Double) throws(SQLiteError) -> String {
    let text = SQLiteValue.real(number).description
    defer { reading.reset() }
    try reading.bindAll(text)
    guard try reading.step(),
      try reading.row.real(at: 0).bitPattern == number.bitPattern
    else { return Self.product(number) }
    return text
  }

  /// Returns a number as an integer times powers of two, which are all exact.
  private static func product(_ number: Double) -> String {
    var exponent = Int(number.exponent) - Double.significandBitCount
    var significand = Int64(number.significandBitPattern)
    if number.isNormal {
      significand |= 1 << Int64(Double.significandBitCount)
    } else {
      exponent = Int(Double.leastNormalMagnitude.exponent) - Double.significandBitCount
    }
    if number.sign == .minus { significand = -significand }
    var text = "(1.0*\(significand)"
    while exponent != 0 {
      let step = min(62, abs(exponent))
      text += "\(exponent > 0 ? "*" : "/")\(Int64(1) << Int64(step))"
      exponent += exponent > 0 ? -step : step
    }
    return text + ")"
  }

  /// Returns a text literal. A NUL character, which a literal can't contain, is concatenated with
  /// `char(0)`.
  fileprivate static func literal(_ text: String) -> String {
    guard text.utf8.contains(0) else { return text.quoted(with: UInt8(ascii: "'")) }
    let pieces = text.utf8.split(separator: 0, omittingEmptySubsequences: false).map {
      String(Substring($0)).quoted(with: UInt8(ascii: "'"))
    }
    return joined(pieces[...])
  }

  /// Concatenates the pieces as a balanced tree, since SQLite limits the depth of expressions.
  private static func joined(_ pieces: ArraySlice<String>) -> String {
    guard pieces.count > 1 else { return pieces.first ?? "''" }
    let middle = pieces.startIndex + pieces.count / 2
    return "(\(joined(pieces[..<middle]))||char(0)||\(joined(pieces[middle...])))"
  }
}

extension Connection {
  /// Returns a query's rows as formatted text.
  ///
  /// ```swift
  /// print(try connection.text(of: "SELECT id, name FROM player", as: .table))
  /// // id  name
  /// // --  ----
  /// // 1   Ada
  /// ```
  ///
  /// - Throws: The errors of running the statement; ``SQLiteError`` with code ``SQLiteError/Code/invalidText`` for a
  ///   text that is not valid UTF-8.
  public func text(
    of sql: SQL, values: [any SQLiteBindable] = [], as format: ResultFormat
  ) throws(SQLiteError) -> String {
    var text = ""
    try write(sql, values: values, as: format, to: &text)
    return text
  }

  /// Writes a query's rows as formatted text while they are read. In the format ``ResultFormat/table``, they are
  /// written at the end, since the column widths depend on all rows.
  ///
  /// - Throws: The same errors as ``text(of:values:as:)``. Rows before a failure have been written.
  public func write<Sink: TextOutputStream>(
    _ sql: SQL, values: [any SQLiteBindable] = [], as format: ResultFormat,
    to sink: inout Sink
  ) throws(SQLiteError) {
    let statement = try checkoutStatement(sql, values: values)
    defer { checkinStatement(statement) }
    var hasRow = try statement.step()
    var writer = ResultFormat.Writer(format, names: statement.columnNames, to: &sink)
    while hasRow {
      writer.add(try statement.row.values, to: &sink)
      hasRow = try statement.step()
    }
    writer.finish(&sink)
  }
}
