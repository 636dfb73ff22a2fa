public import SQLiteCore

extension SourceSession {
  /// The location of a file's tables while the file is open.
  public enum StagingPlace: Hashable, Sendable {
    /// In memory.
    case memory
    /// In a temporary file, to the extent that the tables do not fit into SQLite's cache. SQLite
    /// removes the file. Use it for files that are larger than memory.
    case temporaryFile
    /// In a separate file at a path at which no file exists. Other connections can attach it: their
    /// commits are detected and persisted. The file must not be moved while the source is open, and
    /// is not removed afterwards.
    case file(String)
    /// In a separate file that becomes a database of its own: it contains nothing but the tables,
    /// and has SQLite's default settings. No other connection may use the file before the source is
    /// closed, because it is not locked. An existing file must be empty; it is not removed
    /// afterwards.
    case newDatabase(String)
  }
}

extension SourceSession {
  /// A store whose sources are files of a format. A file is read into a staging database when it is
  /// opened, and written as a whole.
  public struct FileStore<Format: TableFormat>: Store {
    public let format: Format
    public let place: StagingPlace
    /// The table name of a file that contains only rows; `nil` to derive it from the file's name.
    public let tableName: String?

    public init(format: Format, place: StagingPlace = .memory, tableName: String? = nil) {
      self.format = format
      self.place = place
      self.tableName = tableName
    }

    public func open(_ request: Request) throws -> any OpenedSource {
      guard let path = request.path else { return try StagingDatabase(new: self, path: nil) }
      if !request.isReadOnly, try FileStamp(path: path) == nil {
        let source = try StagingDatabase(new: self, path: path)
        if request.mustCreate {
          try source.database.read { try source.persist($0, overwritingChanges: false) }
        }
        return source
      }
      return try StagingDatabase(self, FileReader(path: path), isReadOnly: request.isReadOnly)
    }

    public func delete(atPath path: String) throws { try SourceFiles.remove(path) }
  }
}

/// A file format that represents tables: bytes ⇄ tables.
///
/// A file is read into a staging database when it is opened, and written as a whole when it is
/// persisted; in between, SQL runs in SQLite. A custom format becomes a provider as follows:
///
/// ```swift
/// final class LogProvider: DataProvider {
///   static let shared = LogProvider()
///   let session = SourceSession(store: SourceSession.FileStore(format: LogFormat()))
/// }
/// ```
public protocol TableFormat: Sendable {
  /// The properties of a file that are recorded on reading, and preserved on writing.
  associatedtype Layout: Sendable

  /// The layout of a new file.
  var newLayout: Layout { get }

  /// Reads a file into tables.
  ///
  /// The method can be called again for the same file, from its beginning: if a late value changes
  /// a column's type, all values are read again.
  ///
  /// - Throws: ``ProviderError`` with the position of the error in the file. The source is then not
  ///   opened.
  func read(_ input: SourceSession.ByteInput, into tables: TableCollector) throws -> Layout

  /// Writes tables as a file.
  ///
  /// - Parameters:
  ///   - contents: The staging database, in a read transaction.
  ///   - layout: The result of ``read(_:into:)``, or ``newLayout``.
  ///   - output: Receives the bytes of the file.
  /// - Returns: The layout to use from now on.
  /// - Throws: ``ProviderError`` with ``ProviderError/Code/unrepresentable``, the table and the
  ///   column, if the layout can't represent the content. The file is then unchanged.
  func write(_ contents: Connection, as layout: Layout, to output: SourceSession.ByteOutput) throws
    -> Layout
}
