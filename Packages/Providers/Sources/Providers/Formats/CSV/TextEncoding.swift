internal import Primitives

extension CSVProvider {
  /// The encoding of a file's characters.
  public enum TextEncoding: String, Hashable, Sendable, CaseIterable {
    case utf8, utf16LittleEndian, utf16BigEndian
    /// ISO 8859-1.
    case latin1
    /// Windows-1252, which assigns letters to the codes of Latin-1's control characters.
    case windows1252

    /// Detects an encoding from the byte order mark; UTF-8 if there is none.
    ///
    /// Latin-1 and Windows-1252 are never detected, because any bytes are valid in them: they must
    /// be specified.
    ///
    /// - Throws: ``ProviderError`` with ``ProviderError/Code/invalidEncoding`` for UTF-32, and for
    ///   UTF-16 without a byte order mark, which is recognized by its zero bytes.
    @_spi(Formats) public static func detected(in bytes: Span<UInt8>) throws(ProviderError)
      -> TextEncoding
    {
      let count = bytes.count
      guard count >= 2 else { return .utf8 }
      if count >= 4 {
        let isUTF32 =
          bytes[0] == 0xFF && bytes[1] == 0xFE && bytes[2] == 0 && bytes[3] == 0
          || bytes[0] == 0 && bytes[1] == 0 && bytes[2] == 0xFE && bytes[3] == 0xFF
        if isUTF32 { throw refused("UTF-32 is not supported") }
      }
      if bytes[0] == 0xFF && bytes[1] == 0xFE { return .utf16LittleEndian }
      if bytes[0] == 0xFE && bytes[1] == 0xFF { return .utf16BigEndian }
      if (bytes[0] == 0) != (bytes[1] == 0) {
        throw refused("the text seems to be UTF-16 without a byte order mark: specify the encoding")
      }
      return .utf8
    }

    private static func refused(_ message: String) -> ProviderError {
      ProviderError(
        .invalidEncoding, message,
        position: ProviderError.Position(byteOffset: 0, line: 1, column: 1))
    }

    /// Converts text in this encoding to UTF-8, without its byte order mark.
    ///
    /// - Throws: ``ProviderError`` with ``ProviderError/Code/invalidEncoding`` and the position of
    ///   the first invalid byte.
    /// - Complexity: O(*n*); both versions are in memory. UTF-8 text need not be converted.
    @_spi(Formats) public func transcoded(_ bytes: Span<UInt8>) throws(ProviderError) -> [UInt8] {
      switch self {
      case .utf8:
        if let fault = bytes.firstInvalidUTF8(in: 0..<bytes.count) {
          throw Self.fault(at: fault, line: 1, in: bytes, "the text is not UTF-8")
        }
        let hasMark = bytes.count >= 3 && bytes[0] == 0xEF && bytes[1] == 0xBB && bytes[2] == 0xBF
        return bytes.array((hasMark ? 3 : 0)..<bytes.count)
      case .utf16LittleEndian, .utf16BigEndian: return try utf16(bytes)
      case .latin1, .windows1252: return try singleBytes(bytes)
      }
    }

    private func utf16(_ bytes: Span<UInt8>) throws(ProviderError) -> [UInt8] {
      var text: [UInt8] = []
      text.reserveCapacity(bytes.count)
      let low = self == .utf16LittleEndian ? 0 : 1
      var (at, line) = (0, 1)
      func unit(_ at: Int) -> UInt32 {
        UInt32(bytes[at + low]) | UInt32(bytes[at + 1 - low]) << 8
      }
      if bytes.count >= 2, unit(0) == 0xFEFF { at = 2 }
      while at < bytes.count {
        guard at + 1 < bytes.count else {
          throw Self.fault(at: at, line: line, in: bytes, "the text ends within a character")
        }
        var code = unit(at)
        var next = at + 2
        if 0xD800..<0xDC00 ~= code, next + 1 < bytes.count, 0xDC00..<0xE000 ~= unit(next) {
          code = 0x10000 + (code - 0xD800) << 10 + unit(next) - 0xDC00
          next += 2
        }
        guard let scalar = Unicode.Scalar(code) else {
          throw Self.fault(
            at: at, line: line, in: bytes, "unpaired surrogate")
        }
        if code == 0x0A { line += 1 }
        if code < 0x80 {
          text.append(UInt8(truncatingIfNeeded: code))
        } else {
          text.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
        }
        at = next
      }
      return text
    }

    private func singleBytes(_ bytes: Span<UInt8>) throws(ProviderError) -> [UInt8] {
      var text: [UInt8] = []
      text.reserveCapacity(bytes.count + bytes.count / 8)
      var line = 1
      for index in 0..<bytes.count {
        let byte = bytes[index]
        if byte == 0x0A { line += 1 }
        guard byte >= 0x80 else {
          text.append(byte)
          continue
        }
        var code = UInt32(byte)
        if self == .windows1252, byte < 0xA0 { code = Self.windows[Int(byte) - 0x80] }
        guard code != 0, let scalar = Unicode.Scalar(code) else {
          throw Self.fault(
            at: index, line: line, in: bytes, "the byte is undefined in Windows-1252")
        }
        text.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
      }
      return text
    }

    private static func fault(
      at offset: Int, line: Int, in bytes: Span<UInt8>, _ message: String
    ) -> ProviderError {
      var position = ProviderError.Position(byteOffset: offset, line: line)
      if line == 1 {
        position.line =
          TextOrigin(carriageReturnsBreak: false).position(of: offset, in: bytes).line ?? 1
      }
      return ProviderError(.invalidEncoding, message, position: position)
    }

    /// The code points of Windows-1252's bytes 0x80 to 0x9F; 0 for undefined bytes.
    static let windows: [UInt32] = [
      0x20AC, 0, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039,
      0x0152, 0, 0x017D, 0, 0, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC,
      0x2122,
      0x0161, 0x203A, 0x0153, 0, 0x017E, 0x0178,
    ]
  }
}

// Conversion from UTF-8.
extension CSVProvider.TextEncoding {
  /// The byte order mark; `nil` if the encoding has none.
  var byteOrderMark: [UInt8]? {
    switch self {
    case .utf8: [0xEF, 0xBB, 0xBF]
    case .utf16LittleEndian: [0xFF, 0xFE]
    case .utf16BigEndian: [0xFE, 0xFF]
    case .latin1, .windows1252: nil
    }
  }

  /// A Boolean value that indicates whether the encoding can't represent all characters.
  var isSingleByte: Bool { self == .latin1 || self == .windows1252 }

  /// Returns whether the encoding can represent all characters of UTF-8 text.
  func canEncode(_ text: Span<UInt8>) -> Bool {
    var isRepresentable = true
    Self.forEachScalar(of: text) { scalar in
      if byte(of: scalar) == nil { isRepresentable = false }
    }
    return isRepresentable || !isSingleByte
  }

  /// Converts UTF-8 text to this encoding, without a byte order mark.
  ///
  /// - Throws: ``ProviderError`` with ``ProviderError/Code/unrepresentable`` for characters that
  ///   the encoding can't represent.
  func encoded(_ text: Span<UInt8>) throws(ProviderError) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(isSingleByte ? text.count : 2 * text.count)
    var isRepresentable = true
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
        if let byte = byte(of: scalar) { bytes.append(byte) } else { isRepresentable = false }
      }
    }
    guard isRepresentable else {
      throw ProviderError(
        .unrepresentable, "the text has characters that \(rawValue) can't represent")
    }
    return bytes
  }

  /// Returns the byte of a character in a single-byte encoding.
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
