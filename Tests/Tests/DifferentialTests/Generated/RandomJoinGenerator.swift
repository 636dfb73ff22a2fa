/// Generates random selects with joins: parentheses on either side, `USING`, `NATURAL`, outer joins,
/// aliases, subqueries, common tables and views. Most of them are valid.
///
/// ```swift
/// var generator = RandomJoinGenerator(random: RandomSource(seed: 1))
/// let sql = generator.statement()
/// ```
struct RandomJoinGenerator {
  /// An entry of a `FROM` clause.
  struct Source {
    /// The qualifier of the columns; `nil` if they have none.
    let name: String?
    var columns: [String]
    /// Indicates whether the name is the alias of a join in parentheses, which `*` can't follow.
    var isGroup = false
  }

  /// A `FROM` clause and the sources to which expressions can refer.
  struct From {
    var text = ""
    var sources: [Source] = []
    /// The columns of `*`, approximately.
    var columns: [String] { sources.flatMap { $0.isGroup ? [] : $0.columns } }
  }

  var random: RandomSource
  /// Indicates whether most conditions compare columns with constants.
  var prefersConstants = false
  private var nameCount = 0
  /// The common tables that are visible, from the outside in.
  private var commonTables: [Source] = []

  init(random: RandomSource) { self.random = random }

  static let schema = """
    CREATE TABLE a(id INTEGER PRIMARY KEY, j INTEGER, k INTEGER NOT NULL, x TEXT NOT NULL);
    CREATE TABLE b(id INTEGER PRIMARY KEY, j INTEGER NOT NULL, k INTEGER, y TEXT);
    CREATE TABLE c(k INTEGER NOT NULL, l INTEGER, z REAL NOT NULL);
    CREATE TABLE d(j INTEGER NOT NULL, l INTEGER NOT NULL, w TEXT);
    CREATE TABLE e(K INTEGER, J INTEGER NOT NULL, "two words" TEXT NOT NULL, "order" INTEGER);
    CREATE TABLE f(l INTEGER UNIQUE, m INTEGER NOT NULL, n INTEGER AS (m + 1));
    CREATE TABLE g(m INTEGER NOT NULL);
    CREATE VIEW v AS SELECT * FROM a LEFT JOIN b USING (id);
    CREATE VIEW w AS SELECT * FROM c JOIN (b JOIN d USING (j)) USING (k);
    CREATE VIEW u(j, p, q, r) AS SELECT d.j, l, w, m FROM d FULL JOIN f USING (l);
    """

  /// The statements that append a column to every table.
  static let wideningSchema = ["a", "b", "c", "d", "e", "f", "g"].map {
    "ALTER TABLE \($0) ADD COLUMN later_\($0) TEXT;"
  }.joined(separator: "\n")

  private static let tables: [Source] = [
    Source(name: "a", columns: ["id", "j", "k", "x"]),
    Source(name: "b", columns: ["id", "j", "k", "y"]),
    Source(name: "c", columns: ["k", "l", "z"]), Source(name: "d", columns: ["j", "l", "w"]),
    Source(name: "e", columns: ["k", "j", "\"two words\"", "\"order\""]),
    Source(name: "f", columns: ["l", "m", "n"]), Source(name: "g", columns: ["m"]),
    Source(name: "v", columns: ["id", "j", "k", "x", "j:1", "k:1", "y"]),
    Source(name: "w", columns: ["k", "l", "z", "j", "id", "y", "w"]),
    Source(name: "u", columns: ["j", "p", "q", "r"]),
  ]

  mutating func chance(_ probability: Double) -> Bool {
    Double.random(in: 0..<1, using: &random) < probability
  }

  private mutating func newName() -> String {
    nameCount += 1
    return "q\(nameCount)"
  }

  mutating func statement() -> String {
    nameCount = 0
    commonTables = []
    return chance(0.04) ? update() : select(depth: 3).text
  }

  private mutating func update() -> String {
    let from = from(depth: 2)
    let target = random.pick(["a", "b AS t", "d"])
    let value = chance(0.3) ? "\(column(of: from)) IS NULL" : "2"
    return "UPDATE \(target) SET j = \(value) FROM \(from.text)"
      + (chance(0.7) ? " WHERE \(condition(from, depth: 1))" : "")
      + (chance(0.6) ? " RETURNING *" : "")
  }

