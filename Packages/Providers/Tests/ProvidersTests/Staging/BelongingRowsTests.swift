import Providers
import SQLiteCore
import Testing

/// The deletion of nested rows of a file.
@Suite struct `Child rows` {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  struct Case: CustomTestStringConvertible, Sendable {
    let text: String
    let statements: [String]
    let written: String
    var testDescription: String { statements.joined(separator: "; ") }
    init(_ text: String, _ statements: [String], _ written: String) {
      (self.text, self.statements, self.written) = (text, statements, written)
    }
  }

  private func change(_ provider: some DataProvider, _ name: String, _ each: Case) throws -> String
  {
    try folder.write(each.text, to: name)
    try provider.openSource(atPath: "\(folder.path)/\(name)")
    for statement in each.statements { try provider.execute(SQL(unsafe: statement)) }
    let (faults, strays) = try provider.read {
      (try $0.integrityCheck(), try $0.foreignKeyViolations())
    }
    #expect(faults.isEmpty && strays.isEmpty)
    try provider.closeSource()
    return try folder.text(of: name)
  }

  private static let lists = "<p><r a=\"1\"><t>1</t><t>2</t></r><r a=\"2\"><t>3</t><t>4</t></r></p>"
  private static let keyed = "<p><r id=\"7\"><t>1</t><t>2</t></r><r id=\"5\"><t>3</t></r></p>"

  @Test(arguments: [
    Case(
      lists, ["DELETE FROM r WHERE \"@a\" = 2", "INSERT INTO r (\"@a\") VALUES (9)"],
      "<p><r a=\"1\"><t>1</t><t>2</t></r><r a=\"9\"/></p>"),
    Case(
      lists, ["DELETE FROM r", "INSERT INTO r (\"@a\") VALUES (8), (9)"],
      "<p><r a=\"8\"/><r a=\"9\"/></p>"),
    Case(
      keyed, ["REPLACE INTO r (\"@id\") VALUES (5)"],
      "<p><r id=\"7\"><t>1</t><t>2</t></r><r id=\"5\"/></p>"),
    Case(
      keyed, ["REPLACE INTO r (\"#row\", \"@id\") VALUES (1, 6)"],
      "<p><r id=\"6\"/><r id=\"5\"><t>3</t></r></p>"),
    Case(
      keyed, ["INSERT INTO r (\"@id\") VALUES (5) ON CONFLICT (\"@id\") DO UPDATE SET \"@id\" = 9"],
      "<p><r id=\"7\"><t>1</t><t>2</t></r><r id=\"9\"><t>3</t></r></p>"),
    Case(
      keyed, ["UPDATE r SET rowid = 9 WHERE \"@id\" = 7"],
      "<p><r id=\"5\"><t>3</t></r><r id=\"7\"><t>1</t><t>2</t></r></p>"),
    Case(keyed, ["DROP TABLE r_t", "DELETE FROM r WHERE \"@id\" = 5"], "<p><r id=\"7\"/></p>"),
    Case(
      keyed, ["DROP TABLE r_t", "DROP TABLE r"], "<p/>"),
    Case(keyed, ["DROP TABLE r"], "<p/>"),
    Case(
      keyed,
      ["ALTER TABLE r RENAME COLUMN \"#row\" TO number", "DELETE FROM r WHERE number = 1"],
      "<p><r id=\"5\"><t>3</t></r></p>"),
    Case(
      keyed, ["ALTER TABLE r ADD COLUMN \"@n\"", "UPDATE r SET \"@n\" = \"#row\""],
      "<p><r id=\"7\" n=\"1\"><t>1</t><t>2</t></r><r id=\"5\" n=\"2\"><t>3</t></r></p>"),
    // Three levels of rows.
    Case(
      "<p><r><s><t>1</t><t>2</t></s><s><t>3</t></s></r><r><s/><s/></r></p>",
      ["DELETE FROM r_s WHERE \"#row\" = 1", "INSERT INTO r DEFAULT VALUES"],
      "<p><r><s><t>3</t></s></r><r><s/><s/></r><r/></p>"),
  ])
  func `are deleted with them in XML, even if their rowids are reused`(_ each: Case) throws {
    let written = try change(XMLProvider(), "a.xml", each)
    #expect(written == "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\(each.written)\n")
  }

  private static let orders = #"[{"a":1,"o":[{"x":1}]},{"a":2,"o":[{"x":5}]}]"#

