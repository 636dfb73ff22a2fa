internal import SQLiteCore

/// Names as SQLite compares them.
extension String {
  func isSameName(as other: String) -> Bool { SQLName.isSame(self, other) }

  /// Whether the texts are the same byte by byte, case and all.
  func hasSameBytes(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }

  func hashName(into hasher: inout Hasher) { SQLName.hash(self, into: &hasher) }
}
