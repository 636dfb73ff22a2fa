import ArgumentParser
import Foundation
import PostgreSQL
import QueryGen
import Router
import RouterPostgreSQL
import SQLiteCore

/// Imports the world's codes and time zones into a database and queries them with checked SQL.
@main
struct AtlasCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "Atlas",
    abstract: "Imports country, language and currency codes and time zones, and runs queries.")

  @Option(help: "The database file. It is created and filled if it does not exist.")
  var database: String

  @Option(name: .customLong("iso-codes"), help: "The folder of the iso-codes JSON files.")
  var isoCodes = DataFolders().isoCodes

  @Option(help: "The folder of zone1970.tab.")
  var zones = DataFolders().zones

  @Option(
    help: ArgumentHelp(
      "A PostgreSQL database with a copy of the database, which is queried instead.",
      valueName: "url"))
  var postgresql: String?

  @Flag(help: "Fill the database, and run no queries.")
  var importOnly = false

  func run() async throws {
    do {
      let database = try Database(path: database)
      defer { database.close() }
      let db = try DB(database: database)
      let importer = Importer(
        db: db, folders: DataFolders(isoCodes: isoCodes, zones: zones))
      try await database.writeWithoutTransaction { try importer.run(on: $0) }
      let report = Report()
      if importOnly { return }
      if let postgresql {
        let server = PostgreSQLDatabase(try PostgreSQLConfiguration(url: postgresql))
        defer { server.close() }
        let executor = PostgreSQLRouteExecutor(server)
        try await RouteQuestions.run(
          on: executor, comparedWith: SQLiteRouteExecutor(database), report)
        return try await RouteQuestions.observe(executor, report)
      }
      try await Questions(db: db, report: report).runAll()
      try await CommitWatcher(db: db, database: database, report: report).run()
    } catch let error as AtlasError {
      throw Failure(error.description)
    } catch let error as SQLiteError where error.code == .databaseIsNewer {
      throw Failure(
        """
        \(database) can't be used: \(error.message).
        Use that version, or pass another file with --database.
        """)
    }
  }

  /// An error that ends the command with exit code 1 and the given message.
  private struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ text: String) {
      description = text
    }
  }
}
