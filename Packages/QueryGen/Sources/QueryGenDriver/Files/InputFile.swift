internal import SQLSyntax

/// One file of SQL, and what is wrong with it.
struct InputFile {
  /// The path that a person finds it by.
  var path: String
  /// A migration's name, or a query file's path below `Queries/`; without the extension.
  var name: String
  var source: SourceText
  var diagnostics = DiagnosticList()
  /// Where the file has a carriage return that the source lacks, in the file's own bytes.
  var removedReturns: [Int] = []

  /// Reads a file, and notes where it is no UTF-8.
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

  /// Takes a file's bytes, and notes where they are no UTF-8.
  init(path: String, name: String, bytes: [UInt8]) {
    let removed = Self.returnsBeforeLineEnds(bytes)
    self.init(path: path, name: name, source: SourceText(bytes: Self.without(removed, bytes)))
    removedReturns = removed
    checkText()
  }

  /// Notes where the source is no UTF-8.
  mutating func checkText() {
    if let offset = Self.firstInvalidByte(in: source.bytes) {
      diagnostics.append(
        Diagnostic(
          .invalidUTF8, at: ByteSpan(offset..<offset + 1), "the file is not valid UTF-8 here"))
    }
  }

  /// The place in the file's own bytes of a place in the source.
  func offsetInFile(_ offset: Int) -> Int {
    // The returns before it are those whose own place, less those before them, is no later.
    var low = 0
    var high = removedReturns.count
    while low < high {
      let middle = (low + high) / 2
      if removedReturns[middle] - middle < offset { low = middle + 1 } else { high = middle }
    }
    return offset + low
  }

  /// Whether the file is text, and can be parsed.
  var isText: Bool { !diagnostics.diagnostics.contains { $0.identity == .invalidUTF8 } }

  /// A file that was checked out with Windows's line ends makes the same Swift as any other.
  private static func returnsBeforeLineEnds(_ bytes: [UInt8]) -> [Int] {
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

  /// The position of the first byte that no character begins with or goes on with.
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
  /// A file is no text.
  static let invalidUTF8 = Self(rawValue: "invalid-utf8")
}
