extension String {
  /// The text between two quotes, with each quote inside it doubled.
  ///
  /// It goes by bytes, as SQLite does: to Swift, a quote and an accent after it are one character
  /// that is no quote.
  func quoted(with quote: UInt8) -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(utf8.count + 2)
    bytes.append(quote)
    for byte in utf8 {
      if byte == quote { bytes.append(quote) }
      bytes.append(byte)
    }
    bytes.append(quote)
    return String(decoding: bytes, as: UTF8.self)
  }
}
