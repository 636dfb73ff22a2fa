import SQLiteCore
import Testing

@testable import Providers

/// The options of CSV files that select or skip parts of the text.
@Suite struct `Options of CSV files` {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func open(
    _ text: String, named name: String = "t.csv", _ set: (inout CSVProvider.Options) -> Void
  ) throws -> CSVProvider {
    var options = CSVProvider.Options()
    set(&options)
    let provider = CSVProvider(options: options)
    try provider.openSource(atPath: folder.write(text, to: name))
    return provider
  }

  private func rows(_ provider: CSVProvider, _ table: String = "t") throws -> [[SQLiteValue]] {
    try provider.query("SELECT * FROM \(identifier: table)").map(\.values)
  }

  @Test func `name the table`() throws {
    let path = try folder.write("a\n1\n", to: "t.csv")
    var options = CSVProvider.Options()
    options.tableName = "numbers"
    for count in 1...3 {
      let provider = CSVProvider(options: options)
      try provider.openSource(atPath: path)
      #expect(try provider.countRows(inTable: "numbers") == count)
      try provider.execute("INSERT INTO numbers VALUES (7)")
      try provider.closeSource()
    }
    #expect(try folder.text(of: "t.csv") == "a\n1\n7\n7\n7\n")
    // A new file, too.
    let provider = CSVProvider(options: options)
    try provider.createSource(atPath: "\(folder.path)/new.csv")
    try provider.execute(
      "CREATE TABLE numbers (a INTEGER, b TEXT); INSERT INTO numbers VALUES (1, 'x')")
    try provider.closeSource()
    try provider.openSource(atPath: "\(folder.path)/new.csv")
    #expect(try rows(provider, "numbers") == [[1, "x"]])
  }

  @Test func `name the table of JSON and SPON files`() throws {
    var options = JSONProvider.Options()
    options.tableName = "x"
    let json = JSONProvider(options: options)
    try json.openSource(atPath: folder.write("[{\"a\":1}]", to: "t.json"))
    #expect(try json.tableNames() == ["x"])
    let spon = SPONProvider(place: .memory, tableName: "x")
    try spon.openSource(atPath: folder.write("@array[@obj<a!=`1`>]", to: "t.spon"))
    #expect(try spon.tableNames() == ["x"])
  }

  @Test func `set the delimiter and the quote, and leave the rest to detection`() throws {
    #expect(
      try rows(open("a:b\n1:x,y,z\n") { $0.delimiter = UInt8(ascii: ":") }) == [[1, "x,y,z"]])
    #expect(
      try rows(open("a,b\n1,~x,y~\n") { $0.quote = .byte(UInt8(ascii: "~")) }) == [[1, "x,y"]])
    #expect(
      try rows(open("a,b\n1,\"x\n2,y\n") { $0.quote = CSVProvider.Options.Quote.none }) == [
        [1, "\"x"], [2, "y"],
      ])
    let provider = try open("a:b\n1:x\n") { $0.delimiter = UInt8(ascii: ":") }
    try provider.execute("INSERT INTO t VALUES (2, 'y:z')")
    try provider.closeSource()
    #expect(try folder.text(of: "t.csv") == "a:b\n1:x\n2:\"y:z\"\n")
  }

  @Test(arguments: ["\n", "\r\n", "\r"])
  func `skip lines and comments`(_ lineBreak: String) throws {
    let text = ["about this file", "", "a;b", "1;x", "2;y", "3;p;z"].joined(separator: lineBreak)
    let error = #expect(throws: ProviderError.self) { try open(text) { $0.skippedLineCount = 2 } }
    #expect(error?.position?.line == 6)
    let provider = try open(text.replacing(";z", with: "")) { $0.skippedLineCount = 2 }
    #expect(try rows(provider) == [[1, "x"], [2, "y"], [3, "p"]])
    try provider.execute("DELETE FROM t")
    let refused = #expect(throws: ProviderError.self) { try provider.persist() }
    #expect(refused?.code == .unrepresentable)
    #expect(try open("a\n1\n") { $0.skippedLineCount = 9 }.tableNames() == [])
    #expect(
      try rows(open("# x, y\na\n# z\n1\n") { $0.comment = UInt8(ascii: "#") }) == [[1]])
    // One column: empty lines are records.
    #expect(try rows(open("x\na\n1\n\n2\n") { $0.skippedLineCount = 1 }) == [[1], [.null], [2]])
  }

  @Test func `limit the number of records`() throws {
    let provider = try open("a\n1\n2\n3\n") { $0.maximumRecordCount = 2 }
    #expect(try rows(provider) == [[1], [2]])
    try provider.execute("DELETE FROM t")
    #expect(throws: ProviderError.self) { try provider.persist() }
    let whole = try open("a\n1\n2\n") { $0.maximumRecordCount = 2 }
    try whole.execute("DELETE FROM t WHERE a = 1")
    try whole.closeSource()
    #expect(try folder.text(of: "t.csv") == "a\n2\n")
  }

  @Test func `collect bad records`() throws {
    let long = String(repeating: "x", count: 300_000)
    let text = "a,b\n1,x\n2\n\(long)\n3,y\n4,\"\(long)\n"
    let provider = try open(text) { $0.badRecords = .collected }
    #expect(try rows(provider) == [[1, "x"], [3, "y"]])
    #expect(
      try provider.query("SELECT line, length(text) FROM t_errors").map(\.values)
        == [[3, 1], [4, 300_000], [6, 300_003]])
    try provider.execute("DELETE FROM t")
    #expect(throws: ProviderError.self) { try provider.persist() }
    // An invalid first record is an error.
    #expect(throws: ProviderError.self) { try open("a,\"b\n1,2\n") { $0.badRecords = .collected } }
  }

  @Test func `collect no record of a valid file`() throws {
    let provider = try open("a\n1\n") { $0.badRecords = .collected }
    #expect(try rows(provider, "t_errors") == [])
  }
}
