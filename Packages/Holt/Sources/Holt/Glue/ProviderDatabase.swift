internal import Providers
internal import QueryGen
internal import SQLiteCore

/// What a provider has open, as a database: its open transaction and its being closed hold for it.
///
/// It is one source alone. Once the provider has another one, an access ends with ``SourceReplaced`` before it has begun.
final class ProviderDatabase: DatabaseWriter {
  private let provider: any DataProvider
  private let source: any DatabaseReader

  init(_ provider: any DataProvider, source: any DatabaseReader) {
    self.provider = provider
    self.source = source
  }

  var databaseIdentity: ObjectIdentifier { source.databaseIdentity }

  func read<Result>(_ body: (Connection) throws -> Result) throws -> Result {
    try provider.read { connection in
      try requireSource()
      return try body(connection)
    }
  }

  func read<Result>(
    _ body: @escaping @Sendable (Connection) throws -> sending Result
  ) async throws -> sending Result {
    try await provider.read { [self] connection -> sending Result in
      try requireSource()
      return try body(connection)
    }
  }

  func write<Result>(_ body: (Connection) throws -> Result) throws -> Result {
    try provider.write { connection in
      try requireSource()
      return try body(connection)
    }
  }

  func write<Result>(
    _ body: @escaping @Sendable (Connection) throws -> sending Result
  ) async throws -> sending Result {
    try await provider.write { [self] connection -> sending Result in
      try requireSource()
      return try body(connection)
    }
  }

  func writeWithoutTransaction<Result>(
    _ body: (Connection) throws -> Result
  ) throws -> Result {
    try provider.database().writeWithoutTransaction { connection in
      try requireSource()
      return try body(connection)
    }
  }

  func writeWithoutTransaction<Result>(
    _ body: @escaping @Sendable (Connection) throws -> sending Result
  ) async throws -> sending Result {
    try await provider.database().writeWithoutTransaction { [self] connection -> sending Result in
      try requireSource()
      return try body(connection)
    }
  }

  private func requireSource() throws {
    guard try provider.reader() === source else { throw SourceReplaced() }
  }
}

/// The provider has another source by now.
struct SourceReplaced: Error {}

/// Generated queries without a database: whoever has one gives them a connection.
enum Unconnected {
  /// In the place of a database that is not used.
  private static let closed = Result<Database, any Error> {
    let database = try Database.inMemory(Configuration())
    database.close()
    return database
  }

  static func query<DB: GeneratedDatabase, Statement: StatementQuery>(
    _ path: KeyPath<DB, Statement>
  ) throws -> Statement {
    DB(migrated: try closed.get())[keyPath: path]
  }
}
