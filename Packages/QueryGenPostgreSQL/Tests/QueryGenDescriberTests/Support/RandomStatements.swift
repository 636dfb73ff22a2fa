/// Random statements over the tables of ``schema``, from a seed.
struct RandomStatements {
  enum Kind: CaseIterable {
    case integer, text, bool
  }

  struct Column {
    var sql: String
    var kind: Kind
  }

  private var generator: SplitMix
  private var aliasCount = 0
  private var parameterCount = 0

  init(seed: UInt64) { generator = SplitMix(state: seed) }

  /// Tables with columns of all kinds, with and without NOT NULL.
  static let schema = """
    CREATE TABLE a (id int PRIMARY KEY, n int NOT NULL, x int, s text, t text NOT NULL, f bool);
    CREATE TABLE b (id int PRIMARY KEY, a_id int, y int, u text NOT NULL, g bool NOT NULL);
    CREATE TABLE c (id int PRIMARY KEY, b_id int NOT NULL, z int, w text, e text NOT NULL UNIQUE);
    CREATE TABLE parent (id int NOT NULL, p int NOT NULL, q text);
    CREATE TABLE child (r int) INHERITS (parent);
    ALTER TABLE child ALTER p DROP NOT NULL;
    CREATE VIEW v AS SELECT a.id, a.x, b.y, b.u, count(c.id) AS k, max(c.e) AS m
      FROM a LEFT JOIN b ON b.a_id = a.id LEFT JOIN c ON c.b_id = b.id GROUP BY a.id, b.id;
    CREATE MATERIALIZED VIEW mv AS SELECT id, t FROM a;
    INSERT INTO a SELECT i, i % 3, nullif(i % 4, 0), CASE WHEN i % 3 > 0 THEN 's' || i END, 't' || i % 5,
      CASE i % 3 WHEN 0 THEN true WHEN 1 THEN false END FROM generate_series(1, 9) i;
    INSERT INTO b SELECT i, CASE WHEN i % 3 > 0 THEN i / 2 END, nullif(i % 5, 2), 'u' || i, i % 2 = 0
      FROM generate_series(3, 11) i;
    INSERT INTO c SELECT i, i / 2 + 2, nullif(i % 3, 1), CASE WHEN i % 2 > 0 THEN 'w' || i END, 'e' || i
      FROM generate_series(1, 8) i;
    INSERT INTO parent SELECT i, i, CASE WHEN i > 2 THEN 'q' END FROM generate_series(1, 4) i;
    INSERT INTO child SELECT i, nullif(i, 6), NULL, i FROM generate_series(5, 7) i;
    REFRESH MATERIALIZED VIEW mv;
    """

  private static let tables: [(name: String, columns: [(String, Kind)])] = [
    (
      "a",
      [
        ("id", .integer), ("n", .integer), ("x", .integer), ("s", .text), ("t", .text),
        ("f", .bool),
      ]
    ),
    ("b", [("id", .integer), ("a_id", .integer), ("y", .integer), ("u", .text), ("g", .bool)]),
    ("c", [("id", .integer), ("b_id", .integer), ("z", .integer), ("w", .text), ("e", .text)]),
    ("parent", [("id", .integer), ("p", .integer), ("q", .text)]),
    (
      "v",
      [
        ("id", .integer), ("x", .integer), ("y", .integer), ("u", .text), ("k", .integer),
        ("m", .text),
      ]
    ),
    ("mv", [("id", .integer), ("t", .text)]),
  ]

  private mutating func below(_ count: Int) -> Int { Int(generator.next() % UInt64(count)) }

  private mutating func chance(_ percent: Int) -> Bool { below(100) < percent }

