import QueryGenDriver
import QueryGenServer
import QueryGenTestSupport
import Testing

@Suite struct `A watched project` {
  @Test func `reports what appears, disappears and is generated`() throws {
    let workspace = try Workspace([
      "Migrations/1.sql": "CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT);",
      "Queries/Note.sql": "notes: SELECT * FROM note;",
    ])
    var watcher = ProjectWatcher(DriverOptions(path: workspace.path), generates: true)
    func lines() -> [String] { watcher.check().map { workspace.short($0.text) } }
    #expect(
      lines() == ["wrote Generated/DB.generated.swift", "wrote Generated/Note.queries.swift"])
    #expect(lines() == [])
    try workspace.write("notes: SELECT txt FROM note;", to: "Queries/Note.sql")
    #expect(
      lines() == [
        "Queries/Note.sql:1:15: error: no such column: `txt`; did you mean `text`?"
      ])
    try workspace.write("notes: SELECT text FROM note;", to: "Queries/Note.sql")
    #expect(
      lines() == [
        "fixed: Queries/Note.sql:1:15: error: no such column: `txt`; did you mean `text`?",
        "wrote Generated/Note.queries.swift",
      ])
  }

  @Test func `includes all databases of its target`() throws {
    let workspace = try Workspace(
      [
        "Shelf/querygen.yaml": "database: Shelf\nattach: { attic: ../Attic }\n",
        "Shelf/Migrations/1.sql": "CREATE TABLE note (id INTEGER PRIMARY KEY);",
        "Shelf/Queries/Note.sql": "notes: SELECT box.room FROM attic.box;",
        "Attic/querygen.yaml": "database: Attic\n",
        "Attic/Migrations/1.sql": "CREATE TABLE box (id INTEGER PRIMARY KEY, room TEXT);",
      ], folders: false)
    var watcher = ProjectWatcher(DriverOptions(path: workspace.path), generates: true)
    func lines() -> [String] { watcher.check().map { workspace.short($0.text) } }
    #expect(
      lines() == [
        "wrote Generated/Attic.generated.swift", "wrote Generated/Shelf-Note.queries.swift",
        "wrote Generated/Shelf.generated.swift",
      ])
    try workspace.write(
      "CREATE TABLE box (id INTEGER PRIMARY KEY, place TEXT);", to: "Attic/Migrations/1.sql")
    #expect(
      lines() == ["Shelf/Queries/Note.sql:1:15: error: no such column: `box.room`"])
    try workspace.write(
      "CREATE TABLE note (id INTEGER PRIMARY KEY, room TEXT);", to: "Attic/Migrations/1.sql")
    try workspace.write("notes: SELECT id FROM note;", to: "Shelf/Queries/Note.sql")
    #expect(
      lines() == [
        "fixed: Shelf/Queries/Note.sql:1:15: error: no such column: `box.room`",
        "Shelf: error: the type `Note` is also generated for the database in Attic; set a name for "
          + "the table or query in querygen.yaml",
      ])
  }

  @Test func `reports events as JSON`() throws {
    let workspace = try Workspace(["Queries/Note.sql": "notes: SELECT x;"])
    var watcher = ProjectWatcher(DriverOptions(path: workspace.path), generates: false)
    let event = try #require(watcher.check().first)
    #expect(
      workspace.short(event.json).hasPrefix(
        #"{"event":"added","identity":"unknown-column","severity":"error","#))
  }
}
