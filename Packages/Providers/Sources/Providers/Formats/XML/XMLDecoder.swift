internal import Primitives

/// The bytes of a document as UTF-8, piece by piece.
///
/// The parser is told of no other encoding: what is wrong with one is found here, with its place.
struct XMLDecoder {
  /// `nil` until enough of the document is there to tell.
  private(set) var encoding: XMLEncoding?
  /// The length of the byte order mark.
  private(set) var mark = 0
  /// Bytes that are not decoded yet: of the beginning, or of a character that is not complete.
  private var pending: [UInt8] = []

  /// The most bytes in which a declaration of the encoding is looked for.
  private static let declarationLength = 1_024

  /// What is wrong with the bytes, right behind what was decoded last.
  struct Fault {
    let code: ProviderError.Code
    let message: String
  }

  /// Decodes the next bytes, and appends them to `text`. The last of them may be kept for later.
  ///
  /// - Throws: ``ProviderError`` where the encoding is not known, or is another one than is declared.
  mutating func decode(
    _ bytes: ArraySlice<UInt8>, isLast: Bool, into text: inout [UInt8]
  ) throws(ProviderError) -> Fault? {
    if encoding == nil {
      pending += bytes
      guard try begin(isLast: isLast) else { return nil }
      let begun = pending.dropFirst(mark)
      pending = []
      return append(begun, isLast: isLast, to: &text)
    }
    return append(bytes, isLast: isLast, to: &text)
  }

  /// Finds the encoding out, if enough is there.
  private mutating func begin(isLast: Bool) throws(ProviderError) -> Bool {
    guard isLast || pending.count >= 4 else { return false }
    let detected = try XMLEncoding.detect(pending)
    mark = detected.mark
    let head = pending.dropFirst(mark).prefix(Self.declarationLength)
    var declaration = Array(head)
    if detected.encoding != .utf8 {
      // The declaration is of ASCII alone.
      let isLittle = detected.encoding == .utf16LittleEndian
      declaration = stride(from: isLittle ? 0 : 1, to: head.count, by: 2).map {
        head[head.startIndex + $0]
      }
    }
    // A tag's `>` ends what might be one.
    guard isLast || head.count == Self.declarationLength || declaration.contains(0x3E) else {
      return false
    }
    let name = XMLEncoding.declaredName(declaration[...])
    encoding = try XMLEncoding.resolve(detected, declared: name)
    return true
  }

  private mutating func append(
    _ bytes: ArraySlice<UInt8>, isLast: Bool, to text: inout [UInt8]
  ) -> Fault? {
    switch encoding {
    case .utf16LittleEndian: appendUTF16(bytes, isBig: false, isLast: isLast, to: &text)
    case .utf16BigEndian: appendUTF16(bytes, isBig: true, isLast: isLast, to: &text)
    case .latin1: appendLatin1(bytes, isLast: isLast, to: &text)
    case .utf8, .ascii, nil: appendUTF8(bytes, isLast: isLast, to: &text)
    }
  }

  private mutating func appendUTF8(
    _ bytes: ArraySlice<UInt8>, isLast: Bool, to text: inout [UInt8]
  ) -> Fault? {
    let start = text.count
    text += pending
    text += bytes
    pending = []
    let (end, fault) = XMLBytes.checkUTF8(text.elementSpan, from: start)
    if encoding == .ascii, let at = text[start..<end].firstIndex(where: { $0 >= 0x80 }) {
      text.removeSubrange(at...)
      return Fault(
        code: .invalidEncoding, message: "the document declares ASCII, and has other bytes")
    }
    if fault == .incomplete, !isLast {
      pending = Array(text[end...])
    } else if fault == nil, !isLast, text.count > start, text.last == 0x0D {
      // The parser sees both bytes of a line's end at once.
      pending = [0x0D]
      text.removeLast()
      return nil
    }
    text.removeSubrange(end...)
    switch fault {
    case .null: return Self.null
    case .invalid:
      return Fault(code: .invalidEncoding, message: "the bytes are not UTF-8")
    case .incomplete where isLast: return Self.incomplete
    case .incomplete, nil: return nil
    }
  }

  private static let null = Fault(
    code: .malformed, message: "the character U+0000 can't be in a document")
  private static let incomplete = Fault(
    code: .truncated, message: "the document ends in the midst of a character")

  private mutating func appendLatin1(
    _ bytes: ArraySlice<UInt8>, isLast: Bool, to text: inout [UInt8]
  ) -> Fault? {
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
  ) -> Fault? {
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

  private static let surrogate = Fault(
    code: .invalidEncoding, message: "the bytes are not UTF-16: half of a pair stands alone")
}
