import SQLiteCore
import Testing

@Suite struct `Rows as text` {
  static let script = """
    CREATE TABLE t (id INTEGER, name TEXT, data);
    INSERT INTO t VALUES (1, 'Ada', x'00ff'), (22, 'a "b", c
    d', NULL), (3, '', -1.5);
    """

  private static let expected: [ResultFormat: String] = [
    .table:
      """
    id  name         data
    --  -----------  -------
    1   Ada          x'00ff'
    22  a "b", c\\nd  NULL
    3                -1.5

    """,
    .csv: "id,name,data\r\n1,Ada,00ff\r\n22,\"a \"\"b\"\", c\nd\",\r\n3,\"\",-1.5\r\n",
    .json:
      """
    [{"id":1,"name":"Ada","data":"00ff"},
    {"id":22,"name":"a \\"b\\", c\\nd","data":null},
    {"id":3,"name":"","data":-1.5}]

    """,
    .jsonLines:
      """
    {"id":1,"name":"Ada","data":"00ff"}
    {"id":22,"name":"a \\"b\\", c\\nd","data":null}
    {"id":3,"name":"","data":-1.5}

    """,
    .markdown:
      """
    | id | name | data |
    | --- | --- | --- |
    | 1 | Ada | x'00ff' |
    | 22 | a "b", c<br>d | NULL |
    | 3 |  | -1.5 |

    """,
    .quoted: "1,'Ada',x'00ff'\n22,'a \"b\", c\nd',NULL\n3,'',-1.5\n",
    .lines:
      """
      id = 1
    name = Ada
    data = x'00ff'

      id = 22
    name = a "b", c\\nd
    data = NULL

      id = 3
    name =\u{20}
    data = -1.5

    """,
  ]

  @Test(arguments: ResultFormat.allCases)
  func `are written in each format`(_ format: ResultFormat) throws {
    let db = try memory(SQL(unsafe: Self.script))
    #expect(try db.text(of: "SELECT * FROM t", as: format) == Self.expected[format])
  }

  @Test func `are written while they are read, with values bound`() throws {
    let db = try memory(SQL(unsafe: Self.script))
    var text = "before: "
    try db.write("SELECT id FROM t WHERE id > ?", values: [2], as: .quoted, to: &text)
    #expect(text == "before: 22\n3\n")
    #expect(try db.text(of: "SELECT id FROM t WHERE 0", as: .json) == "[]\n")
    #expect(try db.text(of: "SELECT id FROM t WHERE 0", as: .table) == "id\n--\n")
    #expect(try db.text(of: "SELECT id FROM t WHERE 0", as: .lines) == "")
    #expect(try db.text(of: "DELETE FROM t", as: .table) == "")
    #expect(try db.count("t") == 0)
    #expect(
      try db.text(of: "SELECT ? AS x", values: ["\0\u{1}\u{7f}"], as: .json)
        == "[{\"x\":\"\\u0000\\u0001\u{7f}\"}]\n")
    #expect(try db.text(of: "SELECT 9e999 AS x", as: .json) == "[{\"x\":9e999}]\n")
  }

  @Test func `are aligned by their width in a terminal`() {
    var table = ResultFormat.ColumnTable(names: ["n", "text"])
    table.alignsNumbers = true
    table.maximumWidth = 8
    table.add([1, "日本"])
    table.add([22, "e\u{301}t\u{e9} \u{1F469}\u{200D}\u{1F467}"])
    table.add([.null, "a very long text"])
    table.paint = { $1 == .null ? "<\($0)>" : $0 }
    var text = ""
    table.flush(to: &text)
    table.add([333, "\u{1b}[31m"])
    table.flush(to: &text)
    #expect(
      text == """
           n  text
        ----  --------
           1  日本
          22  e\u{301}t\u{e9} \u{1F469}\u{200D}\u{1F467}
        <NULL>  a very …
         333  \\u{1B}[…

        """)
  }

  @Test func `escape the content of Markdown cells`() throws {
    let db = try memory()
    #expect(
      try db.text(of: #"SELECT 'a|b\<c>' AS "x|y""#, as: .markdown)
        == "| x\\|y |\n| --- |\n| a\\|b\\\\\\<c> |\n")
  }

  @Test func `fail like the statement`() throws {
    let db = try memory()
    let missing = #expect(throws: SQLiteError.self) { try db.text(of: "SELECT x", as: .csv) }
    #expect(missing?.code == .error)
    let text = #expect(throws: SQLiteError.self) {
      try db.text(of: "SELECT CAST(x'ff' AS TEXT)", as: .csv)
    }
    #expect(text?.code == .invalidText)
    try db.close()
    let closed = #expect(throws: SQLiteError.self) { try db.text(of: "SELECT 1", as: .csv) }
    #expect(closed?.code == .closed)
  }

  @Test func `are quoted by bytes, as in SQL`() throws {
    let text = "'\u{301}; --'"
    let db = try memory()
    #expect(try db.rows("SELECT \(unsafe: SQLiteValue.text(text).description)") == [[.text(text)]])
    let name = "\"\u{301}"
    #expect(Array(SQLName.quoted(name).utf8) == Array("\"\"\"\u{301}\"".utf8))
    try db.execute("CREATE TABLE \(identifier: name) (a)")
    #expect(try db.count(name) == 0)
  }
}
