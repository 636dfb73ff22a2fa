import SQLiteCore
import Testing

@testable import Providers

@Suite struct `Ordinary files in SPON` {
  let folder: TemporaryFolder
  let provider = SPONProvider()

  init() throws { folder = try TemporaryFolder() }

  @Test func `that are an array are one table`() throws {
    let text =
      "@array[@obj:Line<id!=`2` name$=`nut` price&=`1.5` ok%=`true`>, @obj:Line<id!=`1` name$=`0150` price&=`2.0` tags=@array[`a`, `b]`]>]"
    try provider.openSource(atPath: folder.write(text, to: "lines.spon"))
    #expect(
      try provider.values("SELECT * FROM lines") == [
        [2, "nut", 1.5, 1, nil], [1, "0150", 2.0, nil, "@array[`a`, `b]`]"],
      ])
    let columns = try provider.read { try $0.columns(of: "lines") }
    #expect(columns.map(\.declaredType) == ["INT", "TEXT", "REAL", "BOOLEAN", "SPON TEXT"])
    #expect(columns.map(\.primaryKeyPosition) == [1, nil, nil, nil, nil])
    try provider.execute("INSERT INTO lines (id, name) VALUES (3, 'cam')")
    try provider.closeSource()
    #expect(
      try folder.text(of: "lines.spon") == text.dropLast() + ", @obj:Line<id!=`3` name$=`cam`>]")
  }

  @Test func `have declared types for all types of SPON`() throws {
    let text =
      "@array:2[@obj<a^=`1.5` b&=`1.5` c#=`1.5` d+=`2026-11-22T17:30:00Z` e?=`x` f*=`AA==` g$=`x` h=@array[]>]"
    try provider.openSource(atPath: folder.write(text, to: "a.spon"))
    let columns = try provider.read { try $0.columns(of: "a") }
    #expect(
      columns.map(\.declaredType) == [
        "SPON FLOAT", "REAL", "SPON DECIMAL TEXT", "SPON INSTANT TEXT", "SPON OPAQUE TEXT",
        "SPON BLOB", "TEXT", "SPON TEXT",
      ])
    #expect(
      try provider.values("SELECT * FROM a") == [
        [1.5, 1.5, "1.5", "2026-11-22T17:30:00Z", "x", .blob([0]), "x", "@array[]"]
      ])
    try provider.execute("UPDATE a SET a = 2.5, c = '2.5', e = 'y'")
    try provider.closeSource()
    #expect(
      try folder.text(of: "a.spon")
        == text.replacing("a^=`1.5`", with: "a^=`2.5`").replacing("c#=`1.5`", with: "c#=`2.5`")
        .replacing("e?=`x`", with: "e?=`y`"))
  }

  @Test func `that are an object are a table for each of its arrays`() throws {
    let text = "@obj:Shop<parts=@array[@obj<a!=`1`>] none=@array[] Parts=@array[@obj<b$=`x`>]>"
    try provider.openSource(atPath: folder.write(text, to: "shop.spon"))
    #expect(try provider.values("SELECT a FROM parts") == [[1]])
    #expect(try provider.values("SELECT b FROM Parts_2") == [["x"]])
    try provider.execute("UPDATE Parts_2 SET b = 'y'")
    try provider.execute("CREATE TABLE added (c REAL)")
    try provider.execute("INSERT INTO added VALUES (1)")
    try provider.closeSource()
    #expect(
      try folder.text(of: "shop.spon")
        == "@obj:Shop<parts=@array[@obj<a!=`1`>] none=@array[] Parts=@array[@obj<b$=`y`>] added=@array[@obj<c&=`1.0`>]>"
    )
  }

  @Test(arguments: [
    "@array[]", "@obj<>", "@obj:T<a=@array[]>", "@array[@obj<x!=`1`>, @obj<y&=`0.5`>]",
    "@array[@obj<x^=`0.1`>, @obj<x^=`2.5`>]", "@array[@obj<x?=`2023-11-14 22:13:20 +0000`>]",
    "@array[@obj<x*=`3q0=`>, @obj<x*=``>]", "@array[@obj<x%=`true`>, @obj<x!=`1`>, @obj<x$=`1`>]",
    "@array[@obj<x!=`1`>, @obj<x$=`1`>, @obj<x&=`1.0`>, @obj<x*=`AA==`>]",
    "@array[@obj<x&=`nan`>, @obj<x&=`inf`>]", "@array[@obj<x&=`-0.0`>]",
    "@array[@obj<a=@obj:B<c!=`1`>>, @obj<a=@array[]>]", "@array[@obj<x$=`&01;`>]",
    "@array:2[@obj<first&u20;name$=`x`>]", "@array:2[@obj<x#=`1.5`>]",
    "@array:2[@obj<x+=`2023-11-14T22:13:20.5Z`>, @obj<x+=`2023-11-14T22:13:20Z`>]",
    "@obj<@spon!=`2` a=@array[@obj<x#=`1`>, @obj<x+=`2023-11-14T22:13:20Z`>]>",
    "@array[@obj<x!=`9223372036854775807`>]", "@array:2[@obj<x!=`18446744073709551615`>]",
  ])
  func `are written unchanged`(_ text: String) throws {
    try provider.openSource(atPath: folder.write(text, to: "a.spon"))
    // A change that must be written, and is reverted.
    try provider.execute("CREATE TABLE other (x)")
    try provider.execute("DROP TABLE other")
    try provider.closeSource()
    #expect(try folder.text(of: "a.spon") == text)
  }

  @Test func `with one array hold one table`() throws {
    let path = try folder.write("@array[@obj<x!=`1`>]", to: "a.spon")
    try provider.openSource(atPath: path)
    try provider.execute("CREATE TABLE other (x)")
    let error = providerError { try provider.persist() }
    #expect(error?.code == .unrepresentable)
    #expect(error?.table == "other")
    #expect(try folder.text(of: "a.spon") == "@array[@obj<x!=`1`>]")
    try provider.closeSource(discardingChanges: true)
  }
}
