internal import Primitives

extension XMLEventReader {
  /// The characters of XML 1.0.
  @_spi(Formats) public enum Text {
    /// Returns whether XML can represent a text: it contains no control characters other than tab,
    /// line feed and carriage return, and neither U+FFFE nor U+FFFF. Other text needs another
    /// representation, such as Base64.
    public static func canHold(_ text: String) -> Bool {
      text.withUTF8Span { canHold($0) }
    }

    /// Returns whether XML can represent bytes as a text, for which they must also be valid UTF-8.
    public static func canHold(_ text: Span<UInt8>) -> Bool { firstFault(in: text) == nil }

    /// Returns the offset of the first byte that XML can't represent.
    static func firstFault(in text: Span<UInt8>) -> Int? {
      var at = XMLBytes.endOfPlain(text, from: 0)
      while at < text.count {
        let byte = text[at]
        if byte < 0x80 {
          guard byte >= 0x20 || XMLBytes.isSpace(byte) else { return at }
          at += 1
        } else {
          let length = XMLBytes.lengthOfCharacter(text, at: at)
          guard length > 0 else { return at }
          // U+FFFE and U+FFFF.
          if byte == 0xEF, text[at + 1] == 0xBF, text[at + 2] >= 0xBE { return at }
          at += length
          // Non-ASCII characters come in runs.
          if at < text.count, text[at] >= 0x80 { continue }
        }
        at = XMLBytes.endOfPlain(text, from: at)
      }
      return nil
    }

    /// Returns whether a text is a valid name of an element or attribute: an XML name with at most
    /// one colon, which is neither first nor last.
    public static func isName(_ text: String) -> Bool {
      let parts = text.unicodeScalars.split(separator: ":", omittingEmptySubsequences: false)
      return parts.count <= 2
        && parts.allSatisfy { part in
          guard let first = part.first, isNameStart(first) else { return false }
          return part.dropFirst().allSatisfy(isNamePart)
        }
    }

    private static func isNameStart(_ scalar: Unicode.Scalar) -> Bool {
      switch scalar.value {
      case 0x41...0x5A, 0x61...0x7A, 0x5F, 0xC0...0xD6, 0xD8...0xF6, 0xF8...0x2FF, 0x370...0x37D,
        0x37F...0x1FFF, 0x200C...0x200D, 0x2070...0x218F, 0x2C00...0x2FEF, 0x3001...0xD7FF,
        0xF900...0xFDCF, 0xFDF0...0xFFFD, 0x10000...0xEFFFF:
        true
      default: false
      }
    }

    private static func isNamePart(_ scalar: Unicode.Scalar) -> Bool {
      switch scalar.value {
      case 0x2D, 0x2E, 0x30...0x39, 0xB7, 0x300...0x36F, 0x203F...0x2040: true
      default: isNameStart(scalar)
      }
    }
  }
}

extension XMLEventReader.Text {
  enum Context {
    case text, attribute
  }

  /// - Throws: ``ProviderError`` if XML can't represent the text.
  static func check(_ text: Span<UInt8>) throws(ProviderError) {
    guard let offset = firstFault(in: text) else { return }
    throw ProviderError(
      .unrepresentable,
      text[offset] < 0x20
        ? "XML can't represent the control character at byte \(offset) of the text"
        : "the bytes at \(offset) of the text are not UTF-8, or are a character that XML can't represent"
    )
  }

  /// Appends a text that XML can represent.
  static func append(_ text: Span<UInt8>, escapingFor context: Context, to buffer: inout [UInt8]) {
    var start = 0
    var at = XMLBytes.endOfPlain(text, from: 0)
    while at < text.count {
      let byte = text[at]
      if let reference = byte.xmlReference(inAttribute: context == .attribute) {
        buffer.append(text.extracting(start..<at))
        buffer.append(utf8: reference)
        start = at + 1
      }
      at += 1
      // Non-ASCII characters come in runs.
      if at < text.count, text[at] >= 0x80 { continue }
      at = XMLBytes.endOfPlain(text, from: at)
    }
    buffer.append(text.extracting(start..<text.count))
  }
}

extension [UInt8] {
  mutating func append(utf8 text: String) { append(contentsOf: text.utf8) }
}

extension XMLEventWriter {
  /// A validated name, which can be written unchanged.
  @_spi(Formats) public struct Name: Hashable, Sendable {
    let bytes: [UInt8]
    /// The length of the prefix; 0 if there is none.
    let prefixLength: Int

    /// - Throws: ``ProviderError`` with ``ProviderError/Code/unrepresentable`` if the text is not a
    ///   valid name.
    public init(_ text: String) throws(ProviderError) {
      guard XMLEventReader.Text.isName(text) else {
        throw ProviderError(
          .unrepresentable, "the text is not a valid name of an element or attribute")
      }
      bytes = Array(text.utf8)
      prefixLength = bytes.firstIndex(of: 0x3A) ?? 0
      guard prefix != Array("xmlns".utf8), bytes != Array("xmlns".utf8) else {
        throw ProviderError(
          .unrepresentable, "the name xmlns is reserved for namespace declarations")
      }
    }

    var prefix: [UInt8] { Array(bytes[..<prefixLength]) }
  }
}
