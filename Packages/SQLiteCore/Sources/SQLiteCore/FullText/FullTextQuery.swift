/// A full-text query for FTS5, in which user input can't cause a syntax error.
///
/// Every word of a text is quoted, so that it is not an operator, a prefix or a column name: no text causes a syntax
/// error. The table's tokenizer determines the tokens of the query, as it does for the indexed text.
///
/// ```swift
/// let query = FullTextQuery.prefix("don't pan").inColumns(["title"])
/// if let expression = query.expression {
///   let ids = try connection.values(
///     Int.self, "SELECT rowid FROM book_search WHERE book_search MATCH ? ORDER BY rank", expression)
/// }
/// ```
///
/// A text without a word matches no row. If a text has more than ``maximumWordCount`` words, only the first ones are
/// used.
///
/// For the syntax of the expression, see https://sqlite.org/fts5.html#full_text_query_syntax
public struct FullTextQuery: Hashable, Sendable {
  /// The maximum number of words of a text that are searched, which limits the time for a long text.
  public static let maximumWordCount = 1_000

  indirect enum Node: Hashable, Sendable {
    /// Words and phrases, all of which must match.
    case terms([Term])
    case near([Term], distance: Int)
    /// The conjunction of the nodes, as a list because the depth of a query is limited.
    case all([Node])
    case any([Node])
    case without(Node, Node)
    case inColumns(Node, [String], isExcluding: Bool)
    case raw(String)
  }

  struct Term: Hashable, Sendable {
    var text: String
    var isPrefix = false
  }

  let node: Node
  /// Indicates whether a part of a ``web(_:)`` text has only excluded words, which matches no row.
  public let excludesOnly: Bool

  init(_ node: Node, excludesOnly: Bool = false) {
    self.node = node
    self.excludesOnly = excludesOnly
  }

  /// The query in FTS5 syntax, to be bound as the right operand of `MATCH`, or `nil` if the query can't match.
  ///
  /// - Complexity: O(*n*) in the length of the texts.
  public var expression: String? { node.expression }
}

/// Queries from user input.
extension FullTextQuery {
  /// Creates a query that matches all words, in any order.
  public static func words(_ text: String) -> Self {
    Self(.terms(split(text).map { Term(text: $0.text) }))
  }

  /// Creates a query that matches at least one of the words.
  public static func any(_ text: String) -> Self {
    Self(.any(split(text).map { .terms([Term(text: $0.text)]) }))
  }

  /// Creates a query that matches the words as a phrase.
  public static func phrase(_ text: String) -> Self { Self(.terms([Term(text: text)])) }

  /// Creates a query that matches the words as a phrase, with the last word as a prefix: `"new yo"` finds `new york`.
  public static func phrasePrefix(_ text: String) -> Self {
    Self(.terms([Term(text: text, isPrefix: true)]))
  }

  /// Creates a query for text that is being typed. It matches all words, the last one as a prefix unless white space
  /// follows it.
  ///
  /// If the table has a prefix index for the word's length, the query does not scan all words with the prefix.
  public static func prefix(_ text: String) -> Self {
    Self(
      .terms(split(text).map { Term(text: $0.text, isPrefix: $0.isAtEnd) }))
  }

  /// Creates a query in the style of web searches: words and `"phrases"`, all of which must match, `-` before excluded
  /// ones, and `or` between alternatives.
  ///
  /// A part with only excluded words matches no row: see ``excludesOnly``. A single `-` is ignored, and an unclosed
  /// quote extends to the end.
  public static func web(_ text: String) -> Self {
    var parts: [Node] = []
    var excludesOnly = false
    for group in alternatives(in: text) {
      if group.required.isEmpty {
        if !group.excluded.isEmpty { excludesOnly = true }
        continue
      }
      let required = Node.terms(group.required.map { Term(text: $0) })
      let excluded = group.excluded.map { Node.terms([Term(text: $0)]) }
      parts.append(excluded.isEmpty ? required : .without(required, .any(excluded)))
    }
    return Self(parts.count == 1 ? parts[0] : .any(parts), excludesOnly: excludesOnly)
  }

