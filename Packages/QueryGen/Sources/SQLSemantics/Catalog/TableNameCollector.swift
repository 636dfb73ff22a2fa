internal import QueryModel
internal import SQLSyntax

/// A collector of all table names in a syntax tree.
struct TableNameCollector {
  private(set) var names: [QualifiedName] = []

  init(_ statements: [Statement], condition: Expression?) {
    if let condition { visit(condition) }
    for statement in statements { visit(statement) }
  }

  init(_ select: Select) { visit(select) }

  private mutating func visit(_ statement: Statement) {
    switch statement {
    case .select(let node): visit(node)
    case .insert(let node):
      visit(node.with)
      names.append(node.table.name)
      if case .select(let select) = node.source { visit(select) }
      for upsert in node.upserts {
        upsert.targetWhere.map { visit($0) }
        if case .update(let assignments, let condition) = upsert.action {
          for assignment in assignments { visit(assignment.value) }
          condition.map { visit($0) }
        }
      }
    case .update(let node):
      visit(node.with)
      names.append(node.table.name)
      for assignment in node.assignments { visit(assignment.value) }
      node.from.map { visit($0) }
      node.where.map { visit($0) }
    case .delete(let node):
      visit(node.with)
      names.append(node.table.name)
      node.where.map { visit($0) }
    default: break
    }
  }

  private mutating func visit(_ with: WithClause?) {
    for table in with?.tables ?? [] { visit(table.select) }
  }

  private mutating func visit(_ select: Select) {
    visit(select.with)
    for arm in select.arms {
      switch arm {
      case .values(let values): for row in values.rows { row.forEach { visit($0) } }
      case .query(let query): visit(query)
      }
    }
    for term in select.orderBy { visit(term.expression) }
    select.limit.map { limit in
      visit(limit.count)
      limit.offset.map { visit($0) }
    }
  }

  private mutating func visit(_ query: SelectQuery) {
    for column in query.columns {
      if case .expression(let expression, _) = column.kind { visit(expression) }
    }
    query.from.map { visit($0) }
    query.where.map { visit($0) }
    query.groupBy.forEach { visit($0) }
    query.having.map { visit($0) }
    query.windows.flatMap(\.window.expressions).forEach { visit($0) }
  }

  private mutating func visit(_ from: FromClause) {
    visit(from.first)
    for join in from.joins {
      visit(join.source)
      if case .on(let condition) = join.constraint { visit(condition) }
    }
  }

  private mutating func visit(_ source: TableSource) {
    switch source {
    case .table(let node): names.append(node.name)
    case .function(let node):
      names.append(node.name)
      node.arguments.forEach { visit($0) }
    case .subquery(let node): visit(node.select)
    case .parenthesized(let node): visit(node.from)
    }
  }

  private mutating func visit(_ expression: Expression) {
    var open = [expression]
    while let next = open.popLast() {
      switch next {
      case .exists(let node): visit(node.select)
      case .subquery(let node): visit(node.select)
      case .in(let node):
        switch node.source {
        case .select(let select): visit(select)
        case .table(let name), .function(let name, _): names.append(name)
        case .list, .parameter: break
        }
      default: break
      }
      open += next.children.reversed()
    }
  }
}

extension Catalog {
  /// Returns the schema table of a database, under any of its names: `sqlite_schema`,
  /// `sqlite_master` and the `sqlite_temp_` variants.
  func systemTable(_ name: NameKey, in database: NameKey?) -> Table? {
    guard name.folded.hasPrefix("sqlite_") else { return nil }
    switch name {
    case "sqlite_master", "sqlite_schema":
      let home = database ?? "main"
      guard databaseIndex(home) != nil else { return nil }
      return schemaTable(home == "temp" ? "sqlite_temp_master" : "sqlite_master", in: home)
    case "sqlite_temp_master", "sqlite_temp_schema":
      guard database == nil || database == "temp" else { return nil }
      return schemaTable("sqlite_temp_master", in: "temp")
    default: return nil
    }
  }

  private func schemaTable(_ name: String, in database: NameKey) -> Table {
    var table = Table(
      name: name, database: database, kind: .system,
      columns: [
        Column("type", declaredType: "TEXT"), Column("name", declaredType: "TEXT"),
        Column("tbl_name", declaredType: "TEXT"), Column("rootpage", declaredType: "INT"),
        Column("sql", declaredType: "TEXT"),
      ])
    table.isWritable = false
    return table
  }

  /// Returns the table that the first `AUTOINCREMENT` creates.
  static func sequenceTable(in database: NameKey) -> Table {
    Table(
      name: "sqlite_sequence", database: database, kind: .system,
      columns: [Column("name"), Column("seq")])
  }

  /// Returns the table that `ANALYZE` creates.
  static func statisticsTable(in database: NameKey) -> Table {
    Table(
      name: "sqlite_stat1", database: database, kind: .system,
      columns: [Column("tbl"), Column("idx"), Column("stat")])
  }
}
