public import QueryModel
public import SQLSyntax

/// A schema, built by replaying the statements that define it.
///
/// ```swift
/// var catalog = Catalog()
/// for entry in script.statements {
///   catalog.apply(entry.statement, source: source, diagnostics: &diagnostics)
/// }
/// let analyzer = Analyzer(catalog: catalog)
/// ```
///
/// A new catalog contains the functions, collations, schema tables and table-valued functions of a
/// new SQLite 3.40 connection, and those that the project declares.
public struct Catalog: Sendable {
  /// The schemas in SQLite's search order: `temp`, `main`, attached databases.
  var databases: [Database]
  var functions = FunctionCatalog.sqlite3_40
  private let extensions: Set<Extension>
  var collations: Set<NameKey> = ["binary", "nocase", "rtrim"]
  /// The declared virtual-table modules.
  private(set) var modules: [NameKey: ModuleDefinition] = [:]
  /// The functions, collations and modules that the program provides.
  let declarations: Declarations
  /// The open transaction and its savepoints, each with the schema at its start.
  var transactionSnapshots: [TransactionSnapshot] = []
  /// Indicates whether `PRAGMA legacy_alter_table` is enabled.
  var isLegacyAlterTable = false
  /// Indicates whether errors that only occur when a statement runs are reported. Migrations are
  /// run, so they report them.
  var reportsRuntimeErrors = true

  /// Creates the schema of an empty database.
  ///
  /// - Parameters:
  ///   - target: The SQLite release whose functions are available. A call of a function of a newer
  ///     release is an error that names that release.
  ///   - extensions: The SQLite extensions that the program loads.
  ///   - declarations: The functions, collations and modules that the program provides.
  public init(
    target: SQLiteVersion = .standard, extensions: Set<Extension> = [],
    declarations: Declarations = Declarations()
  ) {
    self.extensions = extensions
    self.declarations = declarations
    if target != .standard { functions = functions.targeting(target) }
    functions.declare(declarations.functions)
    collations.formUnion(declarations.collations.map { NameKey($0.name) })
    for module in declarations.modules { modules[NameKey(module.name)] = module }
    databases = [Database(name: "temp"), Database(name: "main")]
  }

  /// The state that a transaction or savepoint rolls back to.
  struct TransactionSnapshot: Sendable {
    /// The savepoint's name; `nil` for the transaction itself.
    let name: NameKey?
    let databases: [Database]
  }

  /// One schema: `main`, `temp` or an attached database.
  struct Database: Sendable {
    var name: NameKey
    var tables: [NameKey: Table] = [:]
    var indexes: [NameKey: Index] = [:]
    var triggers: [NameKey: Trigger] = [:]

    init(name: NameKey) { self.name = name }
  }

  /// Returns the index of the schema with the given name.
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

  /// Returns the table, view or table-valued function with the given name, or `nil` if there is
  /// none.
  func table(_ name: NameKey, in database: NameKey?) -> Table? {
    storedTable(name, in: database) ?? systemTable(name, in: database)
      ?? tableFunction(name)
  }

  /// Returns the table-valued function with the given name.
  func tableFunction(_ name: NameKey) -> Table? {
    if let since = TableFunctions.since(name), functions.target < since { return nil }
    if let module = modules[name], module.kind != .created {
      return TableFunctions.make(module)
    }
    return TableFunctions.find(name)
      ?? (name == "generate_series" && extensions.contains(.series) ? TableFunctions.series : nil)
  }

  /// The options for parsing stored schema statements.
  var parserOptions: ParserOptions { ParserOptions(target: functions.target) }

  /// An extension that SQLite's shell includes but the library does not.
  public enum Extension: String, Hashable, Sendable, CaseIterable {
    /// `generate_series(start, stop, step)`: <https://www.sqlite.org/series.html>.
    case series
  }

  /// Returns the table, view or virtual table with the given name that a statement created.
  func storedTable(_ name: NameKey, in database: NameKey?) -> Table? {
    for candidate in databases where database == nil || candidate.name == database {
      if let table = candidate.tables[name] { return table }
    }
    return nil
  }

  /// Returns a table's triggers, sorted by name.
  func triggers(of table: Table) -> [Trigger] {
    let key = NameKey(table.name)
    return databases.flatMap { database in
      database.triggers.values.filter { $0.table == key && $0.database == table.database }
    }.sorted { $0.name < $1.name }
  }

  /// The names of all tables, for suggestions.
  var tableNames: [String] { databases.flatMap { $0.tables.values.map(\.name) } }
}

extension Catalog {
  /// A schema statement, with all alterations applied.
  public struct SchemaStatement: Hashable, Sendable {
    /// The kinds of schema statements.
    public enum Kind: Int, Hashable, Sendable, Comparable {
      case table, index, view, virtualTable, trigger

      public static func < (left: Kind, right: Kind) -> Bool { left.rawValue < right.rawValue }
    }

    public var kind: Kind
    /// The name of the object that the statement creates.
    public var name: String
    /// The comment above the definition, without comment markers.
    public var documentation: String?
    /// The statement, without a `;`.
    public var sql: String
  }

  /// Returns the statements that create `main`, ordered by kind and then by name, which SQLite
  /// accepts.
  ///
  /// Each statement creates an object in its final state, after all migrations. As in SQLite,
  /// `IF NOT EXISTS` and the schema name are omitted.
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
  /// Returns a statement with everything up to its name replaced by the canonical form.
  fileprivate func rewritten(
    _ words: String, _ name: String, after nameSpan: ByteSpan, until span: ByteSpan
  ) -> String {
    "\(words) \(name.nameInSQL)" + self[ByteSpan(nameSpan.end, max(nameSpan.end, span.end))]
  }
}
