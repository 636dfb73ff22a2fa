internal import QueryModel
internal import SQLSyntax

/// `CREATE VIRTUAL TABLE`, with the columns of each built-in module's tables.
extension Resolver {
  mutating func makeVirtualTable(_ node: CreateVirtualTable, database: NameKey) -> Table? {
    let module = NameKey(node.module.text)
    let arguments = (node.arguments ?? []).map { $0.text }.filter { !$0.isEmpty }
    let name = node.name.name.text
    var table = Table(
      name: name, database: database,
      kind: .virtual(
        module: module.folded, StoredStatement(node: node, source: source)), columns: [])
    switch module {
    case "fts5": table.columns = fts5Columns(name, arguments)
    case "fts3", "fts4": addFTS4Columns(to: &table, arguments, takesOptions: module == "fts4")
    case "rtree", "rtree_i32":
      addRTreeColumns(to: &table, arguments, isInteger: module == "rtree_i32")
    case "fts5vocab":
      let last = arguments.last.map { NameKey(Self.unquoted($0)).folded }
      let names =
        switch last {
        case "col": ["term", "col", "doc", "cnt"]
        case "instance": ["term", "doc", "col", "offset"]
        default: ["term", "doc", "cnt"]
        }
      table.columns = names.map { Column($0, type: .any) }
      table.isWritable = false
    case "fts4aux":
      table.columns =
        ["term", "col", "documents", "occurrences"].map { Column($0, type: .any) }
        + [Column("languageid", type: .any, isHidden: true)]
      table.isWritable = false
    case "fts3tokenize":
      table.columns = ["input", "token", "start", "end", "position"].map { Column($0) }
      table.isWritable = false
    case "dbstat":
      table.columns = TableFunctions.dbstat.columns
      table.isWritable = false
    default:
      guard let declared = catalog.modules[module], declared.kind != .eponymousOnly else {
        guard catalog.reportsRuntimeErrors else { return nil }
        reportUnknownModule(node.module)
        return nil
      }
      table.columns =
        (declared.takesColumns ? arguments.compactMap(Column.init(moduleArgument:)) : [])
        + declared.columns.map { Column($0) }
      table.isWritable = !declared.isReadOnly
    }
    if catalog.reportsRuntimeErrors {
      checkColumns(of: table, node)
      checkOptions(of: node)
    }
    return table
  }

  private mutating func reportUnknownModule(_ name: Identifier) {
    var diagnostic = Diagnostic(
      .unknownModule, at: name.span, "no such module: `\(name.text)`")
    if catalog.modules[NameKey(name.text)] != nil {
      diagnostic.message += "; it is declared as `eponymous only`"
    } else {
      diagnostic.notes.append(
        .declarationHint("module", "\(name.text.nameInSQL)(column TEXT, argument TEXT HIDDEN)"))
    }
    diagnostics.append(diagnostic)
  }

  private mutating func checkColumns(of table: Table, _ node: CreateVirtualTable) {
    var names: Set<NameKey> = []
    for column in table.columns where !names.insert(column.key).inserted {
      report(.duplicateColumn, at: node.span, "duplicate column name: `\(column.name)`")
    }
    if table.visibleColumns.isEmpty {
      report(.invalidDefinition, at: node.span, "`\(table.name)` has no columns")
    }
  }

  // https://www.sqlite.org/fts5.html
  private func fts5Columns(_ name: String, _ arguments: [String]) -> [Column] {
    let columns = arguments.compactMap { argument -> Column? in
      guard !Self.isOption(argument) else { return nil }
      // Unindexed columns store values unchanged, often the keys of other tables.
      let isIndexed = !argument.lowercased().hasSuffix("unindexed")
      return Column(Self.firstWord(argument), type: isIndexed ? .text : .any)
    }
    return columns + [
      Column(name, type: .any, isHidden: true), Column("rank", type: .any, isHidden: true),
    ]
  }

  // https://www.sqlite.org/fts3.html
  private func addFTS4Columns(
    to table: inout Table, _ arguments: [String], takesOptions: Bool
  ) {
    var columns: [Column] = []
    var languageID: String?
    var content: String?
    var hasTokenizer = false
    for argument in arguments {
      // Only the first `tokenize` argument is an option; another one is a column of that name.
      if !hasTokenizer, Self.isTokenizer(argument) {
        hasTokenizer = true
      } else if takesOptions, Self.isOption(argument) {
        let parts = argument.split(separator: "=", maxSplits: 1)
        let key = parts.first.map { $0.lowercased() }?.trimmed
        let value = parts.count > 1 ? Self.unquoted(String(parts[1]).trimmed) : ""
        if key == "languageid" { languageID = value }
        if key == "content" { content = value }
      } else {
        columns.append(Column(Self.firstWord(argument), type: .text))
      }
    }
    if columns.isEmpty, let content,
      let source = catalog.storedTable(NameKey(content), in: table.database)
    {
      columns = source.visibleColumns.filter { column in
        column.key != languageID.map { NameKey($0) }
      }
      .map { Column($0.name, type: $0.type) }
    }
    if columns.isEmpty { columns = [Column("content", type: .text)] }
    columns.append(Column(table.name, type: .any, isHidden: true))
    columns.append(Column("docid", type: .integer, isNotNull: true, isHidden: true))
    columns.append(Column(languageID ?? "__langid", type: .integer, isHidden: true))
    table.columns = columns
  }

