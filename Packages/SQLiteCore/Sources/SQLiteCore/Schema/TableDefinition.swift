internal import Primitives

/// A parsed `CREATE TABLE` statement, for information that SQLite's PRAGMAs do not return.
///
/// https://sqlite.org/lang_createtable.html
struct TableDefinition {
  struct Column {
    let name: String
    let type: String
    /// The SQL of the column definition.
    let sql: String
    var constraints: [TableSchema.Constraint] = []
    /// The canonical properties of the column itself: `NOT NULL`, its default, its collation, and
    /// its generating expression.
    var traits: Set<String> = []
    /// The column's constraints in the canonical form of table constraints.
    var canonicalConstraints: [String] = []
    /// The SQL of the default.
    var defaultSQL: String?
    var generatedSQL: String?
    var isStoredGenerated = false
  }

  private(set) var columns: [Column] = []
  /// The table constraints.
  private(set) var tableConstraints: [TableSchema.Constraint] = []
  private var tableCanonical: [String] = []
  /// The table options: `WITHOUT ROWID`, `STRICT`.
  private(set) var options: Set<String> = []

  /// The canonical forms of all constraints of the table and its columns, sorted.
  var canonicalConstraints: [String] {
    (tableCanonical + columns.flatMap(\.canonicalConstraints)).sorted()
  }

  /// All constraints, in the order of the statement.
  var constraints: [TableSchema.Constraint] { columns.flatMap(\.constraints) + tableConstraints }

  init?(_ sql: String) {
    guard let create = CreateStatement(sql), create.kind == .table, !create.isVirtual,
      create.tokens.is(create.start, "(")
    else { return nil }
    let tokens = create.tokens
    let close = tokens.endOfParentheses(from: create.start)
    for item in tokens.separated(create.start + 1..<max(create.start + 1, close - 1)) {
      if Self.beginsConstraint(tokens, item.lowerBound) {
        readTableConstraints(tokens, item)
      } else if !item.isEmpty {
        columns.append(Self.column(tokens, item))
      }
    }
    for option in tokens.separated(close..<create.end) where !option.isEmpty {
      options.insert(tokens.canonical(option))
    }
  }

  func column(_ name: String) -> Column? {
    columns.first { $0.name.isEqualIgnoringASCIICase(name) }
  }

  private static func beginsConstraint(_ tokens: SQLTokens, _ index: Int) -> Bool {
    ["CONSTRAINT", "PRIMARY", "UNIQUE", "CHECK", "FOREIGN"].contains { tokens.is(index, $0) }
  }

  // MARK: Table constraints

  private mutating func readTableConstraints(_ tokens: SQLTokens, _ item: Range<Int>) {
    var scanner = ConstraintScanner(tokens: tokens, index: item.lowerBound, end: item.upperBound)
    while let found = scanner.next() {
      guard let kind = found.kind.schemaKind else { continue }
      let columns: [String] =
        found.kind == .check ? [] : Self.columnNames(tokens, after: found.range)
      tableConstraints.append(
        TableSchema.Constraint(
          kind: kind, name: found.name, columns: columns, sql: tokens.text(found.range),
          isDeferred: found.isDeferred(tokens), isDeferrable: found.isDeferrable(tokens)))
      tableCanonical.append(found.prefix + tokens.canonical(found.range))
    }
  }

  /// Returns the names in a constraint's first parentheses.
  private static func columnNames(_ tokens: SQLTokens, after range: Range<Int>) -> [String] {
    guard let open = range.first(where: { tokens.is($0, "(") }) else { return [] }
    let close = tokens.endOfParentheses(from: open)
    return tokens.separated(open + 1..<max(open + 1, close - 1)).map { tokens.name($0.lowerBound) }
  }

  // MARK: Columns

  private static func column(_ tokens: SQLTokens, _ item: Range<Int>) -> Column {
    var index = item.lowerBound + 1
    let typeStart = index
    while index < item.upperBound, !ConstraintScanner.begins(tokens, index) {
      index = tokens.is(index, "(") ? tokens.endOfParentheses(from: index) : index + 1
    }
    var column = Column(
      name: tokens.name(item.lowerBound), type: tokens.canonical(typeStart..<index),
      sql: tokens.text(item))
    var scanner = ConstraintScanner(tokens: tokens, index: index, end: item.upperBound)
    while let found = scanner.next() { column.add(found, tokens) }
    return column
  }
}

