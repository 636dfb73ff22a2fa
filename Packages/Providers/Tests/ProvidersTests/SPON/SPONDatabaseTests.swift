import SQLiteCore
import Testing

@testable import Providers

/// A database file in the original's format, with pairs in any order.
let originalDatabase = """
  @obj:DataStore<tableRowsLastModified!=`0` tables=@array[@obj:Table<rows=@array[\
  @obj<payload$=`3q0=` label$=`spur` sizes=@array[8!, 16!] gid!=`1` ratio^=`0.1` live%=`true`>, \
  @obj<label$=`bevel &01;45&01;` gid!=`2` payload$=`3q0=` live%=`false` tint$=`001122` ratio^=`2.5`>] \
  schema=@obj:TableSchema<name$=`gears` columns=@array[\
  @obj:ColumnSchema<autoIncrement%=`false` allowsNull%=`true` isKeyUnique%=`true` id!=`0` isPrimaryKey%=`false` type$=`TEXT` name$=`label`>, \
  @obj:ColumnSchema<id!=`1` type$=`BOOLEAN` name$=`live` allowsNull%=`true` isPrimaryKey%=`false` isKeyUnique%=`true` autoIncrement%=`false`>, \
  @obj:ColumnSchema<id!=`2` type$=`BLOB` name$=`payload` allowsNull%=`true` isPrimaryKey%=`false` isKeyUnique%=`true` autoIncrement%=`false`>, \
  @obj:ColumnSchema<id!=`3` type$=`TEXT` name$=`sizes` allowsNull%=`true` isPrimaryKey%=`false` isKeyUnique%=`true` autoIncrement%=`false`>, \
  @obj:ColumnSchema<id!=`4` type$=`FLOAT` name$=`ratio` allowsNull%=`false` isPrimaryKey%=`false` isKeyUnique%=`true` autoIncrement%=`false`>, \
  @obj:ColumnSchema<id!=`5` type$=`COLOR` name$=`tint` allowsNull%=`true` isPrimaryKey%=`false` isKeyUnique%=`true` autoIncrement%=`false`>, \
  @obj:ColumnSchema<id!=`6` type$=`INTEGER` name$=`gid` allowsNull%=`false` isPrimaryKey%=`true` isKeyUnique%=`true` autoIncrement%=`true` \
  check=@obj:Function<functionType$=`@check` parameters=@array[@obj:Binary<leftValue=@obj:Literal<value$=`gid`> operation$=`greaterThan` \
  rightValue=@obj:Literal<value!=`0`> negate%=`false`>]>>]>>] tableLastInsertedInto$=`gears`>
  """

@Suite struct `The database file of SPON` {
  let folder: TemporaryFolder
  let provider = SPONProvider()

  init() throws { folder = try TemporaryFolder() }

  // MARK: The original's

