import Providers
import SQLiteCore
import Testing

@Suite struct `Changes that an ordinary file can't represent` {
  private static let files = [
    ("t.csv", "a,b\n1,2\n"), ("t.xml", "<p><t a=\"1\"/><t a=\"2\"/></p>"),
    ("t.json", #"[{"a":1}]"#),
  ]
  private static let statements = [
    "ALTER TABLE t ADD COLUMN g AS (1)", "PRAGMA user_version = 5", "PRAGMA application_id = 7",
  ]

  private func provider(_ name: String) -> any DataProvider {
    if name.hasSuffix(".csv") { return CSVProvider() }
    return name.hasSuffix(".xml") ? XMLProvider() : JSONProvider() as any DataProvider
  }

  @Test(arguments: files, statements)
  func `are refused before the file is written`(
    _ file: (name: String, text: String), _ statement: String
  ) throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(file.text, to: file.name)
    let provider = provider(file.name)
    try provider.openSource(atPath: path)
    try provider.execute(SQL(unsafe: statement))
    let error = #expect(throws: ProviderError.self) { try provider.closeSource() }
    #expect(error?.code == .unrepresentable)
    #expect(error?.column == (statement.contains("COLUMN") ? "g" : nil))
    #expect(try folder.text(of: file.name) == file.text)
    try provider.closeSource(discardingChanges: true)
  }

  @Test func `include deleting all rows of a file of lines`() throws {
    let folder = try TemporaryFolder()
    for (name, options) in [
      ("t.jsonl", JSONProvider.Options()), ("t.ndjson", JSONProvider.Options()),
      ("t.txt", JSONProvider.Options(layout: .lines)),
    ] {
      let path = try folder.write("{\"a\":1}\n{\"a\":2}\n", to: name)
      let provider = JSONProvider(options: options)
      try provider.openSource(atPath: path)
      try provider.execute("DELETE FROM t")
      try provider.persist()
      #expect(try folder.text(of: name) == "")
      try provider.execute("INSERT INTO t VALUES (3)")
      try provider.persist()
      #expect(try folder.text(of: name) == "{\"a\":3}\n")
      try provider.execute("DELETE FROM t")
      try provider.closeSource()
      try provider.openSource(atPath: path)
      #expect(try provider.tableNames() == [])
      try provider.closeSource()
    }
    // An empty text is not valid JSON.
    let path = try folder.write("{\"a\":1}\n{\"a\":2}\n", to: "t.json")
    let provider = JSONProvider()
    try provider.openSource(atPath: path)
    try provider.execute("DELETE FROM t")
    let error = #expect(throws: ProviderError.self) { try provider.persist() }
    #expect(error?.code == .unrepresentable)
    try provider.closeSource(discardingChanges: true)
  }
}
