import SQLiteCore
import Testing

@testable import Providers

@Suite struct `Files in SPON that are faulty` {
  let folder: TemporaryFolder
  let provider = SPONProvider()

  init() throws { folder = try TemporaryFolder() }

  @Test func `are refused at every byte where they may end, and stay as they are`() throws {
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
    ("@obj:DataStore<tables=@array[1!]>", "a table is an object"),
    ("@obj:DataStore<tables=@array[@obj:Table<rows=@array[]>]>", "a table lacks its schema"),
    ("@obj:DataStore<tables=@array[@obj:Table<rows=@array[1!]>]>", "a row is an object"),
    (
      "@obj:DataStore<tables=@array[@obj:Table<schema=@obj<name$=`t`>>]>",
      "this does not describe a table"
    ),
    ("@obj:DataStore<schema=@obj<s1!=`1`>>", "a statement of the schema is a text"),
    ("@array[1!]", "a row is an object"),
    ("@obj<a$=`x`>", "tables are arrays of objects, and \"a\" is none"),
    ("7!", "a single value holds no tables"), ("@array[@obj<>]", "the rows have no keys"),
    ("@array[@obj<a!=`1`>] x", ""), ("\u{FEFF}@array[]", ""),
    (
      "@obj:DataStore<tables=@array[@obj:Table<schema=@obj<name$=`t` columns=@array[] sql$=`CREATE TABLE t (a)`> rows=@array[@obj<b!=`1`>]>]>",
      "the table has no such column"
    ),
    (
      "@obj:DataStore<tables=@array[@obj:Table<schema=@obj<name$=`t` columns=@array[] sql$=`CREATE TABLE u (a)`> rows=@array[]>]>",
      "the statement makes no table of this name"
    ),
  ])
  func `are refused with the place`(_ text: String, _ message: String) throws {
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
  func `can run no statement but those that make a schema`(_ sql: String) throws {
    let text = "@obj:DataStore<schema=@obj<s1$=`\(sql)`> tables=@array[]>"
    let path = try folder.write(text, to: "a.spon")
    #expect(throws: (any Error).self) { try provider.openSource(atPath: path) }
    #expect(!provider.isOpen)
  }

  @Test func `of any bytes stop nothing`() throws {
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

  @Test func `are not written where a text is not UTF-8, and stay as they are`() throws {
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

  @Test func `are not held as a tree, however deep`() throws {
    let deep = String(repeating: "@array[", count: 450) + String(repeating: "]", count: 450)
    let path = try folder.write("@array[@obj<a=\(deep)>]", to: "a.spon")
    try provider.openSource(atPath: path)
    #expect(try provider.values("SELECT a FROM a") == [[.text(deep)]])
    try provider.closeSource()
  }
}