  @Test func `of the original is read with pairs in any order`() throws {
    try provider.openSource(atPath: folder.write(originalDatabase, to: "gears.spon"))
    let rows = try provider.values(
      "SELECT gid, label, live, payload, sizes, ratio, tint FROM gears")
    #expect(
      rows == [
        [1, "spur", 1, .blob([0xDE, 0xAD]), "@array[8!, 16!]", 0.1, nil],
        [2, "bevel `45`", 0, .blob([0xDE, 0xAD]), nil, 2.5, "001122"],
      ])
    let columns = try provider.read { try $0.columns(of: "gears") }
    #expect(
      columns.map(\.declaredType) == [
        "TEXT", "BOOLEAN", "BLOB", "TEXT", "FLOAT", "COLOR TEXT", "INTEGER",
      ])
    #expect(columns.last?.isAutoincrement == true)
    #expect(columns[4].isNotNull)
    #expect(throws: SQLiteError.self) {
      try provider.execute("INSERT INTO gears (gid, ratio) VALUES (-1, 1)")
    }
  }

  @Test func `of the original is written with its properties unchanged`() throws {
    try provider.openSource(atPath: folder.write(originalDatabase, to: "gears.spon"))
    try provider.execute("INSERT INTO gears (label, ratio) VALUES ('odd ` tick', 3)")
    let before = try provider.dump()
    try provider.closeSource()
    let text = try folder.text(of: "gears.spon")
    #expect(text.hasPrefix("@obj:DataStore<@spon!=`2` tableLastInsertedInto$=`gears`"))
    for part in [
      "payload$=`3q0=`", "ratio^=`0.1`", "ratio^=`3.0`", "live%=`false`", "sizes=@array[8!, 16!]",
      "tint$=`001122`", "label$=`odd &01; tick`", "type$=`COLOR`",
      "check=@obj:Function<functionType$=`@check`", "isKeyUnique%=`true`",
    ] {
      #expect(text.contains(part), "\(part)")
    }
    try provider.openSource(atPath: folder.file("gears.spon"))
    #expect(try provider.dump() == before)
  }

  @Test func `in the corpora has the expected content`() throws {
    for line in try SharedCorpora.lines("spon/spon_database.jsonl") {
      guard let text = line["spon"] as? String, !text.isEmpty else { continue }
      try provider.openSource(atPath: folder.write(text, to: "a.spon"))
      let expected = line["expected_tables"] as? [String: [String: Any]] ?? [:]
      let tables = try provider.read { try $0.tables() }
      #expect(tables.count == expected.count)
      for (name, table) in expected {
        let rows = table["rows"] as? [[String: [String: Any]]] ?? []
        #expect(
          try provider.values("SELECT count(*) FROM \(name)") == [[.integer(Int64(rows.count))]])
        for (record, row) in zip(try provider.query("SELECT * FROM \(unsafe: name)"), rows) {
          for (column, value) in row {
            let found = record[column]
            switch value.first {
            case ("int", let number as Int)?: #expect(found == .integer(Int64(number)))
            case ("str", let text as String)?: #expect(found == .text(text))
            case ("bool", let flag as Bool)?: #expect(found == .integer(flag ? 1 : 0))
            case ("float", let text as String)?: #expect(found == Double(text).map { .real($0) })
            case ("data", _)?: #expect(found?.storageClass == .blob)
            default: #expect(found == "@array[8!, 16!]")
            }
          }
        }
      }
      try provider.closeSource()
    }
  }

  @Test func `preserves texts that the original lost`() throws {
    var texts = [
      "see note]", "see [note", "]", "[", "a] [b", "[ok]", "x > y", "odd ` tick", "&01;", "&u5d;",
    ]
    for line in try SharedCorpora.lines("providers/sponprovider_string_column.jsonl") {
      if let text = line["stored_string"] as? String { texts.append(text) }
    }
    for line in try SharedCorpora.lines("spon/spon_database.jsonl") {
      if let text = line["row_text"] as? String { texts.append(text) }
    }
    try provider.openSource(atPath: folder.file("texts.spon"))
    try provider.execute("CREATE TABLE note (id INTEGER PRIMARY KEY, body TEXT)")
    for text in texts {
      try provider.execute("INSERT INTO note (body) VALUES (?)", withParameters: [text])
    }
    try provider.closeSource()
    try provider.openSource(atPath: folder.file("texts.spon"))
    #expect(
      try provider.values("SELECT body FROM note ORDER BY id").map { $0[0] }
        == texts.map { .text($0) })
    // The original counts all brackets.
    var depth = 0
    for byte in try folder.bytes(of: "texts.spon") {
      if byte == UInt8(ascii: "[") { depth += 1 }
      if byte == UInt8(ascii: "]") { depth -= 1 }
      #expect(depth >= 0)
    }
    #expect(depth == 0)
  }

  @Test func `of the original is opened with rows that violate its constraints`() throws {
    // Two rows with one key, one without a required value, numbers in a text column.
    let text = """
      @obj:DataStore<tables=@array[@obj:Table<schema=@obj:TableSchema<name$=`t` columns=@array[\
      @obj:ColumnSchema<name$=`k` type$=`INTEGER` isPrimaryKey%=`true` allowsNull%=`false`>, \
      @obj:ColumnSchema<name$=`zip` type$=`TEXT` isPrimaryKey%=`false` allowsNull%=`false`>, \
      @obj:ColumnSchema<name$=`n` type$=`INTEGER` isPrimaryKey%=`false` allowsNull%=`true` defaultValue!=`7`>]> \
      rows=@array[@obj<k!=`1` zip!=`77012`>, @obj<k!=`1` zip%=`false` n$=`007`>, @obj<k!=`2` more$=`x`>]>]>
      """
    try provider.openSource(atPath: folder.write(text, to: "t.spon"))
    #expect(
      try provider.values("SELECT k, zip, n, more FROM t")
        == [[1, "77012", nil, nil], [1, "false", "007", nil], [2, nil, nil, "x"]])
    try provider.execute("INSERT INTO t (k) VALUES (3)")
    #expect(try provider.values("SELECT n FROM t WHERE k = 3") == [[7]])
    let dump = try provider.dump()
    try provider.closeSource()
    try provider.openSource(atPath: folder.file("t.spon"))
    #expect(try provider.dump() == dump)
  }

  @Test(arguments: [
    (
      "@obj:Binary<leftValue=@obj:Literal<value$=`a`> operation$=`like` rightValue=@obj:Literal<value$=`x%`> negate%=`true`>",
      "CHECK ((NOT (\"a\" LIKE 'x%')))"
    ),
    (
      "@obj:Between<value=@obj:Literal<value$=`a`> lowValue=@obj:Literal<value!=`1`> highValue=@obj:Unary<operation$=`negative` value=@obj:Literal<value&=`2.5`>> negate%=`false`>",
      "CHECK ((\"a\" BETWEEN 1 AND (-2.5)))"
    ),
    (
      "@obj:In<value=@obj:Function<functionType$=`lower` parameters=@array[@obj:Literal<value$=`a`>]> list=@array[@obj:Literal<value$=`it's`>, @obj:Literal<value%=`true`>] negate%=`true`>",
      "CHECK ((lower(\"a\") NOT IN ('it''s', 1)))"
    ),
    (
      "@obj:Case<compareValue=@obj:Literal<value$=`a`> toValues=@array[@obj:When<whenValue=@obj:Literal<value!=`1`> thenValue=@obj:Literal<value!=`0`>>] defaultValue=@obj:Literal<value!=`1`>>",
      "CHECK ((CASE \"a\" WHEN 1 THEN 0 ELSE 1 END))"
    ),
    (
      "@obj:Binary<leftValue=@obj:Binary<leftValue=@obj:Literal<value$=`a`> operation$=`castTo` rightValue=@obj:Literal<value$=`INTEGER`>> operation$=`notEqualTo` rightValue=@obj:Literal<value!=`3`>>",
      "CHECK ((CAST(\"a\" AS INTEGER) <> 3))"
    ),
    (
      "@obj:Binary<leftValue=@obj:Literal<value$=`a`> operation$=`regexp` rightValue=@obj:Literal<value$=`x`>>",
      ""
    ),
    ("@obj:ForeignKey<table$=`other`>", ""),
  ])
  func `has checks as SQL if possible, and preserves all checks`(_ tree: String, _ sql: String)
    throws
  {
    let check = "check=@obj:Function<functionType$=`@check` parameters=@array[\(tree)]>"
    let text = """
      @obj:DataStore<tables=@array[@obj:Table<rows=@array[] schema=@obj:TableSchema<name$=`t` columns=@array[\
      @obj:ColumnSchema<name$=`a` type$=`NONE` isPrimaryKey%=`false` allowsNull%=`true` \(check)>]>>]>
      """
    try provider.openSource(atPath: folder.write(text, to: "t.spon"))
    let made = try provider.read { try $0.table("t")?.sql }
    #expect(made == "CREATE TABLE \"t\" (\"a\"\(sql.isEmpty ? "" : " \(sql)"))")
    try provider.execute("CREATE TABLE other (x)")
    try provider.closeSource()
    #expect(try folder.text(of: "t.spon").contains(check))
  }

  // MARK: Holt's

  @Test func `represents everything in SQLite's tables`() throws {
    let path = folder.file("all.spon")
    try provider.openSource(atPath: path)
    try provider.write { connection in
      try connection.execute(
        """
        CREATE TABLE parent (id INTEGER PRIMARY KEY AUTOINCREMENT, name VARCHAR(20) NOT NULL UNIQUE COLLATE NOCASE,
          made DATE, done BOOL DEFAULT 1, price DECIMAL(10, 2), CHECK (name <> ']'));
        CREATE TABLE child ("first name" TEXT, parent INTEGER REFERENCES parent ON DELETE CASCADE, data BLOB, any);
        CREATE TABLE pairs (a TEXT, b INT, c AS (b + 1), PRIMARY KEY (a, b)) WITHOUT ROWID;
        CREATE TABLE strict (n INT, r REAL, x ANY) STRICT;
        CREATE TABLE empty (x);
        CREATE INDEX byName ON child ("first name" DESC) WHERE parent > 0;
        CREATE VIEW names AS SELECT name FROM parent;
        CREATE TABLE log (at);
        CREATE TRIGGER logged AFTER INSERT ON child BEGIN INSERT INTO log VALUES (new.parent); END;
        INSERT INTO parent (name, made, done, price) VALUES ('Ada', 1700000000, 0, 1.5), ('Eva', '2026-11-22', 7, 3);
        DELETE FROM parent WHERE name = 'Eva';
        INSERT INTO child (rowid, "first name", parent) VALUES (-5, 'x', 1), (10, '', 1), (11, NULL, NULL);
        INSERT INTO pairs VALUES ('b', 2), ('a', 9);
        INSERT INTO strict VALUES (1, 2, '3'), (9223372036854775807, 9e999, x'00ff'), (-9223372036854775808, -9e999, 1.0);
        PRAGMA user_version = 42;
        """)
      let values: [SQLiteValue] = [
        .null, 0, .integer(.min), .integer(.max), -0.0, 0.1, 1e300, .real(.leastNonzeroMagnitude),
        .real(.infinity), "", "a`b", "<null>",
        "\u{0}\u{1}\u{7F}\r\n", "&01;", "@obj<>", "@array[1!]", "@objective", "漢🎻e\u{301}", "]",
        "3q0=",
        .blob([]), .blob([0, 255]), "12", "1.50",
      ]
      for value in values {
        try connection.run("INSERT INTO child (data, any) VALUES (?1, ?1)", value)
        try connection.run("INSERT INTO strict (x) VALUES (?1)", value)
      }
    }
    let before = try provider.dump()
    try provider.closeSource()
    try provider.openSource(atPath: path)
    #expect(try provider.dump() == before)
    #expect(try provider.values("PRAGMA user_version") == [[42]])
    // Content that was read is written in the same way.
    let text = try folder.text(of: "all.spon")
    try provider.execute("UPDATE log SET at = at")
    try provider.closeSource()
    #expect(try folder.text(of: "all.spon") == text)
  }

  @Test func `is read by its provider after writing random tables`() throws {
    var random = SeededRandom(seed: 20_261)
    for round in 0..<FormatEffort.count(6) {
      let path = folder.file("r\(round).spon")
      try provider.openSource(atPath: path)
      try provider.write { connection in
        for table in 0..<1 + random.below(3) {
          let types = [
            "", "INTEGER", "TEXT", "BLOB", "REAL", "BOOLEAN", "DATE", "COLOR", "FLOAT", "NUMERIC",
          ]
          let count = 1 + random.below(5)
          let columns = (0..<count).map {
            "\"c\($0)\(random.oneIn(4) ? random.text() : "")\" \(types[random.below(types.count)])"
          }
          .map { $0.replacing("\"\"", with: "\"").replacing("\u{0}", with: "") }
          guard
            (try? connection.execute(
              "CREATE TABLE \(identifier: "t \(table)") (\(unsafe: columns.joined(separator: ", ")))"
            )) != nil
          else { continue }
          for _ in 0..<random.below(12) {
            let values = (0..<count).map { _ in random.value() }
            let marks = Array(repeating: "?", count: count).joined(separator: ", ")
            try connection.run(
              "INSERT INTO \(identifier: "t \(table)") VALUES (\(unsafe: marks))", values: values)
          }
          if random.oneIn(2) {
            try connection.execute("DELETE FROM \(identifier: "t \(table)") WHERE rowid % 3 = 1")
          }
        }
      }
      let before = try provider.dump()
      try provider.closeSource()
      try provider.openSource(atPath: path)
      #expect(try provider.dump() == before)
      try provider.closeSource()
    }
  }

  @Test func `represents a full-text index`() throws {
    try provider.openSource(atPath: folder.file("f.spon"))
    try provider.write { connection in
      try connection.execute("CREATE VIRTUAL TABLE page USING fts5(title, body)")
      try connection.execute(
        "INSERT INTO page (rowid, title, body) VALUES (7, 'a', 'some words'), (9, 'b', NULL)")
    }
    try provider.closeSource()
    try provider.openSource(atPath: folder.file("f.spon"))
    #expect(
      try provider.values("SELECT rowid, title FROM page WHERE page MATCH 'words'") == [[7, "a"]])
    #expect(try provider.values("SELECT count(*) FROM page") == [[2]])
  }

  @Test func `rebuilds a search index over the rows of another table`() throws {
    try provider.openSource(atPath: folder.file("f.spon"))
    try provider.write { connection in
      try connection.execute("CREATE TABLE note (id INTEGER PRIMARY KEY, body TEXT)")
      try connection.execute("INSERT INTO note VALUES (3, 'some words'), (5, 'others')")
      try connection.execute(
        "CREATE VIRTUAL TABLE found USING fts5(body, content='note', content_rowid='id')")
      try connection.execute("INSERT INTO found (found) VALUES ('rebuild')")
    }
    try provider.closeSource()
    #expect(try !folder.text(of: "f.spon").contains("rowids"))
    try provider.openSource(atPath: folder.file("f.spon"))
    #expect(try provider.values("SELECT rowid FROM found WHERE found MATCH 'words'") == [[3]])
  }

  @Test func `refuses a contentless full-text index`() throws {
    try provider.openSource(atPath: folder.file("f.spon"))
    try provider.execute("CREATE VIRTUAL TABLE t USING fts5(a, content='')")
    let error = providerError { try provider.persist() }
    #expect(error?.code == .unrepresentable)
    #expect(error?.table == "t")
  }

  @Test func `preserves objects and arrays in rows`() throws {
    let text = originalDatabase.replacing(
      "sizes=@array[8!, 16!]", with: "sizes=@obj:Set<a$=`x] y` b=@array[@obj<>, `1, 2`]>")
    try provider.openSource(atPath: folder.write(text, to: "a.spon"))
    #expect(
      try provider.values("SELECT sizes FROM gears") == [
        ["@obj:Set<a$=`x] y` b=@array[@obj<>, `1, 2`]>"], [nil],
      ])
    try provider.execute("UPDATE gears SET sizes = 'plain' WHERE gid = 2")
    let dump = try provider.dump()
    try provider.closeSource()
    #expect(try folder.text(of: "a.spon").contains("sizes=@obj:Set<a$=`x&u5d; y` b=@array["))
    try provider.openSource(atPath: folder.file("a.spon"))
    #expect(try provider.dump() == dump)
  }
}

extension SeededRandom {
  mutating func value() -> SQLiteValue {
    switch below(8) {
    case 0: .null
    case 1: .integer(Int64(below(3)))
    case 2: .integer(Int64(bitPattern: next()))
    case 3: .real(finite())
    case 4: .blob((0..<below(9)).map { _ in UInt8(truncatingIfNeeded: next()) })
    case 5:
      .text(["`", "]", "[", "&01;", "@obj<>", "<null>", "\u{0}", "12", "1.0", "true"][below(10)])
    default: .text(text())
    }
  }
}
