/// The options of `querygen format`.
public struct FormatOptions: Hashable, Sendable {
  /// The letter case of keywords.
  public enum KeywordCase: String, Hashable, Sendable, CaseIterable {
    case upper
    case lower
    /// Keeps the case of the source.
    case keep
  }

  public var keywords: KeywordCase
  /// The maximum length of a line, if it can be broken.
  public var width: Int
  /// The number of spaces per level.
  public var indentation: Int

  /// The valid widths.
  public static let widths = 40...1000
  /// The valid indentations.
  public static let indentations = 1...8

  public init(keywords: KeywordCase = .upper, width: Int = 100, indentation: Int = 2) {
    self.keywords = keywords
    self.width = width
    self.indentation = indentation
  }
}
