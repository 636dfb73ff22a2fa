internal import Primitives

/// Scans the constraints of a column or of a table, one at a time.
struct ConstraintScanner {
  enum Kind {
    case null, notNull, primaryKey, unique, check, references, foreignKey, `default`, collate
    case generated
    /// A `DEFERRABLE` clause that is separated from its foreign key by other constraints.
    case deferral
  }

  struct Found {
    let kind: Kind
    /// The name in the `CONSTRAINT` clause.
    let name: String?
    /// The constraint's tokens, without the `CONSTRAINT` clause.
    let range: Range<Int>

    /// The canonical form of the `CONSTRAINT` clause.
    var prefix: String { name.map { "constraint \(SQLName.canonical($0)) " } ?? "" }

    func isDeferrable(_ tokens: SQLTokens) -> Bool {
      guard let index = range.first(where: { tokens.is($0, "DEFERRABLE") }) else { return false }
      return !tokens.is(index - 1, "NOT")
    }

    func isDeferred(_ tokens: SQLTokens) -> Bool {
      isDeferrable(tokens) && range.contains { tokens.are($0, "INITIALLY", "DEFERRED") }
    }
  }

  let tokens: SQLTokens
  private(set) var index: Int
  let end: Int

  init(tokens: SQLTokens, index: Int, end: Int) {
    (self.tokens, self.index, self.end) = (tokens, index, end)
  }

  /// Returns whether a token begins a constraint, and so ends a column's type.
  static func begins(_ tokens: SQLTokens, _ index: Int) -> Bool {
    tokens.is(index, "CONSTRAINT") || kind(tokens, index) != nil
  }

  private static func kind(_ tokens: SQLTokens, _ index: Int) -> Kind? {
    if tokens.is(index, "NULL") { return .null }
    if tokens.are(index, "NOT", "NULL") { return .notNull }
    if tokens.is(index, "PRIMARY") { return .primaryKey }
    if tokens.is(index, "UNIQUE") { return .unique }
    if tokens.is(index, "CHECK") { return .check }
    if tokens.is(index, "REFERENCES") { return .references }
    if tokens.is(index, "FOREIGN") { return .foreignKey }
    if tokens.is(index, "DEFAULT") { return .default }
    if tokens.is(index, "COLLATE") { return .collate }
    if tokens.is(index, "GENERATED") || tokens.is(index, "AS") { return .generated }
    if tokens.is(index, "DEFERRABLE") || tokens.are(index, "NOT", "DEFERRABLE") { return .deferral }
    return nil
  }

  mutating func next() -> Found? {
    var name: String?
    while index < end {
      if tokens.is(index, "CONSTRAINT") {
        name = tokens.name(index + 1)
        index += 2
        continue
      }
      guard let kind = Self.kind(tokens, index) else {
        index += 1
        continue
      }
      let start = index
      skip(kind)
      index = min(index, end)
      return Found(kind: kind, name: name, range: start..<index)
    }
    return nil
  }

  private mutating func skip(_ kind: Kind) {
    switch kind {
    case .null: index += 1
    case .notNull: index += 2
    case .primaryKey:
      index += 2
      skipParentheses()
      if tokens.is(index, "ASC") || tokens.is(index, "DESC") { index += 1 }
      skipConflictClause()
      if tokens.is(index, "AUTOINCREMENT") { index += 1 }
    case .unique, .check:
      index += 1
      skipParentheses()
    case .foreignKey:
      index += 2
      skipParentheses()
      skipReference()
    case .references: skipReference()
    case .default:
      index += 1
      if tokens.is(index, "(") {
        skipParentheses()
      } else {
        if tokens.is(index, "+") || tokens.is(index, "-") { index += 1 }
        index += 1
      }
    case .collate: index += 2
    case .generated:
      if tokens.is(index, "GENERATED") { index += 2 }
      index += 1
      skipParentheses()
      if tokens.is(index, "STORED") || tokens.is(index, "VIRTUAL") { index += 1 }
    case .deferral: skipDeferral()
    }
    skipConflictClause()
  }

  private mutating func skipParentheses() {
    if tokens.is(index, "(") { index = tokens.endOfParentheses(from: index) }
  }

  private mutating func skipConflictClause() {
    if tokens.are(index, "ON", "CONFLICT") { index += 3 }
  }

  /// Skips `REFERENCES` and its clauses.
  private mutating func skipReference() {
    index += 2
    skipParentheses()
    while index < end {
      if tokens.is(index, "ON") {
        let isLong = tokens.is(index + 2, "SET") || tokens.is(index + 2, "NO")
        index += isLong ? 4 : 3
      } else if tokens.is(index, "MATCH") {
        index += 2
      } else if tokens.is(index, "DEFERRABLE") || tokens.are(index, "NOT", "DEFERRABLE") {
        skipDeferral()
      } else {
        return
      }
    }
  }

  private mutating func skipDeferral() {
    index += tokens.is(index, "NOT") ? 2 : 1
    if tokens.is(index, "INITIALLY") { index += 2 }
  }
}

extension ConstraintScanner.Kind {
  /// The kind of constraint in a ``TableSchema``, or `nil` for a property of the column itself.
  var schemaKind: TableSchema.Constraint.Kind? {
    switch self {
    case .primaryKey: .primaryKey
    case .unique: .unique
    case .check: .check
    case .references, .foreignKey: .foreignKey
    case .null, .notNull, .default, .collate, .generated, .deferral: nil
    }
  }
}
