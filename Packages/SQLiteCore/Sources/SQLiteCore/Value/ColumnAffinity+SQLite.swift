@_exported public import enum Primitives.ColumnAffinity

extension ColumnAffinity {
  /// Returns whether every value that a column of this affinity can contain is preserved by another
  /// affinity.
  func isPreserved(by other: ColumnAffinity) -> Bool {
    switch (self, other) {
    case (_, .blob): true
    case (.integer, .numeric), (.numeric, .integer): true
    case (.real, .integer), (.real, .numeric): true
    case let (a, b): a == b
    }
  }
}
