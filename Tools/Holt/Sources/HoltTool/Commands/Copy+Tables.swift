import ArgumentParser
import Foundation
import Primitives
import Providers
import SQLiteCore
import Terminal

// Copying one file's tables into another with SQL statements in one transaction.
extension Copy {
  func copyTables() throws -> TableReport {
    let temporaryFiles = TemporaryFiles()
    let input = try OpenedFile(
      source, input.values(format: format), temporaryFiles: temporaryFiles, writes: false)
    let isNew = !FileManager.default.fileExists(atPath: destination)
    let interrupt = isNew ? InterruptHandlers.shared.handle(removingDestination) : nil
    defer { interrupt.map { InterruptHandlers.shared.remove($0) } }
    let workspace = try Workspace([target], writes: true)
    do {
      let report = try copy(from: input, to: workspace.connection)
      _ = try workspace.persist()
      return report
    } catch {
      if isNew {
        try? workspace.connection.close()
        _ = removingDestination()
      }
      throw error
    }
  }

  /// A function that removes a new, incomplete destination.
  private var removingDestination: @Sendable () -> Bool {
    let destination = destination
    return {
      for suffix in ["", "-wal", "-shm", "-journal"] {
        try? FileManager.default.removeItem(atPath: destination + suffix)
      }
      return false
    }
  }

  private static let schema = "holt_source"

  private func copy(from input: OpenedFile, to connection: Connection) throws -> TableReport {
    try connection.attach(.file(input.database), as: Self.schema, isReadOnly: true)
    let selected = try selection(connection)
    let newName = try newName(ofOneOf: selected)
    let bar = ProgressBar("copying")
    let total = try selected.reduce(0) { total, table in
      try total
        + (connection.value(Int.self, "SELECT count(*) FROM \(unsafe: Self.name(of: table))") ?? 0)
    }
    let before = connection.totalChangeCount
    let subscription = try connection.hooks.progress { [weak connection] in
      if let connection { bar.show(connection.totalChangeCount - before, of: total) }
      return true
    }
    defer { connection.hooks.remove(subscription) }
    let fires = try connection.isOn(.triggers)
    try connection.setOption(.triggers, on: false)
    defer { try? connection.setOption(.triggers, on: fires) }
    do {
      // Foreign keys are only checked at the end: rows may reference rows that are inserted later,
      // and dropping a replaced table deletes no referencing rows.
      return try connection.withSchemaChange {
        var created: [TableSchema] = []
        for table in selected {
          let name = newName ?? table.name.name
          if try prepare(table, as: name, on: connection) { created.append(table) }
        }
        var report = TableReport(file: destination)
        for table in selected {
          let name = newName ?? table.name.name
          report.tables.append((name, try insert(table, into: name, on: connection)))
        }
        try createDependentObjects(of: created, named: newName, on: connection)
        return report
      }
    } catch let error as SQLiteError where error.code == .constraintForeignKey {
      throw ToolError(
        error.message, file: destination, hint: "copy the referenced table, too")
    }
  }

  /// Returns the name that the command line sets for the copied table; `nil` if there is none.
  private func newName(ofOneOf tables: [TableSchema]) throws -> String? {
    guard let name = target.name ?? source.name else { return nil }
    if tables.count == 1 { return name }
    // In a source with several tables, the name is only a name of the file.
    guard target.name != nil else { return nil }
    throw ToolError(
      "only one table can be copied into \(name), but the source has \(tables.count)",
      file: source.path, hint: "pass --table with the table to copy")
  }

  private static func name(of table: TableSchema) -> String {
    "\(SQLName.quoted(schema)).\(SQLName.quoted(table.name.name))"
  }

  private func selection(_ connection: Connection) throws -> [TableSchema] {
    // In creation order, in which the tables can be created again.
    let order = try connection.values(
      String.self,
      "SELECT name FROM \(unsafe: Self.schema).sqlite_schema WHERE type = 'table' ORDER BY rowid")
    let known = try connection.tables(in: Self.schema).filter { $0.kind != .view }
    let all = order.compactMap { name in known.first { $0.name.name == name } }
      .filter { !SQLName.isSame($0.name.name, "holt_migration") }
    for name in table where !all.contains(where: { SQLName.isSame($0.name.name, name) }) {
      throw ToolError(
        "no such table: \(name)", file: source.path,
        hint: "existing tables: \(all.map(\.name.name).joined(separator: ", "))")
    }
    guard !table.isEmpty else { return all }
    return all.filter { schema in
      table.contains { SQLName.isSame($0, schema.name.name) }
    }
  }

  /// Creates the table, unless it exists and its rows are kept.
  ///
  /// - Returns: Whether the table was created.
  private func prepare(
    _ table: TableSchema, as name: String, on connection: Connection
  ) throws -> Bool {
    if let existingTable = try connection.table(name) {
      switch existing {
      case .refuse:
        throw ToolError(
          "the table \(name) already exists", file: destination,
          hint: "pass --existing append to add rows to it, or --existing replace to replace it")
      case .append:
        guard existingTable.kind != .view else {
          throw ToolError("\(name) is a view", file: destination)
        }
        if alter { try addColumns(of: table, to: existingTable, on: connection) }
        return false
      case .replace:
        let kind = existingTable.kind == .view ? "VIEW" : "TABLE"
        try connection.execute("DROP \(unsafe: kind) main.\(identifier: name)")
      }
    }
    guard let sql = table.sql else { return false }
    try connection.execute(SQL(unsafe: Self.renaming(table.name.name, to: name, in: sql)))
    return true
  }

