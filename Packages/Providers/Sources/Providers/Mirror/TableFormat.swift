public import SQLiteCore

/// How a file holds tables: bytes ⇄ tables.
///
/// A file is read into a private database when it is opened, and written as a whole when it is persisted; between
/// the two, SQL is SQLite's. Who has a format of their own makes a provider of it like this:
///
/// ```swift
/// final class LogProvider: DataProvider {
///   static let shared = LogProvider()
///   let session = SourceSession(store: SourceSession.FileStore(format: LogFormat()))
/// }
/// ```
public protocol TableFormat: Sendable {
  /// What is remembered of a file as it was read, so that it is written as it was.
  associatedtype Layout: Sendable

  /// How a file is laid out that is made anew.
  var newLayout: Layout { get }

  /// Reads a file into tables.
  ///
  /// It may be called again for the same file, from its beginning: where values of a column turn out to be of
  /// another type late, all of them are read again.
  ///
  /// - Throws: ``ProviderError`` of what is wrong in the file, and where. Nothing is open then.
  func read(_ input: SourceSession.ByteInput, into tables: TableCollector) throws -> Layout

  /// Writes tables as a file.
  ///
  /// - Parameters:
  ///   - contents: The private database, in a read transaction.
  ///   - layout: What ``read(_:into:)`` returned, or ``newLayout``.
  ///   - output: Takes the bytes of the file.
  /// - Returns: What is remembered from now on.
  /// - Throws: ``ProviderError`` with ``ProviderError/Code/unrepresentable``, the table and the column, for what the layout
  ///   can't hold. The file then stays as it was.
  func write(_ contents: Connection, as layout: Layout, to output: SourceSession.ByteOutput) throws
    -> Layout
}
