internal import Primitives
internal import SQLSemantics
internal import SQLSyntax

/// The selects of a statement, with the parts that explain its plan.
struct StatementFacts {
  /// A source of rows.
  struct Source {
    /// The alias or the name, in lowercase.
    var label: String
    /// The table; `nil` for a view, a common table, a subquery and a function.
    var table: String?
    /// The view, in lowercase.
    var view: String?
    var span: ByteSpan
    /// Indicates whether all combinations with the previous sources are wanted, or already reported
    /// by the analyzer.
    var isCross: Bool
    /// The columns of `USING` or `NATURAL`.
    var joined: [String] = []
    /// Indicates whether `NATURAL`, `USING` or the arguments of a function connect the source with
    /// the previous ones.
    var isConnected = false
  }

  /// A select, or the rows that an `UPDATE` or a `DELETE` finds.
  struct Select {
    var sources: [Source] = []
    /// The operands of `AND` in `WHERE` and `ON`.
    var conditions: [Expression] = []
    var columns: [ResultColumn] = []
    var groupBy: [Expression] = []
    var orderBy: [SortTerm] = []
    var isDistinct = false
    var limit: LimitClause?
    var isCompound = false
    /// Indicates whether the select ends a recursion, or only tests whether there are rows.
    var isBounded = false
    /// Indicates whether the rows are those of the whole statement.
    var isResult = false
    /// The conditions on the sources of a view that follow from conditions on the view's columns.
    var pushed: [(label: String, condition: PlanCondition)] = []
    /// The terms by which the first window function sorts.
    var window: [SortTerm] = []
    var span: ByteSpan
  }

  /// A term by which rows are sorted or grouped.
  struct SortTerm {
    var expression: Expression
    var isDescending = false
    var span: ByteSpan

    init(_ expression: Expression) {
      self.expression = expression
      span = expression.span
    }

    init(_ term: OrderingTerm) {
      expression = term.expression
      isDescending = term.direction == .descending
      span = term.span
    }
  }

  let source: SourceText
  private(set) var selects: [Select] = []
  /// Indicates whether the statement writes, so that its plan contains checks of foreign keys.
  private(set) var isWrite = false
  /// The columns in the column list of a view.
  private(set) var viewColumns: [Identifier] = []
  private let references: [ByteOffset: NameReference]

  init(_ statement: Statement, source: SourceText, catalog: Catalog) {
    self.init(
      statement, source: source,
      references: catalog.trace(statement, source: source).references)
  }

  /// Creates the facts of a statement, which may be part of another one.
  init(_ statement: Statement, source: SourceText, references: [NameReference]) {
    self.source = source
    self.references = Dictionary(
      references.map { ($0.span.start, $0) }, uniquingKeysWith: { first, _ in first })
    switch statement {
    case .select(let node): add(node, isResult: true)
    case .insert(let node):
      isWrite = true
      add(node.with)
      if case .select(let select) = node.source { add(select) }
    case .update(let node):
      isWrite = true
      add(node.with)
      add(node.table, node.from, node.where, node.span)
      for assignment in node.assignments { addSubqueries(of: assignment.value) }
    case .delete(let node):
      isWrite = true
      add(node.with)
      add(node.table, nil, node.where, node.span)
    case .createView(let node):
      viewColumns = node.columns
      add(node.select, isResult: true)
    default: break
    }
  }

  // MARK: Selects

  private mutating func add(_ with: WithClause?) {
    for table in with?.tables ?? [] {
      // LIMIT may end a recursion.
      add(table.select, isBounded: table.select.isCompound)
    }
  }

  private mutating func add(
    _ table: TableReference, _ from: FromClause?, _ condition: Expression?, _ span: ByteSpan
  ) {
    var select = Select(span: span)
    add(.table(table), join: nil, to: &select)
    if let from { add(from, to: &select) }
    add(condition, to: &select)
    selects.append(select)
  }

