public import Primitives

extension TextTable {
  /// A table without a rule, whose first columns are text and whose others are numbers.
  ///
  /// - Parameter leftCount: How many of the columns are text.
  public init(_ titles: [String], leftCount: Int = 1, indent: Int = 0) {
    self.init(
      titles.enumerated().map { index, title in
        index < leftCount ? .left(title, limit: nil) : .right(title)
      },
      indent: indent, rule: nil)
  }

  /// The lines, without an end of line after the last.
  public var text: String { lines.joined(separator: "\n") }
}
