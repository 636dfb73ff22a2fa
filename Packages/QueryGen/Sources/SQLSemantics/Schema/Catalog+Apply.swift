public import QueryModel
public import SQLSyntax

extension Catalog {
  /// Checks one statement of a migration as SQLite does, and applies it.
  ///
  /// ```swift
  /// catalog.apply(entry.statement, source: source, documentation: entry.documentation,
  ///   diagnostics: &diagnostics)
  /// ```
  ///
  /// A statement that doesn't change the schema is only checked. The valid parts of an erroneous
  /// definition are applied, so that each error is reported once.
  ///
  /// - Parameters:
  ///   - statement: The statement.
  ///   - source: The text from which it was parsed.
  ///   - documentation: The comment above it, line by line.
  ///   - diagnostics: The list to which errors are appended.
  public mutating func apply(
    _ statement: Statement, source: SourceText, documentation: [String] = [],
    diagnostics: inout DiagnosticList
  ) {
    let changes = changes(
      of: statement, source: source, documentation: documentation, diagnostics: &diagnostics)
    for change in changes { perform(change) }
  }

  /// Checks a statement. The resolver and its copy of the catalog are released on return, so that the
  /// changes are made in place.
  private func changes(
    of statement: Statement, source: SourceText, documentation: [String],
    diagnostics: inout DiagnosticList
  ) -> [SchemaChange] {
    var resolver = Resolver(catalog: self, source: source)
    let outcome = resolver.resolve(statement, documentation: documentation)
    for diagnostic in resolver.diagnostics { diagnostics.append(diagnostic) }
    if !resolver.diagnostics.contains(where: { $0.severity == .error }) {
      for warning in resolver.warnings + warnings(aboutBodyOf: statement, source) {
        diagnostics.append(warning)
      }
    }
    return outcome.changes
  }

  /// Returns the warnings about the select of a view and the statements of a trigger. SQLite resolves
  /// them only when they are used, so an error in them is not reported here.
  private func warnings(aboutBodyOf statement: Statement, _ source: SourceText) -> [Diagnostic] {
    var resolver = Resolver(catalog: self, source: source)
    // Resolving a long chain of views for each of them would be quadratic.
    resolver.resolvesDeepViews = false
    switch statement {
    case .createView(let node):
      resolver.parameterErrorMessage = "parameters are not allowed in views"
      // SQLite trusts temporary views, which no file contains.
      resolver.isInView = !node.isTemporary
      _ = resolver.resolveSelect(node.select, parent: nil, commonTables: nil)
    case .createTrigger(let node):
      let database = (node.table.schema ?? node.name.schema).map { NameKey($0.text) }
      guard let table = storedTable(NameKey(node.table.name.text), in: database) else { return [] }
      // The warnings about the triggers that the statements fire were reported when those were created.
      resolver.checksTriggers = false
      resolver.resolveBody(node, of: table, home: table.database)
    default: return []
    }
    return resolver.warnings
  }

  /// A view, trigger, table or index that cannot be used with the current schema.
  public struct BrokenObject: Hashable, Sendable {
    /// The object's name.
    public var name: String
    /// `view`, `trigger`, `table` or `index`.
    public var kind: String
    /// The description of the error.
    public var message: String
    /// The foreign key that makes a table unusable.
    public var foreignKey: ForeignKey?

    /// A foreign key that SQLite can't check. All names are in lowercase.
    public struct ForeignKey: Hashable, Sendable {
      /// The referenced table.
      public var parent: String
      /// The referenced columns; empty for the primary key.
      public var columns: [String]
      /// The correction of the name that doesn't exist.
      public var suggestion: Suggestion?

      /// A name in the foreign key and its probable replacement.
      public struct Suggestion: Hashable, Sendable {
        public var name: String
        public var replacement: String
      }
    }
  }

  /// Returns the views and triggers that cannot be resolved and the tables with invalid foreign
  /// keys, sorted by name.
  ///
  /// SQLite reports these errors only when the objects are used.
  public func verify() -> [BrokenObject] {
    (brokenViewsAndTriggers() + brokenForeignKeys()).sorted {
      ($0.name, $0.kind) < ($1.name, $1.kind)
    }
  }

  /// Returns the views and triggers that cannot be resolved, in the given schemas or in all.
  func brokenViewsAndTriggers(in homes: Set<NameKey>? = nil) -> [BrokenObject] {
    var broken: [BrokenObject] = []
    // All objects share the cache of resolved views.
    var session = Resolver(catalog: self, source: SourceText(bytes: []))
    session.checksViewColumnCount = homes == nil
    for database in databases where homes?.contains(database.name) ?? true {
      // The message about a cycle of views depends on the view that is resolved first.
      for table in database.tables.values.sorted(by: { $0.name < $1.name }) {
        guard case .view(let definition) = table.kind else { continue }
        let message = session.firstError(in: definition.source) { resolver in
          _ = resolver.resolveView(table, definition, at: definition.node.name.span)
        }
        guard let message else { continue }
        broken.append(BrokenObject(name: table.name, kind: "view", message: message))
      }
      for trigger in database.triggers.values {
        guard let table = storedTable(trigger.table, in: trigger.database) else { continue }
        let message = session.firstError(in: trigger.definition.source) { resolver in
          resolver.check(trigger, of: table, at: trigger.definition.node.name.span)
        }
        guard let message else { continue }
        broken.append(BrokenObject(name: trigger.name, kind: "trigger", message: message))
      }
    }
    return broken.sorted { ($0.name, $0.kind) < ($1.name, $1.kind) }
  }

  /// Returns the tables, views and virtual tables of all schemas, sorted by name. Views that cannot
  /// be resolved are omitted.
  public func tables() -> [QueryModel.TableDefinition] {
    var session = Resolver(catalog: self, source: SourceText(bytes: []))
    return databases.flatMap(\.tables.values)
      .filter(\.isInSchema).sorted { $0.modelName < $1.modelName }
      .compactMap { definition(of: $0, &session) }
  }

  /// - Parameter session: A resolver. All tables share its cache of resolved views.
  private func definition(
    of table: Table, _ session: inout Resolver
  ) -> QueryModel.TableDefinition? {
    var columns = table.visibleColumns.map { column in
      QueryModel.ColumnDefinition(
        name: column.name, type: column.type, isNullable: !column.isNotNull,
        documentation: column.documentation,
        declaredType: column.declaredType.isEmpty ? nil : column.declaredType,
        annotation: column.annotation, allowed: column.allowed)
    }
    var kind = QueryModel.TableDefinition.Kind.table
    switch table.kind {
    case .view(let definition):
      kind = .view
      var found: Source?
      _ = session.firstError(in: definition.source) { resolver in
        found = resolver.makeSource(table, alias: nil, at: definition.node.name.span)
      }
      guard let source = found, !source.isUnknown else { return nil }
      columns = source.columns.map { column in
        QueryModel.ColumnDefinition(
          name: column.name, type: column.type ?? .any, isNullable: column.isNullable,
          origins: column.provenance.references)
      }
    case .virtual: kind = .virtual
    case .table, .system, .shadow, .function: break
    }
    return QueryModel.TableDefinition(
      name: table.modelName, schema: table.database == "main" ? nil : table.database.folded,
      kind: kind, columns: columns,
      primaryKey: table.primaryKey.map { table.columns[$0].name },
      documentation: table.documentation)
  }
}
