extension Printer {
  mutating func write(_ select: Select) {
    write(select.with)
    write(select.first)
    for next in select.rest {
      write(" \(next.op.rawValue) ")
      write(next.arm)
    }
    writeOrder(select.orderBy, select.limit)
  }

  /// Writes ` ORDER BY …` and ` LIMIT …`, if present.
  mutating func writeOrder(_ terms: [OrderingTerm], _ limit: LimitClause?) {
    if !terms.isEmpty {
      write(" ORDER BY ")
      write(terms)
    }
    guard let limit else { return }
    write(" LIMIT ")
    if limit.isOffsetFirst, let offset = limit.offset {
      write(offset)
      write(", ")
      write(limit.count)
    } else {
      write(limit.count)
      guard let offset = limit.offset else { return }
      write(" OFFSET ")
      write(offset)
    }
  }

  /// Writes `WITH … ` with a trailing space, if present.
  mutating func write(_ with: WithClause?) {
    guard let with else { return }
    write("WITH ")
    write("RECURSIVE", if: with.isRecursive)
    write(with.tables) { printer, table in
      printer.write(table.name)
      printer.writeColumns(table.columns)
      printer.write(" AS ")
      if let materialization = table.materialization {
        printer.write(materialization.rawValue + " ")
      }
      printer.write("(")
      printer.write(table.select)
      printer.write(")")
    }
    write(" ")
  }

  private mutating func write(_ arm: SelectArm) {
    switch arm {
    case .query(let query): write(query)
    case .values(let values):
      write("VALUES ")
      write(values.rows) { printer, row in
        printer.write("(")
        printer.write(row)
        printer.write(")")
      }
    }
  }

  private mutating func write(_ query: SelectQuery) {
    write("SELECT ")
    if let quantifier = query.quantifier { write(quantifier.rawValue + " ") }
    write(query.columns)
    if let from = query.from {
      write(" FROM ")
      write(from)
    }
    writeCondition(query.where)
    if !query.groupBy.isEmpty {
      write(" GROUP BY ")
      write(query.groupBy)
    }
    if let having = query.having {
      write(" HAVING ")
      write(having)
    }
    guard !query.windows.isEmpty else { return }
    write(" WINDOW ")
    write(query.windows) { printer, definition in
      printer.write(definition.name)
      printer.write(" AS ")
      printer.write(definition.window)
    }
  }

  /// Writes ` WHERE …`, if present.
  mutating func writeCondition(_ condition: Expression?) {
    guard let condition else { return }
    write(" WHERE ")
    write(condition)
  }

  mutating func write(_ columns: [ResultColumn]) {
    write(columns) { printer, column in
      switch column.kind {
      case .star: printer.write("*")
      case .tableStar(let table):
        printer.write(table)
        printer.write(".*")
      case .expression(let expression, let alias):
        printer.write(expression)
        printer.writeAlias(alias)
      }
    }
  }

  mutating func write(_ from: FromClause) {
    write(from.first)
    for join in from.joins {
      let words: String? =
        switch join.kind {
        case .comma: nil
        case .plain: "JOIN "
        case .inner: "INNER JOIN "
        case .cross: "CROSS JOIN "
        case .left: "LEFT JOIN "
        case .right: "RIGHT JOIN "
        case .full: "FULL JOIN "
        }
      write(words == nil ? ", " : " ")
      write("NATURAL", if: join.isNatural)
      if let words { write(words) }
      write(join.source)
      switch join.constraint {
      case .on(let condition):
        write(" ON ")
        write(condition)
      case .using(let columns):
        write(" USING")
        writeColumns(columns)
      case nil: break
      }
    }
  }

  mutating func write(_ table: TableReference) {
    write(table.name)
    writeAlias(table.alias)
    switch table.indexing {
    case .indexedBy(let index):
      write(" INDEXED BY ")
      write(index)
    case .notIndexed: write(" NOT INDEXED")
    case nil: break
    }
  }

  private mutating func write(_ source: TableSource) {
    switch source {
    case .table(let table): write(table)
    case .function(let function):
      write(function.name)
      write("(")
      write(function.arguments)
      write(")")
      writeAlias(function.alias)
    case .subquery(let subquery):
      write("(")
      write(subquery.select)
      write(")")
      writeAlias(subquery.alias)
    case .parenthesized(let source):
      write("(")
      write(source.from)
      write(")")
      writeAlias(source.alias)
    }
  }
}
