public import SQLiteCore

/// How a file holds tables: bytes ⇄ tables.
///
/// A file is read into a private database when it is opened, and written as a whole when it is persisted; between
/// the two, SQL is SQLite's. Who has a format of their own makes a provider of it like this:
///
/// ```swift
/// final class LogProvider: DataProvider {
///   static let shared = LogProvider()
///   let session = SourceSession(store: FileStore(format: LogFormat()))
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
  func read(_ input: ByteInput, into tables: TableCollector) throws -> Layout

  /// Writes tables as a file.
  ///
  /// - Parameters:
  ///   - contents: The private database, in a read transaction.
  ///   - layout: What ``read(_:into:)`` returned, or ``newLayout``.
  ///   - output: Takes the bytes of the file.
  /// - Returns: What is remembered from now on.
  /// - Throws: ``ProviderError`` with ``ProviderError/Code/unrepresentable``, the table and the column, for what the layout
  ///   can't hold. The file then stays as it was.
  func write(_ contents: Connection, as layout: Layout, to output: ByteOutput) throws -> Layout
}

/// The bytes of a source, from their beginning to their end.
public final class ByteInput {
  /// What a table is called that has no name of its own: `people` for `people.json`.
  public let name: String
  /// The file, for errors; `nil` where there is none.
  public let path: String?
  private let source: Source

  private enum Source {
    case file(FileReader)
    case pieces([[UInt8]], Place)
  }

  private final class Place {
    var index = 0
  }

  /// How many bytes of a file are read at once.
  static let pieceLength = 1 << 18

  /// Bytes that are in memory, in pieces of any length.
  public init(_ pieces: [[UInt8]], name: String, path: String? = nil) {
    source = .pieces(pieces, Place())
    self.name = name
    self.path = path
  }

  init(_ file: FileReader) {
    source = .file(file)
    path = file.path
    name = Self.tableName(of: file.path)
  }

  /// The next piece; `nil` at the end. None is empty but one that was given so.
  ///
  /// - Throws: ``ProviderError`` of the file system.
  public func next() throws(ProviderError) -> [UInt8]? {
    switch source {
    case .file(let file): return try file.read(atMost: Self.pieceLength)
    case .pieces(let pieces, let place):
      guard place.index < pieces.count else { return nil }
      place.index += 1
      return pieces[place.index - 1]
    }
  }

  func rewind() throws(ProviderError) {
    switch source {
    case .file(let file): try file.rewind()
    case .pieces(_, let place): place.index = 0
    }
  }

  /// The file's name without folders and extensions.
  private static func tableName(of path: String) -> String {
    let file = path.utf8.split(separator: UInt8(ascii: "/")).last.map { Substring($0) } ?? ""
    let name = file.utf8.dropFirst().prefix { $0 != UInt8(ascii: ".") }
    return String(file.prefix(1)) + String(Substring(name))
  }
}

/// Where a source is written to.
public final class ByteOutput {
  /// The file that is to be; `nil` where there is none.
  public let path: String?
  private let sink: ([UInt8]) throws -> Void

  public init(path: String? = nil, _ sink: @escaping ([UInt8]) throws -> Void) {
    self.path = path
    self.sink = sink
  }

  /// Writes bytes behind those before. Pieces of some 64 KB are best.
  ///
  /// - Throws: ``ProviderError`` of the file system.
  public func write(_ bytes: [UInt8]) throws { try sink(bytes) }
}