extension TableDefinition.Column {
  fileprivate mutating func add(_ found: ConstraintScanner.Found, _ tokens: SQLTokens) {
    let text = tokens.canonical(found.range)
    if let kind = found.kind.schemaKind {
      constraints.append(
        TableSchema.Constraint(
          kind: kind, name: found.name, columns: [name], sql: tokens.text(found.range),
          isDeferred: found.isDeferred(tokens), isDeferrable: found.isDeferrable(tokens)))
    }
    let key = "( \(SQLName.canonical(name)) )"
    let rest = found.range.dropFirst(found.kind == .primaryKey ? 2 : 1)
    switch found.kind {
    case .null: return
    case .primaryKey:
      // Only `INTEGER PRIMARY KEY DESC` differs from the equivalent table constraint.
      if tokens.is(rest.lowerBound, "DESC") {
        traits.insert(found.prefix + text)
      } else {
        let isAscending = tokens.is(rest.lowerBound, "ASC")
        var tail = rest.dropFirst(isAscending ? 1 : 0)
        let isAutoincrement = tail.last.map { tokens.is($0, "AUTOINCREMENT") } ?? false
        if isAutoincrement { tail = tail.dropLast() }
        let inner = isAutoincrement ? "( \(SQLName.canonical(name)) autoincrement )" : key
        canonicalConstraints.append(
          join(found.prefix + "primary key \(inner)", tokens.canonical(tail)))
      }
    case .unique:
      canonicalConstraints.append(join(found.prefix + "unique \(key)", tokens.canonical(rest)))
    case .check: canonicalConstraints.append(found.prefix + text)
    case .references: canonicalConstraints.append(found.prefix + "foreign key \(key) \(text)")
    case .default:
      defaultSQL = tokens.text(found.range.dropFirst())
      traits.insert("default \(Self.canonicalDefault(found.range.dropFirst(), tokens))")
    case .generated:
      let expression = found.range.first { tokens.is($0, "(") } ?? found.range.upperBound
      let end = tokens.endOfParentheses(from: expression)
      generatedSQL = tokens.text(expression + 1..<max(expression + 1, end - 1))
      isStoredGenerated = tokens.is(end, "STORED")
      let kind = isStoredGenerated ? "stored" : "virtual"
      traits.insert("as \(tokens.canonical(expression..<end)) \(kind)")
    case .deferral: deferReference(found, tokens)
    case .notNull, .collate, .foreignKey: traits.insert(text)
    }
  }

  /// Returns the canonical form of a default. A bare name is a string, whose case is significant.
  private static func canonicalDefault(_ range: Range<Int>, _ tokens: SQLTokens) -> String {
    let literals = ["NULL", "TRUE", "FALSE", "CURRENT_TIME", "CURRENT_DATE", "CURRENT_TIMESTAMP"]
    guard range.count == 1, let index = range.first,
      !literals.contains(where: { tokens.is(index, $0) })
    else { return tokens.canonical(range) }
    switch tokens.kind(index) {
    case .word, .quotedName: return SQLiteValue.text(tokens.name(index)).description
    default: return tokens.canonical(range)
    }
  }

  /// Adds a separate deferral clause to the column's last foreign key.
  private mutating func deferReference(_ found: ConstraintScanner.Found, _ tokens: SQLTokens) {
    let text = tokens.canonical(found.range)
    guard let last = constraints.lastIndex(where: { $0.kind == .foreignKey }),
      let index = canonicalConstraints.lastIndex(where: { $0.contains("foreign key ( ") })
    else {
      traits.insert(text)
      return
    }
    canonicalConstraints[index] += " \(text)"
    constraints[last].isDeferred = found.isDeferred(tokens)
    constraints[last].isDeferrable = found.isDeferrable(tokens)
  }

  private func join(_ a: String, _ b: String) -> String { b.isEmpty ? a : "\(a) \(b)" }
}

extension SQLName {
  /// Returns the canonical form of a name, as in ``SQLTokens/canonical(_:)``.
  static func canonical(_ name: String) -> String {
    SQLTokens(quoted(name)).canonical(0)
  }
}
