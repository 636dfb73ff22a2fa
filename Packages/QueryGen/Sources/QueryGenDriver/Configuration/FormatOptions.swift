/// How SQL is written by `querygen format`.
public struct FormatOptions: Hashable, Sendable {
  /// The letters of keywords.
  public enum KeywordCase: String, Hashable, Sendable, CaseIterable {
    case upper
    case lower
    /// As they are written.
    case keep
  }

  public var keywords: KeywordCase
  /// The column that lines keep to, where they can be broken.
  public var width: Int
  /// The spaces of one level.
  public var indentation: Int

  /// The widths that can be asked for.
  public static let widths = 40...1000
  /// The indentations that can be asked for.
  public static let indentations = 1...8

  public init(keywords: KeywordCase = .upper, width: Int = 100, indentation: Int = 2) {
    self.keywords = keywords
    self.width = width
    self.indentation = indentation
  }
}
