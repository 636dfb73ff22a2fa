public import Primitives

/// Quoting and comparison of SQL names.
///
/// SQLite compares names by their bytes, and ignores the case of ASCII letters. Swift's `==` treats
/// names as equal that are different in SQLite, such as a precomposed and a decomposed `é`.
public enum SQLName {
  /// Returns the name in double quotes, with quotes inside it doubled.
  public static func quoted(_ name: String) -> String {
    name.quoted(with: UInt8(ascii: "\""))
  }

  /// Returns whether two names are equal in SQLite.
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
      if a[i] != byte, a[i].asciiLowercased != byte.asciiLowercased { return false }
      i = a.index(after: i)
    }
    return true
  }

  /// Adds a name to a hash, so that names that are equal in SQLite have equal hashes.
  ///
  /// - Complexity: O(*n*) in the length of the name.
  @inlinable public static func hash(_ name: String, into hasher: inout Hasher) {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in name.utf8 { hash = (hash ^ UInt64(byte.asciiLowercased)) &* 0x100_0000_01b3 }
    hasher.combine(hash)
  }

  /// Returns the name with ASCII letters in lower case. Names that are equal in SQLite then have
  /// the same bytes.
  ///
  /// - Complexity: O(*n*) in the length of the name.
  @inlinable public static func folded(_ name: String) -> String {
    name.asciiLowercased
  }
}

extension String {
  /// Returns whether two names are equal in SQLite, which ignores the case of ASCII letters only.
  func isEqualIgnoringASCIICase(_ other: String) -> Bool { SQLName.isSame(self, other) }
}

extension String {
  /// The folder and the last component of an absolute path.
  var splitAtLastSlash: (folder: String, name: String) {
    guard let slash = utf8.lastIndex(of: UInt8(ascii: "/")) else { return (".", self) }
    let folder = self[..<slash]
    return (folder.isEmpty ? "/" : String(folder), String(self[index(after: slash)...]))
  }
}

extension String {
  /// Returns the text in quotes, with each quote inside it doubled.
  ///
  /// Compares bytes, as SQLite does: in Swift, a quote followed by a combining accent is a single
  /// character that does not equal a quote.
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
