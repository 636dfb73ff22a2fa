public import Primitives

extension TextTable {
  /// Creates a table without a rule, whose first columns contain text and whose others contain
  /// numbers.
  ///
  /// - Parameter leftCount: The number of text columns.
  public init(_ titles: [String], leftCount: Int = 1, indent: Int = 0) {
    self.init(
      titles.enumerated().map { index, title in
        index < leftCount ? .left(title, limit: nil) : .right(title)
      },
      indent: indent, rule: nil)
  }

  /// The lines, without a newline at the end.
  public var text: String { lines.joined(separator: "\n") }
}