  // https://www.sqlite.org/rtree.html
  private func addRTreeColumns(
    to table: inout Table, _ arguments: [String], isInteger: Bool
  ) {
    table.columns = arguments.enumerated().map { index, argument in
      if argument.hasPrefix("+") {
        return Column(Self.firstWord(String(argument.dropFirst()).trimmed), type: .any)
      }
      let type: ValueType = index == 0 || isInteger ? .integer : .real
      return Column(Self.firstWord(argument), type: type, isNotNull: index == 0)
    }
  }

  /// Returns whether an argument is `key=value`, with the `=` outside quotes.
  static func isOption(_ argument: String) -> Bool {
    guard let equals = argument.firstIndex(of: "=") else { return false }
    return argument[..<equals].allSatisfy { $0.isLetter || $0 == "_" || $0 == " " || $0.isNumber }
  }

  /// Returns whether an argument of FTS3 is `tokenize name` or `tokenize=name`.
  private static func isTokenizer(_ argument: String) -> Bool {
    let rest = argument.lowercased()
    guard rest.hasPrefix("tokenize"), let next = rest.dropFirst(8).first else { return false }
    return !(next.isLetter || next.isNumber || next == "_")
  }

  static func firstWord(_ text: String) -> String {
    guard let first = text.first else { return "" }
    let closing: [Character: Character] = ["\"": "\"", "'": "'", "`": "`", "[": "]"]
    guard let end = closing[first] else {
      return String(text.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "$" })
    }
    let rest = text.dropFirst()
    return String(rest.prefix { $0 != end })
  }

  private static func unquoted(_ text: String) -> String {
    guard let first = text.first, "\"'`[".contains(first) else { return text }
    return String(text.dropFirst().dropLast())
  }

  /// Returns the shadow tables in which a virtual table stores its data.
  func shadowTables(of table: Table) -> [Table] {
    guard case .virtual(let module, let definition) = table.kind else { return [] }
    let options = (definition.node.arguments ?? []).map { $0.text.lowercased() }
    let hasContent = !options.contains { $0.hasPrefix("content") && Self.isOption($0) }
    var shadows: [(String, [String])] = []
    switch module {
    case "fts5":
      shadows = [
        ("data", ["id", "block"]), ("idx", ["segid", "term", "pgno"]),
        ("docsize", ["id", "sz"]), ("config", ["k", "v"]),
      ]
      let count = table.visibleColumns.count
      if hasContent { shadows.append(("content", ["id"] + (0..<count).map { "c\($0)" })) }
    case "fts3", "fts4":
      shadows = [
        ("segments", ["blockid", "block"]),
        ("segdir", ["level", "idx", "start_block", "leaves_end_block", "end_block", "root"]),
      ]
      if module == "fts4" {
        shadows += [("docsize", ["docid", "size"]), ("stat", ["id", "value"])]
      }
      if hasContent {
        shadows.append(
          (
            "content",
            ["docid"]
              + table.visibleColumns.enumerated().map { "c\($0.offset)\($0.element.name)" }
              + (options.contains { $0.hasPrefix("languageid") && Self.isOption($0) }
                ? ["langid"] : [])
          ))
      }
    case "rtree", "rtree_i32":
      let auxiliary = options.filter { $0.hasPrefix("+") }
      shadows = [
        ("node", ["nodeno", "data"]), ("parent", ["nodeno", "parentnode"]),
        ("rowid", ["rowid", "nodeno"] + auxiliary.indices.map { "a\($0)" }),
      ]
    default: break
    }
    let integerKeys: Set<String> = [
      "data", "docsize", "content", "segments", "stat", "node", "parent", "rowid",
    ]
    return shadows.map { suffix, columns in
      var shadow = Table(
        name: "\(table.name)_\(suffix)", database: table.database, kind: .shadow,
        columns: columns.map { Column($0, type: .any) })
      if integerKeys.contains(suffix) {
        shadow.rowIDAlias = 0
        shadow.columns[0].type = .integer
        shadow.columns[0].isNotNull = true
      }
      if module == "fts5", suffix == "idx" || suffix == "config" { shadow.hasRowID = false }
      return shadow
    }
  }
}