  @Test(arguments: [
    Case(
      orders, ["DELETE FROM people WHERE a = 2", "INSERT INTO people (a) VALUES (9)"],
      #"[{"a":1,"o":[{"x":1}]},{"a":9}]"#),
    Case(
      #"[{"id":1,"o":[{"x":1}]},{"id":2,"o":[{"x":5}]}]"#, ["REPLACE INTO people (id) VALUES (2)"],
      #"[{"id":1,"o":[{"x":1}]},{"id":2}]"#),
    Case(
      orders, ["UPDATE people SET rowid = 10 WHERE a = 1"],
      #"[{"a":2,"o":[{"x":5}]},{"a":1,"o":[{"x":1}]}]"#),
    Case(orders, ["DROP TABLE people_o"], #"[{"a":1},{"a":2}]"#),
    Case(
      #"[{"row":1,"o":[{"row":1,"q":[{"y":2}]}]}]"#,
      ["INSERT INTO people (row) VALUES (7)", "INSERT INTO people_o (parent, row) VALUES (2, 8)"],
      #"[{"row":1,"o":[{"row":1,"q":[{"y":2}]}]},{"row":7,"o":[{"row":8}]}]"#),
  ])
  func `are deleted with them in JSON`(_ each: Case) throws {
    let provider = JSONProvider(options: JSONProvider.Options(nesting: .tables))
    let written = try change(provider, "people.json", each)
    #expect(written == each.written)
  }

  @Test(arguments: [
    Case(
      #"[{"a":1,"o":[{"x":1}]},{"a":2,"o":[]},{"a":3}]"#, ["DELETE FROM people_o"],
      #"[{"a":1,"o":[]},{"a":2,"o":[]},{"a":3}]"#),
    Case(
      #"[{"a":1,"o":[{"x":1,"q":[{"y":1}]},{"x":2}]}]"#, ["DELETE FROM people_o_q"],
      #"[{"a":1,"o":[{"x":1,"q":[]},{"x":2}]}]"#),
    Case(
      #"[{"a":1,"o":[{"x":1}]},{"a":2,"o":[{"x":1}]}]"#,
      [
        "DELETE FROM people_o WHERE parent = 2", "DELETE FROM people WHERE a = 2",
        "INSERT INTO people (a) VALUES (3)",
      ],
      #"[{"a":1,"o":[{"x":1}]},{"a":3}]"#),
  ])
  func `leave an empty array when the last of them is deleted`(_ each: Case) throws {
    let provider = JSONProvider(options: JSONProvider.Options(nesting: .tables))
    let written = try change(provider, "people.json", each)
    #expect(written == each.written)
  }

  @Test(arguments: [
    Case(
      #"[{"k":1,"a":{}},{"k":1,"a":{"z":1}},{"k":2,"a":{}}]"#,
      ["DELETE FROM people WHERE k = 2", "INSERT INTO people (k) VALUES (3)"],
      #"[{"k":1,"a":{}},{"k":1,"a":{"z":1}},{"k":3}]"#),
    Case(
      #"[{"k":1,"a":{"z":1}},{"k":2,"a":{}}]"#, ["REPLACE INTO people (rowid, k) VALUES (2, 3)"],
      #"[{"k":1,"a":{"z":1}},{"k":3}]"#),
    Case(
      #"[{"k":1,"a":{"z":1}},{"k":2,"a":{}}]"#,
      [
        "INSERT OR ABORT INTO people (k) VALUES (3)", "DELETE FROM people WHERE k = 3",
        "INSERT OR ABORT INTO people (k) VALUES (4)", "DELETE FROM people WHERE k = 2",
        "UPDATE people SET rowid = 2 WHERE k = 4",
      ],
      #"[{"k":1,"a":{"z":1}},{"k":4}]"#),
    Case(
      #"[{"k":1,"a":{"z":1}},{"k":1,"a":null},{"k":2,"a":null}]"#,
      ["DELETE FROM people WHERE k = 2", "INSERT INTO people (k) VALUES (3)"],
      #"[{"k":1,"a":{"z":1}},{"k":1,"a":null},{"k":3}]"#),
    Case(
      #"[{"k":1,"a":{"z":1}},{"k":2,"a":{}}]"#,
      [
        "BEGIN", "DELETE FROM people", "INSERT INTO people (k) VALUES (3), (4)", "ROLLBACK",
        "UPDATE people SET k = k + 1",
      ],
      #"[{"k":2,"a":{"z":1}},{"k":3,"a":{}}]"#),
    Case(
      #"[{"k":1,"a":{"z":1}},{"k":2,"a":{}}]"#,
      [
        "DROP TABLE people", #"CREATE TABLE people (k, "a.z")"#,
        "INSERT INTO people (k) VALUES (3), (4)",
      ], #"[{"k":3},{"k":4}]"#),
    Case(
      #"[{"k":1,"a":{"z":1}},{"k":2,"a":{}}]"#,
      [
        "ALTER TABLE people RENAME TO p", "ALTER TABLE p RENAME TO people",
        "UPDATE people SET k = 0",
      ],
      #"[{"k":0,"a":{"z":1}},{"k":0,"a":{}}]"#),
  ])
  func `leave nothing to the row that reuses their rowid`(_ each: Case) throws {
    let written = try change(JSONProvider(), "people.json", each)
    #expect(written == each.written)
  }
}
