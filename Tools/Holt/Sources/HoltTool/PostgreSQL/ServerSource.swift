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
