/// An encoding in which documents are read.
enum XMLEncoding: String {
  case utf8 = "UTF-8"
  case ascii = "US-ASCII"
  case latin1 = "ISO-8859-1"
  case utf16LittleEndian = "UTF-16LE"
  case utf16BigEndian = "UTF-16BE"

  /// What the first bytes of a document say of its encoding.
  struct Detected {
    /// The family, if nothing is declared.
    let encoding: XMLEncoding
    /// How long the byte order mark is.
    let mark: Int
  }

  /// - Parameter bytes: The first four bytes, or the whole document.
  static func detect(_ bytes: [UInt8]) throws(ProviderError) -> Detected {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return Detected(encoding: .utf8, mark: 3) }
    let wide: [[UInt8]] = [
      [0, 0, 0xFE, 0xFF], [0xFF, 0xFE, 0, 0], [0, 0, 0, 0x3C], [0x3C, 0, 0, 0],
    ]
    if wide.contains(where: { bytes.starts(with: $0) }) {
      throw refused("UTF-32")
    }
    if bytes.starts(with: [0x4C, 0x6F, 0xA7, 0x94]) { throw refused("EBCDIC") }
    if bytes.starts(with: [0xFF, 0xFE]) { return Detected(encoding: .utf16LittleEndian, mark: 2) }
    if bytes.starts(with: [0xFE, 0xFF]) { return Detected(encoding: .utf16BigEndian, mark: 2) }
    if bytes.count > 1, bytes[0] == 0x3C, bytes[1] == 0 {
      return Detected(encoding: .utf16LittleEndian, mark: 0)
    }
    if bytes.count > 1, bytes[0] == 0, bytes[1] == 0x3C {
      return Detected(encoding: .utf16BigEndian, mark: 0)
    }
    return Detected(encoding: .utf8, mark: 0)
  }

  /// The encoding of a document that begins as `detected` and declares `name`.
  static func resolve(
    _ detected: Detected, declared name: String?
  ) throws(ProviderError) -> XMLEncoding {
    guard let name = name?.uppercased() else { return detected.encoding }
    switch (name, detected.encoding) {
    case ("UTF-8", .utf8), ("UTF8", .utf8): return .utf8
    case ("UTF-16", .utf16LittleEndian), ("UTF-16", .utf16BigEndian),
      ("ISO-10646-UCS-2", .utf16LittleEndian), ("ISO-10646-UCS-2", .utf16BigEndian),
      ("UTF-16LE", .utf16LittleEndian), ("UTF-16BE", .utf16BigEndian):
      return detected.encoding
    case ("US-ASCII", .utf8), ("ASCII", .utf8): return detected.mark == 0 ? .ascii : .utf8
    case ("ISO-8859-1", .utf8) where detected.mark == 0,
      ("ISO_8859-1", .utf8) where detected.mark == 0,
      ("LATIN1", .utf8) where detected.mark == 0:
      return .latin1
    case ("UTF-8", _), ("UTF8", _), ("UTF-16", _), ("UTF-16LE", _), ("UTF-16BE", _),
      ("ISO-8859-1", _), ("ISO_8859-1", _), ("LATIN1", _), ("US-ASCII", _), ("ASCII", _):
      throw ProviderError(
        .invalidEncoding,
        "the document declares that it is \(name), but begins as \(detected.encoding.rawValue)",
        position: ProviderError.Position(byteOffset: 0, line: 1, column: 1))
    default: throw refused("the encoding that the document declares")
    }
  }

  private static func refused(_ what: String) -> ProviderError {
    ProviderError(
      .invalidEncoding,
      "\(what) is not read: UTF-8, UTF-16, ISO-8859-1 and US-ASCII are",
      position: ProviderError.Position(byteOffset: 0, line: 1, column: 1))
  }

  /// The encoding's name in the declaration that bytes begin with; `nil` where there is none.
  static func declaredName(_ declaration: ArraySlice<UInt8>) -> String? {
    let text = String(decoding: declaration, as: UTF8.self)
    guard text.hasPrefix("<?xml"), let end = text.firstRange(of: "?>"),
      let key = text[..<end.lowerBound].firstRange(of: "encoding")
    else { return nil }
    let rest = text[key.upperBound..<end.lowerBound].drop { $0.isWhitespace }
    guard rest.first == "=" else { return nil }
    let value = rest.dropFirst().drop { $0.isWhitespace }
    guard let quote = value.first, quote == "\"" || quote == "'",
      let last = value.dropFirst().firstIndex(of: quote)
    else { return nil }
    return String(value.dropFirst()[..<last])
  }
}
