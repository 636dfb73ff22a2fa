import SQLiteCore
import Testing

@_spi(Formats) @testable import Providers

@Suite struct `Files in JSON` {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  // MARK: Layouts

  @Test func `An array of objects is a table with the file's name`() throws {
    let provider = try folder.open(
      #"[{"id":1,"name":"Ada","height":1.7,"admin":true},{"id":2,"name":null,"height":2}]"#)
    #expect(
      try provider.columns(of: "people") == [
        "id INTEGER", "name TEXT", "height REAL", "admin BOOLEAN",
      ])
    #expect(try provider.rows("SELECT * FROM people") == "1, 'Ada', 1.7, 1\n2, NULL, 2.0, NULL")
    #expect(try provider.getTableSchema(forTableName: "people").primaryKey.map(\.name) == ["id"])
  }

  @Test(arguments: ["people.jsonl", "people.ndjson", "people.json"])
  func `Objects on separate lines are a table`(name: String) throws {
    let text = "{\"a\":1}\n{\"a\":2,\"b\":\"x\"}\n"
    let provider = try folder.open(text, as: name)
    #expect(try provider.rows("SELECT a, b FROM people") == "1, NULL\n2, 'x'")
    #expect(
      try folder.changed(text, as: name, by: "UPDATE people SET a = a + 1")
        == "{\"a\":2}\n{\"a\":3,\"b\":\"x\"}\n")
  }

  @Test func `Concatenated objects are a table`() throws {
    let provider = try folder.open("{\"a\":1}{\"a\":2} {\n  \"a\": 3\n}")
    #expect(try provider.rows("SELECT a FROM people") == "1\n2\n3")
  }

  @Test func `Members of an object that are arrays of objects are tables`() throws {
    let text =
      #"{"count":2,"cats":[{"n":"Tom"}],"by":{"who":"me"},"dogs":[{"n":"Rex"},{"n":"Bo"}]}"#
    let provider = try folder.open(text, as: "zoo.json")
    #expect(try provider.tableNames() == ["cats", "dogs", "zoo"])
    #expect(try provider.rows("SELECT * FROM zoo") == "2, 'me'")
    #expect(try provider.columns(of: "zoo") == ["count INTEGER", "by.who TEXT"])
    #expect(try provider.rows("SELECT n FROM dogs") == "'Rex'\n'Bo'")
    #expect(try folder.changed(text, as: "zoo.json") == text)
    #expect(
      try folder.changed(text, as: "zoo.json", by: "INSERT INTO cats VALUES ('Kit')")
        == #"{"count":2,"cats":[{"n":"Tom"},{"n":"Kit"}],"by":{"who":"me"},"dogs":[{"n":"Rex"},{"n":"Bo"}]}"#
    )
  }

  @Test func `A member table keeps the file's name`() throws {
    let provider = try folder.open(#"{"people":[{"a":1}],"count":1}"#)
    #expect(try provider.tableNames() == ["people", "people_root"])
    #expect(try provider.rows("SELECT a FROM people") == "1")
  }

  @Test func `New tables are added to an object of tables`() throws {
    #expect(
      try folder.changed(
        #"{"a":[{"x":1}],"b":[]}"#, by: "CREATE TABLE c (y TEXT)", "INSERT INTO c VALUES ('z')",
        "CREATE TABLE b (q INTEGER)", "INSERT INTO b VALUES (7)")
        == #"{"a":[{"x":1}],"b":[{"q":7}],"c":[{"y":"z"}]}"#)
  }

  @Test func `Values without objects are columns by position`() throws {
    #expect(try folder.open("[1,2,null,3]").rows("SELECT value FROM people") == "1\n2\nNULL\n3")
    let rows = try folder.open("[[1,\"a\"],[2]]")
    #expect(try rows.rows(#"SELECT "0", "1" FROM people"#) == "1, 'a'\n2, NULL")
    #expect(try folder.open(#"{"a":1,"b":"x"}"#).rows("SELECT * FROM people") == "1, 'x'")
    #expect(try folder.open("42").rows("SELECT * FROM people") == "42")
  }

  @Test func `Nested objects are columns, and arrays are JSON`() throws {
    let text =
      #"[{"n":"Ada","address":{"city":"London","geo":{"x":1}},"tags":["a",{"b":1}]},{"n":"Bo"}]"#
    let provider = try folder.open(text)
    #expect(
      try provider.columns(of: "people") == [
        "n TEXT", "address.city TEXT", "address.geo.x INTEGER", "tags JSON TEXT",
      ])
    #expect(
      try provider.rows("SELECT json_extract(tags, '$[1].b') FROM people") == "1\nNULL")
    #expect(
      try folder.changed(
        text, by: #"UPDATE people SET "address.city" = 'Paris', "address.geo.x" = NULL"#)
        == #"[{"n":"Ada","address":{"city":"Paris"},"tags":["a",{"b":1}]},{"n":"Bo","address":{"city":"Paris"}}]"#
    )
  }

  @Test func `Objects stay JSON on request`() throws {
    let options = JSONProvider.Options(nesting: .json)
    let text = #"[{"a":{"b":1}},{"a":{"c":[2]}}]"#
    let provider = try folder.open(text, options)
    #expect(try provider.rows("SELECT a FROM people") == #"'{"b":1}'"# + "\n" + #"'{"c":[2]}'"#)
    #expect(try folder.changed(text, options) == text)
  }

  @Test func `Arrays of objects are tables on request`() throws {
    let options = JSONProvider.Options(nesting: .tables)
    let text =
      #"[{"n":"Ada","orders":[{"id":7,"lines":[{"q":1},{"q":2}]},{"id":9}]},{"n":"Bo","orders":[]},{"n":"Cy","orders":[{"id":8,"lines":[{"q":3}]}]}]"#
    let provider = try folder.open(text, options)
    #expect(
      try provider.rows("SELECT parent, position, id FROM people_orders")
        == "1, 0, 7\n1, 1, 9\n3, 0, 8")
    #expect(
      try provider.rows("SELECT * FROM people_orders_lines") == "1, 0, 1\n1, 1, 2\n3, 0, 3")
    #expect(try folder.changed(text, options) == text)
    #expect(
      try folder.changed(
        text, options, by: "DELETE FROM people_orders_lines WHERE parent = 1",
        "INSERT INTO people_orders (parent, position, id) VALUES (2, 0, 10)",
        "INSERT INTO people_orders_lines VALUES (4, 0, 5)")
        == #"[{"n":"Ada","orders":[{"id":7,"lines":[]},{"id":9}]},{"n":"Bo","orders":[{"id":10,"lines":[{"q":5}]}]},{"n":"Cy","orders":[{"id":8,"lines":[{"q":3}]}]}]"#
    )
  }

  @Test func `A row without its parent row is not written`() throws {
    let text = #"[{"o":[{"id":7}]}]"#
    let provider = try folder.open(text, JSONProvider.Options(nesting: .tables))
    #expect(throws: SQLiteError.self) {
      try provider.execute("INSERT INTO people_o VALUES (5, 0, 1)")
    }
    try provider.database().writeWithoutTransaction { connection in
      try connection.setOption(.foreignKeys, on: false)
      try connection.execute("INSERT INTO people_o VALUES (5, 0, 1)")
    }
    let error = try #require(throws: ProviderError.self) { try provider.persist() }
    #expect(error.code == .unrepresentable)
    #expect(error.table == "people_o")
    #expect(try folder.text(of: "people.json") == text)
  }

  // MARK: Names

  @Test func `Keys of all kinds keep their members`() throws {
    let text =
      #"[{"a.b":1,"a":{"b":2},"A":3,"":4,"SELECT":5,"\"":6,"a.b_2":7,"parent":8,"x\u0000y":9,"é":10}]"#
    let provider = try folder.open(text)
    #expect(try provider.rows("SELECT * FROM people") == "1, 2, 3, 4, 5, 6, 7, 8, 9, 10")
    #expect(
      try folder.changed(text, by: #"UPDATE people SET "SELECT" = 0"#)
        == text.replacing(":5", with: ":0"))
  }

  @Test func `New columns are members, of objects if their names are paths`() throws {
    #expect(
      try folder.changed(
        #"[{"a":{"b":1},"c":2}]"#, by: #"ALTER TABLE people ADD COLUMN "a.z" TEXT"#,
        "ALTER TABLE people ADD COLUMN flag BOOLEAN", #"ALTER TABLE people ADD COLUMN "q.r" TEXT"#,
        #"UPDATE people SET "a.z" = 'new', flag = 1, "q.r" = 'dot'"#)
        == #"[{"a":{"b":1,"z":"new"},"c":2,"flag":true,"q.r":"dot"}]"#)
  }

  @Test func `Dropped columns are removed`() throws {
    #expect(
      try folder.changed(
        #"[{"a":1,"b":{"c":2,"d":3}}]"#, by: #"ALTER TABLE people DROP COLUMN "b.c""#)
        == #"[{"a":1,"b":{"d":3}}]"#)
  }

  // MARK: Values

  @Test(arguments: [
    #"[{"a":null},{},{"a":1},{"a":null}]"#, #"[{"a":{}},{"a":null},{},{"a":{"b":1}}]"#,
    #"[1,"a",null,[],{},{"value":2},[null,3,null]]"#, #"{"a":{},"b":[],"c":null}"#, "{}", "[]",
    "[[]]", "[{}]", "null", "7.0", #""x""#, #"[{"a":[]},{"a":[{"b":{}}]}]"#,
    #"[{"n":12345678901234567890},{"n":1.0},{"n":"12"},{"n":0.1234567890123456789012}]"#,
    #"[{"n":1},{"n":2.5},{"n":-3}]"#, #"[{"n":1.0},{"n":2.5}]"#, #"[{"n":1},{"n":"1"},{"n":1.0}]"#,
    #"[{"n":true},{"n":0},{"n":"true"}]"#,
    #"[{"n":9223372036854775807},{"n":-9223372036854775808}]"#,
    #"[{"n":9007199254740993},{"n":0.5}]"#, #"[{"id":5,"a":null},{"id":9},{"id":10,"a":1}]"#,
    #"[{"id":9,"a":null},{"id":5},{"id":10,"a":1}]"#,
  ])
  func `Unchanged files are preserved`(text: String) throws {
    #expect(try folder.changed(text) == text)
    for nesting in [JSONProvider.Options.Nesting.tables, .json] {
      #expect(try folder.changed(text, JSONProvider.Options(nesting: nesting)) == text)
    }
  }

  @Test func `Numbers beyond 64 bits keep their digits`() throws {
    let text = #"[{"n":123456789012345678901234567890},{"n":1}]"#
    let provider = try folder.open(text)
    #expect(try provider.columns(of: "people") == ["n DECIMAL TEXT"])
    #expect(
      try folder.changed(text, by: "INSERT INTO people VALUES (2.5), ('+.50'), ('x')")
        == #"[{"n":123456789012345678901234567890},{"n":1},{"n":2.5},{"n":0.50},{"n":"x"}]"#)
  }

  @Test func `NULL is null if the file has null, and otherwise omitted`() throws {
    #expect(
      try folder.changed(
        #"[{"a":1,"b":null},{"a":2,"b":1}]"#, by: "UPDATE people SET a = NULL, b = NULL",
        "INSERT INTO people VALUES (NULL, NULL)")
        == #"[{"b":null},{"b":null},{"b":null}]"#)
  }

  @Test func `Declared types are used`() throws {
    let options = JSONProvider.Options(
      columnTypes: ["people": ["zip": .text, "n": .real]], primaryKeys: ["people": "code"])
    let provider = try folder.open(#"[{"zip":"01","n":1,"code":"a"}]"#, options)
    #expect(try provider.columns(of: "people") == ["zip TEXT", "n REAL", "code TEXT"])
    #expect(try provider.getTableSchema(forTableName: "people").primaryKey.map(\.name) == ["code"])
    let error = try folder.refusal(of: #"[{"zip":"1"},{"n":"x"}]"#, options)
    #expect(error.code == .unrepresentable)
    #expect(error.column == "n")
    #expect(error.position?.line == 1)
  }

  // MARK: Formatting

  @Test(arguments: [
    "[\n  {\n    \"a\": 1,\n    \"b\": [\n      1,\n      2\n    ]\n  }\n]\n",
    "[\n\t{\n\t\t\"a\": 1\n\t}\n]", "[\n{\"a\": 1, \"b\": 2},\n{\"a\": 3, \"b\": 4}\n]\n",
    "{\"a\": 1}\n{\"a\": 2}\n", "[{\"a\":1},{\"a\":2}]\n",
    "{\r\n    \"a\": 1,\r\n    \"b\": {\r\n        \"c\": 2\r\n    }\r\n}\r\n",
  ])
  func `Formatting is preserved`(text: String) throws {
    #expect(try folder.changed(text) == text)
  }

  // MARK: Refusals on writing

  @Test(arguments: [
    "CREATE TABLE other (a)", "CREATE VIEW v AS SELECT 1", "UPDATE people SET a = x'00'",
    "CREATE TRIGGER t AFTER INSERT ON people BEGIN SELECT 1; END",
    "CREATE UNIQUE INDEX i ON people (a)", "PRAGMA user_version = 3",
    "UPDATE people SET a = 9e999", "UPDATE people SET j = 'no JSON'", "UPDATE people SET j = x'00'",
    "ALTER TABLE people ADD COLUMN g AS (a + 1)", "ALTER TABLE people ADD COLUMN c CHECK (c > 1)",
    #"UPDATE people SET "o" = 'x'"#, "UPDATE people SET a = CAST(x'FF' AS TEXT)",
  ])
  func `Unsupported content leaves an ordinary file unchanged`(statement: String) throws {
    let text = #"[{"a":1,"j":[1],"o":"y"},{"o":{"p":1}},{"a":2,"o":{"p":2}}]"#
    let provider = try folder.open(text)
    try provider.write { try $0.execute(SQL(unsafe: statement)) }
    let error = try #require(throws: ProviderError.self) { try provider.persist() }
    #expect(error.code == .unrepresentable)
    #expect(error.description.contains("writesDatabases"))
    #expect(try folder.text(of: "people.json") == text)
  }

  @Test(arguments: ["DELETE FROM people", "INSERT INTO people VALUES (8)"])
  func `A file with one value has one row`(statement: String) throws {
    let provider = try folder.open("7")
    try provider.execute(SQL(unsafe: statement))
    let error = try #require(throws: ProviderError.self) { try provider.persist() }
    #expect(error.code == .unrepresentable)
    #expect(try folder.text(of: "people.json") == "7")
  }

  @Test func `An index that is not unique is omitted`() throws {
    #expect(
      try folder.changed(#"[{"a":1}]"#, by: "CREATE INDEX i ON people (a)") == #"[{"a":1}]"#)
  }

  @Test func `Holt's document layout represents values that an ordinary file can't`() throws {
    let options = JSONProvider.Options(writesDatabases: true)
    let provider = try folder.open(#"[{"a":1}]"#, options)
    try provider.execute("CREATE TABLE other (b BLOB)")
    try provider.execute("INSERT INTO other VALUES (x'00FF')")
    try provider.persist()
    let again = JSONProvider()
    try again.openSource(atPath: folder.path("people.json"))
    #expect(try again.rows("SELECT a, hex(b) FROM people, other") == "1, '00FF'")
  }
}
