internal import Primitives

/// Decodes the bytes of a document to UTF-8, piece by piece.
///
/// The parser receives only UTF-8. Invalid bytes of other encodings are detected here, with their
/// positions.
struct XMLDecoder {
  /// The encoding; `nil` until enough of the document was read to determine it.
  private(set) var encoding: XMLEncoding?
  /// The length of the byte order mark.
  private(set) var markLength = 0
  /// Bytes that have not been decoded yet: of the document's beginning, or of an incomplete
  /// character.
  private var pending: [UInt8] = []

  /// The maximum number of bytes to search for an encoding declaration.
  private static let declarationLength = 1_024

  /// Decodes bytes and appends them to `text`. The last bytes can be kept for the next call.
  ///
  /// - Returns: The error in the bytes directly after the decoded text, without its position; `nil`
  ///   if all bytes are valid.
  /// - Throws: ``ProviderError`` if the encoding is not supported, or differs from the declared
  ///   one.
  mutating func decode(
    _ bytes: ArraySlice<UInt8>, isLast: Bool, into text: inout [UInt8]
  ) throws(ProviderError) -> ProviderError? {
    if encoding == nil {
      pending += bytes
      guard try begin(isLast: isLast) else { return nil }
      let content = pending.dropFirst(markLength)
      pending = []
      return append(content, isLast: isLast, to: &text)
    }
    return append(bytes, isLast: isLast, to: &text)
  }

  /// Determines the encoding; `false` if more bytes are needed.
  private mutating func begin(isLast: Bool) throws(ProviderError) -> Bool {
    guard isLast || pending.count >= 4 else { return false }
    let detected = try XMLEncoding.detect(pending)
    markLength = detected.markLength
    let head = pending.dropFirst(markLength).prefix(Self.declarationLength)
    var declaration = Array(head)
    if detected.encoding != .utf8 {
      // The declaration contains only ASCII characters.
      let isLittle = detected.encoding == .utf16LittleEndian
      declaration = stride(from: isLittle ? 0 : 1, to: head.count, by: 2).map {
        head[head.startIndex + $0]
      }
    }
    // The first `>` ends a possible declaration.
    guard isLast || head.count == Self.declarationLength || declaration.contains(0x3E) else {
      return false
    }
    let name = XMLEncoding.declaredName(declaration[...])
    encoding = try XMLEncoding.resolve(detected, declared: name)
    return true
  }

  private mutating func append(
    _ bytes: ArraySlice<UInt8>, isLast: Bool, to text: inout [UInt8]
  ) -> ProviderError? {
    switch encoding {
    case .utf16LittleEndian: appendUTF16(bytes, isBig: false, isLast: isLast, to: &text)
    case .utf16BigEndian: appendUTF16(bytes, isBig: true, isLast: isLast, to: &text)
    case .latin1: appendLatin1(bytes, isLast: isLast, to: &text)
    case .utf8, .ascii, nil: appendUTF8(bytes, isLast: isLast, to: &text)
    }
  }

  private mutating func appendUTF8(
    _ bytes: ArraySlice<UInt8>, isLast: Bool, to text: inout [UInt8]
  ) -> ProviderError? {
    let start = text.count
    text += pending
    text += bytes
    pending = []
    let (end, fault) = XMLBytes.checkUTF8(text.elementSpan, from: start)
    if encoding == .ascii, let at = text[start..<end].firstIndex(where: { $0 >= 0x80 }) {
      text.removeSubrange(at...)
      return ProviderError(
        .invalidEncoding, "the document declares ASCII but contains other bytes")
    }
    if fault == .incomplete, !isLast {
      pending = Array(text[end...])
    } else if fault == nil, !isLast, text.count > start, text.last == 0x0D {
      // The parser must receive both bytes of a line break together.
      pending = [0x0D]
      text.removeLast()
      return nil
    }
    text.removeSubrange(end...)
    switch fault {
    case .null: return Self.null
    case .invalid:
      return ProviderError(.invalidEncoding, "the bytes are not UTF-8")
    case .incomplete where isLast: return Self.incomplete
    case .incomplete, nil: return nil
    }
  }

  private static let null = ProviderError(
    .malformed, "a document can't contain the character U+0000")
  private static let incomplete = ProviderError(
    .truncated, "the document ends within a character")

  private mutating func appendLatin1(
    _ bytes: ArraySlice<UInt8>, isLast: Bool, to text: inout [UInt8]
  ) -> ProviderError? {
    var rest = pending[...]
    pending = []
    if rest.isEmpty { rest = bytes } else { rest += bytes }
    if !isLast, rest.last == 0x0D {
      pending = [0x0D]
      rest.removeLast()
    }
    for byte in rest {
      if byte == 0 { return Self.null }
      if byte < 0x80 {
        text.append(byte)
      } else {
        text.append(0xC0 | byte >> 6)
        text.append(0x80 | byte & 0x3F)
      }
    }
    return nil
  }

