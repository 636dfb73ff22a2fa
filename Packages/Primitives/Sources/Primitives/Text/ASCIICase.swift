extension UInt8 {
  /// The byte, with an ASCII letter in lower case.
  @inlinable @inline(__always)
  public var asciiLowercased: UInt8 { self &- 0x41 < 26 ? self | 0x20 : self }
}

extension StringProtocol {
  /// The text with only ASCII letters converted to lower case, as SQLite compares names.
  ///
  /// ```swift
  /// "PLAYER É".asciiLowercased  // "player É"
  /// ```
  ///
  /// - Complexity: O(*n*) in the length of the text.
  @inlinable public var asciiLowercased: String {
    guard utf8.contains(where: { $0 &- 0x41 < 26 }) else { return String(self) }
    return String(decoding: utf8.map(\.asciiLowercased), as: UTF8.self)
  }
}
