extension Printer {
  mutating func write(_ node: FunctionCall) {
    write(node.name)
    write("(")
    switch node.arguments {
    case .star: write("*")
    case .list(let expressions, let quantifier):
      if let quantifier { write(quantifier.rawValue + (expressions.isEmpty ? "" : " ")) }
      write(expressions)
    }
    if !node.orderBy.isEmpty {
      write(" ORDER BY ")
      write(node.orderBy)
    }
    write(")")
    if let filter = node.filter {
      write(" FILTER (WHERE ")
      write(filter)
      write(")")
    }
    switch node.over {
    case .named(let name):
      write(" OVER ")
      write(name)
    case .specification(let window):
      write(" OVER ")
      write(window)
    case nil: break
    }
  }

  mutating func write(_ window: WindowSpecification) {
    var parts: [(inout Printer) -> Void] = []
    if let base = window.base { parts.append { $0.write(base) } }
    if !window.partitionBy.isEmpty {
      parts.append {
        $0.write("PARTITION BY ")
        $0.write(window.partitionBy)
      }
    }
    if !window.orderBy.isEmpty {
      parts.append {
        $0.write("ORDER BY ")
        $0.write(window.orderBy)
      }
    }
    if let frame = window.frame { parts.append { $0.write(frame) } }
    write("(")
    write(parts, separator: " ") { printer, part in part(&printer) }
    write(")")
  }

  private mutating func write(_ frame: WindowFrame) {
    write(frame.unit.rawValue + " ")
    write("BETWEEN", if: frame.end != nil)
    write(frame.start)
    if let end = frame.end {
      write(" AND ")
      write(end)
    }
    if let exclusion = frame.exclusion { write(" EXCLUDE " + exclusion.rawValue) }
  }

  private mutating func write(_ bound: WindowFrame.Bound) {
    switch bound {
    case .unboundedPreceding: write("UNBOUNDED PRECEDING")
    case .currentRow: write("CURRENT ROW")
    case .unboundedFollowing: write("UNBOUNDED FOLLOWING")
    case .preceding(let distance):
      write(distance)
      write(" PRECEDING")
    case .following(let distance):
      write(distance)
      write(" FOLLOWING")
    }
  }

  mutating func write(_ terms: [OrderingTerm]) {
    write(terms) { printer, term in
      printer.write(term.expression)
      if let direction = term.direction { printer.write(" " + direction.rawValue) }
      if let nulls = term.nulls { printer.write(" " + nulls.rawValue) }
    }
  }
}
