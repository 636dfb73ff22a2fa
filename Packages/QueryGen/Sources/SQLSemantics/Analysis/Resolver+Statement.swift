internal import QueryModel
internal import SQLSyntax

/// The result of resolving one statement.
struct ResolvedStatement {
  var columns: [SelectColumn] = []
  var cardinality = Cardinality.none
  var wholeTable: String?
  var isReadOnly = true
  var changes: [SchemaChange] = []

  init(isReadOnly: Bool, changes: [SchemaChange] = []) {
    self.isReadOnly = isReadOnly
    self.changes = changes
  }

  init(_ select: ResolvedSelect) {
    columns = select.columns
    cardinality = select.rowCount.cardinality
    wholeTable = select.wholeTable
  }

  init(_ change: ResolvedDML) {
    columns = change.columns
    cardinality = change.columns.isEmpty ? .none : change.rowCount.cardinality
    wholeTable = change.wholeTable
    isReadOnly = false
  }

  /// Creates the outcome of a statement with the given column names and unknown types.
  init(names: [String], isReadOnly: Bool) {
    columns = names.map {
      SelectColumn(
        name: $0, innerName: $0, storedName: $0, type: .any, isNullable: true,
        collation: "BINARY")
    }
    cardinality = names.isEmpty ? .none : .many
    self.isReadOnly = isReadOnly
  }
}

extension Resolver {
  /// Resolves a statement of any kind.
  mutating func resolve(
    _ statement: Statement, documentation: [String] = []
  ) -> ResolvedStatement {
    // The arguments of a module are not SQL.
    if case .createVirtualTable = statement {} else { numberParameters(in: statement.span) }
    switch statement {
    case .select(let node):
      return ResolvedStatement(resolveSelect(node, parent: nil, commonTables: nil))
    case .insert(let node): return ResolvedStatement(resolve(node))
    case .update(let node): return ResolvedStatement(resolve(node))
    case .delete(let node): return ResolvedStatement(resolve(node))
    case .createTable(let node):
      return schemaChangeOutcome(define(node, documentation: documentation))
    case .createView(let node):
      return schemaChangeOutcome(define(node, documentation: documentation))
    case .createVirtualTable(let node):
      return schemaChangeOutcome(define(node, documentation: documentation))
    case .createIndex(let node): return schemaChangeOutcome(define(node))
    case .createTrigger(let node):
      let changes = define(node)
      // If the trigger already exists, SQLite reports this statement as read-only.
      return ResolvedStatement(
        isReadOnly: node.ifNotExists && changes.isEmpty, changes: changes)
    case .alterTable(let node):
      var outcome = schemaChangeOutcome(define(node))
      // The first check that SQLite runs on the existing rows appears as a result column.
      if case .addColumn(let column) = node.action, !outcome.changes.isEmpty,
        let check = column.emptyTableCheckColumn
          ?? (column.requiresRowCheck ? Self.rowCheckColumn : nil)
      {
        outcome.columns = ResolvedStatement(names: [check], isReadOnly: false).columns
      }
      return outcome
    case .drop(let node):
      let changes = define(node)
      return ResolvedStatement(
        isReadOnly: node.object == .trigger && changes.isEmpty, changes: changes)
    case .attach(let node):
      return ResolvedStatement(isReadOnly: true, changes: define(node))
    case .detach(let node):
      return ResolvedStatement(isReadOnly: true, changes: define(node))
    case .analyze(let node): return schemaChangeOutcome(define(node))
    case .reindex(let node):
      check(node)
      return ResolvedStatement(isReadOnly: !rebuildsIndex(node))
    case .vacuum(let node):
      check(node)
      return ResolvedStatement(isReadOnly: node.schema.map { NameKey($0.text) } == "temp")
    case .pragma(let node): return resolve(node)
    case .begin(let node):
      return ResolvedStatement(
        isReadOnly: node.mode == nil || node.mode == .deferred, changes: [.begin])
    case .commit: return transactionOutcome(.commit)
    case .rollback(let node):
      return transactionOutcome(node.savepoint.map { .rollbackTo(NameKey($0.text)) } ?? .rollback)
    case .savepoint(let node): return transactionOutcome(.savepoint(NameKey(node.name.text)))
    case .release(let node): return transactionOutcome(.release(NameKey(node.name.text)))
    case .explain(let node): return resolve(node)
    }
  }

  private static let rowCheckColumn =
    "CASE WHEN quick_check GLOB 'CHECK*' THEN raise(ABORT,'CHECK constraint failed') "
    + "ELSE raise(ABORT,'NOT NULL constraint failed') END"

  private func transactionOutcome(_ change: SchemaChange) -> ResolvedStatement {
    ResolvedStatement(isReadOnly: true, changes: [change])
  }

  private func schemaChangeOutcome(_ changes: [SchemaChange]) -> ResolvedStatement {
    ResolvedStatement(isReadOnly: false, changes: changes)
  }

  private mutating func check(_ node: Vacuum) {
    if let schema = node.schema, catalog.databaseIndex(NameKey(schema.text)) == nil {
      report(.unknownDatabase, at: schema.span, "unknown database `\(schema.text)`")
    }
    guard let file = node.into else { return }
    let scope = Scope(id: makeScopeID(), parent: nil)
    hint(resolveScalar(file, in: scope), type: .text, name: "file")
  }

  private mutating func resolve(_ node: Explain) -> ResolvedStatement {
    let inner = resolve(node.statement)
    let names =
      node.isQueryPlan
      ? ["id", "parent", "notused", "detail"]
      : ["addr", "opcode", "p1", "p2", "p3", "p4", "p5", "comment"]
    return ResolvedStatement(names: names, isReadOnly: inner.isReadOnly)
  }