  /// Returns a select and its columns.
  private mutating func select(depth: Int) -> (text: String, columns: [String]) {
    let outer = commonTables
    defer { commonTables = outer }
    var text = depth > 1 && chance(0.15) ? with(depth: depth - 1) : ""
    let from = from(depth: depth)
    let (list, columns) = resultList(from, depth: depth)
    text += "SELECT \(chance(0.05) ? "DISTINCT " : "")\(list) FROM \(from.text)"
    if chance(prefersConstants ? 0.7 : 0.25) { text += " WHERE \(condition(from, depth: depth))" }
    if chance(0.04) { text += " GROUP BY \(column(of: from))" }
    if chance(0.04) { text += " UNION ALL \(text.hasPrefix("WITH") ? "SELECT 1" : text)" }
    if chance(0.15) { text += " ORDER BY \(chance(0.7) ? random.pick(columns) : column(of: from))" }
    return (text, columns.filter { !$0.hasPrefix("(") })
  }

  private mutating func with(depth: Int) -> String {
    let name = newName()
    let inner = select(depth: depth)
    commonTables.append(Source(name: name, columns: inner.columns))
    return "WITH \(name) AS (\(inner.text)) "
  }

  private mutating func resultList(_ from: From, depth: Int) -> (String, [String]) {
    if chance(0.45) { return ("*", from.columns) }
    var items: [String] = []
    var columns: [String] = []
    for _ in 0..<random.pick([1, 1, 2, 3]) {
      let source = random.pick(from.sources)
      if chance(0.4), let name = source.name, !source.isGroup || chance(0.05) {
        items.append("\(name).*")
        columns += source.columns
      } else if chance(0.06) {
        items.append("*")
        columns += from.columns
      } else if chance(0.06), depth > 1 {
        items.append("(SELECT count(*) FROM \(self.from(depth: depth - 1).text))")
        columns.append("(SELECT)")
      } else if chance(0.1) {
        let alias = newName()
        items.append("\(column(of: from)) AS \(alias)")
        columns.append(alias)
      } else {
        let item = column(of: from)
        items.append(item)
        columns.append(item.split(separator: ".").last.map(String.init) ?? item)
      }
    }
    return (items.joined(separator: ", "), columns)
  }

  /// Returns a column, with or without its source's name.
  private mutating func column(of from: From) -> String {
    let source = random.pick(from.sources)
    guard !source.columns.isEmpty, !chance(0.01) else { return "missing" }
    let column = Self.quoted(random.pick(source.columns))
    let isUnique = from.columns.count { Self.quoted($0) == column } == 1
    if let name = source.name, chance(isUnique ? 0.6 : 0.96) { return "\(name).\(column)" }
    return column
  }

  private static func quoted(_ column: String) -> String {
    column.contains(":") && !column.hasPrefix("\"") ? "\"\(column)\"" : column
  }

  private mutating func condition(_ from: From, depth: Int) -> String {
    if prefersConstants, chance(0.8) { return comparisons(from) }
    switch random.pick([0, 0, 0, 1, 1, 2, 3, 4]) {
    case 0: return "\(column(of: from)) = \(column(of: from))"
    case 1: return "\(column(of: from)) IS \(random.pick(["", "NOT "]))NULL"
    case 2: return "\(column(of: from)) > \(random.pick(["0", "1"]))"
    case 3 where depth > 1:
      return "EXISTS (SELECT * FROM \(self.from(depth: depth - 1).text))"
    case 4 where depth > 1:
      return "\(column(of: from)) IN (SELECT k FROM \(random.pick(["a", "b", "c"])))"
    default: return "coalesce(\(column(of: from)), 1) = 1"
    }
  }

  /// Returns comparisons with constants.
  private mutating func comparisons(_ from: From) -> String {
    var text = comparison(from)
    for _ in 0..<random.pick([0, 0, 1, 2]) {
      text += " \(random.pick(["AND", "AND", "OR"])) \(comparison(from))"
    }
    return text
  }

