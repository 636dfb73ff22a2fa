internal import Primitives

extension XMLEventReader.Text {
  enum Place {
    case text, attribute
  }

  /// - Throws: ``ProviderError`` where a text can't be held.
  static func check(_ text: Span<UInt8>) throws(ProviderError) {
    guard let place = firstFault(in: text) else { return }
    throw ProviderError(
      .unrepresentable,
      text[place] < 0x20
        ? "XML can't hold the control character at byte \(place) of the text"
        : "the bytes at \(place) of the text are not UTF-8, or a character that XML can't hold")
  }

  /// Appends a text that can be held.
  static func append(_ text: Span<UInt8>, escapingFor place: Place, to buffer: inout [UInt8]) {
    var start = 0
    var at = XMLBytes.endOfPlain(text, from: 0)
    while at < text.count {
      let byte = text[at]
      if let escape = escape(byte, place) {
        buffer.append(text.extracting(start..<at))
        buffer.append(utf8: escape)
        start = at + 1
      }
      at += 1
      // What is not ASCII comes in runs.
      if at < text.count, text[at] >= 0x80 { continue }
      at = XMLBytes.endOfPlain(text, from: at)
    }
    buffer.append(text.extracting(start..<text.count))
  }

  /// How a byte is written that a reader would take for something else; `nil` where it would not.
  private static func escape(_ byte: UInt8, _ place: Place) -> String? {
    switch byte {
    case 0x26: "&amp;"
    case 0x3C: "&lt;"
    // A text can't have `]]>` in it.
    case 0x3E: "&gt;"
    // Readers make line feeds of carriage returns, and in attributes spaces of both and of tabs.
    case 0x0D: "&#13;"
    case 0x22 where place == .attribute: "&quot;"
    case 0x09 where place == .attribute: "&#9;"
    case 0x0A where place == .attribute: "&#10;"
    default: nil
    }
  }
}

extension [UInt8] {
  mutating func append(utf8 text: String) { append(contentsOf: text.utf8) }
}