  private mutating func resolve(_ node: Pragma) -> ResolvedStatement {
    if let schema = node.name.schema, catalog.databaseIndex(NameKey(schema.text)) == nil {
      report(.unknownDatabase, at: schema.span, "unknown database `\(schema.text)`")
    }
    let name = NameKey(node.name.name.text).folded
    checkArgument(of: name, node)
    let columns = PragmaResult.columns(of: name, hasValue: node.value != nil)
    var outcome = ResolvedStatement(
      names: columns,
      isReadOnly: PragmaResult.isReadOnly(name, node.value) && !writesVacuumMode(name, node))
    if name == "legacy_alter_table", let value = node.value {
      outcome.changes = [.setLegacyAlterTable(PragmaResult.isOn(value))]
    }
    return outcome
  }

  /// Reports a pragma whose table or view does not exist or cannot be resolved.
  private mutating func checkArgument(of name: String, _ node: Pragma) {
    let schema = node.name.schema.map { NameKey($0.text) }
    switch (name, node.value) {
    case ("foreign_key_check", .number(let text)):
      report(.unknownTable, at: node.span, "no such table: `\(text)`")
    case ("foreign_key_check", .name(let table)), ("integrity_check", .name(let table)),
      ("quick_check", .name(let table)):
      guard catalog.table(NameKey(table.text), in: schema) == nil else { return }
      reportUnknown(
        .unknownTable, "table", table.text, at: table.span, candidates: catalog.tableNames)
    case ("table_info", .name(let table)), ("table_xinfo", .name(let table)):
      guard let found = catalog.table(NameKey(table.text), in: schema), found.isView else { return }
      var trial = self
      trial.checksViewColumnCount = false
      _ = trial.makeSource(found, alias: nil, at: table.span)
      diagnostics = trial.diagnostics
    default: break
    }
  }

  /// Returns whether `PRAGMA auto_vacuum` writes to the file, which it does only in an empty
  /// database.
  private func writesVacuumMode(_ name: String, _ node: Pragma) -> Bool {
    guard name == "auto_vacuum", let value = node.value,
      catalog[database: node.name.schema.map { NameKey($0.text) } ?? "main"]?.tables.isEmpty == true
    else { return false }
    switch value {
    case .number(let text): return ["1", "2"].contains(text.prefix { $0 != "." })
    case .name(let word): return ["full", "incremental"].contains(NameKey(word.text).folded)
    }
  }

  /// Numbers all parameters of a statement in source order, as SQLite does, including unused ones.
  private mutating func numberParameters(in span: ByteSpan) {
    for token in parameterTokens(in: span) {
      _ = parameters.number(token.kind, at: token.span, token.form)
    }
  }

  /// Returns the span of the first parameter within `span`.
  func firstParameterSpan(in span: ByteSpan) -> ByteSpan? {
    parameterTokens(in: span).first?.span
  }

  private struct ParameterToken {
    let kind: Parameter.Kind
    let span: ByteSpan
    let form: ParameterTable.Form
  }

  private func parameterTokens(in span: ByteSpan) -> [ParameterToken] {
    let range = span.range.clamped(to: 0..<source.byteCount)
    let marks: Set<UInt8> = [0x3F, 0x3A, 0x40, 0x24, 0x23]
    guard source.bytes[range].contains(where: { marks.contains($0) }) else { return [] }
    let text = SourceText(bytes: Array(source.bytes[range]))
    let tokens = Lexer.tokenize(text, allowsDigitSeparators: true).tokens
    return tokens.indices.filter { tokens[$0].kind == .parameter }.map { index in
      let token = tokens[index]
      let spelling = text[token.span]
      let place = ByteSpan(
        token.span.start.advanced(by: range.lowerBound),
        token.span.end.advanced(by: range.lowerBound))
      let kind: Parameter.Kind =
        if spelling == "?" {
          .anonymous
        } else if spelling.hasPrefix("?") {
          .numbered(Int(spelling.dropFirst()) ?? 0)
        } else {
          .named(spelling)
        }
      let form: ParameterTable.Form
      switch index > 0 ? tokens[index - 1].kind : .endOfText {
      case .in: form = .list
      case .values: form = .rows
      default: form = tokens[index + 1].kind == .dot ? .rows : .value
      }
      return ParameterToken(kind: kind, span: place, form: form)
    }
  }
}

extension SQLSyntax.ColumnDefinition {
  /// The name of the result column with which SQLite verifies that the table has no rows.
  fileprivate var emptyTableCheckColumn: String? {
    let generated = constraints.lazy.compactMap { constraint in
      if case .generated(_, let storage) = constraint.kind { storage == .stored } else { nil }
    }.first
    if let isStored = generated {
      return isStored ? "raise(ABORT,'cannot add a STORED column')" : nil
    }
    var isNotNull = false
    var defaultValue: DefaultValue?
    for constraint in constraints {
      if case .notNull = constraint.kind { isNotNull = true }
      if case .default(let value) = constraint.kind { defaultValue = value }
    }
    if isNotNull, defaultValue?.isNull ?? true {
      return "raise(ABORT,'Cannot add a NOT NULL column with default value NULL')"
    }
    return defaultValue?.isComputed == true
      ? "raise(ABORT,'Cannot add a column with non-constant default')" : nil
  }

  /// Indicates whether SQLite checks the table's existing rows when the column is added.
  fileprivate var requiresRowCheck: Bool {
    var isNotNull = false
    var isGenerated = false
    for constraint in constraints {
      switch constraint.kind {
      case .check: return true
      case .notNull: isNotNull = true
      case .generated: isGenerated = true
      default: break
      }
    }
    return isNotNull && isGenerated
  }
}