  /// Creates a query that matches words near each other.
  ///
  /// - Parameters:
  ///   - text: The words, as typed by the user.
  ///   - distance: The maximum number of other words between the first and the last word.
  public static func near(_ text: String, distance: Int = 10) -> Self {
    Self(
      .near(split(text).map { Term(text: $0.text) }, distance: max(0, distance))
    )
  }

  /// Creates a query that matches phrases near each other, with at most `distance` words between the end of the first
  /// and the beginning of the last one.
  public static func near(_ phrases: [String], distance: Int = 10) -> Self {
    Self(.near(phrases.map { Term(text: $0) }, distance: max(0, distance)))
  }

  /// Creates a query from an expression in FTS5 syntax.
  ///
  /// If the expression is invalid, the statement that uses it fails with ``SQLiteError/Code/error`` and FTS5's message.
  public static func raw(_ expression: String) -> Self { Self(.raw(expression)) }
}

/// Combined queries.
extension FullTextQuery {
  /// Returns a query that matches if both queries match. If one of them has no word, it matches no row.
  public func and(_ other: Self) -> Self {
    if case .all(let nodes) = node { return combined(.all(nodes + [other.node]), with: other) }
    return combined(.all([node, other.node]), with: other)
  }

  /// Returns a query that matches if at least one of the queries matches.
  public func or(_ other: Self) -> Self {
    if case .any(let nodes) = node { return combined(.any(nodes + [other.node]), with: other) }
    return combined(.any([node, other.node]), with: other)
  }

  /// Returns a query that matches if this query matches and the other does not.
  public func excluding(_ other: Self) -> Self {
    if case .without(let required, let excluded) = node {
      return combined(.without(required, Self(excluded).or(other).node), with: other)
    }
    return combined(.without(node, other.node), with: other)
  }

  /// Returns the query restricted to columns. A column that the table does not have is an error of the statement.
  ///
  /// - Parameter columns: The column names. If empty, the query matches no row.
  public func inColumns(_ columns: [String]) -> Self {
    Self(.inColumns(node, columns, isExcluding: false), excludesOnly: excludesOnly)
  }

  /// Returns the query restricted to the columns other than these.
  public func outsideColumns(_ columns: [String]) -> Self {
    Self(
      columns.isEmpty ? node : .inColumns(node, columns, isExcluding: true),
      excludesOnly: excludesOnly)
  }

  private func combined(_ node: Node, with other: Self) -> Self {
    Self(node, excludesOnly: excludesOnly || other.excludesOnly)
  }
}

extension FullTextQuery: CustomStringConvertible {
  /// The query in FTS5 syntax, or an empty string if the query can't match.
  public var description: String { expression ?? "" }
}

/// Parsing of user input.
///
/// Only white space, double quotes, `-` and `or` are interpreted; the table's tokenizer processes the rest.
extension FullTextQuery {
  /// Returns the words, separated by white space, up to ``maximumWordCount``, and whether the text ends
  /// with each.
  private static func split(_ text: String) -> [(text: String, isAtEnd: Bool)] {
    let scalars = text.unicodeScalars
    return scalars.split(
      maxSplits: maximumWordCount, whereSeparator: \.properties.isWhitespace
    ).prefix(maximumWordCount).map {
      (String($0), $0.endIndex == scalars.endIndex)
    }
  }

  /// Parses a search in the style of web searches, and returns the terms of each alternative: those between two `or`
  /// operators.
  private static func alternatives(in text: String) -> [(required: [String], excluded: [String])] {
    var alternatives: [(required: [String], excluded: [String])] = [([], [])]
    for term in terms(text) {
      let last = alternatives.count - 1
      if !term.isPhrase, !term.isExcluded, term.text.lowercased() == "or" {
        let isEmpty = alternatives[last].required.isEmpty && alternatives[last].excluded.isEmpty
        if !isEmpty { alternatives.append(([], [])) }
      } else if term.isExcluded {
        alternatives[last].excluded.append(term.text)
      } else {
        alternatives[last].required.append(term.text)
      }
    }
    return alternatives
  }

