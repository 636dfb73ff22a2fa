internal import Primitives

/// A `CREATE` statement, parsed up to the object's name.
struct CreateStatement {
  enum Kind: String { case table = "TABLE", index = "INDEX", view = "VIEW", trigger = "TRIGGER" }

  let tokens: SQLTokens
  let kind: Kind
  let isUnique: Bool
  let isVirtual: Bool
  let isTemporary: Bool
  let name: String
  /// The first token after the name.
  let start: Int

  /// Parses a statement, or returns `nil` if it is not a `CREATE` statement.
  init?(_ sql: String) {
    tokens = SQLTokens(sql)
    guard tokens.is(0, "CREATE") else { return nil }
    var index = 1
    func take(_ word: String, _ tokens: SQLTokens) -> Bool {
      guard tokens.is(index, word) else { return false }
      index += 1
      return true
    }
    isTemporary = take("TEMP", tokens) || take("TEMPORARY", tokens)
    isUnique = take("UNIQUE", tokens)
    isVirtual = take("VIRTUAL", tokens)
    guard let kind = Kind(rawValue: tokens.text(index).uppercased()) else { return nil }
    self.kind = kind
    index += 1
    if tokens.are(index, "IF", "NOT", "EXISTS") { index += 3 }
    if tokens.is(index + 1, ".") { index += 2 }
    guard index < tokens.count else { return nil }
    name = tokens.name(index)
    start = index + 1
  }

  /// Returns the statement with another object name or schema.
  func sql(name: String? = nil, in schema: String? = nil, temporary: Bool = false) -> String {
    var words = ["CREATE"]
    if temporary { words.append("TEMP") }
    if isUnique { words.append("UNIQUE") }
    if isVirtual { words.append("VIRTUAL") }
    words.append(kind.rawValue)
    let qualifier = schema.map { SQLName.quoted($0) + "." } ?? ""
    words.append(qualifier + (name.map(SQLName.quoted) ?? tokens.text(start - 1)))
    let rest = tokens.text(from: start)
    return words.joined(separator: " ") + (rest.hasPrefix("(") ? rest : " " + rest)
  }

  /// The canonical form, which is the same for all statements that create the same object.
  var canonical: String {
    let unique = isUnique ? "unique " : ""
    let virtual = isVirtual ? "virtual " : ""
    return "create \(unique)\(virtual)\(kind.rawValue.asciiLowercased) "
      + SQLName.quoted(name.asciiLowercased) + " "
      + tokens.canonical(start..<end, isName: !isVirtual)
  }

  /// The end of the tokens, without trailing semicolons.
  var end: Int {
    var end = tokens.count
    while end > start, tokens.is(end - 1, ";") { end -= 1 }
    return end
  }
}

/// A parsed `CREATE INDEX` statement, for the expressions, which SQLite's PRAGMAs do not return.
struct IndexDefinition {
  let table: String
  /// The SQL of the key's columns or expressions, without `ASC` and `DESC`.
  private(set) var keys: [String] = []
  private(set) var whereSQL: String?
  let isUnique: Bool

  init?(_ sql: String) {
    guard let create = CreateStatement(sql), create.kind == .index,
      create.tokens.is(create.start, "ON"), create.tokens.is(create.start + 2, "(")
    else { return nil }
    let tokens = create.tokens
    isUnique = create.isUnique
    table = tokens.name(create.start + 1)
    let open = create.start + 2
    let close = tokens.endOfParentheses(from: open)
    keys = tokens.separated(open + 1..<max(open + 1, close - 1)).map { item in
      // A single such word is a column name.
      let last = item.dropFirst().last
      let isOrdered = last.map { tokens.is($0, "ASC") || tokens.is($0, "DESC") } ?? false
      return tokens.text(isOrdered ? item.dropLast() : item)
    }
    if tokens.is(close, "WHERE") { whereSQL = tokens.text(close + 1..<create.end) }
  }
}