  private mutating func add(
    _ node: SQLSyntax.Select, isBounded: Bool = false, isResult: Bool = false
  ) {
    add(node.with)
    for arm in node.arms {
      guard case .query(let query) = arm else { continue }
      var select = Select(span: query.span)
      select.isBounded = isBounded
      select.isResult = isResult
      select.isCompound = node.isCompound
      select.columns = query.columns
      select.groupBy = query.groupBy
      select.isDistinct = query.quantifier == .distinct
      select.orderBy = node.orderBy.map { SortTerm($0) }
      select.limit = node.limit
      if let from = query.from { add(from, to: &select) }
      add(query.where, to: &select)
      for column in query.columns {
        guard case .expression(let expression, _) = column.kind else { continue }
        addSubqueries(of: expression)
        if select.window.isEmpty { select.window = expression.windowTerms }
      }
      query.having.map { addSubqueries(of: $0) }
      selects.append(select)
    }
  }

  private mutating func add(_ condition: Expression?, to select: inout Select) {
    guard let condition else { return }
    var pending = [condition]
    while let next = pending.popLast() {
      let operands = next.unparenthesized.conjuncts
      if operands.count > 1 {
        pending += operands.reversed()
      } else {
        select.conditions.append(next.unparenthesized)
      }
    }
    addSubqueries(of: condition)
  }

  private mutating func addSubqueries(of expression: Expression) {
    switch expression {
    case .exists(let node): add(node.select, isBounded: true)
    case .subquery(let node): add(node.select)
    case .in(let node):
      if case .select(let select) = node.source { add(select) }
    default: break
    }
    for child in expression.children { addSubqueries(of: child) }
  }

  // MARK: Sources

  private mutating func add(_ from: FromClause, to select: inout Select) {
    add(from.first, join: nil, to: &select)
    for join in from.joins {
      add(join.source, join: join, to: &select)
      if case .on(let condition) = join.constraint { add(condition, to: &select) }
    }
  }

  private mutating func add(_ node: TableSource, join: Join?, to select: inout Select) {
    let isCross = join.map { join in
      join.kind == .cross
        || join.constraint == nil && !join.isNatural && join.kind != .comma
    }
    var source = Source(label: "", span: node.span, isCross: isCross ?? false)
    if case .using(let columns) = join?.constraint {
      source.joined = columns.map(\.folded)
      source.isConnected = true
    }
    if join?.isNatural == true { source.isConnected = true }
    switch node {
    case .table(let table):
      source.label = (table.alias ?? table.name.name).folded
      let reference = references[table.name.name.span.start]
      if case .table(let name) = reference?.target {
        if reference?.role == .table { source.table = name.asciiLowercased }
        if reference?.role == .view { source.view = name.asciiLowercased }
      }
    case .function(let function):
      source.label = (function.alias ?? function.name.name).folded
      source.isConnected = true
    case .subquery(let subquery):
      source.label = subquery.alias?.folded ?? ""
      add(subquery.select)
    case .parenthesized(let inner):
      add(inner.from, to: &select)
      return
    }
    select.sources.append(source)
  }

  // MARK: Lookup

  /// Returns the select with the given labels.
  func select(with labels: [String]) -> Select? {
    guard !labels.isEmpty else { return nil }
    return selects.first { select in
      labels.allSatisfy { label in select.sources.contains { $0.label == label } }
    }
  }

  /// Returns the column that an expression consists of, and its source's label.
  func column(_ expression: Expression) -> (label: String, name: String)? {
    guard case .column(let node) = expression.unparenthesized,
      let reference = references[node.column.span.start]
    else { return nil }
    return Self.column(reference)
  }

  private static func column(_ reference: NameReference) -> (label: String, name: String)? {
    guard reference.role == .column, let label = reference.qualifier,
      case .column(_, let name) = reference.target
    else { return nil }
    return (label.asciiLowercased, name.asciiLowercased)
  }

  /// Returns the columns in an expression, including those of its subqueries.
  func columns(in span: ByteSpan) -> [(label: String, name: String, span: ByteSpan)] {
    references.values.filter { span.start <= $0.span.start && $0.span.end <= span.end }
      .sorted { $0.span.start < $1.span.start }
      .compactMap { reference in
        Self.column(reference).map { ($0.label, $0.name, reference.span) }
      }
  }
}

extension Expression {
  /// The terms by which the first window function in the expression partitions and sorts.
  fileprivate var windowTerms: [StatementFacts.SortTerm] {
    if case .function(let node) = self, case .specification(let window) = node.over {
      return window.partitionBy.map { .init($0) } + window.orderBy.map { .init($0) }
    }
    return children.lazy.map(\.windowTerms).first { !$0.isEmpty } ?? []
  }
}
