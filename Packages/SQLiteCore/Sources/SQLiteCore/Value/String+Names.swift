extension String {
  /// Whether two names are one to SQLite, which ignores the case of ASCII letters only.
  func isEqualIgnoringASCIICase(_ other: String) -> Bool {
    utf8.count == other.utf8.count
      && zip(utf8, other.utf8).allSatisfy { $0 == $1 || $0.asciiLowercased == $1.asciiLowercased }
  }
}

extension UInt8 {
  var asciiLowercased: UInt8 { self >= 65 && self <= 90 ? self + 32 : self }
}
