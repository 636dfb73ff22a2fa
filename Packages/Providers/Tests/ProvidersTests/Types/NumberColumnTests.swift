import SQLiteCore
import Testing

@testable import Providers

/// Columns whose numbers have unusual spellings, in each format.
@Suite struct `Numbers of a column` {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  struct Case: CustomTestStringConvertible, Sendable {
    let cells: [String]
    let type: String
    let maximum: SQLiteValue
    /// A condition on `v`, and the number of rows that meet it.
    let condition: String
    let count: Int
    var testDescription: String { "\(cells): \(type)" }

    init(
      _ cells: [String], _ type: String, _ maximum: SQLiteValue, _ condition: String, _ count: Int
    ) {
      (self.cells, self.type, self.maximum) = (cells, type, maximum)
      (self.condition, self.count) = (condition, count)
    }
  }

  private static let decimal = "DECIMAL TEXT"

  /// Numbers in JSON's grammar, with the types that all formats infer.
  static let numbers = [
    Case(["9.5", "10.50", "100", "20.25"], "REAL", 100.0, "v > 50", 1),
    Case(["1e-05", "3", "0.5"], "REAL", 3.0, "v < 0.4", 1),
    Case(["1E5", "2.5", "100"], "REAL", 100_000.0, "v >= 100", 2),
    Case(["-0.0", "2", "-3"], "REAL", 2.0, "v = 0", 1),
    Case(["-0.0", "2.50", "1.5"], "REAL", 2.5, "v = 0", 1),
    Case(["1.0", "2", "3.00"], "REAL", 3.0, "v = 1 OR v = 3", 2),
    Case(["2", "1.0", "3"], "REAL", 3.0, "v IN (1, 2, 3)", 3),
    Case(["5", "100", "12345678901234567890"], decimal, "12345678901234567890", "v > 50", 2),
    Case(
      ["12345678901234567891", "12345678901234567890"], decimal, "12345678901234567891",
      "v = '12345678901234567890.0'", 1),
    Case(["0.1234567890123456789", "0.2", "0.10"], decimal, "0.2", "v > 0.11", 2),
    Case(["-12345678901234567890", "-5", "3"], decimal, "3", "v < 0", 2),
    Case(["1e400", "5", "1e-400"], decimal, "1e400", "v < 1", 1),
    Case(
      ["100.00", "12345678901234567890.10", "99"], decimal, "12345678901234567890.10",
      "v BETWEEN 99 AND 100", 2),
    Case(
      ["9223372036854775807", "-9223372036854775808", "1"], "INTEGER", 9_223_372_036_854_775_807,
      "v > 9223372036854775806", 1),
  ]

  /// Texts, of which only some are numbers.
  static let texts = [
    Case(["+3", "20", "100"], "INTEGER", 100, "v > 50", 1),
    Case(["+2.5", "+3", "10"], "REAL", 10.0, "v > 2.75", 2),
    Case([".5", "5.", "-.25", "10"], "REAL", 10.0, "v > 4", 2),
    Case(["-0", "+0", "7"], "INTEGER", 7, "v = 0", 2),
    Case(["+12345678901234567890", "5.", "100"], "TEXT", "5.", "v = '100'", 1),
    Case(["9007199254740993", "0.5", "10"], decimal, "9007199254740993", "v > 9", 2),
    Case(["007", "8", "10"], "TEXT", "8", "v = '007'", 1),
    Case(["10", "8", "00.5"], "TEXT", "8", "v = '00.5'", 1),
    Case(["+491701234567", "5", "10"], "TEXT", "5", "v = '5'", 1),
    Case(["10", "9", "x"], "TEXT", "x", "v = '9'", 1),
    Case(["1,000", "9", "10"], "TEXT", "9", "v = '9'", 1),
  ]

