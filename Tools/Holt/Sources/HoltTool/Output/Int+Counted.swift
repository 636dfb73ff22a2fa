extension Int {
  /// Returns the number followed by the noun, with a plural `s` if needed: `1 row`, `2 rows`.
  func counted(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }
}
