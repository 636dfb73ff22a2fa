import Foundation
import QueryGenTestSupport
import Testing

@testable import QueryGenDriver

@Suite struct `Checking` {
  private static let faulty = [
    "Migrations/1.sql": "CREATE TABLE todo (id INTEGER, name TEXT, \"due day\" TEXT);\n",
    "Queries/A.sql": "é: SELECT nmae FROM todo;\n\nb: SELECT t.nam, t.dueday FROM tood AS t;\n",
  ]

  @Test func `reports each diagnostic of all files with its byte offset`() throws {
    let workspace = try Workspace(Self.faulty)
    try workspace.write("CREATE TABLE;\n", to: "Migrations/2.sql")
    try workspace.write([0x2D, 0x2D, 0xFF], to: "Queries/B.sql")
    let diagnostics = workspace.driver.check().diagnostics
    #expect(
      diagnostics.map(\.identity) == [
        "unexpected-token", "unknown-column", "unknown-table", "invalid-utf8",
      ])
    let column = diagnostics[1]
    #expect(column.severity == .error)
    #expect(column.file == workspace.path + "/Queries/A.sql")
    let place = try #require(column.place)
    #expect((place.offset, place.length, place.line, place.column) == (11, 4, 1, 11))
    #expect(column.fixIts.map(\.replacement) == ["name"])
    #expect(column.fixIts.first?.place == column.place)
  }

  @Test func `reports offsets in the file's own bytes, for any line endings`() throws {
    let workspace = try Workspace(Self.faulty)
    let windows = "-- one\r\n-- two\r\na: SELECT nmae\r\nFROM todo;\r\n"
    try workspace.write(windows, to: "Queries/A.sql")
    let place = try #require(workspace.driver.check().diagnostics.first?.place)
    let offset = try #require(windows.utf8.firstRange(of: "nmae".utf8)).lowerBound
    #expect(place.offset == windows.utf8.distance(from: windows.utf8.startIndex, to: offset))
    #expect((place.length, place.line, place.column) == (4, 3, 11))
  }

  @Test func `prints lines of JSON`() throws {
    let workspace = try Workspace(Self.faulty)
    try workspace.write("a: SELECT \"\u{1}\n", to: "Queries/A.sql")
    try workspace.remove("Migrations/1.sql")
    try workspace.remove("Migrations")
    for diagnostic in workspace.driver.check().diagnostics {
      let object = try #require(
        JSONSerialization.jsonObject(with: Data(diagnostic.json.utf8)) as? [String: Any])
      #expect(object["identity"] as? String == diagnostic.identity)
      #expect(object["severity"] as? String == "error")
      #expect(object["message"] as? String == diagnostic.message)
      #expect(object["file"] as? String == diagnostic.file)
      #expect(object["offset"] as? Int == diagnostic.place?.offset)
      #expect(object["line"] as? Int == diagnostic.place?.line)
      #expect(!diagnostic.json.contains("\n"))
    }
    let workspace2 = try Workspace(Self.faulty)
    let json = try #require(workspace2.driver.check().diagnostics.first?.json)
    #expect(
      json.replacing(workspace2.path, with: "") == """
        {"identity":"unknown-column","severity":"error","message":"no such column: `nmae`; did you mean \
        `name`?","file":"/Queries/A.sql","offset":11,"length":4,"line":1,"column":11,"notes":[],"fix_its":\
        [{"offset":11,"length":4,"line":1,"column":11,"replacement":"name"}]}
        """)
  }

  @Test func `applies only the fix-its of errors`() throws {
    let workspace = try Workspace(Self.faulty)
    try workspace.write(
      "é: SELECT nmae FROM todo;\r\nb: SELECT t.nam, t.dueday FROM todo AS t;\r\n",
      to: "Queries/A.sql")
    let fixed = workspace.driver.fix()
    #expect(fixed.fixCount == 3)
    #expect(fixed.changed == [workspace.path + "/Queries/A.sql"])
    #expect(fixed.report == "")
    #expect(
      try workspace.read("Queries/A.sql")
        == "é: SELECT name FROM todo;\r\nb: SELECT t.name, t.\"due day\" FROM todo AS t;\r\n")
  }

  @Test func `changes no file without a fix-it`() throws {
    let workspace = try Workspace.todo()
    try workspace.write("a: SELECT entirely_other FROM todo;\n", to: "Queries/Todo.sql")
    let fixed = workspace.driver.fix()
    #expect(fixed.fixCount == 0)
    #expect(fixed.errorCount == 1)
  }

  @Test func `parses only the files that have changed`() throws {
    let workspace = try Workspace.todo()
    try workspace.write("other: SELECT 1;", to: "Queries/Other.sql")
    let driver = workspace.driver
    func parsed() -> [String] {
      driver.check().parsed.map { $0.replacing(workspace.path + "/", with: "") }
    }
    #expect(parsed() == ["Migrations/1.sql", "Queries/Other.sql", "Queries/Todo.sql"])
    #expect(parsed() == [])
    try workspace.write("other: SELECT 2, nmae FROM todo;", to: "Queries/Other.sql")
    let outcome = driver.check()
    #expect(outcome.parsed == [workspace.path + "/Queries/Other.sql"])
    #expect(outcome.diagnostics.map(\.identity) == ["unknown-column"])
    // The table's columns have changed, so the queries are checked again, but not parsed.
    try workspace.write("CREATE TABLE todo (nmae TEXT);", to: "Migrations/1.sql")
    #expect(parsed() == ["Migrations/1.sql"])
    #expect(driver.check().errorCount == 0)
    // A tree that was removed from the cache is parsed again.
    try workspace.write("other: SELECT 1;", to: "Queries/Other.sql")
    #expect(parsed() == ["Queries/Other.sql"])
  }

  @Test func `uses the contents of open files instead of those on disk`() throws {
    let workspace = try Workspace.todo()
    var driver = workspace.driver
    #expect(driver.check().errorCount == 0)
    driver.options.openFiles = [
      workspace.path + "/Queries/Todo.sql": Array("a: SELECT nmae FROM todo;".utf8)
    ]
    let outcome = driver.check()
    #expect(outcome.parsed == [workspace.path + "/Queries/Todo.sql"])
    #expect(outcome.diagnostics.map(\.identity) == ["unknown-column"])
    driver.options.openFiles = [:]
    #expect(driver.check().errorCount == 0)
  }

  @Test func `reports files and folders that can't be read`() throws {
    let workspace = try Workspace.todo()
    try FileManager.default.createSymbolicLink(
      atPath: workspace.path + "/Queries/gone.sql", withDestinationPath: "/nowhere/at/all")
    let diagnostics = workspace.driver.check().diagnostics
    #expect(diagnostics.map(\.identity) == ["unreadable-file"])
    #expect(diagnostics.first?.place == nil)
    #expect(diagnostics.first?.json.contains("\"offset\":null") == true)
    let none = Driver(DriverOptions(path: workspace.path + "/none")).check()
    #expect(none.diagnostics.map(\.identity) == ["missing-folder"])
  }
}
