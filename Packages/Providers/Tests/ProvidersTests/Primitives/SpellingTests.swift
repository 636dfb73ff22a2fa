import Providers
import SQLiteCore
import Testing

/// Every value of these columns is written as it was read, whatever its type.
@Suite struct `Unchanged cells` {
  struct Case: CustomTestStringConvertible, Sendable {
    let cells: [String]
    let type: String
    var testDescription: String { "\(cells): \(type)" }
    init(_ cells: [String], _ type: String) { (self.cells, self.type) = (cells, type) }
  }

  static let cases = [
    Case(["1.10", "1.9", "2"], "REAL"), Case(["1.50", "2.25"], "REAL"),
    Case(["1.50", "2.5"], "REAL"), Case(["1.5", "2.25", "10.125"], "REAL"),
    Case(["1.5", "2.0", "3.25"], "REAL"), Case(["1.5", "2.00"], "REAL"),
    Case(["1.125", "2.50", "2.5", "2.125", "3"], "REAL"), Case(["5.00", "2.5", "3.0"], "REAL"),
    Case(["1.125", "2.2500", "0.5"], "REAL"), Case(["9.5", "10.50", "100", "20.25"], "REAL"),
    Case(["2.00", "3"], "REAL"), Case(["3", "2.00"], "REAL"), Case(["3", "2.0"], "REAL"),
    Case(["3", "2.50", "1.25"], "REAL"), Case(["2.00", "3.00", "2.50"], "REAL"),
    Case(["3", "2.5", "1.25"], "REAL"), Case(["10", "200", "3.5"], "REAL"),
    Case(["1152921504606846976", "0.5"], "REAL"),
    Case(["9007199254740993", "0.5"], "DECIMAL TEXT"),
    Case(["1152921504606847000.0", "0.5"], "REAL"), Case(["0.0000001", "0.5"], "REAL"),
    Case(["-0.50", "0.25"], "REAL"), Case(["0", "-1.5"], "REAL"), Case(["-0.0", "1.5"], "REAL"),
    Case(["123456789012345.60", "0.10"], "REAL"), Case(["007", "8"], "TEXT"),
    Case(["1e5", "2.5"], "REAL"), Case(["+3", "-0", "+0", "5"], "INTEGER"),
    Case([".5", "5.", "-.25", "+1.50", "1E-05"], "REAL"),
    Case(["12345678901234567890", "5", "1.50", "+3"], "DECIMAL TEXT"),
    Case(["true", "false"], "BOOLEAN"), Case(["True", "False"], "BOOLEAN"),
    Case(["TRUE", "FALSE", "TRUE"], "BOOLEAN"), Case(["True", "false"], "BOOLEAN"),
    Case(["true", "FALSE"], "BOOLEAN"), Case(["tRUE"], "BOOLEAN"),
    Case(["TRUe", "FALSE"], "BOOLEAN"),
  ]

  /// The values by themselves, and after enough rows that the last ones contradict stored values.
  private func forms(of cells: [String]) -> [[String]] {
    [cells, Array(repeating: cells[0], count: 5_000) + cells]
  }

  @Test(arguments: cases)
  func `are written unchanged in CSV, with the type of their values`(
    _ each: Case
  ) throws {
    let folder = try TemporaryFolder()
    for cells in forms(of: each.cells) {
      let text = "n,v\n" + cells.map { "x,\($0)\n" }.joined()
      let path = try folder.write(text, to: "t.csv")
      let provider = CSVProvider()
      try provider.openSource(atPath: path)
      let schema = try provider.getTableSchema(forTableName: "t")
      #expect(schema.columns.last?.declaredType == each.type)
      try provider.execute("INSERT INTO t (n) VALUES ('new')")
      try provider.closeSource()
      let written = try folder.text(of: "t.csv")
      #expect(written == text + "new,\n")
    }
  }

  @Test(arguments: cases)
  func `are written unchanged in XML, with the type of their values`(
    _ each: Case
  ) throws {
    let folder = try TemporaryFolder()
    for cells in forms(of: each.cells) {
      let rows = cells.map { "<r a=\"\($0)\"><v>\($0)</v></r>" }.joined()
      let path = try folder.write("<t>\(rows)<r/></t>", to: "t.xml")
      let provider = XMLProvider()
      try provider.openSource(atPath: path)
      let schema = try provider.getTableSchema(forTableName: "r")
      #expect(schema.columns.map(\.declaredType) == [each.type, each.type])
      try provider.execute("INSERT INTO r DEFAULT VALUES")
      try provider.closeSource()
      let written = try folder.text(of: "t.xml")
      #expect(
        written == "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<t>\(rows)<r/><r/></t>\n")
    }
  }

  @Test func `keep their spelling if declared as numbers`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("n,v\nx,1.10\ny,1.9\n", to: "t.csv")
    var options = CSVProvider.Options()
    options.columnTypes = ["v": .real]
    let provider = CSVProvider(options: options)
    try provider.openSource(atPath: path)
    try provider.execute("DELETE FROM t WHERE v > 1.5")
    try provider.closeSource()
    #expect(try folder.text(of: "t.csv") == "n,v\nx,1.10\n")
  }
}
