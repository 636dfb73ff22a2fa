import Providers
import SQLiteCore
import Testing

/// An `é` of one character and one of two: one name with Swift's `==`, and two names in SQL and in every format.
@Suite struct `Names that differ only in their bytes` {
  struct Case: CustomTestStringConvertible, Sendable {
    let file: String
    let text: String
    let statements: [String]
    let written: String
    var testDescription: String { "\(file) \(text)" }
  }

  private static let (one, two) = ("\u{E9}", "e\u{301}")

  private static func provider(_ file: String) -> any DataProvider {
    if file.hasSuffix(".xml") { return XMLProvider() }
    if file.hasSuffix(".csv") { return CSVProvider() }
    return file.hasSuffix(".json")
      ? JSONProvider(options: JSONProvider.Options(nesting: .tables)) : SPONProvider()
  }

  static let cases = [
    Case(
      file: "r.xml",
      text: "<p><r \(one)=\"1\" \(two)=\"2\"><\(one)>3</\(one)><\(two)>4</\(two)></r><r/></p>",
      statements: [
        "UPDATE r SET \"@\(two)\" = 5 WHERE \"@\(one)\" = 1",
        "UPDATE r SET \"\(two)\" = 6 WHERE \"\(one)\" = 3",
      ],
      written: "<p><r \(one)=\"1\" \(two)=\"5\"><\(one)>3</\(one)><\(two)>6</\(two)></r><r/></p>"),
    Case(
      file: "r.xml",
      text: "<p><\(one) a=\"1\"/><\(one) a=\"2\"/><\(two) a=\"3\"/><\(two) a=\"4\"/></p>",
      statements: ["DELETE FROM \"\(two)\" WHERE \"@a\" = 3"],
      written: "<p><\(one) a=\"1\"/><\(one) a=\"2\"/><\(two) a=\"4\"/></p>"),
    Case(
      file: "r.xml",
      text:
        "<p xmlns:\(one)=\"u\" xmlns:\(two)=\"v\"><r><\(one):a>1</\(one):a><\(two):a>2</\(two):a></r><r/></p>",
      statements: ["UPDATE r SET \"\(two):a\" = 3 WHERE \"\(two):a\" = 2"],
      written:
        "<p xmlns:\(one)=\"u\" xmlns:\(two)=\"v\"><r><\(one):a>1</\(one):a><\(two):a>3</\(two):a></r><r/></p>"
    ),
    Case(
      file: "r.xml",
      text: "<p xmlns:a=\"\(one)\" xmlns:b=\"\(two)\"><r a:x=\"1\" b:x=\"2\"/><r/></p>",
      statements: ["UPDATE r SET \"@b:x\" = 3 WHERE \"@a:x\" = 1"],
      written: "<p xmlns:a=\"\(one)\" xmlns:b=\"\(two)\"><r a:x=\"1\" b:x=\"3\"/><r/></p>"),
    Case(
      file: "r.json", text: #"[{"\#(one)":1,"\#(two)":2,"o":[{"\#(two)":3,"\#(one)":4}]}]"#,
      statements: ["UPDATE r SET \"\(two)\" = 5", "UPDATE r_o SET \"\(two)\" = 6"],
      written: #"[{"\#(one)":1,"\#(two)":5,"o":[{"\#(two)":6,"\#(one)":4}]}]"#),
    Case(
      file: "r.json", text: #"{"\#(one)":[{"a":1}],"\#(two)":[{"a":2}]}"#,
      statements: ["UPDATE \"\(two)\" SET a = 3"],
      written: #"{"\#(one)":[{"a":1}],"\#(two)":[{"a":3}]}"#),
    Case(
      file: "r.csv", text: "\(one),\(two)\n1,x\n2,\"y\"\n",
      statements: ["UPDATE r SET \"\(two)\" = 'z' WHERE \"\(one)\" = 1"],
      written: "\(one),\(two)\n1,z\n2,y\n"),
    Case(
      file: "r.spon", text: "@array[@obj<\(one)!=`1` \(two)$=`x`>, @obj<\(two)$=`y`>]",
      statements: ["UPDATE r SET \"\(two)\" = 'z' WHERE \"\(one)\" = 1"],
      written: "@array[@obj<\(one)!=`1` \(two)$=`z`>, @obj<\(two)$=`y`>]"),
    Case(
      file: "r.spon", text: "@obj<\(one)=@array[@obj<a!=`1`>] \(two)=@array[@obj<a$=`x`>]>",
      statements: ["UPDATE \"\(two)\" SET a = 'y'"],
      written: "@obj<\(one)=@array[@obj<a!=`1`>] \(two)=@array[@obj<a$=`y`>]>"),
  ]

  @Test(arguments: cases) func `are distinct in every format`(_ each: Case) throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(each.text, to: each.file)
    let provider = Self.provider(each.file)
    try provider.openSource(atPath: path)
    for statement in each.statements { try provider.execute(SQL(unsafe: statement)) }
    try provider.closeSource()
    let written = try folder.text(of: each.file)
    let head = each.file.hasSuffix(".xml") ? "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" : ""
    let expected = head.isEmpty ? each.written : "\(head)\(each.written)\n"
    #expect(Array(written.utf8) == Array(expected.utf8), "\(written)")
  }

  /// Holt's document layouts, and the database files of SPON.
  @Test(arguments: ["r.xml", "r.json", "r.spon"])
  func `are distinct in new files`(_ file: String) throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/\(file)"
    var provider = Self.provider(file)
    try provider.openSource(atPath: path)
    for (table, number) in [(Self.one, 1), (Self.two, 2)] {
      try provider.execute(
        "CREATE TABLE \"\(unsafe: table)\" (\"\(unsafe: Self.one)\" INTEGER, \"\(unsafe: Self.two)\" TEXT)"
      )
      try provider.execute("INSERT INTO \"\(unsafe: table)\" VALUES (\(number), 'x')")
    }
    try provider.closeSource()
    provider = Self.provider(file)
    try provider.openSource(atPath: path)
    for (table, number) in [(Self.one, 1), (Self.two, 2)] {
      let rows = try provider.query(
        "SELECT \"\(unsafe: Self.one)\", \"\(unsafe: Self.two)\" FROM \"\(unsafe: table)\"")
      #expect(rows.map(\.values) == [[.integer(Int64(number)), "x"]])
    }
    try provider.closeSource()
  }
}
