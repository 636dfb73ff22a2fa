internal import Primitives
internal import QueryModel
internal import SQLSemantics
internal import SQLSyntax

/// Builds the list of completions at a cursor.
struct CompletionBuilder {
  let broken: BrokenStatement
  let context: CompletionContext
  let catalog: Catalog
  let tables: [QueryModel.TableDefinition]
  /// The part of the word before the cursor.
  let prefix: String
  let parameters: [String]
  let isQueryFile: Bool
  private let suggestions: KeywordSuggestions
  private var items: [Completion] = []

  init(
    broken: BrokenStatement, context: CompletionContext, catalog: Catalog,
    tables: [QueryModel.TableDefinition], prefix: String, parameters: [String], isQueryFile: Bool
  ) {
    self.broken = broken
    self.context = context
    self.catalog = catalog
    self.tables = tables
    self.prefix = prefix
    self.parameters = parameters
    self.isQueryFile = isQueryFile
    suggestions = KeywordSuggestions(broken.head)
  }

  /// The ranks of the kinds of completion, the first ones first.
  private enum Rank {
    static let matchingValue = 0, matchingColumn = 1, column = 2, join = 2, table = 3
    static let qualifier = 4, parameter = 5, function = 6, keyword = 7, otherTable = 8
  }

  mutating func build() -> [Completion] {
    if let mark = prefix.first, ":@$".contains(mark) {
      for name in parameters where name != prefix { add(name, .parameter, rank: 0) }
      return items
    }
    switch context {
    case .newName: return []
    case .member(let qualifier): addMembers(of: qualifier)
    case .targetColumn(let table): addColumns(of: table)
    case .joinedColumn: addJoinedColumns()
    case .collation:
      for name in catalog.collationNames { add(name, .collation, rank: 0) }
    case .pragma: for name in Self.pragmas { add(name, .keyword, rank: 0) }
    case .typeName:
      for name in ["INTEGER", "REAL", "TEXT", "BLOB", "NUMERIC"] { add(name, .keyword, rank: 0) }
    case .table(let isJoin):
      if isJoin { addJoins() }
      addTables()
      addKeywords()
    case .statement:
      if isQueryFile {
        items.append(
          Completion(
            label: "query", kind: .snippet, detail: "A named query",
            text: "${1:name}:\nSELECT $0;", isSnippet: true, rank: 0))
      }
      addKeywords()
    case .constant:
      for name in parameters { add(name, .parameter, rank: Rank.parameter) }
      addKeywords()
    case .expression:
      // After an operand, only keywords can follow.
      if suggestions.acceptsOperand { addExpressions() }
      addKeywords()
    }
    return items
  }

  // MARK: Names

  private mutating func add(
    _ name: String, _ kind: Completion.Kind, detail: String? = nil, text: String? = nil, rank: Int
  ) {
    items.append(
      Completion(label: name, kind: kind, detail: detail, text: text ?? name, rank: rank))
  }

  /// Returns a name in the quotes that the author has begun, or that the name needs.
  private func quoted(_ name: String) -> String {
    switch prefix.first {
    case "\"": return name.doubleQuoted
    case "`": return "`\(name.replacing("`", with: "``"))`"
    case "[": return name.contains("]") ? name.doubleQuoted : "[\(name)]"
    default: return name.isPlainName ? name : name.doubleQuoted
    }
  }

  private func detail(_ column: StatementTrace.VisibleColumn) -> String {
    (column.type?.nameInSQL ?? "") + (column.isNullable ? "?" : "")
      + (column.table.map { " — \($0)" } ?? "")
  }

  private mutating func addMembers(of qualifier: String) {
    let key = qualifier.asciiLowercased
    if let source = broken.scope?.sources.first(where: { $0.label.asciiLowercased == key }) {
      for column in source.columns {
        add(
          column.name, .column, detail: detail(column), text: quoted(column.name),
          rank: rank(of: column))
      }
      return
    }
    if ["main", "temp"].contains(key) || catalog.attachedNames.contains(key) {
      for table in tables where (table.schema ?? "main") == key {
        add(
          table.baseName, table.kind == .view ? .view : .table,
          detail: table.kind == .view ? "view" : "table", text: quoted(table.baseName),
          rank: Rank.table)
      }
      return
    }
    // The rows that an upsert compares.
    if key == "excluded" || key == "new" || key == "old",
      let table = broken.scope?.sources.first?.table
    {
      addColumns(of: table)
    }
  }

  private mutating func addColumns(of table: String) {
    guard let names = catalog.columnNames(of: table) else { return }
    let definition = tables.first { $0.name.asciiLowercased == table.asciiLowercased }
    // A column that was already listed is not offered again.
    let listed = Set(
      broken.before.suffix(while: { $0.kind != .leftParenthesis && $0.kind != .set })
        .filter(\.isWord).map { broken.source.unquoted($0.span).asciiLowercased })
    for name in names where !listed.contains(name.asciiLowercased) {
      let column = definition?.columns.first { $0.name == name }
      if definition != nil, column == nil { continue }
      add(
        name, .column, detail: column.map { $0.type.nameInSQL + ($0.isNullable ? "?" : "") },
        text: quoted(name), rank: Rank.column)
    }
  }

