@_exported public import enum Primitives.ColumnAffinity

extension ColumnAffinity {
  /// Whether every value that this affinity leaves is the same number, text or blob under another.
  func isKept(by other: ColumnAffinity) -> Bool {
    switch (self, other) {
    case (_, .blob): true
    case (.integer, .numeric), (.numeric, .integer): true
    case (.real, .integer), (.real, .numeric): true
    case let (a, b): a == b
    }
  }
}