  private mutating func appendUTF16(
    _ bytes: ArraySlice<UInt8>, isBig: Bool, isLast: Bool, to text: inout [UInt8]
  ) -> ProviderError? {
    let all = pending + bytes
    pending = []
    var at = 0
    func unit(_ at: Int) -> UInt16 {
      isBig
        ? UInt16(all[at]) << 8 | UInt16(all[at + 1]) : UInt16(all[at + 1]) << 8 | UInt16(all[at])
    }
    while at + 1 < all.count {
      let first = unit(at)
      var scalar = UInt32(first)
      var length = 2
      if UTF16.isLeadSurrogate(first) {
        guard at + 3 < all.count else { break }
        let second = unit(at + 2)
        guard UTF16.isTrailSurrogate(second) else { return Self.surrogate }
        scalar = 0x10000 + (UInt32(first) & 0x3FF) << 10 + UInt32(second) & 0x3FF
        length = 4
      } else if first == 0x0D, !isLast, at + 3 >= all.count {
        break
      }
      if scalar == 0 { return Self.null }
      guard let scalar = Unicode.Scalar(scalar) else { return Self.surrogate }
      text.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
      at += length
    }
    pending = Array(all[at...])
    return isLast && !pending.isEmpty ? Self.incomplete : nil
  }

  private static let surrogate = ProviderError(
    .invalidEncoding, "the bytes are not UTF-16: unpaired surrogate")
}

/// The supported document encodings.
enum XMLEncoding: String {
  case utf8 = "UTF-8"
  case ascii = "US-ASCII"
  case latin1 = "ISO-8859-1"
  case utf16LittleEndian = "UTF-16LE"
  case utf16BigEndian = "UTF-16BE"

  /// The encoding family indicated by a document's first bytes, which is used if no encoding is
  /// declared, and the length of the byte order mark.
  typealias Detected = (encoding: XMLEncoding, markLength: Int)

  /// - Parameter bytes: The first four bytes, or the whole document.
  static func detect(_ bytes: [UInt8]) throws(ProviderError) -> Detected {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return (.utf8, 3) }
    let wide: [[UInt8]] = [
      [0, 0, 0xFE, 0xFF], [0xFF, 0xFE, 0, 0], [0, 0, 0, 0x3C], [0x3C, 0, 0, 0],
    ]
    if wide.contains(where: { bytes.starts(with: $0) }) {
      throw refused("UTF-32")
    }
    if bytes.starts(with: [0x4C, 0x6F, 0xA7, 0x94]) { throw refused("EBCDIC") }
    if bytes.starts(with: [0xFF, 0xFE]) { return (.utf16LittleEndian, 2) }
    if bytes.starts(with: [0xFE, 0xFF]) { return (.utf16BigEndian, 2) }
    if bytes.count > 1, bytes[0] == 0x3C, bytes[1] == 0 {
      return (.utf16LittleEndian, 0)
    }
    if bytes.count > 1, bytes[0] == 0, bytes[1] == 0x3C {
      return (.utf16BigEndian, 0)
    }
    return (.utf8, 0)
  }

  /// Returns the encoding of a document with a detected family and a declared name.
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
    case ("US-ASCII", .utf8), ("ASCII", .utf8): return detected.markLength == 0 ? .ascii : .utf8
    case ("ISO-8859-1", .utf8) where detected.markLength == 0,
      ("ISO_8859-1", .utf8) where detected.markLength == 0,
      ("LATIN1", .utf8) where detected.markLength == 0:
      return .latin1
    case ("UTF-8", _), ("UTF8", _), ("UTF-16", _), ("UTF-16LE", _), ("UTF-16BE", _),
      ("ISO-8859-1", _), ("ISO_8859-1", _), ("LATIN1", _), ("US-ASCII", _), ("ASCII", _):
      throw ProviderError(
        .invalidEncoding,
        "the document declares the encoding \(name), but begins as \(detected.encoding.rawValue)",
        position: ProviderError.Position(byteOffset: 0, line: 1, column: 1))
    default: throw refused("the declared encoding")
    }
  }

  private static func refused(_ encoding: String) -> ProviderError {
    ProviderError(
      .invalidEncoding,
      "\(encoding) is not supported: use UTF-8, UTF-16, ISO-8859-1 or US-ASCII",
      position: ProviderError.Position(byteOffset: 0, line: 1, column: 1))
  }

  /// Returns the encoding's name in the XML declaration at the beginning of the bytes; `nil` if
  /// there is none.
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
