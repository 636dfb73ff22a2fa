public import SQLiteCore

/// What reads and writes the tables of an open source: a provider, or a transaction of one.
public protocol DataAccess {
  func read<Result>(_ body: (Connection) throws -> Result) throws -> Result
  /// In a transaction; a savepoint where one is open. All of it, or nothing.
  func write<Result>(_ body: (Connection) throws -> Result) throws -> Result
}
