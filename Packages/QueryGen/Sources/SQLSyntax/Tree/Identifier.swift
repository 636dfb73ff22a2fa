internal import Primitives

/// A name in SQL, such as a table, column, alias or function name.
public struct Identifier: Equatable, Sendable {
  /// The name without its quotes and with doubled quotes unescaped.
  public var text: String
  /// The form of quoting.
  public var quoting: Quoting
  /// The name's span, including its quotes.
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
    /// The name in backticks, as in MySQL.
    case backtick
    /// `[name]`
    case bracket
    /// `'name'`, which SQLite accepts wherever the grammar allows only a name.
    case single
  }

  /// The name with ASCII letters in lowercase. SQLite treats two names as equal exactly if their
  /// folded forms are equal.
  public var folded: String { text.asciiLowercased }

  /// Returns whether SQLite treats this name and `other` as equal.
  public func matches(_ other: String) -> Bool { folded == other.asciiLowercased }
}

/// A name with an optional schema: `t`, `main.t`.
public struct QualifiedName: Equatable, Sendable {
  /// The schema, if specified: `main`, `temp` or an attached database's name.
  public var schema: Identifier?
  /// The name itself.
  public var name: Identifier
  /// The node's span in the source text.
  @SourceSpan public var span: ByteSpan
}

/// A column's declared type or a cast's target, such as `VARCHAR(20)` or `DOUBLE PRECISION`.
public struct TypeName: Equatable, Sendable {
  /// The words of the name, in their original spelling.
  public var words: [Identifier]
  /// The numbers in parentheses, with their signs, in their original spelling; at most two.
  public var arguments: [String]
  /// The node's span in the source text. `source[span]` is the declared type as SQLite reports it.
  @SourceSpan public var span: ByteSpan

  /// The words joined by single spaces, without arguments.
  public var name: String { words.map(\.text).joined(separator: " ") }
}
