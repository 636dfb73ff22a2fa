/// Names in SQL text, and when two of them are one.
///
/// SQLite compares names byte by byte, letters of ASCII in either case. Swift's `==` holds texts equal that are two
/// names to SQLite: an `é` of one character and one of two.
public enum SQLName {
  /// The name in double quotes, so that SQLite reads it as this name and as nothing else.
  public static func quoted(_ name: String) -> String {
    name.quoted(with: UInt8(ascii: "\""))
  }

  /// Whether two names are one to SQLite.
  ///
  /// ```swift
  /// SQLName.isSame("Player", "PLAYER")  // true
  /// SQLName.isSame("é", "É")  // false
  /// ```
  ///
  /// - Complexity: O(*n*) in the length of a name.
  @inlinable public static func isSame(_ a: String, _ b: String) -> Bool {
    let (a, b) = (a.utf8, b.utf8)
    guard a.count == b.count else { return false }
    var i = a.startIndex
    for byte in b {
      if a[i] != byte, folded(a[i]) != folded(byte) { return false }
      i = a.index(after: i)
    }
    return true
  }

  /// Adds what is the same of all names that are one to SQLite.
  ///
  /// - Complexity: O(*n*) in the length of the name.
  @inlinable public static func hash(_ name: String, into hasher: inout Hasher) {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in name.utf8 { hash = (hash ^ UInt64(folded(byte))) &* 0x100_0000_01b3 }
    hasher.combine(hash)
  }

  /// The name with the letters of ASCII small: names that are one to SQLite have the same bytes then.
  ///
  /// - Complexity: O(*n*) in the length of the name.
  @inlinable public static func folded(_ name: String) -> String {
    String(decoding: name.utf8.map { folded($0) }, as: UTF8.self)
  }

  @inlinable static func folded(_ byte: UInt8) -> UInt8 {
    byte >= 65 && byte <= 90 ? byte | 32 : byte
  }
}
