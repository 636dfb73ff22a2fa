import Providers
import SQLiteCore
import Testing

/// Dialect detection in files that were written with detected dialects.
@Suite struct `Files in CSV with a detected dialect` {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func open(_ name: String, _ options: CSVProvider.Options = CSVProvider.Options()) throws
    -> CSVProvider
  {
    let provider = CSVProvider(options: options)
    try provider.openSource(atPath: "\(folder.path)/\(name)")
    return provider
  }

  /// The columns and all rows.
  private func dump(_ provider: CSVProvider, _ table: String) throws -> [[SQLiteValue]] {
    let names = try provider.getTableSchema(forTableName: table).columns.map(\.name)
    return [names.map { .text($0) }]
      + (try provider.query("SELECT * FROM \(identifier: table)").map(\.values))
  }

  struct Case: CustomTestStringConvertible, Sendable {
    let statements: [String]
    let text: String
    var testDescription: String { statements.joined(separator: "; ") }
    init(_ statements: [String], _ text: String) {
      (self.statements, self.text) = (statements, text)
    }
  }

  @Test(arguments: [
    Case(
      ["ALTER TABLE t RENAME COLUMN a TO '1'", "ALTER TABLE t RENAME COLUMN b TO '2'"],
      "\"1\",\"2\"\n1,2\n3,4\n"),
    Case(["ALTER TABLE t RENAME COLUMN a TO '2026-11-22'"], "2026-11-22,b\n1,2\n3,4\n"),
    Case(["UPDATE t SET a = 'a', b = 'b'"], "\"a\",\"b\"\na,b\na,b\n"),
    Case(["UPDATE t SET a = 'x', b = 'y'"], "a,b\nx,y\nx,y\n"),
    Case(["UPDATE t SET a = NULL, b = NULL"], "a,b\n,\n,\n"),
    Case(["DELETE FROM t"], "a,b\n"),
    Case(["ALTER TABLE t RENAME COLUMN a TO '1'", "DELETE FROM t"], "\"1\",\"b\"\n"),
    Case(["ALTER TABLE t DROP COLUMN b", "ALTER TABLE t RENAME COLUMN a TO '7'"], "\"7\"\n1\n3\n"),
    Case(["ALTER TABLE t DROP COLUMN b", "UPDATE t SET a = NULL"], "a\n\n\n"),
    Case(["ALTER TABLE t DROP COLUMN b", "UPDATE t SET a = 'a'"], "\"a\"\na\na\n"),
    Case(["ALTER TABLE t DROP COLUMN b", "UPDATE t SET a = 'x;y'"], "a\n\"x;y\"\n\"x;y\"\n"),
  ])
  func `have their column names again, quoted if necessary`(
    _ each: Case
  ) throws {
    try folder.write("a,b\n1,2\n3,4\n", to: "t.csv")
    let provider = try open("t.csv")
    for statement in each.statements { try provider.execute(SQL(unsafe: statement)) }
    let before = try dump(provider, "t")
    try provider.closeSource()
    #expect(try folder.text(of: "t.csv") == each.text)
    let again = try open("t.csv")
    // A name without rows and types is the only known property of a column.
    #expect(
      try dump(again, "t").map { $0.map(\.description) } == before.map { $0.map(\.description) })
    try again.closeSource()
  }

  @Test(arguments: ["name", "1", "true"], ["'x'", "1", "NULL", "'name'", "'1'"])
  func `with one column have its name again`(_ name: String, _ value: String) throws {
    let provider = try open("n.csv")
    try provider.execute("CREATE TABLE n (\(identifier: name))")
    try provider.execute("INSERT INTO n VALUES (\(unsafe: value)), (\(unsafe: value))")
    try provider.closeSource()
    let again = try open("n.csv")
    #expect(try again.query("SELECT * FROM n").columns == [name])
    #expect(try again.countRows(inTable: "n") == 2)
    try again.closeSource()
  }

  @Test(arguments: [
    ("1,2\n3,4\n", "UPDATE t SET column1 = 'x' || column1, column2 = 'y' || column2"),
    ("a,b\nx,y\n", "ALTER TABLE t RENAME COLUMN a TO 'x\ny'"),
  ])
  func `are not written if they would be detected differently`(
    _ text: String, _ statement: String
  ) throws {
    try folder.write(text, to: "t.csv")
    let provider = try open("t.csv")
    try provider.execute(SQL(unsafe: statement))
    let error = #expect(throws: ProviderError.self) { try provider.persist() }
    #expect(error?.code == .unrepresentable && error?.table == "t")
    #expect(error?.message.contains("hasHeader") == true)
    #expect(try folder.text(of: "t.csv") == text)
    try provider.closeSource(discardingChanges: true)
    // A specified dialect is used for writing.
    var options = CSVProvider.Options()
    options.hasHeader = text.hasPrefix("a")
    let told = try open("t.csv", options)
    try told.execute(SQL(unsafe: statement))
    let before = try dump(told, "t")
    try told.closeSource()
    let again = try open("t.csv", options)
    #expect(try dump(again, "t").dropFirst() == before.dropFirst())
    try again.closeSource()
  }

  @Test func `have quotes around texts with misleading delimiters`() throws {
    try folder.write("a,b\nx,y\n", to: "t.csv")
    let provider = try open("t.csv")
    for _ in 0..<10 { try provider.execute("INSERT INTO t VALUES ('x;1', 'y;2')") }
    let before = try dump(provider, "t")
    try provider.closeSource()
    let again = try open("t.csv")
    #expect(try dump(again, "t") == before)
    try again.closeSource()
  }

  @Test(arguments: ["a,b", "\"x", "x\ny"])
  func `are not written with a text for NULL that needs quotes`(_ nullText: String) throws {
    try folder.write("a,b\n1,2\n", to: "t.csv")
    var options = CSVProvider.Options()
    options.nullText = nullText
    let provider = try open("t.csv", options)
    try provider.execute("UPDATE t SET a = NULL")
    let error = #expect(throws: ProviderError.self) { try provider.persist() }
    #expect(error?.code == .unrepresentable && error?.column == "a")
    #expect(try folder.text(of: "t.csv") == "a,b\n1,2\n")
    try provider.closeSource(discardingChanges: true)
  }

  @Test(arguments: [
    ("0", "0", "\"0\""), ("-1", "-1", "\"-1\""), ("1.5", "1.5", "\"1.5\""),
    ("NA", "'NA'", "\"NA\""),
    ("", "''", "\"\""), ("NA", "''", ""),
  ])
  func `have quotes around values that look like NULL`(
    _ nullText: String, _ value: String, _ written: String
  ) throws {
    let number = value.contains(".") ? "2.5" : value.contains("'") ? "x" : "2"
    try folder.write("a,b\n5,\(number)\n", to: "t.csv")
    var options = CSVProvider.Options()
    options.nullText = nullText
    let provider = try open("t.csv", options)
    try provider.execute("INSERT INTO t VALUES (7, NULL)")
    try provider.execute("INSERT INTO t VALUES (8, \(unsafe: value))")
    try provider.closeSource()
    #expect(try folder.text(of: "t.csv") == "a,b\n5,\(number)\n7,\(nullText)\n8,\(written)\n")
    let again = try open("t.csv", options)
    #expect(try again.countRows(inTable: "t", filteredBy: "b IS NULL") == 1)
    try again.closeSource()
  }
}
