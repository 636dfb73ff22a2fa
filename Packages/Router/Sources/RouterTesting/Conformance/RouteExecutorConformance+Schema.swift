public import Router
internal import SQLiteCore

extension RouteExecutorConformance {
  /// The tables, as SQL for SQLite.
  public static let schema = #"""
    CREATE TABLE item (
      id INTEGER PRIMARY KEY, name TEXT, rank INTEGER, price REAL, data BLOB, done BOOLEAN,
      tags TEXT);
    CREATE TABLE account (
      id INTEGER PRIMARY KEY, email TEXT NOT NULL UNIQUE, name TEXT NOT NULL DEFAULT 'nobody',
      score INTEGER DEFAULT 7 CHECK (score >= 0), note TEXT);
    CREATE TABLE draft (
      id INTEGER PRIMARY KEY, title TEXT DEFAULT 'untitled', size INTEGER DEFAULT 1, note TEXT);
    CREATE TABLE seat (
      area TEXT NOT NULL, number INTEGER NOT NULL, holder TEXT, PRIMARY KEY (area, number));
    CREATE TABLE slot (
      id INTEGER PRIMARY KEY, day TEXT, hour INTEGER, label TEXT, UNIQUE (day, hour));
    CREATE TABLE tag (name TEXT PRIMARY KEY NOT NULL);
    CREATE TABLE word (word TEXT PRIMARY KEY NOT NULL);
    CREATE TABLE badge (
      id INTEGER PRIMARY KEY ON CONFLICT REPLACE, code TEXT UNIQUE ON CONFLICT REPLACE, note TEXT);
    CREATE TABLE plain (a INTEGER, b TEXT);
    CREATE TABLE value (id INTEGER PRIMARY KEY, v);
    CREATE TABLE team (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
    CREATE TABLE player (
      id INTEGER PRIMARY KEY, team INTEGER REFERENCES team (id), name TEXT NOT NULL, score INTEGER);
    CREATE TABLE hobby (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
    CREATE TABLE practice (
      player INTEGER NOT NULL REFERENCES player (id) ON DELETE CASCADE,
      hobby INTEGER NOT NULL REFERENCES hobby (id), PRIMARY KEY (player, hobby));
    CREATE TABLE "sélect ""from"" 'where'; --" (
      "group" INTEGER PRIMARY KEY, "a ""b"".c" TEXT, "ключ" TEXT, "名 [前]" TEXT, "x'); --" TEXT);
    """#

  /// A full-text table, for executors with ``Capabilities/fullText``.
  public static let fullTextSchema = "CREATE VIRTUAL TABLE doc USING fts5(title, body);"

  /// The tables of ``schema``, with referenced tables before the tables that refer to them.
  public static let tables: [DatabaseRoute.Table] = [
    "item", "account", "draft", "seat", "slot", "tag", "word", "badge", "plain", "value", "team",
    "player", "hobby",
    "practice", strange,
  ]

  /// A table and columns with unusual names.
  static let strange: DatabaseRoute.Table = "sélect \"from\" 'where'; --"

  /// Routes that insert the initial rows.
  public static let seed: [DatabaseRoute] = [
    insert(
      rows(
        ["id", "name", "rank", "price", "data", "done", "tags"],
        [
          [1, "Anna", 1, 1.5, .blob([0, 255]), 1, #"["a", "b"]"#],
          [2, "anton", 2, 2.5, nil, 0, #"["a"]"#],
          [3, "Bo%b", nil, nil, .blob([]), nil, "[]"],
          [4, nil, 0, 0.5, nil, 0, nil],
          [5, "x[y]*?", 5, -1.25, nil, 1, #"{"a": 1}"#],
          [6, "Ünna", 6, 1e300, nil, nil, "[1, null]"],
          [7, #"a_c\d"#, -3, nil, .blob([1]), 1, nil],
        ]), into: "item"),
    insert(
      rows(
        ["id", "email", "name", "score", "note"],
        [
          [1, "ann@x", "Ann", 3, "first"], [2, "bob@x", "Bob", 5, nil], [3, "cy@x", "Cy", 5, nil],
        ]), into: "account"),
    insert(
      rows(["area", "number", "holder"], [["A", 1, "Ann"], ["A", 2, nil], ["B", 1, "Cy"]]),
      into: "seat"),
    insert(
      rows(
        ["id", "day", "hour", "label"],
        [[1, "mon", 9, "x"], [2, "mon", 10, "y"], [3, nil, 9, "z"]]), into: "slot"),
    insert(rows(["name"], [["red"], ["blue"]]), into: "tag"),
    insert(rows(["word"], [["a"], ["A"], ["b"], ["B"]]), into: "word"),
    insert(rows(["id", "code", "note"], [[1, "x", "one"], [2, "y", "two"]]), into: "badge"),
    insert(rows(["a", "b"], [[1, "x"], [1, "x"], [2, nil]]), into: "plain"),
    insert(rows(["id", "name"], [[1, "Reds"], [2, "Blues"], [3, "Empty"]]), into: "team"),
    insert(
      rows(
        ["id", "team", "name", "score"],
        [[1, 1, "Ada", 5], [2, 1, "Bea", 7], [3, 2, "Cal", nil], [4, nil, "Dan", 1]]),
      into: "player"),
    insert(rows(["id", "name"], [[1, "chess"], [2, "go"]]), into: "hobby"),
    insert(rows(["player", "hobby"], [[1, 1], [1, 2], [2, 1]]), into: "practice"),
    insert(
      rows(
        ["group", "a \"b\".c", "ключ", "名 [前]", "x'); --"],
        [[1, "one", "раз", "一", "'"], [2, "two", "два", "二", "\""]]), into: strange),
  ]

  // MARK: Routes without an encoder

  static func rows(
    _ columns: [DatabaseRoute.Column], _ rows: [[SQLiteValue]]
  ) -> [DatabaseRoute.Record] {
    rows.map { row in
      DatabaseRoute.Record(fields: zip(columns, row).map { .init(column: $0, value: $1) })
    }
  }

  static func insert(
    _ records: [DatabaseRoute.Record], into table: DatabaseRoute.Table
  ) -> DatabaseRoute {
    var route = DatabaseRoute(.insert, table)
    route.values = records
    return route
  }

  static func upsert(
    _ records: [DatabaseRoute.Record], in table: DatabaseRoute.Table,
    on target: [DatabaseRoute.Column] = [], ignoring: Bool = false
  ) -> DatabaseRoute {
    var route = DatabaseRoute(.upsert, table)
    route.values = records
    route.conflict = .init(target: target, resolution: ignoring ? .ignore : .merge)
    return route
  }

  static func update(
    _ record: DatabaseRoute.Record, in table: DatabaseRoute.Table, _ filter: DatabaseRoute.Filter?
  ) -> DatabaseRoute {
    var route = DatabaseRoute(.update, table)
    route.values = [record]
    route.filter = filter
    return route
  }

  static func delete(
    from table: DatabaseRoute.Table, _ filter: DatabaseRoute.Filter?
  ) -> DatabaseRoute {
    var route = DatabaseRoute(.delete, table)
    route.filter = filter
    return route
  }
}
