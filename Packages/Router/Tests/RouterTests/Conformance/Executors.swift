import Foundation
import Router
import RouterTesting
import SQLiteCore

typealias Conformance = RouteExecutorConformance

/// An executor that the conformance suite tests, in addition to a recorder and its replay.
enum TestedExecutor: String, CaseIterable, Sendable {
  case memory, file, closure, router

  /// Returns an executor of this kind, on top of a SQLite one.
  func executor(over base: some RouteExecutor) -> any RouteExecutor {
    switch self {
    case .memory, .file: base
    case .closure:
      ClosureRouteExecutor {
        try await base.run($0)
      } batch: {
        try await base.run($0)
      }
    case .router: Self.router(over: base)
    }
  }

  /// A router whose overrides all pass calls on.
  private static func router(over base: some RouteExecutor) -> GeneralRouter {
    var router = GeneralRouter(base)
    router.override(.matching({ _ in true }, with: .passThrough))
    for table in Conformance.tables {
      router.override(.table(table, with: .success().times(0)))
    }
    return router
  }

  /// Runs `body` with a database for a sequence of rules.
  func withDatabase(_ body: (inout ConformingDatabase) async throws -> Void) async throws {
    guard self == .file else {
      var database = try await ConformingDatabase()
      return try await body(&database)
    }
    try await withFolder { folder in
      var database = try await ConformingDatabase(path: "\(folder)/test.sqlite")
      defer { database.database.close() }
      try await body(&database)
    }
  }
}

/// A database with the tables of the conformance suite.
struct ConformingDatabase {
  let database: Database
  private let executor: SQLiteRouteExecutor
  private var isChanged = false

  init() async throws {
    database = try Database.inMemory(Self.configuration)
    executor = Self.limited(database)
    let bytes = try await Self.image.value
    try await database.writeWithoutTransaction { try $0.deserialize(bytes) }
    try await keepCopies()
  }

  init(path: String) async throws {
    try Data(try await Self.image.value).write(to: URL(fileURLWithPath: path))
    // Durability after a power failure is not tested here.
    var configuration = Self.configuration
    configuration.synchronous = .off
    database = try Database(path: path, configuration: configuration)
    executor = Self.limited(database)
    try await keepCopies()
  }

  /// Returns the executor, with tables in the state that a rule requires.
  mutating func executor(for rule: Conformance.Case) async throws -> SQLiteRouteExecutor {
    if isChanged { try await fill() }
    isChanged = rule.writes
    return executor
  }

  /// Copies the rows of all tables in the database, for ``fill()``: equivalent to its image, but
  /// faster.
  private func keepCopies() async throws {
    try await database.write { connection in
      for table in Self.tables {
        try connection.run(
          "CREATE TEMP TABLE \(unsafe: table.copy) AS SELECT * FROM main.\(unsafe: table.name)")
      }
    }
  }

  private func fill() async throws {
    try await database.write { connection in
      for table in Self.tables.reversed() {
        try connection.run("DELETE FROM main.\(unsafe: table.name)")
      }
      for table in Self.tables {
        try connection.run(
          "INSERT INTO main.\(unsafe: table.name) SELECT * FROM temp.\(unsafe: table.copy)")
      }
    }
  }

  private static let tables = (Conformance.tables + ["doc"]).map {
    (name: SQLName.quoted($0.name), copy: SQLName.quoted("copy of \($0.name)"))
  }

  /// An image of the tables, filled once by the suite's own routes.
  private static let image = Task {
    let database = try Database.inMemory(configuration)
    try await database.write {
      try $0.execute(SQL(unsafe: Conformance.schema))
      try $0.execute(SQL(unsafe: Conformance.fullTextSchema))
    }
    try await Conformance.restore(SQLiteRouteExecutor(database))
    return try await database.read { try $0.serialized() }
  }

  private static var configuration: Configuration {
    var configuration = Configuration()
    // Enough for all rules.
    configuration.statementCacheCapacity = 2_000
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

  /// An executor with the limits that the suite expects.
  private static func limited(_ database: Database) -> SQLiteRouteExecutor {
    var executor = SQLiteRouteExecutor(database)
    executor.limits.maximumRows = Conformance.maximumRows
    executor.limits.maximumAffected = Conformance.maximumAffected
    return executor
  }
}
