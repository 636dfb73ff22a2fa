internal import QueryModel
internal import SQLSyntax

/// What is known of one statement.
struct StatementOutcome {
  var columns: [SelectColumn] = []
  var cardinality = Cardinality.none
  var wholeTable: String?
  var isReadOnly = true
  var changes: [SchemaChange] = []
  var rowConditions: RowConditions?

  init(isReadOnly: Bool, changes: [SchemaChange] = []) {
    self.isReadOnly = isReadOnly
    self.changes = changes
  }

  init(_ select: ResolvedSelect) {
    columns = select.columns
    cardinality = select.rowCount.cardinality
    wholeTable = select.wholeTable
    rowConditions = select.rowConditions
  }

  init(_ change: ResolvedChange) {
    columns = change.columns
    cardinality = change.columns.isEmpty ? .none : change.rowCount.cardinality
    wholeTable = change.wholeTable
    isReadOnly = false
  }

  /// A statement whose columns are known by name alone.
  init(names: [String], isReadOnly: Bool) {
    columns = names.map {
      SelectColumn(
        name: $0, innerName: $0, type: .any, isNullable: true, collation: "BINARY")
    }
    cardinality = names.isEmpty ? .none : .many
    self.isReadOnly = isReadOnly
  }
}

extension Resolver {
  /// Resolves a statement of any kind.
  mutating func resolve(
    _ statement: Statement, documentation: [String] = []
  ) -> StatementOutcome {
    numberParameters(in: statement.span)
    switch statement {
    case .select(let node):
      return StatementOutcome(resolveSelect(node, parent: nil, commonTables: nil))
    case .insert(let node): return StatementOutcome(resolve(node))
    case .update(let node): return StatementOutcome(resolve(node))
    case .delete(let node): return StatementOutcome(resolve(node))
    case .createTable(let node):
      return changing(define(node, documentation: documentation))
    case .createView(let node):
      return changing(define(node, documentation: documentation))
    case .createVirtualTable(let node):
      return changing(define(node, documentation: documentation))
    case .createIndex(let node): return changing(define(node))
    case .createTrigger(let node):
      let changes = define(node)
      // Of all statements that find their work done, SQLite calls this one read-only.
      return StatementOutcome(
        isReadOnly: node.ifNotExists && changes.isEmpty, changes: changes)
    case .alterTable(let node):
      var outcome = changing(define(node))
      // The check that SQLite runs over the rows there are shows as a column.
      if case .addColumn(let column) = node.action, column.isCheckedAgainstRows {
        outcome.columns = StatementOutcome(names: [Self.rowCheck], isReadOnly: false).columns
      }
      return outcome
    case .drop(let node): return changing(define(node))
    case .attach(let node):
      return StatementOutcome(isReadOnly: true, changes: define(node))
    case .detach(let node):
      return StatementOutcome(isReadOnly: true, changes: define(node))
    case .analyze(let node): return changing(define(node))
    case .reindex(let node):
      check(node)
      return StatementOutcome(isReadOnly: !rebuildsIndex(node))
    case .vacuum(let node):
      check(node)
      return StatementOutcome(isReadOnly: node.schema.map { NameKey($0.text) } == "temp")
    case .pragma(let node): return resolve(node)
    case .begin(let node):
      return StatementOutcome(isReadOnly: node.mode == nil || node.mode == .deferred)
    case .commit, .rollback, .savepoint, .release: return StatementOutcome(isReadOnly: true)
    case .explain(let node): return resolve(node)
    }
  }

  private static let rowCheck =
    "CASE WHEN quick_check GLOB 'CHECK*' THEN raise(ABORT,'CHECK constraint failed') "
    + "ELSE raise(ABORT,'NOT NULL constraint failed') END"

  private func changing(_ changes: [SchemaChange]) -> StatementOutcome {
    StatementOutcome(isReadOnly: false, changes: changes)
  }

  private mutating func check(_ node: Vacuum) {
    if let schema = node.schema, catalog.databaseIndex(NameKey(schema.text)) == nil {
      report(.unknownDatabase, at: schema.span, "unknown database `\(schema.text)`")
    }
    guard let file = node.into else { return }
    let scope = Scope(id: makeScopeID(), parent: nil)
    hint(resolveScalar(file, in: scope), type: .text, name: "file")
  }

  private mutating func resolve(_ node: Explain) -> StatementOutcome {
    let inner = resolve(node.statement)
    let names =
      node.isQueryPlan
      ? ["id", "parent", "notused", "detail"]
      : ["addr", "opcode", "p1", "p2", "p3", "p4", "p5", "comment"]
    return StatementOutcome(names: names, isReadOnly: inner.isReadOnly)
  }

  private mutating func resolve(_ node: Pragma) -> StatementOutcome {
    if let schema = node.name.schema, catalog.databaseIndex(NameKey(schema.text)) == nil {
      report(.unknownDatabase, at: schema.span, "unknown database `\(schema.text)`")
    }
    let name = NameKey(node.name.name.text).folded
    let columns = PragmaShape.columns(of: name, hasValue: node.value != nil)
    var outcome = StatementOutcome(
      names: columns, isReadOnly: PragmaShape.isReadOnly(name, node.value))
    if name == "legacy_alter_table", let value = node.value {
      outcome.changes = [.setLegacyAlterTable(PragmaShape.isOn(value))]
    }
    return outcome
  }

  /// Numbers the parameters of a statement, which SQLite does in the order of the text, whether
  /// anything uses them or not.
  private mutating func numberParameters(in span: ByteSpan) {
    for (kind, place) in parameterTokens(in: span) {
      _ = parameters.number(kind, at: place)
    }
  }

  /// Where the first parameter within `span` stands.
  func firstParameterSpan(in span: ByteSpan) -> ByteSpan? {
    parameterTokens(in: span).first?.1
  }

  private func parameterTokens(in span: ByteSpan) -> [(Parameter.Kind, ByteSpan)] {
    let range = span.range.clamped(to: 0..<source.byteCount)
    let marks: Set<UInt8> = [0x3F, 0x3A, 0x40, 0x24, 0x23]
    guard source.bytes[range].contains(where: { marks.contains($0) }) else { return [] }
    let text = SourceText(bytes: Array(source.bytes[range]))
    return Lexer.tokenize(text).tokens.filter { $0.kind == .parameter }.map { token in
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
      return (kind, place)
    }
  }
}

extension SQLSyntax.ColumnDefinition {
  /// Whether adding the column makes SQLite look at the rows of the table.
  fileprivate var isCheckedAgainstRows: Bool {
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
