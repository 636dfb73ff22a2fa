import SQLiteCore
import Testing

@testable import Providers

/// Rows that contradict the types inferred from the rows before them.
@Suite struct `Arrays of objects in SPON with a late contradiction` {
  struct Case: CustomTestStringConvertible, Sendable {
    /// The pairs of an ordinary row, with `#` for its number.
    let pairs: String
    /// The pairs of the contradicting row.
    let last: String
    /// The declared types, and the primary key.
    let types: [String]
    var key: Int?
    /// The values of the contradicting row.
    let values: [SQLiteValue]
    /// A query for a value of an ordinary row, and its result.
    var earlier = ("SELECT 1", SQLiteValue.integer(1))
    var testDescription: String { last }
  }

  static let cases = [
    Case(
      pairs: "id!=`#` x!=`#`", last: "id!=`0` x!=`7`", types: ["INT", "INTEGER"], key: 0,
      values: [0, 7]),
    Case(
      pairs: "id!=`#` x!=`#`", last: "id!=`5` x!=`7`", types: ["INTEGER", "INTEGER"],
      values: [5, 7]),
    Case(
      pairs: "id!=`#` x!=`#`", last: "x!=`7`", types: ["INTEGER", "INTEGER"], values: [nil, 7]),
    Case(
      pairs: "x!=`#`", last: "x!=`1` y$=`new`", types: ["INTEGER", "TEXT"], values: [1, "new"],
      earlier: ("SELECT y FROM a WHERE x = 3", .null)),
    Case(
      pairs: "x!=`#`", last: "x$=`007`", types: [""], values: ["007"],
      earlier: ("SELECT typeof(x) FROM a WHERE x = 3", "integer")),
    Case(
      pairs: "x!=`#`", last: "x%=`true`", types: ["SPON TEXT"], values: ["true%"],
      earlier: ("SELECT x FROM a WHERE rowid = 3", "3!")),
    Case(
      pairs: "x!=`#`", last: "x!=`12345678901234567890`", types: ["DECIMAL TEXT"],
      values: ["12345678901234567890"],
      earlier: ("SELECT typeof(x) FROM a WHERE rowid = 3", "text")),
    Case(
      pairs: "x&=`#.5`", last: "x=@array[1!]", types: ["SPON TEXT"], values: ["@array[1!]"],
      earlier: ("SELECT x FROM a WHERE rowid = 3", "3.5&")),
    Case(
      pairs: "x&=`#.5`", last: "x^=`0.1`", types: [""], values: [0.1],
      earlier: ("SELECT x FROM a WHERE rowid = 3", 3.5)),
  ]

  /// - Parameter rowCount: The number of rows before the contradiction: fewer and more than are
  ///   buffered before the table is created.
  @Test(arguments: cases, [3, 1_023, 1_024, 2_500])
  func `have the types of all rows, and are written unchanged`(
    _ test: Case, _ rowCount: Int
  ) throws {
    let folder = try TemporaryFolder()
    var rows = (1...max(rowCount, 6)).map {
      "@obj<" + test.pairs.replacing("#", with: "\($0)") + ">"
    }
    rows.append("@obj<\(test.last)>")
    rows.append("@obj<" + test.pairs.replacing("#", with: "\(rows.count + 1)") + ">")
    // An integer beyond 63 bits needs version 2.
    let version = test.types == ["DECIMAL TEXT"] ? ":2" : ""
    let text = "@array\(version)[\(rows.joined(separator: ", "))]"
    let path = try folder.write(text, to: "a.spon")
    let provider = SPONProvider()
    try provider.openSource(atPath: path)
    let columns = try provider.read { try $0.columns(of: "a") }
    #expect(columns.map(\.declaredType) == test.types)
    #expect(columns.firstIndex { $0.primaryKeyPosition != nil } == test.key)
    let count = SQLiteValue.integer(Int64(rows.count))
    #expect(try provider.values("SELECT count(*), max(rowid) FROM a") == [[count, count]])
    #expect(try provider.values("SELECT * FROM a WHERE rowid = \(rows.count - 1)") == [test.values])
    #expect(try provider.values(test.earlier.0) == [[test.earlier.1]])
    // A change that must be written, and is reverted.
    try provider.execute("CREATE TABLE other (x)")
    try provider.execute("DROP TABLE other")
    try provider.closeSource()
    #expect(try folder.text(of: "a.spon") == text)
  }

  @Test func `do not affect the other tables of an object`() throws {
    let folder = try TemporaryFolder()
    func rows(_ count: Int, _ last: String) -> String {
      "@array[" + (1...count).map { "@obj<id!=`\($0)`>, " }.joined() + last + "]"
    }
    let text =
      "@obj:Shop<a=\(rows(10, "@obj<id!=`11`>")) b=\(rows(3_000, "@obj<id!=`1`>")) none=@array[] c=\(rows(3_000, "@obj:T<id$=`x`>"))>"
    let provider = SPONProvider()
    try provider.openSource(atPath: folder.write(text, to: "shop.spon"))
    let types = try provider.read { connection in
      try ["a", "b", "c"].map { try connection.columns(of: $0).map(\.declaredType) }
    }
    #expect(types == [["INT"], ["INTEGER"], [""]])
    for (table, count) in [("a", 11), ("b", 3_001), ("c", 3_001)] as [(String, SQLiteValue)] {
      #expect(try provider.values("SELECT count(*) FROM \(table)") == [[count]])
    }
    try provider.closeSource()
  }

  @Test func `keep the last of several values with one key, at the first one's position`() throws {
    let folder = try TemporaryFolder()
    let provider = SPONProvider()
    try provider.openSource(
      atPath: folder.write(
        "@array[@obj<a!=`1` b!=`2` a$=`x`>, @obj<b!=`3` b!=`4` c=@obj<> c%=`true`>]", to: "a.spon"))
    #expect(try provider.values("SELECT * FROM a") == [["x", 2, nil], [nil, 4, 1]])
    let columns = try provider.read { try $0.columns(of: "a") }
    #expect(columns.map(\.declaredType) == ["TEXT", "INTEGER", "BOOLEAN"])
    try provider.closeSource()
  }

  /// Every position of an error is that of the text, in the first pass as in a later one.
  @Test(arguments: [0, 2_000])
  func `report errors after a contradiction at their position`(_ rowCount: Int) throws {
    let folder = try TemporaryFolder()
    let rows = (0..<rowCount).map { "@obj<x!=`\($0)`>,\n" }.joined()
    let path = try folder.write("@array[\n\(rows)@obj<x$=`a`>,\n  @obj<x!=`b`>]", to: "a.spon")
    let error = providerError { try SPONProvider().openSource(atPath: path) }
    #expect(error?.code == .malformed)
    #expect(error?.position?.line == rowCount + 3)
    #expect(error?.position?.column == 12)
  }
}