  private mutating func comparison(_ from: From) -> String {
    let column = column(of: from)
    switch random.pick([0, 0, 1, 2, 3, 4, 5, 6, 7]) {
    case 0: return "\(column) = \(random.pick(["0", "1", "2", "'a'"]))"
    case 1: return "\(column) \(random.pick(["<", "<=", ">", "<>"])) \(random.pick(["1", "3"]))"
    case 2: return "\(random.pick(["1", "2.5"])) \(random.pick(["<", ">="])) \(column)"
    case 3: return "\(column) \(chance(0.2) ? "NOT " : "")BETWEEN 0 AND 2"
    case 4: return "\(column) \(chance(0.2) ? "NOT " : "")IN (0, 1, 'b')"
    case 5: return "\(column) IS \(chance(0.5) ? "NOT " : "")NULL"
    case 6: return "\(column) LIKE \(random.pick(["'a%'", "'1_'", "'B'", "'%a'"]))"
    default: return "\(column) GLOB \(random.pick(["'a*'", "'[a-c]*'"]))"
    }
  }

  // MARK: FROM

  private mutating func from(depth: Int) -> From {
    var from = From()
    let first = source(depth: depth)
    from.text = first.text
    from.sources = first.sources
    for _ in 0..<random.pick([0, 1, 1, 1, 2, 2, 3]) { join(&from, depth: depth) }
    return from
  }

  private mutating func join(_ from: inout From, depth: Int) {
    let right = source(depth: depth)
    let kind = random.pick([
      "JOIN", "JOIN", "LEFT JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN", "INNER JOIN",
      "CROSS JOIN", ",",
    ])
    let left = from
    from.sources += right.sources
    let common = right.columns.filter { column in left.columns.contains(column) }
    switch random.pick([0, 0, 0, 1, 2, 2, 3]) {
    case 0 where kind != ",":
      var names = common.isEmpty || chance(0.02) ? [] : [random.pick(common)]
      if common.count > 1, chance(0.3) { names.append(random.pick(common)) }
      if names.isEmpty {
        if chance(0.03) { names = ["k"] }
      } else if chance(0.1) {
        names[0] = names[0].uppercased()
      }
      from.text += " \(kind) \(right.text)"
      if !names.isEmpty {
        from.text += " USING (\(names.map(Self.quoted).joined(separator: ", ")))"
      }
    case 1 where kind != ",": from.text += " NATURAL \(kind) \(right.text)"
    case 2:
      from.text += "\(kind == "," ? "" : " ")\(kind) \(right.text)"
      if kind != "," {
        from.text += " ON \(column(of: left)) = \(column(of: From(sources: right.sources)))"
        if prefersConstants, chance(0.6) { from.text += " AND \(comparison(from))" }
      }
    default: from.text += "\(kind == "," ? "" : " ")\(kind) \(right.text)"
    }
  }

  /// Returns one source: a table, a view, a common table, a subquery or a join in parentheses.
  private mutating func source(depth: Int) -> From {
    if depth > 1, chance(0.28) {
      let inner = from(depth: depth - 1)
      guard chance(0.15) else { return From(text: "(\(inner.text))", sources: inner.sources) }
      let alias = newName()
      return From(
        text: "(\(inner.text)) AS \(alias)",
        sources: inner.sources + [Source(name: alias, columns: inner.columns, isGroup: true)])
    }
    if depth > 1, chance(0.12) {
      let inner = select(depth: depth - 1)
      let alias = chance(0.8) ? newName() : nil
      return From(
        text: "(\(inner.text))" + (alias.map { " AS \($0)" } ?? ""),
        sources: [Source(name: alias, columns: inner.columns)])
    }
    var table = random.pick(Self.tables)
    if !commonTables.isEmpty, chance(0.5) { table = random.pick(commonTables) }
    let name = table.name ?? ""
    guard chance(0.85) else { return From(text: name, sources: [table]) }
    let alias = newName()
    return From(
      text: "\(name) AS \(alias)", sources: [Source(name: alias, columns: table.columns)])
  }
}
