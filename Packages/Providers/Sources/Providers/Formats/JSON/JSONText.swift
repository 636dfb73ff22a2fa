/// Texts in JSON, by bytes.
enum JSONText {
  /// Appends a text between quotes, with what can't stand between them escaped.
  static func append(quoted text: Span<UInt8>, to buffer: inout [UInt8]) {
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
