extension XMLEventReader {
  /// What a document of XML 1.0 can hold.
  @_spi(Formats) public enum Text {
    /// Whether a text can be written: it has no control characters but tab, line feed and carriage return,
    /// and neither U+FFFE nor U+FFFF. What can't be, is to be written in another form, as Base64.
    public static func canHold(_ text: String) -> Bool {
      text.withUTF8Span { canHold($0) }
    }

    /// Whether bytes can be written as a text: they are UTF-8 as well.
    public static func canHold(_ text: Span<UInt8>) -> Bool { firstFault(in: text) == nil }

    /// Where the first byte is that can't be written.
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
          // What is not ASCII comes in runs.
          if at < text.count, text[at] >= 0x80 { continue }
        }
        at = XMLBytes.endOfPlain(text, from: at)
      }
      return nil
    }

    /// Whether a text can be the name of an element or of an attribute: a name of XML with at most one colon,
    /// inside.
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