  private mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[below(elements.count)]
  }

  /// Returns a statement with integers as parameters.
  mutating func next() -> String {
    (aliasCount, parameterCount) = (0, 0)
    let sql: String
    switch below(20) {
    case 0...11: sql = select(depth: 2, outer: [])
    case 12, 13:
      let count = 1 + below(3)
      let kinds = (0..<count).map { _ in pick(Kind.allCases) }
      let operation = pick(["UNION", "UNION ALL", "INTERSECT", "EXCEPT", "UNION ALL"])
      sql =
        "\(select(depth: 1, outer: [], kinds: kinds)) \(operation) \(select(depth: 1, outer: [], kinds: kinds))"
    case 14: sql = common()
    case 15: sql = insert()
    case 16, 17: sql = update()
    default: sql = delete()
    }
    return sql
  }

  private mutating func alias() -> String {
    aliasCount += 1
    return "r\(aliasCount)"
  }

  // MARK: Queries

  private mutating func select(depth: Int, outer: [Column], kinds: [Kind]? = nil) -> String {
    let from = chance(93) ? self.from(depth: depth, outer: outer) : nil
    let columns = (from?.columns ?? []) + outer
    let kinds = kinds ?? (0..<(1 + below(4))).map { _ in pick(Kind.allCases) }
    var sql = "SELECT "
    let isGrouped = from != nil && chance(25)
    var group = ""
    if isGrouped {
      let keys =
        chance(70)
        ? (0..<(1 + below(2))).map { _ in value(pick(Kind.allCases), from!.columns, 1) } : []
      sql += kinds.enumerated().map { index, kind in
        "\(grouped(kind, keys, columns: from!.columns)) AS c\(index)"
      }.joined(separator: ", ")
      if !keys.isEmpty {
        let list = keys.joined(separator: ", ")
        group = chance(20) ? " GROUP BY ROLLUP (\(list))" : " GROUP BY \(list)"
      }
    } else {
      sql += kinds.enumerated().map { index, kind in
        chance(8) && from != nil
          ? "\(window(kind, columns)) AS c\(index)" : "\(value(kind, columns, depth)) AS c\(index)"
      }.joined(separator: ", ")
    }
    if let from { sql += " FROM \(from.sql)" }
    if chance(50) { sql += " WHERE \(condition(columns, depth))" }
    sql += group
    if isGrouped, chance(10) { sql += " HAVING count(*) > 1" }
    if chance(5) { sql += " LIMIT \(below(3))" }
    return sql
  }

  private mutating func grouped(_ kind: Kind, _ keys: [String], columns: [Column]) -> String {
    let of = { (me: inout Self, kind: Kind) in me.value(kind, columns, 1) }
    let filter = chance(15) ? " FILTER (WHERE \(condition(columns, 1)))" : ""
    switch kind {
    case .integer:
      switch below(6) {
      case 0: return "count(*)"
      case 1: return "count(\(of(&self, .text)))\(filter)"
      case 2: return "sum(\(of(&self, .integer)))\(filter)"
      case 3: return "max(\(of(&self, .integer)))\(filter)"
      case 4: return "coalesce(sum(\(of(&self, .integer))), 0)"
      default: return "cardinality(array_agg(\(of(&self, .integer)))\(filter))"
      }
    case .text:
      switch below(4) {
      case 0: return "string_agg(\(of(&self, .text)), ',')\(filter)"
      case 1: return "min(\(of(&self, .text)))\(filter)"
      case 2: return "array_agg(\(of(&self, .text)))\(filter)::text[]"
      default: return "json_agg(\(of(&self, .integer)))\(filter)::text"
      }
    case .bool:
      return chance(50) ? "bool_and(\(of(&self, .bool)))\(filter)" : "count(*) > 2"
    }
  }

  private mutating func window(_ kind: Kind, _ columns: [Column]) -> String {
    let order = " OVER (ORDER BY \(value(.integer, columns, 0)))"
    switch kind {
    case .integer:
      return pick(["row_number()", "rank()", "count(*)"]) + order
    case .text:
      let text = value(.text, columns, 0)
      return chance(50) ? "lag(\(text))\(order)" : "first_value(\(text))\(order)"
    case .bool: return "bool_or(\(value(.bool, columns, 0)))\(order)"
    }
  }

  private mutating func from(depth: Int, outer: [Column]) -> (sql: String, columns: [Column]) {
    var (sql, columns) = source(depth: depth, outer: outer)
    for _ in 0..<below(3) {
      let (other, added) = source(depth: depth - 1, outer: outer)
      switch below(10) {
      case 0: sql = "\(sql) CROSS JOIN \(other)"
      case 1:
        let kind = pick(["JOIN", "LEFT JOIN"])
        let name = alias()
        let inner = select(depth: 0, outer: columns, kinds: [.integer, .text])
        sql = "\(sql) \(kind) LATERAL (\(inner)) \(name) ON true"
        columns += [
          Column(sql: "\(name).c0", kind: .integer), Column(sql: "\(name).c1", kind: .text),
        ]
        continue
      default:
        let kind = pick(["JOIN", "LEFT JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN"])
        let left = integer(columns) ?? "1"
        let right = integer(added) ?? "1"
        var on = "\(left) = \(right)"
        if kind != "FULL JOIN", chance(25) { on = condition(columns + added, 0) }
        if kind == "FULL JOIN", !left.contains("."), !right.contains(".") { on = "true" }
        sql = "\(sql) \(kind) \(other) ON \(on)"
      }
      columns += added
    }
    if chance(8) {
      // Merged columns.
      let (x, y) = (alias(), alias())
      let kind = pick(["JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN"])
      sql = "(a \(x) \(kind) b \(y) USING (id))"
      columns = [
        Column(sql: "id", kind: .integer), Column(sql: "\(x).x", kind: .integer),
        Column(sql: "\(x).t", kind: .text), Column(sql: "\(y).u", kind: .text),
        Column(sql: "\(y).g", kind: .bool), Column(sql: "\(y).id", kind: .integer),
      ]
    }
    return (sql, columns)
  }

  private func integer(_ columns: [Column]) -> String? {
    var copy = self
    let integers = columns.filter { $0.kind == .integer }
    return integers.isEmpty ? nil : copy.pick(integers).sql
  }

  private mutating func source(depth: Int, outer: [Column]) -> (sql: String, columns: [Column]) {
    let name = alias()
    switch depth > 0 ? below(12) : below(9) {
    case 9, 10:
      let kinds: [Kind] = [pick(Kind.allCases), .integer, pick(Kind.allCases)]
      let inner = select(depth: depth - 1, outer: [], kinds: kinds)
      return (
        "(\(inner)) \(name)",
        kinds.enumerated().map { Column(sql: "\(name).c\($0)", kind: $1) }
      )
    case 11:
      return (
        "(VALUES (1, 'v'), (\(chance(50) ? "NULL" : "2"), 'w')) \(name)(i, k)",
        [Column(sql: "\(name).i", kind: .integer), Column(sql: "\(name).k", kind: .text)]
      )
    case 8: return ("generate_series(1, 4) \(name)(i)", [Column(sql: "\(name).i", kind: .integer)])
    case 7:
      return (
        "unnest(ARRAY[1, \(chance(50) ? "NULL" : "5"), 3]) WITH ORDINALITY \(name)(i, o)",
        [Column(sql: "\(name).i", kind: .integer), Column(sql: "\(name).o", kind: .integer)]
      )
    default:
      let table = pick(Self.tables)
      return (
        "\(table.name) \(name)",
        table.columns.map { Column(sql: "\(name).\($0.0)", kind: $0.1) }
      )
    }
  }

  private mutating func common() -> String {
    let name = alias()
    if chance(50) {
      let kinds = [pick(Kind.allCases), pick(Kind.allCases)]
      let inner = select(depth: 1, outer: [], kinds: kinds)
      return
        "WITH \(name) AS (\(inner)) SELECT x.c0, y.c1 FROM \(name) x \(pick(["JOIN", "LEFT JOIN"])) \(name) y ON x.c0 = y.c0"
    }
    let start = chance(50) ? "1" : "(SELECT min(x) FROM a)"
    let step = chance(50) ? "i + 1" : "nullif(i + 1, 3)"
    return
      "WITH RECURSIVE \(name)(i, k) AS (SELECT \(start), 't' UNION ALL SELECT \(step), k FROM \(name) WHERE i < 5) SELECT i, k, i IS NULL FROM \(name)"
  }

  // MARK: Changes

  private mutating func returning(_ columns: [Column]) -> String {
    let list = (0..<(1 + below(3))).map { "\(value(pick(Kind.allCases), columns, 1)) AS c\($0)" }
    return " RETURNING \(list.joined(separator: ", "))"
  }

  private func columns(of table: String, as alias: String) -> [Column] {
    (Self.tables.first { $0.name == table }?.columns ?? []).map {
      Column(sql: "\(alias).\($0.0)", kind: $0.1)
    }
  }

  private mutating func insert() -> String {
    let columns = columns(of: "a", as: "a")
    let conflict = pick([
      "", " ON CONFLICT DO NOTHING", " ON CONFLICT (id) DO UPDATE SET x = NULL, n = excluded.n",
    ])
    let rows =
      chance(60)
      ? "VALUES (\(below(30)), \(parameter()), \(value(.integer, [], 0)), \(value(.text, [], 0)), 't', NULL)"
      : "SELECT id + 20, id, y, u, u, g FROM b WHERE y IS NOT NULL"
    return "INSERT INTO a (id, n, x, s, t, f) \(rows)\(conflict)\(returning(columns))"
  }

  private mutating func update() -> String {
    let target = columns(of: "a", as: "a")
    let (other, added) = source(depth: 1, outer: [])
    let set = pick(["x = NULL", "x = n", "s = NULL, x = 1", "n = a.n + 1", "f = NULL"])
    let from = chance(60) ? " FROM \(other)" : ""
    let columns = from.isEmpty ? target : target + added
    return "UPDATE a SET \(set)\(from) WHERE \(condition(columns, 1))\(returning(columns))"
  }

  private mutating func delete() -> String {
    let target = columns(of: "c", as: "c")
    let (other, added) = source(depth: 1, outer: [])
    let using = chance(50) ? " USING \(other)" : ""
    let columns = using.isEmpty ? target : target + added
    return "DELETE FROM c\(using) WHERE \(condition(columns, 1))\(returning(columns))"
  }

  // MARK: Expressions

  private mutating func parameter() -> String {
    parameterCount += 1
    return "$\(parameterCount)::int"
  }

  private mutating func condition(_ columns: [Column], _ depth: Int) -> String {
    let column = columns.isEmpty ? nil : pick(columns)
    switch below(depth > 0 ? 12 : 6) {
    case 0, 1, 2:
      guard let column else { return "true" }
      return "\(column.sql) IS NOT NULL"
    case 3:
      return
        "\(value(.integer, columns, 0)) \(pick(["=", "<>", "<", ">="])) \(value(.integer, columns, 0))"
    case 4: return value(.bool, columns, 0)
    case 5:
      return "\(value(.integer, columns, 0)) = ANY (ARRAY[1, 2, \(chance(30) ? "NULL" : "4")])"
    case 6, 7: return "(\(condition(columns, depth - 1)) AND \(condition(columns, depth - 1)))"
    case 8: return "(\(condition(columns, depth - 1)) OR \(condition(columns, depth - 1)))"
    case 9: return "NOT (\(condition(columns, depth - 1)))"
    case 10:
      return
        "(\(value(.bool, columns, 0))) IS \(pick(["TRUE", "NOT TRUE", "FALSE", "UNKNOWN", "NOT UNKNOWN"]))"
    default:
      return chance(50)
        ? "\(value(.integer, columns, 0)) IN (SELECT y FROM b WHERE y IS NOT NULL)"
        : "EXISTS (SELECT FROM c WHERE c.z = \(value(.integer, columns, 0)))"
    }
  }

  private mutating func value(_ kind: Kind, _ columns: [Column], _ depth: Int) -> String {
    let matching = columns.filter { $0.kind == kind }
    if !matching.isEmpty, chance(depth > 0 ? 45 : 80) { return pick(matching).sql }
    guard depth > 0 else { return literal(kind) }
    let sub = { (me: inout Self, kind: Kind) in me.value(kind, columns, depth - 1) }
    switch below(8) {
    case 0: return "coalesce(\(sub(&self, kind)), \(sub(&self, kind)))"
    case 1:
      let otherwise = chance(60) ? " ELSE \(sub(&self, kind))" : ""
      return "CASE WHEN \(condition(columns, 0)) THEN \(sub(&self, kind))\(otherwise) END"
    case 2: return "nullif(\(sub(&self, kind)), \(sub(&self, kind)))"
    case 3:
      return "(\(select(depth: 0, outer: columns, kinds: [kind])) LIMIT 1)"
        .replacing("LIMIT 0 LIMIT 1", with: "LIMIT 1").replacing("LIMIT 1 LIMIT 1", with: "LIMIT 1")
        .replacing("LIMIT 2 LIMIT 1", with: "LIMIT 1")
    default: break
    }
    switch kind {
    case .integer:
      switch below(8) {
      case 0: return "(\(sub(&self, .integer)) + \(sub(&self, .integer)))"
      case 1: return "length(\(sub(&self, .text)))"
      case 2: return "abs(\(sub(&self, .integer)))"
      case 3: return "greatest(\(sub(&self, .integer)), \(sub(&self, .integer)))"
      case 4: return "(SELECT count(*) FROM b WHERE b.y = \(sub(&self, .integer)))"
      case 5: return "(SELECT max(z) FROM c WHERE c.z = \(sub(&self, .integer)))"
      case 6: return parameter()
      default: return "array_length(ARRAY[\(sub(&self, .integer))], 1)"
      }
    case .text:
      switch below(8) {
      case 0: return "(\(sub(&self, .text)) || \(sub(&self, .text)))"
      case 1: return "upper(\(sub(&self, .text)))"
      case 2: return "(\(sub(&self, .integer)))::text"
      case 3: return "substring(\(sub(&self, .text)) from 't.')"
      case 4: return "concat(\(sub(&self, .text)), 'x')"
      case 5: return "(ARRAY(SELECT \(sub(&self, .text))))::text[]::text"
      case 6: return "to_jsonb(\(sub(&self, .integer)))::text"
      default: return "split_part(\(sub(&self, .text)), 't', 1)"
      }
    case .bool:
      switch below(6) {
      case 0: return "(\(sub(&self, .integer)) < \(sub(&self, .integer)))"
      case 1: return "(\(sub(&self, .text)) LIKE 't%')"
      case 2: return "(\(sub(&self, .text)) IS NULL)"
      case 3: return "(\(sub(&self, .integer)) IS DISTINCT FROM \(sub(&self, .integer)))"
      case 4: return "(\(sub(&self, .integer)) IN (1, 2, \(sub(&self, .integer))))"
      default: return "(NOT \(sub(&self, .bool)))"
      }
    }
  }

  private mutating func literal(_ kind: Kind) -> String {
    switch kind {
    case .integer: chance(15) ? "NULL::int" : "\(below(5))"
    case .text: chance(15) ? "NULL::text" : pick(["'t1'", "'x'", "''"])
    case .bool: pick(["true", "false", "NULL::bool"])
    }
  }
}

/// SplitMix64.
struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