  private mutating func addJoinedColumns() {
    guard let sources = broken.scope?.sources, let last = sources.last, sources.count > 1 else {
      return
    }
    let left = Set(sources.dropLast().flatMap { $0.columns.map(\.name.asciiLowercased) })
    for column in last.columns where left.contains(column.name.asciiLowercased) {
      add(
        column.name, .column, detail: detail(column), text: quoted(column.name), rank: Rank.column)
    }
  }

  private mutating func addTables() {
    for table in broken.commonTables {
      add(
        table.name.text, .commonTable, detail: "common table", text: quoted(table.name.text),
        rank: Rank.column)
    }
    for table in tables {
      add(
        table.schema == "temp" ? table.baseName : table.name,
        table.kind == .view ? .view : .table,
        detail: table.kind == .view ? "view" : "table", text: text(of: table), rank: Rank.table)
    }
    guard case .table(false) = context, broken.before.last?.kind != .into else { return }
    for name in catalog.tableFunctionNames {
      items.append(
        Completion(
          label: name, kind: .function, detail: "table-valued function", text: "\(name)($1)",
          isSnippet: true, rank: Rank.function))
    }
  }

  private mutating func addExpressions() {
    let sources = broken.scope?.sources ?? []
    var counts: [String: Int] = [:]
    for source in sources where !source.isRow {
      for name in Set(source.columns.map(\.name.asciiLowercased)) { counts[name, default: 0] += 1 }
    }
    addAllowedValues()
    for source in sources {
      for column in source.columns {
        let isAmbiguous = source.isRow || counts[column.name.asciiLowercased, default: 0] > 1
        if isAmbiguous, source.label.isEmpty { continue }
        let text =
          isAmbiguous
          ? "\(quotedQualifier(source.label)).\(quoted(column.name))" : quoted(column.name)
        add(
          isAmbiguous ? "\(source.label).\(column.name)" : column.name, .column,
          detail: detail(column), text: text, rank: rank(of: column))
      }
      if !source.label.isEmpty {
        add(
          source.label, .alias, detail: source.table, text: quoted(source.label),
          rank: Rank.qualifier)
      }
    }
    if isAfterSelectList {
      for alias in broken.scope?.aliases ?? [] {
        add(alias, .alias, detail: "result column", text: quoted(alias), rank: Rank.column)
      }
    }
    for name in parameters { add(name, .parameter, rank: Rank.parameter) }
    guard !"\"`[".contains(prefix.first ?? " ") else { return }
    for function in functions { items.append(function) }
  }

  /// Returns a table's name in SQL. Temporary tables need no schema, since they are found first.
  private func text(of table: QueryModel.TableDefinition) -> String {
    guard let schema = table.schema, schema != "temp" else { return quoted(table.baseName) }
    return "\(quotedQualifier(schema)).\(quotedQualifier(table.baseName))"
  }

  private func quotedQualifier(_ name: String) -> String {
    name.isPlainName ? name : name.doubleQuoted
  }

  /// Indicates whether the cursor is in a clause that sees the aliases of the result.
  private var isAfterSelectList: Bool {
    var depth = 0
    for token in broken.before.reversed() {
      switch token.kind {
      case .rightParenthesis: depth += 1
      case .leftParenthesis: if depth == 0 { return false } else { depth -= 1 }
      case .where, .group, .having, .order: if depth == 0 { return true }
      case .select, .from: if depth == 0 { return false }
      default: break
      }
    }
    return false
  }

  private var functions: [Completion] {
    var seen: Set<String> = []
    return catalog.functionDescriptions.compactMap { function in
      // `CURRENT_DATE` and the like are keywords.
      guard !function.name.hasPrefix("current_"), seen.insert(function.name).inserted else {
        return nil
      }
      let hasArguments = function.maximumArguments != 0
      return Completion(
        label: function.name, kind: .function, detail: function.signature,
        text: hasArguments ? "\(function.name)($1)" : "\(function.name)()",
        isSnippet: hasArguments, rank: Rank.function)
    }
  }

  // MARK: Types

  /// The column that is compared with the value at the cursor.
  private var comparedColumn: StatementTrace.VisibleColumn? {
    var tokens = broken.before[...]
    if tokens.last?.kind == .leftParenthesis { tokens.removeLast() }
    guard let comparison = tokens.popLast(),
      [.equal, .notEqual, .less, .greater, .lessOrEqual, .greaterOrEqual, .in, .is].contains(
        comparison.kind)
    else { return nil }
    if tokens.last?.kind == .not { tokens.removeLast() }
    guard let name = tokens.popLast(), name.kind == .identifier else { return nil }
    let column = broken.source.unquoted(name.span).asciiLowercased
    var qualifier: String?
    if tokens.popLast()?.kind == .dot, let table = tokens.popLast() {
      qualifier = broken.source.unquoted(table.span).asciiLowercased
    }
    for source in broken.scope?.sources ?? []
    where qualifier == nil || source.label.asciiLowercased == qualifier {
      if let found = source.columns.first(where: { $0.name.asciiLowercased == column }) {
        return found
      }
    }
    return nil
  }

