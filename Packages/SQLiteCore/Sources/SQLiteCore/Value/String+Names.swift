extension String {
  /// Whether two names are one to SQLite, which ignores the case of ASCII letters only.
  func isEqualIgnoringASCIICase(_ other: String) -> Bool { SQLName.isSame(self, other) }

  /// The text with the letters of ASCII small: as SQLite compares names.
  var asciiLowercased: String { SQLName.folded(self) }
}

extension UInt8 {
  var asciiLowercased: UInt8 { SQLName.folded(self) }
}
