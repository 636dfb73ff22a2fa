extension RandomQueryGenerator {
  private static let literals = [
    "0", "1", "2", "3", "-1", "40", "1.5", "-0.5", "0.0", "2e3", "'a'", "''", "'12'", "'1.5x'",
    "'A'",
    "'2024-02-29'", "'$.a'", "'[1,null,\"a\"]'", "'{\"a\":1}'", "x'61'", "x''", "NULL", "NULL",
    "TRUE",
    "FALSE", "CURRENT_DATE", "CURRENT_TIMESTAMP",
  ]
  private static let unary =
    "abs lower upper length trim ltrim rtrim hex quote typeof unicode soundex round sign date time datetime julianday unixepoch json json_valid json_type json_quote json_array_length ceil floor sqrt ln exp likely unlikely"
    .split(separator: " ")
  private static let binary =
    "ifnull nullif coalesce instr substr round max min like glob trim printf format json_array json_patch pow mod atan2 log power date"
    .split(separator: " ")
  private static let aggregates = "count sum total avg min max group_concat json_group_array"
    .split(separator: " ")
  private static let rankings = ["row_number", "rank", "dense_rank", "percent_rank", "cume_dist"]
  private static let operators = ["+", "-", "*", "/", "%", "||", "&", "|", "<<", ">>"]

  mutating func literal() -> String { random.pick(Self.literals) }

  mutating func column(_ scope: Scope) -> String {
    guard let inner = scope.last, !chance(0.02) else { return literal() }
    let level = chance(0.85) ? inner : random.pick(scope)
    guard !level.isEmpty else { return literal() }
    let source = random.pick(level)
    let name = source.hasRowID && chance(0.05) ? "rowid" : random.pick(source.columns)
    return "\(source.alias).\(name)"
  }

  mutating func expression(
    _ scope: Scope, _ depth: Int, aggregates: Bool = false, windows: Bool = false
  ) -> String {
    guard depth > 0 else { return chance(0.75) ? column(scope) : literal() }
    if aggregates, chance(0.3) { return aggregate(scope, depth) }
    if windows, chance(0.25) { return window(scope, depth) }
    func part(_ maker: inout RandomQueryGenerator) -> String {
      maker.expression(scope, depth - 1, aggregates: aggregates, windows: windows)
    }
    let (a, b, c) = (part(&self), part(&self), part(&self))
    switch Int.random(in: 0..<100, using: &random) {
    case ..<34: return column(scope)
    case ..<40: return literal()
    case ..<50: return "(\(a) \(random.pick(Self.operators)) \(b))"
    case ..<58: return "(\(condition(scope, depth - 1, aggregates: aggregates)))"
    case ..<70: return "\(random.pick(Self.unary))(\(a))"
    case ..<76: return "\(random.pick(Self.binary))(\(a), \(b))"
    case ..<80:
      let document = random.pick([a, literal(), "json_array(\(a))"])
      let path = random.pick(["'$.a'", "'$'", "'a'", "0", "NULL"])
      return random.pick([
        "json_extract(\(document), \(path))", "(\(document) \(random.pick(["->", "->>"])) \(path))",
        "json_remove(\(document), \(path))", "json_set(\(document), '$.a', \(b))",
      ])
    case ..<85:
      return
        "\(random.pick(["coalesce", "max", "min", "iif", "substr", "replace"]))(\(a), \(b), \(c))"
    case ..<91:
      let base = chance(0.4) ? a : ""
      let when = base.isEmpty ? condition(scope, depth - 1, aggregates: aggregates) : b
      return "CASE \(base) WHEN \(when) THEN \(c)\(chance(0.6) ? " ELSE \(literal())" : "") END"
    case ..<94:
      let types = [
        "INTEGER", "TEXT", "REAL", "BLOB", "NUMERIC", "BOOLEAN", "VARCHAR(3)", "DECIMAL(3,1)",
      ]
      return "CAST(\(a) AS \(random.pick(types)))"
    case ..<95: return "\(random.pick(["-", "+", "~", "NOT "]))\(column(scope))"
    case ..<96: return "\(a) COLLATE \(random.pick(["nocase", "binary", "rtrim"]))"
    default:
      return scope.count < 3 ? "(\(select(scope, depth: depth - 1, width: 1, limits: true)))" : a
    }
  }

  private mutating func aggregate(_ scope: Scope, _ depth: Int) -> String {
    let filter = chance(0.15) ? " FILTER (WHERE \(condition(scope, 1)))" : ""
    if chance(0.15) { return "count(*)" + filter }
    let name = random.pick(Self.aggregates)
    let argument = expression(scope, depth - 1)
    if name == "group_concat", chance(0.4) {
      return "group_concat(\(argument), \(expression(scope, 0)))" + filter
    }
    return "\(name)(\(name != "json_group_array" && chance(0.15) ? "DISTINCT " : "")\(argument))"
      + filter
  }

  private mutating func window(_ scope: Scope, _ depth: Int) -> String {
    let over = " OVER (\(frame(scope)))"
    let argument = expression(scope, depth - 1)
    switch Int.random(in: 0..<4, using: &random) {
    case 0: return random.pick(Self.rankings) + "()" + over
    case 1:
      let rest = random.pick(["", ", 1", ", 0", ", 1, \(literal())", ", 2, \(column(scope))"])
      return "\(random.pick(["lag", "lead"]))(\(argument)\(rest))" + over
    case 2:
      return random.pick([
        "ntile(2)", "first_value(\(argument))", "last_value(\(argument))",
        "nth_value(\(argument), 2)",
      ]) + over
    default: return aggregate(scope, depth).replacing("DISTINCT ", with: "") + over
    }
  }

  private mutating func frame(_ scope: Scope) -> String {
    var parts: [String] = []
    if chance(0.4) { parts.append("PARTITION BY \(expression(scope, 0))") }
    let isOrdered = chance(0.7)
    if isOrdered {
      parts.append("ORDER BY \(expression(scope, 0))\(random.pick(["", " DESC", " NULLS LAST"]))")
    }
    guard chance(0.5) else { return parts.joined(separator: " ") }
    let unit = isOrdered ? random.pick(["ROWS", "GROUPS", "RANGE"]) : "ROWS"
    let bounds =
      unit == "RANGE"
      ? ["UNBOUNDED PRECEDING", "CURRENT ROW", "BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING"]
      : [
        "1 PRECEDING", "BETWEEN 2 PRECEDING AND 1 PRECEDING", "BETWEEN 1 FOLLOWING AND 2 FOLLOWING",
        "BETWEEN CURRENT ROW AND 1 FOLLOWING", "BETWEEN UNBOUNDED PRECEDING AND 0 FOLLOWING",
      ]
    parts.append("\(unit) \(random.pick(bounds))")
    if chance(0.3) {
      parts.append("EXCLUDE \(random.pick(["CURRENT ROW", "GROUP", "TIES", "NO OTHERS"]))")
    }
    return parts.joined(separator: " ")
  }

  mutating func condition(_ scope: Scope, _ depth: Int, aggregates: Bool = false) -> String {
    let inner = max(depth - 1, 0)
    let (a, b) = (
      expression(scope, inner, aggregates: aggregates),
      expression(scope, inner, aggregates: aggregates)
    )
    let not = random.pick(["", "NOT "])
    switch Int.random(in: 0..<100, using: &random) {
    case ..<15 where depth > 0:
      let sides = (0..<2).map { _ in condition(scope, depth - 1, aggregates: aggregates) }
      return "(\(sides.joined(separator: random.pick([" AND ", " OR "]))))"
    case ..<20: return "NOT (\(a))"
    case ..<42: return "\(a) \(random.pick(["=", "<>", "<", ">=", "==", "!=", "<=", ">"])) \(b)"
    case ..<56:
      return "\(column(scope)) \(random.pick(["IS NOT NULL", "NOTNULL", "IS NULL", "ISNULL"]))"
    case ..<63: return "\(a) \(random.pick(["IS", "IS NOT", "IS DISTINCT FROM"])) \(b)"
    case ..<70: return "\(a) \(not)BETWEEN \(b) AND \(literal())"
    case ..<77: return "\(a) \(not)IN (\(random.pick(["", b, "\(b), \(literal())"])))"
    case ..<81 where scope.count < 3: return "\(a) \(not)IN (\(select(scope, depth: 0, width: 1)))"
    case ..<84 where scope.count < 3:
      return "\(not)EXISTS (\(select(scope, depth: 0, width: random.pick([1, 2]))))"
    case ..<88: return "\(a) \(random.pick(["LIKE", "GLOB", "NOT LIKE"])) 'a%'"
    case ..<91:
      return
        "(\(column(scope)), \(column(scope))) \(random.pick(["=", "<", "IS", ">="])) (\(a), \(b))"
    default: return a
    }
  }
}
