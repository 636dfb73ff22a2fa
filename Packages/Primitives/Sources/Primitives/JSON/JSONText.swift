/// Strings of JSON.
public enum JSONText {
  /// Appends a text in quotes, with quotes, backslashes and control characters escaped.
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

  /// A text in quotes, as ``append(quoted:to:)`` writes it.
  public static func quoted(_ text: String) -> String {
    if text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x22 && $0 != 0x5C }) { return "\"\(text)\"" }
    let bytes = Array(text.utf8)
    var buffer: [UInt8] = []
    append(quoted: bytes.elementSpan, to: &buffer)
    return String(decoding: buffer, as: UTF8.self)
  }

  /// A text in quotes that neither breaks a line nor moves a terminal's cursor: DEL, the control characters of Latin 1 and
  /// Unicode's separators of lines and paragraphs are escaped too.
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
