extension RandomQueryGenerator {
  /// The visible common table expressions, as sources with their names.
  typealias CommonTables = [Source]

  mutating func select(
    _ scope: Scope, depth: Int, width: Int, names: [String]? = nil, limits: Bool = false,
    commonTables outer: CommonTables = [], isTop: Bool = false
  ) -> String {
    var tables = outer
    var text = ""
    if isTop, chance(0.3) { text = with(&tables) }
    text += core(scope, depth: depth, width: width, names: names, tables, isTop: isTop)
    var armCount = 1
    while armCount < 3, chance(0.12) {
      armCount += 1
      text += " \(random.pick(["UNION", "UNION ALL", "EXCEPT", "INTERSECT"])) "
      text += core(scope, depth: depth, width: width, names: names, tables, isTop: false)
    }
    if isTop, chance(0.3) { text += " ORDER BY 1\(random.pick(["", " DESC", " NULLS LAST"]))" }
    if limits || chance(0.1) {
      text += " LIMIT \(random.pick([1, 1, 1, 2, 0]))\(chance(0.1) ? " OFFSET 1" : "")"
    }
    return text
  }

  private mutating func with(_ tables: inout CommonTables) -> String {
    var parts: [String] = []
    var isRecursive = chance(0.3)
    for _ in 0..<random.pick([1, 1, 2]) {
      let name = "w\(alias())"
      if chance(0.25) {
        isRecursive = true
        let step = random.pick(["x1 + 1", "x1 + 1.5", "coalesce(x1, 0) + 1", "x1 || 1"])
        parts.append(
          "\(name)(x1) AS (SELECT \(random.pick(["1", "0", "NULL", "'1'"])) UNION ALL "
            + "SELECT \(step) FROM \(name) LIMIT 4)")
        tables.append(Source(alias: name, columns: ["x1"]))
        continue
      }
      let columns = random.pick([["x1"], ["x1", "x2"]])
      let hint = random.pick(["", "MATERIALIZED ", "NOT MATERIALIZED "])
      let body = select([], depth: 1, width: columns.count, commonTables: tables)
      parts.append("\(name)(\(columns.joined(separator: ", "))) AS \(hint)(\(body))")
      tables.append(Source(alias: name, columns: columns))
    }
    return "WITH \(isRecursive ? "RECURSIVE " : "")\(parts.joined(separator: ", ")) "
  }

  private mutating func core(
    _ scope: Scope, depth: Int, width: Int, names: [String]?, _ tables: CommonTables, isTop: Bool
  ) -> String {
    func named(_ expressions: [String]) -> String {
      guard let names else { return expressions.joined(separator: ", ") }
      return zip(expressions, names).map { "\($0) AS \($1)" }.joined(separator: ", ")
    }
    if chance(0.06) {
      let values = (0..<width).map { _ in expression(scope, 1) }
      return "SELECT \(named(values))\(chance(0.3) ? " WHERE \(condition(scope, 0))" : "")"
    }
    let (from, sources) = fromClause(depth, tables)
    let inner = scope + [sources]
    let isAggregate = chance(0.3)
    let hasWindows = chance(isAggregate ? 0.05 : 0.15)
    let groups =
      isAggregate && chance(0.6)
      ? (0..<random.pick([1, 1, 2])).map { _ in expression(inner, 0) } : []
    var columns: String
    if isTop, !isAggregate, chance(0.15) {
      columns = random.pick(["*", "*"] + sources.map { "\($0.alias).*" })
    } else {
      var values = (0..<width).map { _ in
        expression(inner, isTop ? 2 : 1, aggregates: isAggregate, windows: hasWindows)
      }
      if let group = groups.first, chance(0.5) { values[0] = group }
      columns = named(values)
    }
    if chance(0.08) { columns = "DISTINCT " + columns }
    var text = "SELECT \(columns) FROM \(from)"
    if chance(0.5) {
      let conditions = (0..<random.pick([1, 1, 2])).map { _ in condition(inner, 1) }
      text += " WHERE \(conditions.joined(separator: " AND "))"
    }
    if !groups.isEmpty {
      text += " GROUP BY \(groups.joined(separator: ", "))"
      if chance(0.25) { text += " HAVING \(condition(inner, 1, aggregates: true))" }
    }
    return text
  }

  private mutating func source(_ depth: Int, _ tables: CommonTables) -> (String, Source) {
    let alias = alias()
    func make(_ text: String, _ columns: [String], hasRowID: Bool = false) -> (String, Source) {
      ("\(text) AS \(alias)", Source(alias: alias, columns: columns, hasRowID: hasRowID))
    }
    if !tables.isEmpty, chance(0.3) {
      let table = random.pick(tables)
      return make(table.alias, table.columns)
    }
    if depth > 0, chance(0.12) {
      let names = (0..<random.pick([1, 2, 3])).map { "c\($0)" }
      return make("(\(select([], depth: depth - 1, width: names.count, names: names)))", names)
    }
    if chance(0.04) {
      let rows = (0..<2).map { _ in "(\(literal()), \(literal()))" }.joined(separator: ", ")
      return make("(VALUES \(rows))", ["column1", "column2"])
    }
    if chance(0.04) {
      let document = random.pick(["'[1,null,\"a\"]'", "'{\"a\":[1,2.5,true]}'"])
      return make(
        "\(random.pick(["json_each", "json_tree"]))(\(document))",
        ["key", "value", "type", "atom", "id", "parent", "fullkey", "path"])
    }
    let name = random.pick([
      "item", "item", "item", "item", "part", "part", "part", "part", "st", "fr", "io", "wr", "wr",
      "ge", "vi",
      "vv",
      "ft", "rt",
    ])
    return make(
      name, Self.tables[name] ?? [], hasRowID: !["wr", "vi", "vv", "io"].contains(name))
  }

  private mutating func fromClause(_ depth: Int, _ tables: CommonTables) -> (String, [Source]) {
    var (text, first) = source(depth, tables)
    var sources = [first]
    for _ in 0..<random.pick([0, 0, 1, 1, 2]) {
      let join = random.pick([
        "JOIN", "LEFT JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN", ",", "CROSS JOIN",
        "LEFT OUTER JOIN",
      ])
      let (right, source) = source(depth - 1, tables)
      let left = sources
      first = source
      sources.append(source)
      guard join != "," else {
        text += ", \(right)"
        continue
      }
      let common = source.columns.filter { name in left.count { $0.columns.contains(name) } == 1 }
      if !common.isEmpty, chance(0.2) {
        text += " \(join) \(right) USING (\(random.pick(common)))"
      } else if join != "CROSS JOIN", chance(0.06) {
        text += " NATURAL \(join) \(right)"
      } else if let last = left.last, chance(0.7) {
        let (a, b) = (random.pick(last.columns), random.pick(source.columns))
        text += " \(join) \(right) ON \(last.alias).\(a) = \(source.alias).\(b)"
      } else {
        text += " \(join) \(right) ON \(condition([sources], 1))"
      }
    }
    return (text, sources)
  }
}