extension Column {
  /// Creates the column that an argument of a declared module defines, such as `name TEXT` or
  /// `embedding float[768]`; `nil` for an option `key = value`.
  fileprivate init?(moduleArgument argument: String) {
    guard !Resolver.isOption(argument) else { return nil }
    let text = argument.hasPrefix("+") ? String(argument.dropFirst()).trimmed : argument
    let name = Resolver.firstWord(text)
    guard !name.isEmpty else { return nil }
    let words = text.dropFirst(name.count).split(whereSeparator: \.isWhitespace).map(String.init)
    let constraints: Set<String> = [
      "not", "null", "primary", "unique", "default", "check", "collate", "references", "partition",
      "hidden", "distance_metric",
    ]
    let folded = words.map { $0.lowercased() }
    let end = folded.firstIndex { constraints.contains($0) } ?? words.count
    let declaredType = words[..<end].filter { $0 != "\"" }.joined(separator: " ")
    // A type such as `float[768]` is that of a vector, which is stored as a BLOB.
    self.init(
      name, declaredType: declaredType, type: declaredType.contains("[") ? .blob : nil,
      isNotNull: folded[end...].contains("primary")
        || folded[end...].joined(separator: " ").contains("not null"),
      isHidden: folded.contains("hidden"))
  }
}

extension String {
  /// The text without surrounding whitespace.
  fileprivate var trimmed: String {
    var text = Substring(self)
    while let first = text.first, first.isWhitespace { text.removeFirst() }
    while let last = text.last, last.isWhitespace { text.removeLast() }
    return String(text)
  }
}

/// The checks that the built-in modules make when a virtual table is created.
extension Resolver {
  mutating func checkOptions(of node: CreateVirtualTable) {
    let arguments = (node.arguments ?? []).filter { !$0.text.isEmpty }
    switch NameKey(node.module.text) {
    case "fts5":
      for argument in arguments {
        guard let option = ModuleOption(argument.text) else {
          let name = Self.firstWord(argument.text)
          if NameKey(name) == "rowid" { reject(argument, "reserved fts5 column name: \(name)") }
          continue
        }
        // FTS5 accepts any prefix of an option's name.
        let known = ["prefix", "tokenize", "content", "content_rowid", "columnsize", "detail"]
        if !known.contains(where: { $0.hasPrefix(option.key) }) {
          reject(argument, "unrecognized option: \"\(option.key)\"")
        } else if option.key == "tokenize" {
          checkTokenizer(option, argument, ["unicode61", "ascii", "porter", "trigram"])
        }
      }
    case "fts4":
      var hasTokenizer = false
      for argument in arguments {
        guard let option = ModuleOption(argument.text) else { continue }
        let known: Set<String> = [
          "matchinfo", "prefix", "compress", "uncompress", "order", "content", "languageid",
          "notindexed",
        ]
        if option.key == "tokenize", !hasTokenizer {
          hasTokenizer = true
          checkTokenizer(option, argument, ["simple", "porter", "unicode61"])
        } else if !known.contains(option.key) {
          reject(argument, "unrecognized parameter: \(argument.text)")
        }
      }
    case "rtree", "rtree_i32":
      let coordinates = arguments.count { !$0.text.hasPrefix("+") } - 1
      if coordinates < 2 {
        report(.invalidDefinition, at: node.span, "Too few columns for an rtree table")
      } else if coordinates > 10 {
        report(.invalidDefinition, at: node.span, "Too many columns for an rtree table")
      } else if coordinates % 2 == 1 {
        report(.invalidDefinition, at: node.span, "Wrong number of columns for an rtree table")
      }
    case "dbstat":
      if let schema = arguments.first, catalog[database: NameKey(Self.unquoted(schema.text))] == nil
      {
        reject(schema, "no such database: \(schema.text)")
      }
    default: break
    }
  }

  private mutating func reject(_ argument: ModuleArgument, _ message: String) {
    report(.invalidDefinition, at: argument.span, message)
  }

  private mutating func checkTokenizer(
    _ option: ModuleOption, _ argument: ModuleArgument, _ known: Set<String>
  ) {
    let name = String(option.value.prefix { !$0.isWhitespace })
    if !known.contains(NameKey(name).folded) {
      reject(argument, "no such tokenizer: \(name)")
    }
  }
}

/// An argument of a module in the form `key = value`.
private struct ModuleOption {
  let key: String
  /// The value without its quotes.
  let value: String

  init?(_ text: String) {
    guard let equals = text.firstIndex(of: "=") else { return nil }
    let key = text[..<equals].filter { !$0.isWhitespace }
    guard !key.isEmpty, key.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" }) else {
      return nil
    }
    self.key = NameKey(key).folded
    var value = text[text.index(after: equals)...].drop { $0.isWhitespace }
    if let first = value.first, "\"'`[".contains(first) {
      value = value.dropFirst().prefix { $0 != (first == "[" ? "]" : first) }
      value = value.drop { $0.isWhitespace }
    }
    // A tokenizer's name may have its own quotes: `tokenize = "'porter' ascii"`.
    self.value = value.filter { $0 != "'" && $0 != "\"" }
  }
}
