/// What is to be found by full-text search: a query of FTS5 that text which a person typed can't break.
///
/// Every word of a text stands in quotes, so that none is an operator, a prefix or the name of a column: there
/// is no text that makes a syntax error. What a word is, and whether it has the same letters as another one,
/// is decided by the table's own tokenizer, for queries as for what was indexed.
///
/// ```swift
/// let query = FullTextQuery.prefix("don't pan").inColumns(["title"])
/// if let expression = query.expression {
///   let ids = try connection.values(
///     Int.self, "SELECT rowid FROM book_search WHERE book_search MATCH ? ORDER BY rank", expression)
/// }
/// ```
///
/// A text without a word finds nothing. Of a text with more than ``maximumWordCount`` words, the first ones count.
///
/// The syntax that is written: https://sqlite.org/fts5.html#full_text_query_syntax
public struct FullTextQuery: Hashable, Sendable {
  /// How many words of one text are looked for, so that a long one takes no time to speak of.
  public static let maximumWordCount = 1_000

  indirect enum Node: Hashable, Sendable {
    /// Words and phrases, each of which is there.
    case terms([Term])
    case near([Term], distance: Int)
    /// What each of them finds: they are beside one another, as the depth of a query is limited.
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
  /// Whether some part of the text of a ``web(_:)`` says only what must not be there, which finds nothing.
  public let excludesOnly: Bool

  init(_ node: Node, excludesOnly: Bool = false) {
    self.node = node
    self.excludesOnly = excludesOnly
  }

  /// The query as FTS5 reads it, to be bound at the right of `MATCH`; `nil` where nothing can be found.
  ///
  /// - Complexity: O(*n*) in the length of the texts.
  public var expression: String? {
    var writer = FullTextQueryWriter()
    return writer.write(node) ? writer.text : nil
  }
}

/// Text that a person typed.
extension FullTextQuery {
  /// Each of the words, wherever they stand.
  public static func words(_ text: String) -> Self {
    Self(.terms(FullTextReader.words(text).map { Term(text: $0.text) }))
  }

  /// One of the words, at least.
  public static func any(_ text: String) -> Self {
    Self(.any(FullTextReader.words(text).map { .terms([Term(text: $0.text)]) }))
  }

  /// The words one after another.
  public static func phrase(_ text: String) -> Self { Self(.terms([Term(text: text)])) }

  /// Words one after another, the last of which may go on: `"new yo"` finds `new york`.
  public static func phrasePrefix(_ text: String) -> Self {
    Self(.terms([Term(text: text, isPrefix: true)]))
  }

  /// What someone is typing: each of the words, the last of which may go on unless white space comes after it.
  ///
  /// A table whose index has prefixes of a word's length finds them without going over all words that begin so.
  public static func prefix(_ text: String) -> Self {
    Self(
      .terms(FullTextReader.words(text).map { Term(text: $0.text, isPrefix: $0.isAtEnd) }))
  }

  /// As people write for a search on the web: words and `"phrases"`, each of which has to be there, `-` before
  /// what must not, and `or` between what may be there instead.
  ///
  /// What says only what must not be there finds nothing: see ``excludesOnly``. A `-` by itself changes
  /// nothing, and a quote that is not closed goes to the end.
  public static func web(_ text: String) -> Self {
    var parts: [Node] = []
    var excludesOnly = false
    for group in FullTextReader.groups(text) where !group.isEmpty {
      if group.wanted.isEmpty {
        excludesOnly = true
        continue
      }
      let wanted = Node.terms(group.wanted.map { Term(text: $0) })
      let unwanted = group.unwanted.map { Node.terms([Term(text: $0)]) }
      parts.append(unwanted.isEmpty ? wanted : .without(wanted, .any(unwanted)))
    }
    return Self(parts.count == 1 ? parts[0] : .any(parts), excludesOnly: excludesOnly)
  }

  /// The words, with so few others between the first and the last of them.
  ///
  /// - Parameters:
  ///   - text: The words, as people type them.
  ///   - distance: How many other words may be there, at most.
  public static func near(_ text: String, distance: Int = 10) -> Self {
    Self(
      .near(FullTextReader.words(text).map { Term(text: $0.text) }, distance: max(0, distance)))
  }

  /// Phrases, with so few words between the end of the first and the beginning of the last.
  public static func near(_ phrases: [String], distance: Int = 10) -> Self {
    Self(.near(phrases.map { Term(text: $0) }, distance: max(0, distance)))
  }

