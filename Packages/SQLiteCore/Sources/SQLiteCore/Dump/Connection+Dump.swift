internal import Primitives

extension Connection {
  /// The statements that make the schema of a database: tables, indexes, views and triggers, without
  /// their rows.
  ///
  /// What SQLite or a virtual table makes by itself is left out.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/unknownSchema``; as reading does.
  public func schemaSQL(of schema: String = "main") throws -> String {
    try requireSchema(schema)
    let parts = try dumpParts(of: schema)
    let shadows = Set(try allTables(in: schema).filter { $0.kind == .shadow }.map(\.name.name))
    let tables = parts.filter { part in
      part.isTable && !part.isInternal && !shadows.contains(part.name)
    }
    return (tables + parts.others).map { "\($0.statement)\n" }.joined()
  }

  /// The whole database as SQL: see ``dump(_:to:)``.
  ///
  /// - Throws: As ``dump(_:to:)``.
  public func dumpSQL(of schema: String = "main") throws -> String {
    var text = ""
    try dump(schema) { text += $0 }
    return text
  }

  /// Hands the whole database to `sink` as SQL, a statement at a time, each with its line's end.
  ///
  /// Run on an empty database, outside of a transaction, the SQL makes the same schema and rows, with
  /// every value and every rowid as it was, and its texts in the same encoding. Functions and collations that the schema uses must be
  /// registered there. Virtual tables are written as SQLite's shell does, with the tables that
  /// they keep their data in: such a dump needs a connection whose
  /// ``Configuration/isDefensive`` is `false`.
  ///
  /// ```swift
  /// var copy = Configuration()
  /// copy.isDefensive = false
  /// try Connection.inMemory(configuration: copy).execute(connection.dumpSQL())
  /// ```
  ///
  /// - Parameters:
  ///   - schema: The database; the SQL names none, and so makes a `main`.
  ///   - sink: Takes one statement. What it throws ends the dump, and is thrown.
  /// - Throws: What `sink` throws; ``SQLiteError`` where reading fails,
  ///   ``SQLiteError/Code/unknownSchema``.
  /// - Complexity: O(*n*) in the size of the database; a statement at a time is in memory.
  public func dump(_ schema: String = "main", to sink: (String) throws -> Void) throws {
    try requireSchema(schema)
    // One read of one state, whatever others write meanwhile.
    try savepoint {
      try SQLDump(connection: self, schema: schema, literals: SQLLiterals(self)).write(to: sink)
    }
  }

  fileprivate func dumpParts(of schema: String) throws -> [DumpPart] {
    var parts: [DumpPart] = []
    try forEach(
      """
      SELECT type, name, tbl_name, rootpage, sql FROM \(identifier: schema).sqlite_master
      WHERE sql IS NOT NULL ORDER BY rowid
      """
    ) { row in
      let type = try row.read(String.self, at: 0)
      parts.append(
        DumpPart(
          type: type, name: try row.read(at: 1),
          isVirtual: try type == "table" && row.read(Int?.self, at: 3) ?? 0 == 0,
          sql: try row.read(at: 4)))
    }
    return parts
  }
}

/// An entry of the schema table.
private struct DumpPart {
  let type: String
  let name: String
  let isVirtual: Bool
  let sql: String

  var isTable: Bool { type == "table" }

  /// The statement with a semicolon, which a comment at its end must not swallow.
  var statement: String {
    for ended in [sql + ";", sql + "\n;"] {
      let tokens = SQLTokens(ended)
      if tokens.tokens.last?.range.upperBound == tokens.bytes.count { return ended }
    }
    // A comment of several lines may be left open.
    return SQLTokens(sql).trimmedText + ";"
  }

  /// Whether it is a table whose keys SQLite counts.
  var counts: Bool {
    let tokens = SQLTokens(sql)
    return isTable && (0..<tokens.count).contains { tokens.is($0, "AUTOINCREMENT") }
  }

  /// Whether SQLite keeps it for itself.
  var isInternal: Bool { name.lowercased().hasPrefix("sqlite_") }
}

extension [DumpPart] {
  /// What needs the tables: a trigger may be a view's.
  fileprivate var others: [DumpPart] {
    filter { $0.type == "index" } + filter { $0.type == "view" } + filter { $0.type == "trigger" }
  }
}

/// One dump of one database.
private struct SQLDump {
  let connection: Connection
  let schema: String
  let literals: SQLLiterals

  func write(to sink: (String) throws -> Void) throws {
    let parts = try connection.dumpParts(of: schema)
    let tables = parts.filter { $0.isTable && !$0.isInternal && !$0.isVirtual }
    let virtual = parts.filter(\.isVirtual)
    let withoutRowID = Set(
      try connection.values(
        String.self, "SELECT name FROM pragma_table_list WHERE schema = ?1 COLLATE NOCASE AND wr",
        schema))
    // A database that has content keeps its own.
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
    // The schema is read anew, with the virtual tables that were written into it.
    if !virtual.isEmpty { try sink("PRAGMA writable_schema=RESET;\n") }
    if try connection.isOn(.foreignKeys) { try sink("PRAGMA foreign_keys=ON;\n") }
  }

