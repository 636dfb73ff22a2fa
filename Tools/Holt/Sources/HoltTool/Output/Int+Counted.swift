extension Int {
  /// The number with what is counted, whose plural has an `s`: `1 row`, `2 rows`.
  func counted(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }
}
