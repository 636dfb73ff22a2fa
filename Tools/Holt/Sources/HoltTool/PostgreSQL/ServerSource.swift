import ArgumentParser
import Foundation
import PostgreSQL
import Primitives
import SQLiteCore
import Terminal

/// A PostgreSQL database as a source of a command.
struct ServerSource {
  let address: ServerAddress
  private let name: String?
  private let schema: String

  /// - Throws: `ToolError` if the URL is invalid.
  init(_ argument: SourceArgument, schema: String) throws {
    address = try ServerAddress(url: argument.path)
    (name, self.schema) = (argument.name, schema)
  }

  /// Reads the catalog and, if wanted, counts the rows of each table.
  func read(countsRows: Bool = false) async throws -> (ServerCatalog, rowCounts: [String: Int]) {
    let schema = schema
    return try await address.withConnection { connection in
      try await connection.transaction(
        PostgreSQLTransactionOptions(isolation: .repeatableRead, isReadOnly: true)
      ) { connection in
        try await connection.execute("SET LOCAL search_path = pg_catalog")
        let catalog = try await ServerCatalog(connection, schema: schema)
        var counts: [String: Int] = [:]
        for table in catalog.tables where countsRows {
          counts[table.name] = try await connection.value(
            Int.self,
            PostgreSQLQuery(unsafe: "SELECT count(*) FROM \(catalog.qualified(table.name))"))
        }
        return (catalog, counts)
      }
    }
  }

  /// Copies the tables into a temporary database.
  ///
  /// - Returns: The database as a source.
  func staged(_ temporaryFiles: TemporaryFiles, tables: [String] = []) async throws
    -> SourceArgument
  {
    var options = MovingOptions()
    (options.tables, options.schema) = (tables, schema)
    (options.skipsUnsupported, options.isStaging) = (true, true)
    let name = name ?? address.configuration.database.replacing("/", with: "_")
    let path = "\(try temporaryFiles.newFolder())/\(name).sqlite"
    _ = try await CopyFromServer(from: address, to: path, options).run()
    return SourceArgument(name: name, path: path)
  }
}

extension ServerCatalog {
  /// The schema with SQLite's types, in memory.
  func sqliteSchema() throws -> (connection: Connection, problems: [SchemaProblem]) {
    var portable = PortableSchema(postgreSQL: self, schema: schema, tables: [])
    portable.removeInvalidForeignKeys()
    return (try portable.sqliteConnection(), portable.problems)
  }
}

extension PortableSchema {
  /// The tables in an empty database in memory.
  func sqliteConnection() throws -> Connection {
    let connection = try Connection.inMemory(configuration: .preservingSettings)
    for table in tables {
      try connection.execute(SQL(unsafe: table.sqliteSQL))
      for index in table.sqliteIndexSQL { try connection.execute(SQL(unsafe: index)) }
    }
    return connection
  }
}

// The commands with a PostgreSQL database.

extension Copy {
  static func columnType(_ text: String) -> (name: String, type: ColumnType)? {
    guard let equals = text.firstIndex(of: "="), text[..<equals].contains(".") else { return nil }
    let type = ColumnType(postgreSQL: String(text[text.index(after: equals)...]))
    return type.isWritable ? (String(text[..<equals]), type) : nil
  }

