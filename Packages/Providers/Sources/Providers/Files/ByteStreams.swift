extension SourceSession {
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
}

extension SourceSession {
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
}
