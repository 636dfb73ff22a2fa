extension SourceSession {
  /// The bytes of a source, read sequentially.
  public final class ByteInput {
    /// The default table name: `people` for `people.json`.
    public let name: String
    /// The file's path, used in errors; `nil` if the bytes do not come from a file.
    public let path: String?
    private let file: FileReader?
    private let pieces: [[UInt8]]
    private var pieceIndex = 0

    /// The number of bytes to read from a file in one call.
    static let pieceLength = 1 << 18

    /// Creates an input that reads in-memory pieces of any length.
    public init(_ pieces: [[UInt8]], name: String, path: String? = nil) {
      file = nil
      self.pieces = pieces
      self.name = name
      self.path = path
    }

    /// - Parameter name: The default table name; `nil` to derive it from the file's name.
    init(_ file: FileReader, name: String? = nil) {
      self.file = file
      pieces = []
      path = file.path
      self.name = name ?? Self.tableName(of: file.path)
    }

    /// Returns the next piece; `nil` at the end. Pieces of a file are never empty.
    ///
    /// - Throws: ``ProviderError`` for a file system error.
    public func next() throws(ProviderError) -> [UInt8]? {
      if let file { return try file.read(atMost: Self.pieceLength) }
      guard pieceIndex < pieces.count else { return nil }
      pieceIndex += 1
      return pieces[pieceIndex - 1]
    }

    func rewind() throws(ProviderError) {
      try file?.rewind()
      pieceIndex = 0
    }

    /// Returns the file's name without its folder and extensions.
    private static func tableName(of path: String) -> String {
      let file = path.utf8.split(separator: UInt8(ascii: "/")).last.map { Substring($0) } ?? ""
      let name = file.utf8.dropFirst().prefix { $0 != UInt8(ascii: ".") }
      return String(file.prefix(1)) + String(Substring(name))
    }
  }
}

extension SourceSession {
  /// The destination that a source is written to.
  public final class ByteOutput {
    /// The path of the file to write; `nil` if the output is not a file.
    public let path: String?
    /// The path of the empty file that receives the bytes; `nil` if the output is not a file.
    ///
    /// A library that can only write to a file can fill this file instead of calling
    /// ``write(_:)``. It must not lock the file.
    public let temporaryPath: String?
    private let sink: ([UInt8]) throws -> Void
    private let source: () throws -> ByteInput?

    public convenience init(path: String? = nil, _ sink: @escaping ([UInt8]) throws -> Void) {
      self.init(path: path, temporaryPath: nil, source: { nil }, sink)
    }

    init(
      path: String?, temporaryPath: String?, source: @escaping () throws -> ByteInput?,
      _ sink: @escaping ([UInt8]) throws -> Void
    ) {
      self.path = path
      self.temporaryPath = temporaryPath
      self.source = source
      self.sink = sink
    }

    /// Opens the file that was last read or written, if it still has the same content.
    func openSource() throws -> ByteInput? { try source() }

    /// Appends bytes to the output. Pieces of about 64 KB are most efficient.
    ///
    /// - Throws: ``ProviderError`` for a file system error.
    public func write(_ bytes: [UInt8]) throws { try sink(bytes) }
  }
}
