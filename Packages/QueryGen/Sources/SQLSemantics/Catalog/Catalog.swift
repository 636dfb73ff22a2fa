internal import QueryModel
public import SQLSyntax

/// A schema, built by replaying the statements that made it.
///
/// ```swift
/// var catalog = Catalog()
/// for entry in script.statements {
///   catalog.apply(entry.statement, source: source, diagnostics: &diagnostics)
/// }
/// let analyzer = Analyzer(catalog: catalog)
/// ```
///
/// A new catalog has what a fresh connection of SQLite 3.40 has: its functions, its collations,
/// its schema tables, and its table-valued functions.
public struct Catalog: Sendable {
  /// The schemas in the order in which SQLite searches them: `temp`, `main`, attached ones.
  var databases: [Database]
  var functions = FunctionCatalog.sqlite3_40
  private let extensions: Set<Extension>
  var collations: Set<NameKey> = ["binary", "nocase", "rtrim"]
  /// The transaction that is open and its savepoints, and what the schema was at each.
  var marks: [Mark] = []
  /// Whether `PRAGMA legacy_alter_table` is on.
  var isLegacyAlterTable = false
  /// Whether statements that only fail when they run are errors too. Migrations do run.
  var checksRunTime = true

  /// Creates the schema of an empty database.
  ///
  /// - Parameters:
  ///   - target: The release of SQLite whose functions there are; calling one that only a newer
  ///     release has is an error that names it.
  ///   - extensions: What the program loads into SQLite besides.
  public init(target: SQLiteVersion = .standard, extensions: Set<Extension> = []) {
    self.extensions = extensions
    if target != .standard { functions = functions.targeting(target) }
    databases = [Database(name: "temp"), Database(name: "main")]
  }

  /// What a transaction or a savepoint goes back to.
  struct Mark: Sendable {
    /// The savepoint's name; `nil` for the transaction itself.
    let name: NameKey?
    let databases: [Database]
  }

  /// One schema: `main`, `temp` or an attached file.
  struct Database: Sendable {
    var name: NameKey
    var tables: [NameKey: Table] = [:]
    var indexes: [NameKey: Index] = [:]
    var triggers: [NameKey: Trigger] = [:]

    init(name: NameKey) { self.name = name }
  }

  /// The position of the schema with this name.
  func databaseIndex(_ name: NameKey) -> Int? {
    databases.firstIndex { $0.name == name }
  }

  subscript(database name: NameKey) -> Database? {
    databaseIndex(name).map { databases[$0] }
  }

  mutating func update<R>(_ database: NameKey, _ change: (inout Database) -> R) -> R? {
    guard let index = databaseIndex(database) else { return nil }
    return change(&databases[index])
  }

  /// The table that a name stands for, or `nil`; a table-valued function is one too.
  func table(_ name: NameKey, in database: NameKey?) -> Table? {
    storedTable(name, in: database) ?? systemTable(name, in: database)
      ?? tableFunction(name)
  }

  /// The table-valued function of that name.
  func tableFunction(_ name: NameKey) -> Table? {
    if let since = TableFunctions.since(name), functions.target < since { return nil }
    return TableFunctions.find(name)
      ?? (name == "generate_series" && extensions.contains(.series) ? TableFunctions.series : nil)
  }

  /// How the texts that the schema keeps are read.
  var parserOptions: ParserOptions { ParserOptions(target: functions.target) }

  /// What SQLite does not have built in, and its own shell has.
  public enum Extension: String, Hashable, Sendable, CaseIterable {
    /// `generate_series(start, stop, step)`: <https://www.sqlite.org/series.html>.
    case series
  }

  /// The table, view or virtual table of that name that a statement has made.
  func storedTable(_ name: NameKey, in database: NameKey?) -> Table? {
    for candidate in databases where database == nil || candidate.name == database {
      if let table = candidate.tables[name] { return table }
    }
    return nil
  }