  private func writeRows(
    of table: String, hasRowID: Bool, to sink: (String) throws -> Void
  ) throws {
    let columns = try connection.columns(of: table, in: schema)
    let stored = columns.filter { $0.kind == .stored }
    var names = stored.map { SQLName.quoted($0.name) }
    let rowID = hasRowID ? try rowIDName(of: table, columns) : nil
    if let rowID { names.insert(rowID, at: 0) }
    let list = names.joined(separator: ",")
    let isWhole = rowID == nil && stored.count == columns.count
    let start =
      "INSERT INTO \(SQLName.quoted(table))\(isWhole ? "" : "(\(list))") VALUES("
    let source = TableName(schema: schema, table)
    try connection.forEach("SELECT \(unsafe: list) FROM \(table: source)") { row in
      var text = start
      for index in 0..<row.columnCount {
        if index > 0 { text += "," }
        text += try literals.literal(in: row, at: ColumnIndex(index))
      }
      try sink(text + ");\n")
    }
  }

  /// The name under which a table's key can be written that no column of its own holds; `nil` where a
  /// column does, or hides every such name.
  private func rowIDName(of table: String, _ columns: [TableSchema.Column]) throws -> String? {
    if try connection.rowIDColumn(of: table, in: schema) != nil { return nil }
    return ["rowid", "_rowid_", "oid"].first { name in
      !columns.contains { $0.name.isEqualIgnoringASCIICase(name) }
    }
  }

  /// Enters virtual tables in the schema without making them: what they keep is written already.
  private func writeSchema(of tables: [DumpPart], to sink: (String) throws -> Void) throws {
    guard !tables.isEmpty else { return }
    try sink("PRAGMA writable_schema=ON;\n")
    for table in tables {
      let name = SQLLiterals.literal(table.name)
      try sink(
        "INSERT INTO sqlite_master(type,name,tbl_name,rootpage,sql)"
          + " VALUES('table',\(name),\(name),0,\(SQLLiterals.literal(table.sql)));\n")
    }
    try sink("PRAGMA writable_schema=OFF;\n")
  }

  /// The last keys of `AUTOINCREMENT`, and what `ANALYZE` has gathered.
  private func writeInternalTables(
    among parts: [DumpPart], to sink: (String) throws -> Void
  ) throws {
    let names = parts.filter(\.isInternal).map { $0.name.lowercased() }
    // The list of counts outlives the last table that needed it, and can't be made without one.
    if names.contains("sqlite_sequence"), parts.contains(where: \.counts) {
      try sink("DELETE FROM sqlite_sequence;\n")
      try writeRows(of: "sqlite_sequence", hasRowID: false, to: sink)
    }
    let statistics = names.filter { $0 == "sqlite_stat1" || $0 == "sqlite_stat4" }
    if !statistics.isEmpty { try sink("ANALYZE sqlite_master;\n") }
    for name in statistics { try writeRows(of: name, hasRowID: false, to: sink) }
  }
}

extension Connection {
  /// The rows of a query as text, to look at or to hand on.
  ///
  /// ```swift
  /// print(try connection.text(of: "SELECT id, name FROM player", as: .table))
  /// // id  name
  /// // --  ----
  /// // 1   Ada
  /// ```
  ///
  /// - Throws: ``SQLiteError`` as running the statement does, and with code
  ///   ``SQLiteError/Code/invalidText`` for a text that is not valid UTF-8.
  public func text(
    of sql: SQL, values: [any SQLiteBindable] = [], as format: ResultFormat
  ) throws(SQLiteError) -> String {
    var text = ""
    try write(sql, values: values, as: format, to: &text)
    return text
  }

  /// Writes the rows of a query as text, each as it is read; those of ``ResultFormat/table`` when all
  /// are there, as its columns are as wide as their widest value.
  ///
  /// - Throws: As ``text(of:values:as:)``; rows before the failure have been written.
  public func write<Sink: TextOutputStream>(
    _ sql: SQL, values: [any SQLiteBindable] = [], as format: ResultFormat,
    to sink: inout Sink
  ) throws(SQLiteError) {
    let statement = try takeStatement(sql, values: values)
    defer { putBack(statement) }
    var hasRow = try statement.step()
    var writer = ResultFormat.Writer(format, names: statement.columnNames, to: &sink)
    while hasRow {
      writer.add(try statement.row.values, to: &sink)
      hasRow = try statement.step()
    }
    writer.finish(&sink)
  }
}
