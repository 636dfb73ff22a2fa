internal import Providers
internal import SQLiteCore

/// The source that a provider has opened, as a database: accesses take part in the provider's open
/// transaction, and fail when the provider is closed.
///
/// The database represents one source. When the provider has opened another one, an access throws
/// ``SourceReplacedError`` before it begins.
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
    guard try provider.reader() === source else { throw SourceReplacedError() }
  }
}

/// The error of an access after the provider has opened another source.
struct SourceReplacedError: Error {}
