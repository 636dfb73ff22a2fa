internal import Foundation
internal import SQLSyntax

/// One file of SQL, and what is wrong with it.
struct InputFile {
  /// The path that a person finds it by.
  var path: String
  /// A migration's name, or a query file's path below `Queries/`; without the extension.
  var name: String
  var source: SourceText
  var diagnostics = DiagnosticList()

  /// Reads a file, and notes where it is no UTF-8.
  static func read(path: String, name: String) throws(FileFailure) -> InputFile {
    var bytes: [UInt8]
    do {
      bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
    } catch {
      throw FileFailure(path: path, message: "can't be read: \(reason(error))")
    }
    bytes = withPlainLineEnds(bytes)
    var file = InputFile(path: path, name: name, source: SourceText(bytes: bytes))
    if let offset = firstInvalidByte(in: bytes) {
      file.diagnostics.append(
        Diagnostic(
          .invalidUTF8, at: ByteSpan(offset..<offset + 1), "the file is not valid UTF-8 here"))
    }
    return file
  }

  /// Whether the file is text, and can be parsed.
  var isText: Bool { !diagnostics.diagnostics.contains { $0.identity == .invalidUTF8 } }

  /// A file that was checked out with Windows's line ends makes the same Swift as any other.
  private static func withPlainLineEnds(_ bytes: [UInt8]) -> [UInt8] {
    guard bytes.contains(13) else { return bytes }
    return bytes.indices.filter { index in
      bytes[index] != 13 || index + 1 == bytes.count || bytes[index + 1] != 10
    }.map { bytes[$0] }
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
