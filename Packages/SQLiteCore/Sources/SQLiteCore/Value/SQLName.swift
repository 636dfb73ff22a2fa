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

extension String {
  /// Whether two names are one to SQLite, which ignores the case of ASCII letters only.
  func isEqualIgnoringASCIICase(_ other: String) -> Bool { SQLName.isSame(self, other) }

  /// The text with the letters of ASCII small: as SQLite compares names.
  var asciiLowercased: String { SQLName.folded(self) }
}

extension UInt8 {
  var asciiLowercased: UInt8 { SQLName.folded(self) }
}

extension String {
  /// An absolute path's folder, and the name in it.
  var splitAtLastSlash: (folder: String, name: String) {
    guard let slash = utf8.lastIndex(of: UInt8(ascii: "/")) else { return (".", self) }
    let folder = self[..<slash]
    return (folder.isEmpty ? "/" : String(folder), String(self[index(after: slash)...]))
  }
}

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
