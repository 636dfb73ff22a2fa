// Texts in UTF-8 to bytes of another encoding.
extension CSVProvider.TextEncoding {
  /// The byte order mark; `nil` where there is none.
  var mark: [UInt8]? {
    switch self {
    case .utf8: [0xEF, 0xBB, 0xBF]
    case .utf16LittleEndian: [0xFF, 0xFE]
    case .utf16BigEndian: [0xFE, 0xFF]
    case .latin1, .windows1252: nil
    }
  }

  /// Whether there are characters that it lacks.
  var isLimited: Bool { self == .latin1 || self == .windows1252 }

  /// Whether it has all characters of a text in UTF-8.
  func holds(_ text: Span<UInt8>) -> Bool {
    var isHeld = true
    Self.forEachScalar(of: text) { scalar in
      if byte(of: scalar) == nil { isHeld = false }
    }
    return isHeld || !isLimited
  }

  /// A text in UTF-8, without a byte order mark.
  ///
  /// - Throws: ``ProviderError`` with ``ProviderError/Code/unrepresentable`` for characters that this encoding lacks.
  func encoded(_ text: Span<UInt8>) throws(ProviderError) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(isLimited ? text.count : 2 * text.count)
    var isHeld = true
    Self.forEachScalar(of: text) { scalar in
      switch self {
      case .utf8: bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
      case .utf16LittleEndian, .utf16BigEndian:
        for unit in UTF16.encode(scalar) ?? UTF16.encodedReplacementCharacter {
          let (low, high) = (UInt8(truncatingIfNeeded: unit), UInt8(truncatingIfNeeded: unit >> 8))
          bytes.append(self == .utf16LittleEndian ? low : high)
          bytes.append(self == .utf16LittleEndian ? high : low)
        }
      case .latin1, .windows1252:
        if let byte = byte(of: scalar) { bytes.append(byte) } else { isHeld = false }
      }
    }
    guard isHeld else {
      throw ProviderError(
        .unrepresentable, "the text has characters that are not of \(rawValue)")
    }
    return bytes
  }

  /// The byte of a character, where each is one byte.
  private func byte(of scalar: Unicode.Scalar) -> UInt8? {
    let code = scalar.value
    if code < 0x80 || self == .latin1 && code < 0x100 { return UInt8(truncatingIfNeeded: code) }
    if 0xA0..<0x100 ~= code { return UInt8(truncatingIfNeeded: code) }
    return Self.windows.firstIndex(of: code).map { UInt8($0 + 0x80) }
  }

  private static func forEachScalar(of text: Span<UInt8>, _ body: (Unicode.Scalar) -> Void) {
    var at = 0
    while at < text.count {
      let first = text[at]
      var code = UInt32(first)
      var length = 1
      if first >= 0xF0 {
        (code, length) = (code & 0x07, 4)
      } else if first >= 0xE0 {
        (code, length) = (code & 0x0F, 3)
      } else if first >= 0xC0 {
        (code, length) = (code & 0x1F, 2)
      }
      for index in at + 1..<Swift.max(at + 1, Swift.min(at + length, text.count)) {
        code = code << 6 | UInt32(text[index] & 0x3F)
      }
      body(Unicode.Scalar(code) ?? "\u{FFFD}")
      at += length
    }
  }
}