  /// The triggers of a table, sorted by name.
  func triggers(of table: Table) -> [Trigger] {
    let key = NameKey(table.name)
    return databases.flatMap { database in
      database.triggers.values.filter { $0.table == key && $0.database == table.database }
    }.sorted { $0.name < $1.name }
  }

  /// Every table's name, for suggestions.
  var tableNames: [String] { databases.flatMap { $0.tables.values.map(\.name) } }
}

extension Catalog {
  /// A statement of the schema, as it reads after all that changed it.
  public struct SchemaStatement: Hashable, Sendable {
    public enum Kind: Int, Hashable, Sendable, Comparable {
      case table, index, view, virtualTable, trigger

      public static func < (left: Kind, right: Kind) -> Bool { left.rawValue < right.rawValue }
    }

    public var kind: Kind
    /// The name of what it makes.
    public var name: String
    /// The comment above its definition, without its markers.
    public var documentation: String?
    /// The statement, without a `;`.
    public var sql: String
  }

  /// The statements that make `main`, in an order in which SQLite accepts them: by kind, then by name.
  ///
  /// Each makes what the migrations have led to, whatever statements that were; `IF NOT EXISTS` and the
  /// name of the schema are left out, as SQLite leaves them out.
  public func statements() -> [SchemaStatement] {
    guard let database = self[database: "main"] else { return [] }
    let tables = database.tables.values.compactMap { $0.statement(parserOptions) }
    let indexes = database.indexes.values.compactMap { index -> SchemaStatement? in
      guard let stored = index.definition else { return nil }
      return SchemaStatement(
        kind: .index, name: index.name,
        sql: stored.source.rewritten(
          stored.node.isUnique ? "CREATE UNIQUE INDEX" : "CREATE INDEX", index.name,
          after: stored.node.name.name.span, until: stored.node.span))
    }
    let triggers = database.triggers.values.map { trigger in
      SchemaStatement(
        kind: .trigger, name: trigger.name,
        sql: trigger.definition.source.rewritten(
          "CREATE TRIGGER", trigger.name, after: trigger.definition.node.name.name.span,
          until: trigger.definition.node.span))
    }
    return (tables + indexes + triggers).sorted { ($0.kind, $0.name) < ($1.kind, $1.name) }
  }
}

extension Table {
  fileprivate func statement(_ options: ParserOptions) -> Catalog.SchemaStatement? {
    switch kind {
    case .table:
      guard let text = definitionText(options) else { return nil }
      return Catalog.SchemaStatement(
        kind: .table, name: name, documentation: documentation,
        sql: SourceText(bytes: text.bytes).rewritten(
          "CREATE TABLE", name, after: text.nameSpan, until: ByteSpan(0..<text.bytes.count)))
    case .view(let stored):
      return Catalog.SchemaStatement(
        kind: .view, name: name, documentation: documentation,
        sql: stored.source.rewritten(
          "CREATE VIEW", name, after: stored.node.name.name.span, until: stored.node.span))
    case .virtual(_, let stored):
      return Catalog.SchemaStatement(
        kind: .virtualTable, name: name, documentation: documentation,
        sql: stored.source.rewritten(
          "CREATE VIRTUAL TABLE", name, after: stored.node.name.name.span, until: stored.node.span))
    case .system, .shadow, .function: return nil
    }
  }
}

extension SourceText {
  /// A statement with its words up to the name put in their plain form.
  fileprivate func rewritten(
    _ words: String, _ name: String, after nameSpan: ByteSpan, until span: ByteSpan
  ) -> String {
    let tokens = Lexer.tokenize(SourceText(name)).tokens
    let isWord =
      tokens.count == 2 && tokens[0].kind == .identifier && !"\"`['".contains(name.first ?? "\"")
    return "\(words) \(isWord ? name : name.quotedName)"
      + self[ByteSpan(nameSpan.end, max(nameSpan.end, span.end))]
  }
}
