import Foundation
import Router
import RouterTesting
import SQLiteCore

typealias Conformance = RouteExecutorConformance

/// An executor that the conformance suite is run against.
enum TestedExecutor: String, CaseIterable, Sendable {
  case memory, file, recording, closure

  /// What runs routes on a database.
  func executor(on database: Database) -> any RouteExecutor {
    let executor = ConformingDatabase.executor(on: database)
    return switch self {
    case .memory, .file: executor
    case .recording: RecordingRouteExecutor(executor)
    case .closure:
      ClosureRouteExecutor {
        try await executor.run($0)
      } batch: {
        try await executor.run($0)
      }
    }
  }

  /// Runs `body` with a way to databases that have the tables, filled: a new one where it is written, the same one
  /// where it is only read.
  func withDatabases(_ body: ((_ isWritten: Bool) async throws -> Database) async throws -> Void)
    async throws
  {
    var shared: Database?
    guard self == .file else {
      return try await body { isWritten in
        if !isWritten, let shared { return shared }
        let database = try await ConformingDatabase.inMemory()
        if !isWritten { shared = database }
        return database
      }
    }
    let directory = FileManager.default.temporaryDirectory
      .appendingPathComponent("holt-router-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    var databases: [Database] = []
    defer { for database in databases { database.close() } }
    try await body { isWritten in
      if !isWritten, let shared { return shared }
      let database = try await ConformingDatabase.onFile(
        directory.path + "/\(databases.count).sqlite")
      databases.append(database)
      if !isWritten { shared = database }
      return database
    }
  }
}

/// Databases with the tables of the conformance suite.
enum ConformingDatabase {
  /// The tables, filled by the suite's own routes, once.
  private static let image = Task {
    let database = try Database.inMemory(configuration)
    try await database.write {
      try $0.execute(Conformance.schema)
      try $0.execute(Conformance.fullTextSchema)
    }
    try await Conformance.restore(SQLiteRouteExecutor(database))
    return try await database.read { try $0.serialized() }
  }

  private static var configuration: Configuration {
    var configuration = Configuration()
    configuration.prepare = { connection in
      try connection.register("regexp", argumentCount: 2) { arguments in
        guard case .text(let pattern) = arguments[0], case .text(let text) = arguments[1] else {
          return .null
        }
        return .integer(try text.firstMatch(of: Regex(pattern)) == nil ? 0 : 1)
      }
    }
    return configuration
  }

  static func inMemory() async throws -> Database {
    let bytes = try await image.value
    let database = try Database.inMemory(configuration)
    try await database.writeWithoutTransaction { try $0.deserialize(bytes) }
    return database
  }

  static func onFile(_ path: String) async throws -> Database {
    try Data(try await image.value).write(to: URL(fileURLWithPath: path))
    return try Database(path: path, configuration: configuration)
  }

  /// An executor with the limits that the suite speaks of.
  static func executor(on database: Database) -> SQLiteRouteExecutor {
    var executor = SQLiteRouteExecutor(database)
    executor.limits.maximumRows = Conformance.maximumRows
    executor.limits.maximumAffected = Conformance.maximumAffected
    return executor
  }
}