  /// A query in FTS5's own syntax, as it stands.
  ///
  /// Where it is wrong, the statement that uses it fails, with ``SQLiteError/Code/error`` and FTS5's words.
  public static func raw(_ expression: String) -> Self { Self(.raw(expression)) }
}

/// Queries made of others.
extension FullTextQuery {
  /// What both find. A text without a word finds nothing, and so does a query with it.
  public func and(_ other: Self) -> Self {
    if case .all(let nodes) = node { return combined(.all(nodes + [other.node]), with: other) }
    return combined(.all([node, other.node]), with: other)
  }

  /// What one of both finds.
  public func or(_ other: Self) -> Self {
    if case .any(let nodes) = node { return combined(.any(nodes + [other.node]), with: other) }
    return combined(.any([node, other.node]), with: other)
  }

  /// What this query finds and the other does not.
  public func excluding(_ other: Self) -> Self {
    if case .without(let wanted, let unwanted) = node {
      return combined(.without(wanted, Self(unwanted).or(other).node), with: other)
    }
    return combined(.without(node, other.node), with: other)
  }

  /// What is found in one of some columns; columns that the table lacks are an error of the statement.
  ///
  /// - Parameter columns: Their names; none of them: nothing is found.
  public func inColumns(_ columns: [String]) -> Self {
    Self(.inColumns(node, columns, isExcluding: false), excludesOnly: excludesOnly)
  }

  /// What is found in the other columns than these.
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
  /// What FTS5 reads; empty where nothing can be found.
  public var description: String { expression ?? "" }
}

/// Writes a query in the syntax of FTS5.
///
/// An empty query is a syntax error there, so that a part that finds nothing is left out, or leaves out what it
/// is a part of.
struct FullTextQueryWriter {
  private(set) var text = ""

  /// Writes a query, and says whether anything can be found by it: if not, nothing is written.
  mutating func write(_ node: FullTextQuery.Node) -> Bool {
    switch node {
    case .terms(let terms): return write(list: terms)
    case .near(let terms, let distance):
      var inner = FullTextQueryWriter()
      guard inner.write(list: terms) else { return false }
      text += "NEAR(\(inner.text), \(distance))"
    case .all(let nodes):
      let parts = nodes.compactMap(Self.part)
      guard !parts.isEmpty, parts.count == nodes.count else { return false }
      text += parts.joined(separator: " AND ")
    case .any(let nodes):
      let parts = nodes.compactMap(Self.part)
      guard !parts.isEmpty else { return false }
      text += parts.joined(separator: " OR ")
    case .without(let wanted, let unwanted):
      guard let wanted = Self.part(wanted) else { return false }
      text += wanted
      if let unwanted = Self.part(unwanted) { text += " NOT \(unwanted)" }
    case .inColumns(let inner, let columns, let isExcluding):
      var part = FullTextQueryWriter()
      guard !columns.isEmpty, part.write(inner) else { return false }
      let names = columns.map(Self.quoted).joined(separator: " ")
      text += "\(isExcluding ? "- " : ""){\(names)} : (\(part.text))"
    case .raw(let raw): text += raw
    }
    return true
  }

  /// A query as a part of another one; `nil` where it finds nothing.
  private static func part(_ node: FullTextQuery.Node) -> String? {
    if case .any(let nodes) = node, nodes.count == 1 { return part(nodes[0]) }
    var writer = FullTextQueryWriter()
    guard writer.write(node) else { return nil }
    if case .terms(let terms) = node, terms.count == 1 { return writer.text }
    return "(\(writer.text))"
  }

  /// Terms side by side, each of which has to be there. One without a word in it asks for nothing.
  private mutating func write(list terms: [FullTextQuery.Term]) -> Bool {
    var isFirst = true
    for term in terms where !term.text.isEmpty {
      if !isFirst { text += " " }
      isFirst = false
      text += Self.quoted(term.text)
      if term.isPrefix { text += "*" }
    }
    return !isFirst
  }

  /// The text as one string of FTS5's.
  static func quoted(_ text: String) -> String {
    var bytes: [UInt8] = [UInt8(ascii: "\"")]
    bytes.reserveCapacity(text.utf8.count + 2)
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""):
        bytes.append(byte)
        bytes.append(byte)
      // The query would end there.
      case 0: bytes.append(UInt8(ascii: " "))
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
    return String(decoding: bytes, as: UTF8.self)
  }
}
