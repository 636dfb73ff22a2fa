/// A name as written in SQL: a table, a column, an alias, a function.
public struct Identifier: Equatable, Sendable {
  /// The name without its quotes, doubled quotes made single.
  public var text: String
  /// How it was quoted.
  public var quoting: Quoting
  /// Where it stands, quotes included.
  @SourceSpan public var span: ByteSpan

  /// Creates a name.
  public init(_ text: String, quoting: Quoting = .bare, span: ByteSpan) {
    self.text = text
    self.quoting = quoting
    self.span = span
  }

  /// The ways to write a name.
  public enum Quoting: Equatable, Sendable {
    /// `name`
    case bare
    /// `"name"`
    case double
    /// The name in backticks, as MySQL writes it.
    case backtick
    /// `[name]`
    case bracket
    /// `'name'`, which SQLite takes as a name where only a name can stand.
    case single
  }

  /// The name with ASCII letters in lower case: two names are the same to SQLite exactly when
  /// these are equal.
  public var folded: String { text.asciiLowercased }

  /// Whether SQLite takes this name and `other` for the same.
  public func matches(_ other: String) -> Bool { folded == other.asciiLowercased }
}

extension String {
  /// The string with `A`–`Z` in lower case and all else unchanged, as SQLite compares names.
  public var asciiLowercased: String {
    guard utf8.contains(where: { $0 &- 0x41 < 26 }) else { return self }
    return String(decoding: utf8.map { $0 &- 0x41 < 26 ? $0 | 0x20 : $0 }, as: UTF8.self)
  }
}