  /// Copies tables from or to a PostgreSQL database.
  func copyWithServer() async throws -> TableReport {
    var options = MovingOptions()
    (options.tables, options.existing, options.schema) = (table, existing, schema)
    (options.skipsUnsupported, options.restarts) = (skipUnsupported, restart)
    options.newName = target.name ?? (table.count == 1 ? source.name : nil)
    for text in columnType {
      if let (name, type) = Self.columnType(text) { options.types[name] = type }
    }
    let report: MovingReport
    var shown = TableReport(file: destination)
    switch (source.isServer, target.isServer) {
    case (true, true):
      throw ToolError(
        "both databases are PostgreSQL's", hint: "use pg_dump and pg_restore, which lose nothing")
    case (true, false) where !isDatabase(target.path):
      let temporaryFiles = TemporaryFiles()
      var copy = self
      copy.source = try await ServerSource(source, schema: schema).staged(
        temporaryFiles, tables: table)
      return try copy.copyTables()
    case (true, false):
      let address = try ServerAddress(url: source.path)
      report = try await CopyFromServer(from: address, to: destination, options).run()
    default:
      let address = try ServerAddress(url: target.path)
      shown.file = address.description
      let temporaryFiles = TemporaryFiles()
      let file = try OpenedFile(
        source, input.values(format: format), temporaryFiles: temporaryFiles, writes: false)
      if options.newName == nil, let name = source.name, !file.format.isDatabase {
        options.newName = name
      }
      let connection = try Connection(path: file.database, configuration: .reading)
      report = try await CopyToServer(
        from: connection, file: source.path, to: address, options
      ).run()
    }
    shown.tables = report.tables
    for problem in report.problems {
      StandardStream.error.write("\(problem.isNote ? "note" : "not copied"): \(problem.text)\n")
    }
    return shown
  }

  /// Returns whether a destination is an SQLite database, also if it does not exist.
  private func isDatabase(_ path: String) -> Bool {
    guard OpenedFile.exists(path) else { return FileFormat(path: path)?.isDatabase ?? true }
    return (try? OpenedFile.format(of: path).isDatabase) ?? false
  }
}

extension Diff {
  /// Returns a source whose rows can be compared: a PostgreSQL database is copied into a temporary one.
  func staged(
    _ source: SourceArgument, _ temporaryFiles: TemporaryFiles
  ) async throws -> SourceArgument {
    guard source.isServer else { return source }
    return try await ServerSource(source, schema: schema).staged(temporaryFiles)
  }

  /// Compares the schemas of a PostgreSQL database and of another source.
  func compareWithServer(_ options: ReadingOptions) async throws {
    let out = Output(isPaged: !skipsPager && !json)
    let differs: Bool
    if old.isServer {
      let before = try await ServerSource(old, schema: schema).read().0
      let diff: ServerDiff
      if new.isServer {
        let after = try await ServerSource(new, schema: schema).read().0
        diff = ServerDiff(from: before, to: after)
      } else {
        var left = PortableSchema(postgreSQL: before, schema: schema, tables: [])
        let workspace = try Workspace([new], options)
        var right = try PortableSchema(sqlite: workspace.connection, tables: [])
        prepare(&left, &right)
        diff = ServerDiff(
          from: ServerCatalog(left, schema: schema), to: ServerCatalog(right, schema: schema))
      }
      differs = write(diff, out)
    } else {
      let workspace = try Workspace([old], options)
      var left = try PortableSchema(sqlite: workspace.connection, tables: [])
      let after = try await ServerSource(new, schema: schema).read().0
      var right = PortableSchema(postgreSQL: after, schema: schema, tables: [])
      prepare(&left, &right)
      var options = SchemaDiff.Options()
      options.configuration = .preservingSettings
      differs = write(
        try SchemaDiff(
          from: left.sqliteConnection().databaseSchema(),
          to: right.sqliteConnection().databaseSchema(), options: options), out)
    }
    try out.finish()
    if differs { throw ExitCode.found }
  }

  /// Reports what the schemas do not have in common, and omits it.
  private func prepare(_ left: inout PortableSchema, _ right: inout PortableSchema) {
    left.removeInvalidForeignKeys()
    right.removeInvalidForeignKeys()
    for problem in left.problems + right.problems where !problem.isNote {
      StandardStream.error.write("not compared: \(problem.text)\n")
    }
  }

  /// - Returns: Whether the schemas differ.
  private func write(_ diff: ServerDiff, _ out: Output) -> Bool {
    guard json else {
      out.write(diff.text)
      return !diff.steps.isEmpty
    }
    for step in diff.steps {
      let line = JSONText.object([
        ("step", .text(step.kind)), ("object", .text(step.object)),
        ("explanation", .text(step.explanation)),
        ("sql", .array(step.statements.map(JSONText.text))),
        ("loses", .array(step.losses.map(JSONText.text))),
      ])
      out.write("\(line)\n")
    }
    return !diff.steps.isEmpty
  }
}
