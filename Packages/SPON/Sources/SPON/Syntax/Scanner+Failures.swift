extension Scanner {
  /// The key of the pair in which a failure happened; `nil` where it can't be told.
  ///
  /// - Parameter start: Where the scanner was before it read the pair.
  func key(of failure: ScanFailure, from start: Int, in bytes: Span<UInt8>) -> String? {
    // What should separate two pairs is in neither of them.
    guard place != .afterPair || failure.code != .unexpectedText else { return nil }
    let start = Self.afterWhiteSpace(in: bytes, from: start)
    var end = start
    while end < bytes.count, !Self.endsKey(bytes[end]) { end += 1 }
    guard end - start < 200, failure.code != .invalidUTF8 || end <= failure.offset else {
      return nil
    }
    let equals = Self.afterWhiteSpace(in: bytes, from: end)
    guard equals < bytes.count, bytes[equals] == Byte.equals else { return nil }
    let value = Self.afterWhiteSpace(in: bytes, from: equals + 1)
    let isQuoted =
      value == bytes.count || bytes[value] == Byte.backtick
      || bytes[value] != Byte.at && !rules.readsUnquotedTexts
    if isQuoted, end > start, bytes[end - 1].isSymbol {
      end -= 1  // which is its designator
    }
    let key = Escapes.unescaped(bytes, start..<end, level: level == 2 ? 2 : 0)
    return String(decoding: key, as: UTF8.self)
  }
}
