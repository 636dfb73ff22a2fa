/// Generates random statements for one schema according to the grammar. Most of them are valid.
///
/// ```swift
/// var maker = RandomQueryGenerator(random: RandomSource(seed: 1))
/// let sql = maker.statement()
/// ```
struct RandomQueryGenerator {
  /// An entry of a `FROM` clause with its alias.
  struct Source {
    let alias: String
    let columns: [String]
    var hasRowID = false
  }

  /// The sources visible to an expression, by level; the last level is the innermost.
  typealias Scope = [[Source]]

  var random: RandomSource
  private var aliasCount = 0

  init(random: RandomSource) { self.random = random }

  static let schema = """
    CREATE TABLE item(id INTEGER PRIMARY KEY, n INTEGER NOT NULL, m INTEGER, r REAL NOT NULL, s REAL,
      t TEXT NOT NULL, u TEXT, b BLOB NOT NULL, c BLOB, k NUMERIC NOT NULL, l NUMERIC,
      f BOOLEAN NOT NULL, g BOOLEAN, a, z NOT NULL, json TEXT NOT NULL);
    CREATE TABLE part(id INTEGER PRIMARY KEY, item INTEGER REFERENCES item(id), owner INTEGER NOT NULL,
      label TEXT NOT NULL, size REAL, n INTEGER);
    CREATE UNIQUE INDEX part_u ON part(label, owner);
    CREATE TABLE st(i INT NOT NULL, h INT, x REAL, t TEXT, d BLOB, y ANY, e ANY NOT NULL) STRICT;
    CREATE TABLE wr(p TEXT, q INTEGER, v, w TEXT COLLATE nocase, PRIMARY KEY(p, q)) WITHOUT ROWID;
    CREATE TABLE ge(x INTEGER, y AS (x * 2), q TEXT AS (x || '') STORED, o INT NOT NULL AS (coalesce(x, 1)));
    CREATE VIEW vi AS SELECT i.id, i.n, i.u, p.label, p.size, count(*) AS cnt
      FROM item i LEFT JOIN part p ON p.item = i.id GROUP BY i.id;
    CREATE VIEW vv(aa, bb, cc) AS SELECT n, m, t FROM item WHERE m IS NOT NULL
      UNION ALL SELECT owner, n, label FROM part;
    CREATE TABLE fr(x REAL, i INTEGER NOT NULL, h BOOLEAN, t TEXT, d BLOB, y, e NOT NULL);
    CREATE VIEW io AS SELECT i, h, x, t, d, y, e FROM st;
    CREATE TRIGGER io_insert INSTEAD OF INSERT ON io BEGIN
      INSERT INTO st VALUES (coalesce(new.i, 1), new.h, new.x, new.t, new.d, new.y, coalesce(new.e, 2));
    END;
    CREATE TRIGGER io_update INSTEAD OF UPDATE ON io BEGIN UPDATE st SET h = 3 WHERE i = old.i; END;
    CREATE TRIGGER io_delete INSTEAD OF DELETE ON io BEGIN DELETE FROM st WHERE i = old.i; END;
    CREATE VIRTUAL TABLE ft USING fts5(title, body);
    INSERT INTO ft VALUES ('a b', NULL), (NULL, 'c'), ('', 'a');
    CREATE VIRTUAL TABLE rt USING rtree(id, x1, x2, +lab);
    INSERT INTO rt VALUES (1, 0, 1, 'one'), (2, 0.5, 2, NULL);
    """

  static let tables: [String: [String]] = [
    "item": "id n m r s t u b c k l f g a z json", "part": "id item owner label size n",
    "st": "i h x t d y e", "fr": "x i h t d y e", "io": "i h x t d y e", "wr": "p q v w",
    "ge": "x y q o", "vi": "id n u label size cnt",
    "vv": "aa bb cc", "ft": "title body", "rt": "id x1 x2 lab",
  ].mapValues { $0.split(separator: " ").map(String.init) }

  mutating func alias() -> String {
    aliasCount += 1
    return "q\(aliasCount)"
  }

  mutating func chance(_ probability: Double) -> Bool {
    Double.random(in: 0..<1, using: &random) < probability
  }

  mutating func statement() -> String {
    chance(0.12) ? change() : select([], depth: 2, width: random.pick([1, 2, 3, 4]), isTop: true)
  }

  /// Generates a change of a table or view with values that match its columns' declarations.
  private mutating func change() -> String {
    let table = random.pick(["st", "st", "fr", "io"])
    let isView = table == "io"
    let columns = Self.tables[table] ?? []
    let scope: Scope = [[Source(alias: table, columns: columns, hasRowID: !isView)]]
    let values: [String: String] = [
      "i": "1 + abs(random() % 3)", "h": random.pick(["NULL", "2", "?"]),
      "x": random.pick(["1", "?"]),
      "t": random.pick(["'a'", "NULL", "?"]), "d": "x'00'", "y": expression([], 1),
      "e": random.pick(["1", "'a'", "1.5"]),
    ]
    let returning =
      chance(0.2)
      ? ""
      : " RETURNING " + (chance(0.5) ? "*" : "\(expression(scope, 1)), \(expression(scope, 1))")
    switch random.pick([0, 0, 1, 2]) {
    case 0:
      let chosen = columns.filter { ["i", "e"].contains($0) || random.isOne(in: 2) }
      let upsert = isView ? "" : random.pick(["", "", " ON CONFLICT DO NOTHING"])
      return
        "INSERT \(random.pick(["", "OR IGNORE ", "OR REPLACE "]))INTO \(table) (\(chosen.joined(separator: ", "))) "
        + "VALUES (\(chosen.map { values[$0] ?? "NULL" }.joined(separator: ", ")))\(upsert)\(returning)"
    case 1:
      let chosen = columns.filter { _ in random.isOne(in: 2) }
      let sets = (chosen.isEmpty ? ["h"] : chosen).map { "\($0) = \(values[$0] ?? "NULL")" }
      return "UPDATE \(table) SET \(sets.joined(separator: ", "))"
        + (chance(0.7) ? " WHERE \(condition(scope, 1))" : "") + returning
    default:
      return "DELETE FROM \(table)" + (chance(0.7) ? " WHERE \(condition(scope, 1))" : "")
        + returning
    }
  }
}