  private func expect(
    _ each: Case, in provider: any DataProvider, _ table: String, _ column: String
  ) throws {
    let schema = try provider.getTableSchema(forTableName: table)
    let declared = schema.columns.first { $0.name == column }?.declaredType
    #expect(declared == each.type)
    let name = SQLName.quoted(column)
    let condition = each.condition.replacing("v", with: name)
    #expect(try provider.values("SELECT max(\(name)) FROM \(table)") == [[each.maximum]])
    #expect(
      try provider.values("SELECT count(*) FROM \(table) WHERE \(condition)")
        == [[.integer(Int64(each.count))]])
    let largest = try provider.values(
      "SELECT \(name) FROM \(table) ORDER BY \(name) DESC LIMIT 1")
    #expect(largest == [[each.maximum]])
  }

  /// Writes the file after a change that concerns no cell of the column.
  private func rewritten(_ provider: any DataProvider, _ name: String) throws -> String {
    try provider.execute("CREATE TABLE other (x); DROP TABLE other")
    try provider.closeSource()
    return try folder.text(of: name)
  }

  @Test(arguments: numbers + texts)
  func `are compared as numbers in CSV, and written unchanged`(_ each: Case) throws {
    let text = "n,v\n" + each.cells.map { "x,\($0.contains(",") ? "\"\($0)\"" : $0)\n" }.joined()
    let provider = CSVProvider()
    try provider.openSource(atPath: folder.write(text, to: "t.csv"))
    try expect(each, in: provider, "t", "v")
    #expect(try rewritten(provider, "t.csv") == text)
  }

  @Test(arguments: numbers + texts)
  func `are compared as numbers in XML, and written unchanged`(_ each: Case) throws {
    let rows = each.cells.map { "<r a=\"\($0)\"><v>\($0)</v></r>" }.joined()
    let text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<t>\(rows)</t>\n"
    let provider = XMLProvider()
    try provider.openSource(atPath: folder.write(text, to: "t.xml"))
    try expect(each, in: provider, "r", "v")
    try expect(each, in: provider, "r", "@a")
    #expect(try rewritten(provider, "t.xml") == text)
  }

  @Test(arguments: numbers)
  func `are compared as numbers in JSON, and written unchanged`(_ each: Case) throws {
    let text = "[" + each.cells.map { "{\"v\":\($0)}" }.joined(separator: ",") + "]"
    let provider = JSONProvider()
    try provider.openSource(atPath: folder.write(text, to: "t.json"))
    try expect(each, in: provider, "t", "v")
    #expect(try rewritten(provider, "t.json") == text)
  }

  @Test(arguments: [
    // The type mark of each value: `!` an integer, `^` a float, `&` a double, `#` a decimal number.
    Case(["#=`9.5`", "#=`10.5`", "#=`100`"], "SPON DECIMAL TEXT", "100", "v > 50", 1),
    Case(
      ["#=`12345678901234567890`", "!=`5`", "&=`100.5`"], "DECIMAL TEXT",
      "12345678901234567890", "v > 50", 2),
    Case(
      ["!=`12345678901234567890`", "!=`5`", "!=`100`"], "DECIMAL TEXT",
      "12345678901234567890", "v > 50", 2),
    Case(["!=`5`", "^=`100.5`", "&=`20.25`"], "", 100.5, "v > 10", 2),
    Case(
      ["^=`0.1`", "#=`0.10000000000000000001`"], "DECIMAL TEXT", "0.10000000000000000001",
      "v > 0.1", 1),
  ])
  func `are compared as numbers in SPON, and written unchanged`(_ each: Case) throws {
    let text = "@array:2[" + each.cells.map { "@obj<v\($0)>" }.joined(separator: ", ") + "]"
    let isVersion1 = !each.cells.contains { $0.hasPrefix("#") || $0.contains("90`") }
    let written = isVersion1 ? text.replacing(":2", with: "") : text
    let provider = SPONProvider()
    try provider.openSource(atPath: folder.write(written, to: "t.spon"))
    try expect(each, in: provider, "t", "v")
    #expect(try rewritten(provider, "t.spon") == written)
  }

  /// Returns a number of any spelling.
  private func number(_ random: inout SeededRandom, isJSON: Bool) -> String {
    let sign = random.oneIn(5) ? "-" : !isJSON && random.oneIn(8) ? "+" : ""
    let whole = random.oneIn(12) ? "12345678901234567890" : "\(random.below(300))"
    if random.oneIn(3) { return sign + whole }
    let digits = (0..<1 + random.below(3)).map { _ in "\(random.below(3) * 5)" }.joined()
    switch random.below(isJSON ? 6 : 8) {
    case 0: return "\(sign)\(whole)e\(random.oneIn(2) ? "-" : "+")\(random.below(20))"
    case 6: return "\(sign)\(whole)."
    case 7: return "\(sign).\(digits)"
    default: return "\(sign)\(whole).\(digits)"
    }
  }

  @Test func `of random spellings are written unchanged in rows that change`() throws {
    var random = SeededRandom(seed: 6_909)
    for round in 0..<FormatEffort.count(60) {
      let isJSON = round % 3 == 0
      let cells = (0..<1 + random.below(30)).map { _ in number(&random, isJSON: isJSON) }
      func text(_ note: String) -> String {
        switch round % 3 {
        case 0: "[" + cells.map { "{\"v\":\($0),\"n\":\"\(note)\"}" }.joined(separator: ",") + "]"
        case 1: "n,v\n" + cells.map { "\(note),\($0)\n" }.joined()
        default:
          "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<t>"
            + cells.map { "<row v=\"\($0)\"><n>\(note)</n></row>" }.joined() + "</t>\n"
        }
      }
      let name = ["t.json", "t.csv", "t.xml"][round % 3]
      let provider: any DataProvider =
        [JSONProvider(), CSVProvider(), XMLProvider()][round % 3]
      try provider.openSource(atPath: folder.write(text("old"), to: name))
      try provider.execute(round % 3 == 2 ? "UPDATE row SET n = 'new'" : "UPDATE t SET n = 'new'")
      try provider.closeSource()
      let written = try folder.text(of: name)
      #expect(written == text("new"), "seed 6909, round \(round): \(cells)")
    }
  }

  // MARK: Changes

  @Test func `have the form of their column if they are changed`() throws {
    let text = "n,v\na,9.5\nb,10.50\nc,100\nd,20.25\n"
    let provider = CSVProvider()
    try provider.openSource(atPath: folder.write(text, to: "t.csv"))
    try provider.execute("UPDATE t SET v = 11.5 WHERE n = 'b'")
    try provider.execute("UPDATE t SET v = v + 1 - 1 WHERE n = 'c'")
    try provider.execute("INSERT INTO t VALUES ('e', 7), ('f', 0.125)")
    try provider.persist()
    #expect(
      try folder.text(of: "t.csv") == "n,v\na,9.5\nb,11.5\nc,100\nd,20.25\ne,7.0\nf,0.125\n"
        || folder.text(of: "t.csv") == "n,v\na,9.5\nb,11.5\nc,100\nd,20.25\ne,7\nf,0.125\n")
    try provider.execute("UPDATE t SET v = 10.5 WHERE n = 'b'")
    try provider.execute("DELETE FROM t WHERE n IN ('e', 'f')")
    try provider.closeSource()
    #expect(try folder.text(of: "t.csv") == text)
  }

  @Test func `keep their spelling after a rollback, and in other rows' places`() throws {
    let text = "n,v\na,+3\nb,4\nc,+5\n"
    let provider = CSVProvider()
    try provider.openSource(atPath: folder.write(text, to: "t.csv"))
    try provider.beginTransaction()
    try provider.execute("UPDATE t SET v = 77")
    try provider.beginTransaction()
    try provider.execute("DELETE FROM t")
    try provider.rollbackTransaction()
    try provider.rollbackTransaction()
    try provider.execute("DELETE FROM t WHERE n = 'c'")
    // The new row has the rowid of the deleted one.
    try provider.execute("INSERT INTO t VALUES ('new', 6)")
    try provider.closeSource()
    #expect(try folder.text(of: "t.csv") == "n,v\na,+3\nb,4\nnew,6\n")
  }

  @Test func `have spellings that no query of the schema shows`() throws {
    let provider = CSVProvider()
    try provider.openSource(atPath: folder.write("n,v\na,+3\nb,4\n", to: "t.csv"))
    #expect(try provider.tableNames() == ["t"])
    #expect(try provider.values("SELECT count(*) FROM sqlite_schema") == [[1]])
    try provider.closeSource()
    // Without such spellings, and in a source that is only read, nothing is stored.
    for (text, isReadOnly) in [("n,v\na,+3\nb,4\n", true), ("n,v\na,3\nb,4.5\n", false)] {
      try provider.openSource(atPath: folder.write(text, to: "t.csv"), readOnly: isReadOnly)
      #expect(try provider.values("SELECT count(*) FROM sqlite_temp_schema") == [[0]])
      try provider.closeSource()
    }
  }

  @Test func `are decimal numbers in a written database document`() throws {
    let csv = CSVProvider()
    try csv.openSource(
      atPath: folder.write("n,v\na,12345678901234567890\nb,1.50\nc,\n", to: "t.csv"))
    for name in ["t.json", "t.xml", "t.spon", "t.db"] {
      let provider: any DataProvider =
        switch name {
        case "t.json": JSONProvider()
        case "t.xml": XMLProvider()
        case "t.spon": SPONProvider()
        default: SQLiteProvider()
        }
      try provider.openSource(atPath: "\(folder.path)/\(name)")
      _ = try DataTransfer().copy(from: csv, to: provider)
      try provider.closeSource()
      try provider.openSource(atPath: "\(folder.path)/\(name)")
      #expect(try provider.values("SELECT max(v) FROM t") == [["12345678901234567890"]])
      // A decimal number in SPON has no trailing zeros.
      let sum = "decimal_cmp(sum(v), '12345678901234567891.5'), typeof(sum(v))"
      #expect(try provider.values("SELECT \(sum) FROM t") == [[0, "text"]])
      #expect(try provider.values("SELECT n FROM t WHERE v = 1.5") == [["b"]])
      try provider.closeSource()
    }
    let json = try folder.text(of: "t.json")
    #expect(json.contains(#""v":12345678901234567890"#) && json.contains(#""v":1.50"#))
    #expect(try folder.text(of: "t.spon").contains("v#=`12345678901234567890`"))
  }
}
