public import SQLiteCore

/// What reads and writes the tables of a source: a provider that has one open, or a transaction of it.
///
/// All that is done with tables is here, so that it can be done in either:
///
/// ```swift
/// func archive(in access: some DataAccess) throws {
///   try access.execute("INSERT INTO Archive SELECT * FROM Task WHERE done")
///   try access.execute("DELETE FROM Task WHERE done")
/// }
/// try archive(in: provider)
/// try provider.transaction { try archive(in: $0) }
/// ```
public protocol DataAccess {
  /// Reads, with all that `body` reads of one moment; the calling thread waits for its turn.
  ///
  /// - Throws: What `body` throws; `SQLiteError` with code `readOnly` where it writes, unless in a ``DataTransaction``,
  ///   with `nestedAccess` inside another access to the same source; ``ProviderError`` with ``ProviderError/Code/notOpen``.
  func read<Result>(_ body: (Connection) throws -> Result) throws -> Result

  /// Writes: all that `body` does is kept, or nothing. The calling thread waits for its turn.
  ///
  /// - Throws: What `body` throws; as ``read(_:)``; ``ProviderError`` with ``ProviderError/Code/readOnly``.
  @discardableResult
  func write<Result>(_ body: (Connection) throws -> Result) throws -> Result
}

/// A transaction of a provider, for as long as its closure runs.
///
/// ```swift
/// try provider.transaction { transaction in
///   try transaction.execute("UPDATE Account SET sum = sum - 10 WHERE id = 1")
///   try transaction.execute("UPDATE Account SET sum = sum + 10 WHERE id = 2")
/// }
/// ```
public struct DataTransaction: DataAccess {
  /// The connection that it runs on.
  public let connection: Connection
  /// The keys that were written back into objects, for the case that all is undone.
  let keys: AdoptedKeys

  init(_ connection: Connection, _ keys: AdoptedKeys = AdoptedKeys()) {
    self.connection = connection
    self.keys = keys
  }

  /// Reads what the transaction sees. What `body` writes is not refused here, as it is by a provider, but a part of the
  /// transaction.
  public func read<Result>(_ body: (Connection) throws -> Result) throws -> Result {
    try body(connection)
  }

  @discardableResult
  public func write<Result>(_ body: (Connection) throws -> Result) throws -> Result {
    try connection.savepoint { try body(connection) }
  }
}

@available(*, unavailable) extension DataTransaction: Sendable {}

extension DataAccess {
  /// Runs `body` in a transaction: all that it does is kept, or nothing. In a transaction, it is a savepoint.
  ///
  /// Where it is undone, instances that were saved in it have the keys again that they had before.
  ///
  /// - Throws: What `body` throws; as ``write(_:)``.
  @discardableResult
  public func transaction<Result>(
    _ body: (DataTransaction) throws -> Result
  ) throws -> Result {
    let keys = AdoptedKeys()
    do {
      let result = try write { try body(DataTransaction($0, keys)) }
      (self as? DataTransaction)?.keys.add(keys)
      return result
    } catch {
      keys.restore()
      throw error
    }
  }
}