  private func rank(of column: StatementTrace.VisibleColumn) -> Int {
    guard let compared = comparedColumn, let type = compared.type, type == column.type,
      column.name != compared.name || column.table != compared.table
    else { return Rank.column }
    return Rank.matchingColumn
  }

  /// Adds the values that a `CHECK` constraint allows for the compared column.
  private mutating func addAllowedValues() {
    guard let column = comparedColumn, let table = column.table,
      let allowed = tables.first(where: { $0.name == table })?.columns.first(where: {
        $0.name == column.name
      })?.allowed
    else { return }
    let texts: [String] =
      switch allowed.values {
      case .texts(let texts): texts.map { "'\($0.replacing("'", with: "''"))'" }
      case .integers(let integers): integers.map { "\($0)" }
      }
    for (index, text) in texts.enumerated() {
      add(
        text, .value, detail: index < allowed.names.count ? allowed.names[index] : column.name,
        rank: Rank.matchingValue)
    }
  }

  // MARK: Joins

  /// Adds the tables that a foreign key connects with a table of the statement, with their
  /// conditions.
  private mutating func addJoins() {
    let sources = (broken.scope?.sources ?? []).filter {
      $0.table != nil && $0.label != BrokenStatement.placeholder
    }
    let labels = Set(sources.map(\.label.asciiLowercased))
    for source in sources {
      for key in catalog.foreignKeys {
        if key.table == source.table {
          addJoin(
            key.parent, key.parentColumns, to: source.label, key.columns, labels: labels)
        }
        if key.parent == source.table {
          addJoin(key.table, key.columns, to: source.label, key.parentColumns, labels: labels)
        }
      }
    }
  }

  private mutating func addJoin(
    _ table: String, _ columns: [String], to label: String, _ others: [String],
    labels: Set<String>
  ) {
    let definition = tables.first { $0.name == table }
    let base = definition?.baseName ?? table
    var name = base
    var alias = ""
    if labels.contains(base.asciiLowercased) {
      let number = (2...).first { !labels.contains("\(base)\($0)".asciiLowercased) } ?? 2
      name = "\(base)\(number)"
      alias = " AS \(quotedQualifier(name))"
    }
    let conditions = zip(columns, others).map { column, other in
      "\(quotedQualifier(name)).\(quotedQualifier(column)) = "
        + "\(quotedQualifier(label)).\(quotedQualifier(other))"
    }
    let start = definition.map { self.text(of: $0) } ?? quotedQualifier(table)
    let text = "\(start)\(alias) ON \(conditions.joined(separator: " AND "))"
    add(text, .join, detail: "foreign key", rank: 0)
  }

  // MARK: Keywords

  /// Adds the keywords that the grammar allows at the cursor.
  private mutating func addKeywords() {
    guard !"\"`[".contains(prefix.first ?? " ") else { return }
    for word in suggestions.allowed { add(word, .keyword, rank: Rank.keyword) }
  }

  private static let pragmas = [
    "application_id", "auto_vacuum", "busy_timeout", "cache_size", "case_sensitive_like",
    "database_list", "defer_foreign_keys", "encoding", "foreign_key_check", "foreign_key_list",
    "foreign_keys", "freelist_count", "incremental_vacuum", "index_info", "index_list",
    "integrity_check", "journal_mode", "legacy_alter_table", "mmap_size", "optimize", "page_count",
    "page_size", "quick_check", "recursive_triggers", "secure_delete", "synchronous", "table_info",
    "table_list", "table_xinfo", "temp_store", "user_version", "wal_autocheckpoint",
    "wal_checkpoint",
  ]
}

extension BidirectionalCollection {
  /// Returns the longest suffix whose elements satisfy a condition.
  fileprivate func suffix(while condition: (Element) -> Bool) -> SubSequence {
    var index = endIndex
    while index > startIndex {
      let before = self.index(before: index)
      guard condition(self[before]) else { break }
      index = before
    }
    return self[index...]
  }
}

extension String {
  var doubleQuoted: String { "\"\(replacing("\"", with: "\"\""))\"" }

  /// Indicates whether the name can be written without quotes.
  var isPlainName: Bool {
    let tokens = Lexer.tokenize(SourceText(self)).tokens
    guard tokens.count == 2, tokens[0].span.count == utf8.count,
      !"\"`[".contains(first ?? " ")
    else { return false }
    return tokens[0].kind == .identifier || tokens[0].kind.isFallback
  }
}
