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

/// A name that may say which schema it is in: `t`, `main.t`.
public struct QualifiedName: Equatable, Sendable {
  /// The schema, where one is written: `main`, `temp` or an attached database's name.
  public var schema: Identifier?
  /// The name itself.
  public var name: Identifier
  /// Where it stands.
  @SourceSpan public var span: ByteSpan
}

/// A column's declared type or a cast's target, such as `VARCHAR(20)` or `DOUBLE PRECISION`.
public struct TypeName: Equatable, Sendable {
  /// The words of the name, as written.
  public var words: [Identifier]
  /// The numbers in parentheses, with their signs, as written; at most two.
  public var arguments: [String]
  /// Where it stands. `source[span]` is the declared type as SQLite reports it.
  @SourceSpan public var span: ByteSpan

  /// The words joined by single spaces, without arguments.
  public var name: String { words.map(\.text).joined(separator: " ") }
}
