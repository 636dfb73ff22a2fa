public import SQLiteCore

extension SourceSession {
  /// Where the tables of a file are held while it is open.
  public enum StagingPlace: Hashable, Sendable {
    /// In memory.
    case memory
    /// In a temporary file that SQLite removes, as far as they are too large for its cache: for files that are larger
    /// than memory.
    case temporaryFile
    /// In a file of its own at a path, where nothing is yet, which other connections may attach: what they commit there is noticed,
    /// and persisted. It must stay in its place while the source is open, and is left there then.
    case file(String)
  }
}

extension SourceSession {
  /// Sources that are files of a format, each read into a private database when it is opened, and written as a whole.
  public struct FileStore<Format: TableFormat>: Store {
    public let format: Format
    public let place: StagingPlace

    public init(format: Format, place: StagingPlace = .memory) {
      self.format = format
      self.place = place
    }

    public func open(_ request: Request) throws -> any OpenedSource {
      guard let path = request.path else { return try MirroredSource(new: self, path: nil) }
      if !request.isReadOnly, try FileStamp(path: path) == nil {
        let source = try MirroredSource(new: self, path: path)
        if request.isToExist {
          try source.database.read { try source.persist($0, overwritingChanges: false) }
        }
        return source
      }
      return try MirroredSource(self, FileReader(path: path))
    }

    public func delete(atPath path: String) throws { try SourceFiles.remove(path) }
  }
}

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