  private static func terms(
    _ text: String
  ) -> [(text: String, isPhrase: Bool, isExcluded: Bool)] {
    var terms: [(text: String, isPhrase: Bool, isExcluded: Bool)] = []
    var rest = Substring(text).unicodeScalars
    while let first = rest.first, terms.count < maximumWordCount {
      if first.properties.isWhitespace {
        rest.removeFirst()
        continue
      }
      var term = (text: "", isPhrase: false, isExcluded: false)
      if first == "-", let next = rest.dropFirst().first, !next.properties.isWhitespace {
        term.isExcluded = true
        rest.removeFirst()
      }
      if rest.first == "\"" {
        term.isPhrase = true
        rest.removeFirst()
        let phrase = rest.prefix { $0 != "\"" }
        rest = rest[phrase.endIndex...].dropFirst()
        term.text = String(phrase)
      } else {
        let word = rest.prefix { !$0.properties.isWhitespace && $0 != "\"" }
        rest = rest[word.endIndex...]
        term.text = String(word)
      }
      if !term.text.isEmpty { terms.append(term) }
    }
    return terms
  }
}

extension FullTextQuery.Node {
  /// The query in FTS5 syntax, or `nil` if the query can't match.
  ///
  /// An empty query is a syntax error in FTS5. A part that can't match is therefore omitted, together with the parts
  /// that require it.
  fileprivate var expression: String? {
    switch self {
    case .terms(let terms): return Self.expression(of: terms)
    case .near(let terms, let distance):
      return Self.expression(of: terms).map { "NEAR(\($0), \(distance))" }
    case .all(let nodes):
      let parts = nodes.compactMap(\.part)
      return parts.isEmpty || parts.count < nodes.count ? nil : parts.joined(separator: " AND ")
    case .any(let nodes):
      let parts = nodes.compactMap(\.part)
      return parts.isEmpty ? nil : parts.joined(separator: " OR ")
    case .without(let required, let excluded):
      return required.part.map { $0 + (excluded.part.map { " NOT \($0)" } ?? "") }
    case .inColumns(let inner, let columns, let isExcluding):
      guard !columns.isEmpty, let expression = inner.expression else { return nil }
      let names = columns.map(Self.quoted).joined(separator: " ")
      return "\(isExcluding ? "- " : ""){\(names)} : (\(expression))"
    case .raw(let raw): return raw
    }
  }

  /// The query as a part of another one, or `nil` if it can't match.
  private var part: String? {
    if case .any(let nodes) = self, nodes.count == 1 { return nodes[0].part }
    guard let expression else { return nil }
    if case .terms(let terms) = self, terms.count == 1 { return expression }
    return "(\(expression))"
  }

  /// Returns terms that must all match, or `nil` if there is none. A term without a word is ignored.
  private static func expression(of terms: [FullTextQuery.Term]) -> String? {
    let words = terms.filter { !$0.text.isEmpty }
    if words.isEmpty { return nil }
    return words.map { quoted($0.text) + ($0.isPrefix ? "*" : "") }.joined(separator: " ")
  }

  /// Returns the text as an FTS5 string.
  private static func quoted(_ text: String) -> String {
    var bytes: [UInt8] = [UInt8(ascii: "\"")]
    bytes.reserveCapacity(text.utf8.count + 2)
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""):
        bytes.append(byte)
        bytes.append(byte)
      // FTS5 would end the query at a NUL character.
      case 0: bytes.append(UInt8(ascii: " "))
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
    return String(decoding: bytes, as: UTF8.self)
  }
}