  /// Adds the columns that an existing table lacks.
  private func addColumns(
    of table: TableSchema, to existing: TableSchema, on connection: Connection
  ) throws {
    for column in table.columns where column.kind == .stored {
      guard existing.column(named: column.name) == nil else { continue }
      try connection.execute(
        "ALTER TABLE main.\(identifier: existing.name.name) ADD COLUMN \(identifier: column.name) \(unsafe: column.declaredType)"
      )
    }
  }

  /// Returns a statement that creates a table or an index, as SQLite stores it, with another name
  /// for the table.
  private static func renaming(_ old: String, to new: String, in sql: String) -> String {
    guard old != new else { return sql }
    let tokens = SQLTokens(sql)
    // CREATE [VIRTUAL] TABLE name, or CREATE [UNIQUE] INDEX name ON name.
    let keyword = (0..<min(tokens.count, 6)).first {
      tokens.is($0, "TABLE") || tokens.is($0, "ON")
    }
    guard let keyword, keyword + 1 < tokens.count else { return sql }
    let range = tokens.tokens[keyword + 1].range
    return String(decoding: tokens.bytes[..<range.lowerBound], as: UTF8.self) + SQLName.quoted(new)
      + String(decoding: tokens.bytes[range.upperBound...], as: UTF8.self)
  }

  /// Copies the table's rows.
  ///
  /// - Returns: The number of inserted or changed rows.
  private func insert(
    _ table: TableSchema, into name: String, on connection: Connection
  ) throws -> Int {
    let targetColumns = try connection.columns(of: name).filter { $0.kind == .stored }
    let stored = table.columns.filter { $0.kind == .stored }
    for column in stored
    where !targetColumns.contains(where: { SQLName.isSame($0.name, column.name) }) {
      throw ToolError(
        "the table \(name) has no column \(column.name)", file: destination,
        hint: "pass --alter to add it")
    }
    let columns = stored.map { SQLName.quoted($0.name) }
    guard !columns.isEmpty else { return 0 }
    let list = columns.joined(separator: ", ")
    let verb =
      switch onConflict {
      case .fail, .update: "INSERT"
      case .skip: "INSERT OR IGNORE"
      case .replace: "INSERT OR REPLACE"
      }
    var sql =
      "\(verb) INTO main.\(SQLName.quoted(name)) (\(list)) SELECT \(list) FROM "
      + "\(Self.name(of: table)) WHERE true"
    if onConflict == .update {
      let keys = targetColumns.filter { $0.primaryKeyPosition != nil }.map {
        SQLName.quoted($0.name)
      }
      let others = columns.filter { !keys.contains($0) }
      let setting = others.map { "\($0) = excluded.\($0)" }.joined(separator: ", ")
      sql += " ON CONFLICT DO " + (others.isEmpty ? "NOTHING" : "UPDATE SET \(setting)")
    }
    do throws(SQLiteError) {
      return try connection.run(SQL(unsafe: sql)).count
    } catch {
      guard error.code.primary == .constraint else { throw error }
      throw ToolError(
        "can't copy a row of \(name): \(error.message)", file: destination,
        hint: existing == .append && onConflict == .fail
          ? "pass --on-conflict skip, replace or update to copy rows whose key exists"
          : nil)
    }
  }

  /// Creates the indexes and triggers of created tables, and the views if all tables are copied.
  ///
  /// - Parameter newName: The new name of the only table; its views and triggers are not created.
  private func createDependentObjects(
    of created: [TableSchema], named newName: String?, on connection: Connection
  ) throws {
    var objects: [(name: String, table: String, type: String, sql: String)] = []
    try connection.forEach(
      """
      SELECT name, tbl_name, type, sql FROM \(unsafe: Self.schema).sqlite_schema AS s
      WHERE type IN ('index', 'view', 'trigger') AND sql IS NOT NULL AND NOT EXISTS
        (SELECT 1 FROM main.sqlite_schema AS m WHERE m.name = s.name COLLATE NOCASE)
      ORDER BY type <> 'index', type <> 'view', rowid
      """
    ) { row in
      objects.append(
        (try row.read(at: 0), try row.read(at: 1), try row.read(at: 2), try row.read(at: 3)))
    }
    var views: [String] = []
    for object in objects {
      if let newName, !SQLName.isSame(newName, object.table) {
        guard object.type == "index",
          created.contains(where: {
            SQLName.isSame($0.name.name, object.table)
          })
        else { continue }
        try connection.execute(
          SQL(unsafe: Self.renaming(object.table, to: newName, in: object.sql)))
        continue
      }
      if object.type == "view" {
        guard table.isEmpty else { continue }
        views.append(object.name)
      } else if !(created.map(\.name.name) + views).contains(where: {
        SQLName.isSame($0, object.table)
      }) {
        continue
      }
      try connection.execute(SQL(unsafe: object.sql))
    }
  }
}

/// The values of `--on-conflict`.
enum ConflictPolicy: String, CaseIterable, ExpressibleByArgument {
  case fail, skip, replace, update
}
