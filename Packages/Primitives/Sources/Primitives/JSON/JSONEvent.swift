/// A parsing event. Its value is available from the reader until the next event.
public enum JSONEvent: UInt8, Sendable {
  case beginObject, endObject, beginArray, endArray
  /// A string: ``JSONEventReader/withText(in:_:)``.
  case string
  /// A number whose value is ``JSONEventReader/integer``.
  case integer
  /// A number whose value is ``JSONEventReader/double``.
  case double
  /// A number that neither type represents exactly. Its text is at ``JSONEventReader/range``.
  case number
  /// A Boolean, whose value is ``JSONEventReader/bool``.
  case bool
  case null
  /// The end of the text.
  case end
  /// The available bytes end within a value, and more will follow: ``JSONEventReader/isComplete`` is `false`.
  case incomplete
}

/// The options of a ``JSONEventReader``.
public struct JSONReadingOptions: Hashable, Sendable {
  /// The number of values in a text.
  public enum Mode: Hashable, Sendable {
    case single
    /// Any number of values, each on a separate line, and blank lines.
    case lines
    /// Any number of values, with or without white space between them.
    case concatenated
  }

  /// The treatment of duplicate keys in an object.
  public enum DuplicateKeys: Hashable, Sendable {
    case refused
    /// ``JSONEventReader/isDuplicateKey`` is set.
    case reported
  }

  public var mode: Mode
  public var duplicateKeys: DuplicateKeys
  /// The maximum nesting depth of containers.
  public var depth: Int
  /// The maximum source length of a string, key or number in bytes.
  public var length: Int

  public init(
    mode: Mode = .single, duplicateKeys: DuplicateKeys = .refused, depth: Int = 512,
    length: Int = 1_000_000_000
  ) {
    self.mode = mode
    self.duplicateKeys = duplicateKeys
    self.depth = depth
    self.length = length
  }
}

/// An error of a text that is not JSON, or that exceeds a limit.
public struct JSONFailure: Error, Hashable, Sendable {
  /// The kinds of errors.
  public enum Code: Hashable, Sendable {
    case malformed
    /// The text ends prematurely.
    case truncated
    /// The bytes are not UTF-8, or an escape is a lone surrogate.
    case invalidEncoding
    /// The nesting is deeper than ``JSONReadingOptions/depth``.
    case tooDeep
    /// A string, key or number is longer than ``JSONReadingOptions/length``.
    case tooLong
  }

  public let code: Code
  public let message: String
  /// The position in the whole text, including parts that were dropped. The column counts bytes.
  public let position: DataErrorPlace.Position
}

/// Formatting of JSON strings.
public enum JSONText {
  /// Appends a quoted string with quotes, backslashes and control characters escaped.
  public static func append(quoted text: Span<UInt8>, to buffer: inout [UInt8]) {
    buffer.append(0x22)
    var at = 0
    while at < text.count {
      var seen: UInt64 = 0
      let stop = JSONEventReader.plainEnd(text, at, &seen)
      buffer.append(text.extracting(at..<stop))
      guard stop < text.count else { break }
      append(escaped: text[stop], to: &buffer)
      at = stop + 1
    }
    buffer.append(0x22)
  }

  /// Returns a quoted string in the format of ``append(quoted:to:)``.
  public static func quoted(_ text: String) -> String {
    if text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x22 && $0 != 0x5C }) { return "\"\(text)\"" }
    let bytes = Array(text.utf8)
    var buffer: [UInt8] = []
    append(quoted: bytes.elementSpan, to: &buffer)
    return String(decoding: buffer, as: UTF8.self)
  }

  /// Returns a quoted string that contains neither line breaks nor terminal control characters: DEL, the Latin 1
  /// control characters and Unicode's line and paragraph separators are escaped, too.
  public static func quotedForLine(_ text: String) -> String {
    var line = ""
    for scalar in quoted(text).unicodeScalars {
      switch scalar.value {
      case 0x7F...0x9F, 0x2028, 0x2029:
        let digits = String(scalar.value, radix: 16)
        line += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: line.unicodeScalars.append(scalar)
      }
    }
    return line
  }

  private static func append(escaped byte: UInt8, to buffer: inout [UInt8]) {
    buffer.append(0x5C)
    switch byte {
    case 0x08: buffer.append(0x62)
    case 0x09: buffer.append(0x74)
    case 0x0A: buffer.append(0x6E)
    case 0x0C: buffer.append(0x66)
    case 0x0D: buffer.append(0x72)
    case 0x22, 0x5C: buffer.append(byte)
    default:
      buffer.append(contentsOf: byte < 0x10 ? "u000".utf8 : "u001".utf8)
      let digit = byte & 15
      buffer.append(digit < 10 ? 0x30 + digit : 0x61 - 10 + digit)
    }
  }
}
