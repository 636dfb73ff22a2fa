import SQLiteCore
import Testing

@testable import Providers

@Suite struct `Invalid files in SPON` {
  let folder: TemporaryFolder
  let provider = SPONProvider()

  init() throws { folder = try TemporaryFolder() }

  @Test func `truncated at any byte are refused and unchanged`() throws {
    let bytes = Array(originalDatabase.utf8)
    for count in stride(from: 0, to: bytes.count, by: FormatEffort.isFull ? 1 : 17) {
      let path = try folder.write(Array(bytes[..<count]), to: "a.spon")
      let error = providerError { try provider.openSource(atPath: path) }
      #expect(error?.code == .truncated)
      #expect(error?.file == path)
      #expect(!provider.isOpen)
      #expect(try folder.bytes(of: "a.spon").count == count)
    }
  }

  @Test func `that are empty are refused`() throws {
    let error = providerError { try provider.openSource(atPath: folder.write("", to: "a.spon")) }
    #expect(error?.code == .truncated)
    #expect(error?.position?.line == 1)
  }

  @Test(arguments: [
    ("@obj:DataStore<tables=@array[1!]>", "expected an object as a table"),
    ("@obj:DataStore<tables=@array[@obj:Table<rows=@array[]>]>", "a table has no schema"),
    ("@obj:DataStore<tables=@array[@obj:Table<rows=@array[1!]>]>", "expected an object as a row"),
    (
      "@obj:DataStore<tables=@array[@obj:Table<schema=@obj<name$=`t`>>]>",
      "expected the schema of a table"
    ),
    ("@obj:DataStore<schema=@obj<s1!=`1`>>", "expected a text as a statement of the schema"),
    ("@array[1!]", "expected an object as a row"),
    ("@obj<a$=`x`>", "expected an array of objects for the key \"a\""),
    ("7!", "expected tables, found a single value"), ("@array[@obj<>]", "the rows have no keys"),
    ("@array[@obj<a!=`1`>] x", ""), ("\u{FEFF}@array[]", ""),
    (
      "@obj:DataStore<tables=@array[@obj:Table<schema=@obj<name$=`t` columns=@array[] sql$=`CREATE TABLE t (a)`> rows=@array[@obj<b!=`1`>]>]>",
      "the table does not have this column"
    ),
    (
      "@obj:DataStore<tables=@array[@obj:Table<schema=@obj<name$=`t` columns=@array[] sql$=`CREATE TABLE u (a)`> rows=@array[]>]>",
      "the statement does not create a table with this name"
    ),
  ])
  func `are refused with the position`(_ text: String, _ message: String) throws {
    let path = try folder.write(text, to: "a.spon")
    let error = providerError { try provider.openSource(atPath: path) }
    #expect(error?.code == .malformed)
    #expect(message.isEmpty || error?.message == message)
    #expect(error?.position != nil)
    #expect(error?.file == path)
  }

  @Test func `are refused with the line and the column`() throws {
    let path = try folder.write("@array[\n  @obj<a!=`1`>,\n  @obj<a!=`x`>]", to: "a.spon")
    let error = providerError { try provider.openSource(atPath: path) }
    #expect(error?.position?.description == "3:12")
  }

  @Test(arguments: [
    "DROP TABLE t", "CREATE TABLE u (a); DROP TABLE t", "ATTACH 'x' AS y",
    "CREATE TEMP TABLE u (a)",
    "INSERT INTO t VALUES (1)", "PRAGMA writable_schema = ON",
  ])
  func `can run only statements that create schema objects`(_ sql: String) throws {
    let text = "@obj:DataStore<schema=@obj<s1$=`\(sql)`> tables=@array[]>"
    let path = try folder.write(text, to: "a.spon")
    #expect(throws: (any Error).self) { try provider.openSource(atPath: path) }
    #expect(!provider.isOpen)
  }

  @Test func `of random bytes cause no crash`() throws {
    var random = SeededRandom(seed: 77_001)
    let bytes = Array(originalDatabase.utf8)
    for _ in 0..<FormatEffort.count(40) {
      var damaged = bytes
      for _ in 0...random.below(3) {
        damaged[random.below(damaged.count)] = UInt8(truncatingIfNeeded: random.next())
      }
      if random.oneIn(4) {
        damaged = (0..<random.below(200)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      }
      let path = try folder.write(damaged, to: "a.spon")
      do {
        try provider.openSource(atPath: path)
        try provider.closeSource()
      } catch is ProviderError {
      } catch is SQLiteError {
      }
    }
  }

  @Test func `are unchanged if a text is not UTF-8`() throws {
    let path = try folder.write(originalDatabase, to: "a.spon")
    try provider.openSource(atPath: path)
    try provider.execute("UPDATE gears SET label = CAST(x'61ff' AS TEXT) WHERE gid = 2")
    let error = providerError { try provider.persist() }
    #expect(error?.code == .unrepresentable)
    #expect(error?.table == "gears")
    #expect(error?.column == "label")
    #expect(error?.message.contains("row 2") == true)
    #expect(try folder.text(of: "a.spon") == originalDatabase)
    try provider.closeSource(discardingChanges: true)
  }

  @Test func `are not recursive, regardless of depth`() throws {
    let deep = String(repeating: "@array[", count: 450) + String(repeating: "]", count: 450)
    let path = try folder.write("@array[@obj<a=\(deep)>]", to: "a.spon")
    try provider.openSource(atPath: path)
    #expect(try provider.values("SELECT a FROM a") == [[.text(deep)]])
    try provider.closeSource()
  }
}
