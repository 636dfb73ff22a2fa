public import SQLSyntax

/// An SQL file and its diagnostics.
public struct InputFile: Sendable {
  /// The path that is shown to the user.
  public var path: String
  /// A migration's name, or a query file's path below `Queries/`, without the extension.
  public var name: String
  public var source: SourceText
  public var diagnostics = DiagnosticList()
  /// Indicates whether the file creates the temporary objects of a connection.
  public var isTemporary = false
  /// The offsets of the carriage returns that the source lacks, in the file's own bytes.
  var removedCarriageReturns: [Int] = []

  /// Reads a file, and reports the first byte that is not valid UTF-8.
  static func read(
    path: String, name: String, openFiles: [String: [UInt8]] = [:]
  ) throws(FileFailure) -> InputFile {
    if let bytes = openFiles[path] { return InputFile(path: path, name: name, bytes: bytes) }
    return InputFile(path: path, name: name, bytes: try TextFile.read(path))
  }

  init(path: String, name: String, source: SourceText) {
    self.path = path
    self.name = name
    self.source = source
  }

  /// Creates a file from its bytes, and reports the first byte that is not valid UTF-8.
  public init(path: String, name: String, bytes: [UInt8]) {
    let removed = Self.carriageReturnsBeforeLineFeeds(bytes)
    self.init(path: path, name: name, source: SourceText(bytes: Self.without(removed, bytes)))
    removedCarriageReturns = removed
    checkText()
  }

  /// Reports the first byte that is not valid UTF-8.
  mutating func checkText() {
    if let offset = Self.firstInvalidByte(in: source.bytes) {
      diagnostics.append(
        Diagnostic(
          .invalidUTF8, at: ByteSpan(offset..<offset + 1), "the file is not valid UTF-8 here"))
    }
  }

  /// Converts an offset in the source to an offset in the file's own bytes.
  func offsetInFile(_ offset: Int) -> Int {
    // The carriage return at index `i` precedes the offset if its own offset minus `i` is smaller.
    var low = 0
    var high = removedCarriageReturns.count
    while low < high {
      let middle = (low + high) / 2
      if removedCarriageReturns[middle] - middle < offset {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return offset + low
  }

  /// Indicates whether the file is valid UTF-8 and can be parsed.
  public var isText: Bool { !diagnostics.diagnostics.contains { $0.identity == .invalidUTF8 } }

  /// Returns the carriage returns to remove, so that Windows line endings do not change the
  /// generated Swift.
  private static func carriageReturnsBeforeLineFeeds(_ bytes: [UInt8]) -> [Int] {
    guard bytes.contains(13) else { return [] }
    return bytes.indices.dropLast().filter { bytes[$0] == 13 && bytes[$0 + 1] == 10 }
  }

  private static func without(_ removed: [Int], _ bytes: [UInt8]) -> [UInt8] {
    guard !removed.isEmpty else { return bytes }
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var start = 0
    for index in removed {
      result += bytes[start..<index]
      start = index + 1
    }
    return result + bytes[start...]
  }

  /// Returns the offset of the first byte that is not part of a valid UTF-8 sequence.
  private static func firstInvalidByte(in bytes: [UInt8]) -> Int? {
    var decoder = UTF8()
    var iterator = bytes.makeIterator()
    var position = 0
    while true {
      switch decoder.decode(&iterator) {
      case .scalarValue(let scalar): position += UTF8.width(scalar)
      case .emptyInput: return nil
      case .error: return position
      }
    }
  }
}

extension Diagnostic.Identity {
  /// A file is not valid UTF-8.
  static let invalidUTF8 = Self(rawValue: "invalid-utf8")
}
