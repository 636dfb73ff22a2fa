import Primitives
import SQLiteCore
import Testing

@_spi(Formats) @testable import Providers

@Suite struct `Files in CSV` {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  func open(
    _ text: String, _ name: String = "people.csv",
    _ options: CSVProvider.Options = CSVProvider.Options()
  )
    throws -> CSVProvider
  {
    try open(Array(text.utf8), name, options)
  }

  func open(
    _ bytes: [UInt8], _ name: String = "people.csv",
    _ options: CSVProvider.Options = CSVProvider.Options()
  )
    throws -> CSVProvider
  {
    let provider = CSVProvider(options: options)
    try provider.openSource(atPath: folder.write(bytes, to: name))
    return provider
  }

  /// Writes the file without a change.
  func rewrite(_ provider: CSVProvider) throws {
    try provider.execute("CREATE TABLE other (x)")
    try provider.execute("DROP TABLE other")
    try provider.closeSource()
  }

  func types(_ provider: CSVProvider) throws -> [String] {
    try provider.read { try $0.tables().first?.columns.map(\.declaredType) ?? [] }
  }

  // MARK: Reading

  @Test func `are one table with types inferred from all rows`() throws {
    let provider = try open(
      """
      id,name,zip,price,n,ok,day,at,any
      1,Ada,01234,1.50,7,true,2026-11-22,2026-11-22T17:30,
      2,,99999,2.25,,false,,2026-11-22,x
      3,"",00000,3.00,9,,2026-02-28,,1

      """)
    #expect(
      try types(provider)
        == [
          "INTEGER", "TEXT", "TEXT", "REAL", "INTEGER", "BOOLEAN", "DATE TEXT", "DATETIME TEXT",
          "TEXT",
        ])
    #expect(
      try provider.values("SELECT * FROM people") == [
        [1, "Ada", "01234", 1.5, 7, 1, "2026-11-22", "2026-11-22T17:30", nil],
        [2, nil, "99999", 2.25, nil, 0, nil, "2026-11-22", "x"],
        [3, "", "00000", 3.0, 9, nil, "2026-02-28", nil, "1"],
      ])
    #expect(try provider.read { try $0.table("people")?.primaryKey.map(\.name) } == ["id"])
    #expect(
      try provider.values("SELECT sum(price), count(*) FROM people WHERE zip LIKE '0%'")
        == [[4.5, 2]])
  }

  @Test func `can have declared types`() throws {
    var options = CSVProvider.Options()
    options.columnTypes = ["a": .text, "b": .real]
    options.primaryKey = "a"
    let provider = try open("a,b\n1,2\n2,3.5\n", "t.csv", options)
    #expect(try provider.values("SELECT a, b FROM t") == [["1", 2.0], ["2", 3.5]])
    #expect(try provider.read { try $0.table("t")?.primaryKey.map(\.name) } == ["a"])
    options.columnTypes = ["b": .integer]
    let error = providerError { _ = try open("a,b\n1,2\n2,3.5\n", "t.csv", options) }
    #expect(error?.code == .unrepresentable)
    #expect(error?.column == "b")
    #expect(error?.position?.line == 3)
    #expect(error?.file == folder.file("t.csv"))
  }

  @Test func `have types that depend on late rows`() throws {
    var text = "a,b,c\n"
    for row in 0..<9_000 { text += "\(row),\(row % 2 == 0 ? "true" : "false"),\(row)\n" }
    text += "late,1,0.5\n"
    let provider = try open(text, "t.csv")
    #expect(try types(provider) == ["TEXT", "TEXT", "REAL"])
    #expect(
      try provider.values("SELECT * FROM t WHERE rowid IN (1, 9001)")
        == [["0", "true", 0.0], ["late", "1", 0.5]])
  }

  @Test func `without a header have numbered columns, and unique names`() throws {
    let numbered = try open("1,2\n3,4\n", "n.csv")
    #expect(try numbered.query("SELECT * FROM n").map(\.columns).first == ["column1", "column2"])
    var options = CSVProvider.Options()
    options.hasHeader = true
    let named = try open("a,A,,\"x \ny\"\n1,2,3,4\n", "m.csv", options)
    #expect(
      try named.query("SELECT * FROM m").map(\.columns).first == ["a", "A_2", "column3", "x y"])
    try rewrite(named)
    #expect(try folder.text(of: "m.csv") == "a,A,\"\",\"x \ny\"\n1,2,3,4\n")
    options.hasHeader = false
    let told = try open("name,town\nAda,London\n", "o.csv", options)
    #expect(try told.values("SELECT * FROM o") == [["name", "town"], ["Ada", "London"]])
  }

  @Test func `with tabs are also detected by their name`() throws {
    let provider = try open("a,b\tc\n1,2\t3\n", "t.tsv")
    #expect(try provider.query("SELECT * FROM t").map(\.columns).first == ["a,b", "c"])
  }

  @Test func `can have a specified dialect`() throws {
    var options = CSVProvider.Options()
    options.dialect = CSVProvider.Dialect(delimiter: UInt8(ascii: "|"), comment: UInt8(ascii: "#"))
    options.nullText = "\\N"
    let text = "a|b\n# passed over\n\\N|\"\\N\"\n|x\n"
    let provider = try open(text, "t.csv", options)
    #expect(try provider.values("SELECT * FROM t") == [[nil, "\\N"], ["", "x"]])
    try rewrite(provider)
    #expect(try folder.text(of: "t.csv") == "a|b\n\\N|\"\\N\"\n|x\n")
  }

  @Test func `that are empty, or only a header, are read and written`() throws {
    let empty = try open("", "e.csv")
    #expect(try empty.read { try $0.tables().count } == 0)
    try empty.execute("CREATE TABLE e (a, b)")
    try empty.execute("INSERT INTO e VALUES (1, 'x')")
    try empty.closeSource()
    #expect(try folder.text(of: "e.csv") == "a,b\n1,x\n")
    let header = try open("id,name\r\n", "h.csv")
    #expect(try header.values("SELECT * FROM h") == [])
    #expect(try header.read { try $0.columns(of: "h").map(\.name) } == ["id", "name"])
    try rewrite(header)
    #expect(try folder.text(of: "h.csv") == "id,name\r\n")
  }

  @Test func `that are ragged are refused with the position, or padded`() throws {
    let error = providerError { _ = try open("a,b\n1,2\n3\n", "t.csv") }
    #expect(error?.code == .malformed)
    #expect(error?.description.hasPrefix("\(folder.file("t.csv")):3:1: ") == true)
    var options = CSVProvider.Options()
    options.padsShortRecords = true
    let provider = try open("a,b\n1,2\n3\n", "t.csv", options)
    #expect(try provider.values("SELECT * FROM t") == [[1, 2], [3, nil]])
    #expect(providerError { _ = try open("a,b\n1,2,3\n", "t.csv", options) }?.code == .malformed)
  }

  @Test(arguments: [
    ("a,b\n1,\"x\n", ProviderError.Code.truncated, 2), ("a,b\n1,\"x\"y\n", .malformed, 2),
    ("a,b\n1,\u{0}\n", .malformed, 2),
  ])
  func `that are invalid are refused with the position`(
    _ text: String, _ code: ProviderError.Code, _ line: Int
  ) throws {
    var options = CSVProvider.Options()
    options.dialect = CSVProvider.Dialect()
    let error = providerError { _ = try open(text, "t.csv", options) }
    #expect(error?.code == code)
    #expect(error?.position?.line == line)
    #expect(try folder.text(of: "t.csv") == text)
  }

  // MARK: Writing

  @Test(arguments: [
    "a,b\n1,x\n", "a,b\r\n1,x\r\n", "a,b\r1,x\r", "a,b\n1,x", "a;b\n1;\"2;3\"\n",
    "a\tb\n1\t\"x\"\"y\"\n", "\"a\",\"b\"\n\"1\",\"x\"\n\"2\",\n", "a,\"b c\"\n1,\"x\"\n2,\"y\"\n",
    "id, name\n1, Ada\n2, Bob\n", "a,b\n1.50,0.25\n2.00,10.50\n", "a,b\n1,x\n2.5,y\n",
    "a,b\n0.00001,x\n12345678901234567000.5,y\n", "a,b\nTRUE,x\nFALSE,y\n", "a,b\nTrue,x\n",
    "zip,b\n01234,x\n,\n\"\",\"\"\n", "a,b\n2026-11-22,2026-11-22 17:30:00\n", "\u{FEFF}a,b\n1,é\n",
    "a\n1\n\n3\n", "a\n1\n\n", "1,2\n3,4\n", "a,b\n9223372036854775807,1\n-9223372036854775808,2\n",
    "a,b\n9223372036854775808,-0\n", "a,b\n\"x\ny\",\" padded \"\n", "id,x\n2,a\n1,b\n1,c\n",
    "a,b\n-0.0,1\n", "a,b\n1,'x'\n", "x|y\n1|\"a|b\"\n", "name\nAda\n",
  ])
  func `are written unchanged`(_ text: String) throws {
    let provider = try open(text, "t.csv")
    try rewrite(provider)
    #expect(try folder.text(of: "t.csv") == text)
  }

  @Test(arguments: [
    CSVProvider.TextEncoding.utf16LittleEndian, .utf16BigEndian, .latin1, .windows1252,
  ])
  func `are written in their encoding`(_ encoding: CSVProvider.TextEncoding) throws {
    let text = encoding == .latin1 ? "a,b\n1,é\u{80}\n" : "a,b\n1,é€\n"
    let mark = encoding.isSingleByte ? [] : encoding.byteOrderMark ?? []
    let bytes = try mark + encoding.encoded(Array(text.utf8).elementSpan)
    var options = CSVProvider.Options()
    if encoding.isSingleByte { options.encoding = encoding }
    let provider = try open(bytes, "t.csv", options)
    #expect(try provider.values("SELECT a FROM t") == [[1]])
    try rewrite(provider)
    #expect(try folder.bytes(of: "t.csv") == bytes)
    guard encoding.isSingleByte else { return }
    try provider.openSource(atPath: folder.file("t.csv"))
    try provider.execute("UPDATE t SET b = '漢'")
    let error = providerError { try provider.persist() }
    #expect(error?.code == .unrepresentable)
    #expect(error?.column == "b")
    #expect(try folder.bytes(of: "t.csv") == bytes)
  }

  @Test func `contain changes`() throws {
    let provider = try open("id,name,price\n1,Ada,1.50\n2,Eva,2.00\n", "t.csv")
    try provider.execute(
      "INSERT INTO t (name, price) VALUES ('a,\"b\"', 3), (NULL, 0.125), ('', 1e20)")
    try provider.execute("DELETE FROM t WHERE id = 1")
    try provider.execute("ALTER TABLE t ADD COLUMN note")
    try provider.execute("UPDATE t SET note = 'x' WHERE id = 2")
    try provider.closeSource()
    #expect(
      try folder.text(of: "t.csv")
        == "id,name,price,note\n2,Eva,2.00,x\n3,\"a,\"\"b\"\"\",3.00,\n4,,0.125,\n5,\"\",100000000000000000000.00,\n"
    )
  }

  @Test(
    arguments: [
      ("UPDATE t SET b = x'00'", "b"), ("UPDATE t SET a = 9e999", "a"),
      ("UPDATE t SET b = CAST(x'ff' AS TEXT)", "b"), ("UPDATE t SET b = 'a' || char(0)", "b"),
      ("CREATE TABLE u (x)", nil), ("CREATE VIEW v AS SELECT 1", nil),
      ("CREATE TRIGGER r AFTER INSERT ON t BEGIN SELECT 1; END", nil),
    ] as [(String, String?)])
  func `are unchanged if content can't be represented`(
    _ sql: String, _ column: String?
  ) throws {
    let provider = try open("a,b\n1,x\n2,y\n", "t.csv")
    try provider.execute(SQL(unsafe: sql))
    let error = providerError { try provider.persist() }
    #expect(error?.code == .unrepresentable)
    #expect(error?.table != nil)
    #expect(error?.column == column)
    #expect(error?.file == folder.file("t.csv"))
    if column != nil { #expect(error?.message.contains("row 1") == true) }
    #expect(try folder.text(of: "t.csv") == "a,b\n1,x\n2,y\n")
    #expect(provider.hasUnsavedChanges)
    try provider.closeSource(discardingChanges: true)
  }

  @Test func `with one column are read back with any delimiters in texts`() throws {
    let provider = CSVProvider()
    try provider.openSource(atPath: folder.file("one.csv"))
    try provider.execute("CREATE TABLE one (a)")
    try provider.execute("INSERT INTO one VALUES ('x;y'), ('1;2'), (NULL), ('3;4'), ('p|q')")
    let rows = try provider.values("SELECT a FROM one")
    try provider.closeSource()
    try provider.openSource(atPath: folder.file("one.csv"))
    #expect(try provider.values("SELECT a FROM one") == rows)
  }

  @Test func `with ragged records have NULL in missing fields`() throws {
    var options = CSVProvider.Options()
    options.dialect = CSVProvider.Dialect(raggedRecords: .kept)
    let provider = try open("a,b\n1\n", "t.csv", options)
    #expect(try provider.values("SELECT * FROM t") == [[1, nil]])
    #expect(providerError { _ = try open("a,b\n1,2,3\n", "t.csv", options) }?.code == .malformed)
  }

  @Test func `without quotes are not written with fields that need quotes`() throws {
    var options = CSVProvider.Options()
    options.dialect = CSVProvider.Dialect(quote: nil)
    let provider = try open("a,b\n1,x\n", "t.csv", options)
    try provider.execute("UPDATE t SET b = 'x,y'")
    let error = providerError { try provider.persist() }
    #expect(error?.code == .unrepresentable)
    #expect(error?.column == "b")
    try provider.closeSource(discardingChanges: true)
  }

  @Test(arguments: [("n.csv", ","), ("n.tsv", "\t")])
  func `that are new contain the created table`(_ name: String, _ delimiter: String) throws {
    let provider = CSVProvider(options: CSVProvider.Options())
    try provider.openSource(atPath: folder.file(name))
    try provider.execute(
      "CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT, ok BOOLEAN, made DATE)")
    try provider.execute("INSERT INTO item (name, ok, made) VALUES ('nut', true, '2026-11-22')")
    try provider.closeSource()
    #expect(
      try folder.text(of: name)
        == "id,name,ok,made\n1,nut,true,2026-11-22\n".replacing(",", with: delimiter))
  }

  @Test func `preserve the records of random texts`() throws {
    var random = SeededRandom(seed: 31_337)
    for _ in 0..<FormatEffort.count(30) {
      var dialect = CSVProvider.Dialect(
        delimiter: [0x2C, 0x3B, 0x09, 0x7C][random.below(4)],
        escape: random.oneIn(4) ? .backslash : .doubled)
      let count = 1 + random.below(5)
      if count == 1 { dialect.emptyLines = .records }
      let pieces = Pieces()
      var writer = CSVProvider.Writer(dialect, lineBreak: ["\n", "\r\n", "\r"][random.below(3)]) {
        pieces.bytes += $0
      }
      for index in 0..<count { try writer.field("c\(index)") }
      try writer.endRecord()
      let kinds = (0..<count).map { _ in random.below(7) }
      for _ in 0..<random.below(12) {
        for kind in kinds {
          let text: String? =
            switch random.oneIn(9) ? 6 : kind {
            case 0: "\(random.below(1_000))"
            case 1: "\(Double(random.below(1_000)) / 8)"
            case 2: random.oneIn(2) ? "true" : "false"
            case 3: "2026-11-\(10 + random.below(20))"
            case 4: random.oneIn(9) ? "0\(random.below(99))" : "\(random.below(99))"
            case 5: random.oneIn(5) ? nil : random.text()
            default: random.oneIn(2) ? nil : ""
            }
          try writer.field(text)
        }
        try writer.endRecord()
      }
      try writer.finish(endsWithLineBreak: count == 1 || random.oneIn(2))
      var options = CSVProvider.Options()
      options.dialect = dialect
      let records = try csv(pieces.bytes, dialect)
      let provider = try open(pieces.bytes, "t.csv", options)
      try rewrite(provider)
      #expect(try folder.bytes(of: "t.csv") == pieces.bytes)
      #expect(try csv(folder.bytes(of: "t.csv"), dialect) == records)
    }
  }

  @Test func `truncated at any byte are read or refused`() throws {
    let bytes = Array("id,name,x\r\n1,\"Ada\n\"\"L\"\"\",é\r\n2,,0.5\r\n".utf8)
    for count in 0...bytes.count {
      do {
        let provider = try open(Array(bytes[..<count]), "t.csv")
        try rewrite(provider)
      } catch is ProviderError {
        #expect(try folder.bytes(of: "t.csv") == Array(bytes[..<count]))
      }
    }
  }

  @Test func `of random bytes cause no crash`() throws {
    var random = SeededRandom(seed: 99_110)
    for _ in 0..<FormatEffort.count(60) {
      let alphabet: [UInt8] = [
        0x2C, 0x0A, 0x0D, 0x22, 0x5C, 0x31, 0x2E, 0x61, 0x2D, 0xC3, 0xA9, 0x20, 0x3B, 0xFF, 0x00,
      ]
      let limit = random.oneIn(3) ? alphabet.count : 12
      let bytes = (0..<random.below(60)).map { _ in alphabet[random.below(limit)] }
      do {
        let provider = try open(bytes, "t.csv")
        let before = try provider.dump()
        try rewrite(provider)
        _ = before
      } catch is ProviderError {
      } catch is SQLiteError {
      }
    }
  }
}
