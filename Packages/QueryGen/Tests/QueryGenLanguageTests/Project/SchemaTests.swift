import QueryGenLanguage
import QueryGenTestSupport
import SQLSyntax
import Testing

@Suite struct `Projects with several databases` {
  private static let files = [
    "Shelf/querygen.yaml": "database: Shelf\nattach: { attic: ../Attic }\n",
    "Shelf/Migrations/1.sql": "CREATE TABLE tape (id INTEGER PRIMARY KEY, title TEXT NOT NULL);",
    "Shelf/Temporary/1.sql": "CREATE TEMP TABLE mark (tape INTEGER PRIMARY KEY);",
    "Shelf/Queries/Q.sql":
      "q: SELECT copy.box FROM attic.tape AS copy;\nm: SELECT tape FROM mark;\n",
    "Attic/querygen.yaml": "database: Attic\n",
    "Attic/Migrations/1.sql": "CREATE TABLE tape (id INTEGER PRIMARY KEY, box INTEGER);",
    "Attic/Queries/Q.sql": "boxes: SELECT box FROM tape;\n",
  ]

  private func host() throws -> (LanguageHost, Workspace) {
    let workspace = try Workspace(Self.files, folders: false)
    return (LanguageHost(workspace), workspace)
  }

  @Test func `are one project for each database`() throws {
    let (host, workspace) = try host()
    #expect(host.projects.keys.map(workspace.short).sorted() == ["Attic", "Shelf"])
    #expect(host.report(workspace) == [])
  }

  @Test func `are checked again when an attached database changes`() throws {
    var (host, workspace) = try host()
    let path = "\(workspace.path)/Attic/Migrations/1.sql"
    host.open(path, text: "CREATE TABLE tape (id INTEGER PRIMARY KEY, crate INTEGER);", version: 1)
    host.finish()
    let queries = "\(workspace.path)/Shelf/Queries/Q.sql"
    #expect(host.diagnostics(of: queries).map(\.identity.rawValue) == ["unknown-column"])
    host.change(
      path,
      [
        DocumentChange(
          range: nil, text: "CREATE TABLE tape (id INTEGER PRIMARY KEY, box INTEGER);")
      ], version: 2)
    host.finish()
    #expect(host.diagnostics(of: queries).isEmpty)
  }

  @Test func `are checked again when temporary objects change`() throws {
    var (host, workspace) = try host()
    let path = "\(workspace.path)/Shelf/Temporary/1.sql"
    host.open(path, text: "CREATE TEMP TABLE mark (cassette INTEGER);", version: 1)
    host.finish()
    let queries = "\(workspace.path)/Shelf/Queries/Q.sql"
    #expect(host.diagnostics(of: queries).map(\.identity.rawValue) == ["unknown-column"])
    host.open(path, text: "CREATE TABLE mark (tape INTEGER);", version: 2)
    host.finish()
    #expect(host.diagnostics(of: path).map(\.identity.rawValue) == ["not-temporary"])
  }

  @Test(arguments: [
    ("attic.tape", 6, "Attic/Migrations/1.sql"), ("copy.box", 5, "Attic/Migrations/1.sql"),
    ("mark", 0, "Shelf/Temporary/1.sql"),
  ])
  func `find definitions in the database that contains them`(
    _ text: String, _ distance: Int, _ file: String
  ) throws {
    var (host, workspace) = try host()
    let path = "\(workspace.path)/Shelf/Queries/Q.sql"
    let bytes = Array(Self.files["Shelf/Queries/Q.sql", default: ""].utf8)
    let range = try #require(bytes.firstRange(of: Array(text.utf8)))
    let places = host.withProject(of: path) { project in
      project.object(path, at: ByteOffset(range.lowerBound + distance)).map {
        project.declarations(of: $0.object)
      }
    }
    #expect(places??.map { workspace.short($0.path) } == [file])
  }

  @Test func `rename a temporary table, but none of an attached database`() throws {
    var (host, workspace) = try host()
    let path = "\(workspace.path)/Shelf/Queries/Q.sql"
    let text = Self.files["Shelf/Queries/Q.sql", default: ""]
    func rename(_ name: String, _ distance: Int) -> [String]? {
      let range = Array(text.utf8).firstRange(of: Array(name.utf8))
      let offset = ByteOffset((range?.lowerBound ?? 0) + distance)
      return host.withProject(of: path) { project in
        (try? project.rename(path, at: offset, to: "crate"))?.changes.keys
          .map(workspace.short).sorted()
      } ?? nil
    }
    #expect(rename("mark", 0) == ["Shelf/Queries/Q.sql", "Shelf/Temporary/1.sql"])
    #expect(rename("attic.tape", 6) == nil)
  }

  @Test(arguments: [("SELECT * FROM attic.", ["tape"]), ("SELECT * FROM ma", ["mark"])])
  func `complete the tables of each schema`(_ text: String, _ expected: [String]) throws {
    var (host, workspace) = try host()
    let path = "\(workspace.path)/Shelf/Queries/New.sql"
    host.open(path, text: "n: " + text, version: 1)
    host.finish()
    let found = host.withProject(of: path) { project in
      project.completions(path, at: ByteOffset("n: ".utf8.count + text.utf8.count))?.items
        .filter { $0.kind == .table }.map(\.label)
    }
    #expect(found??.filter { expected.contains($0) } == expected)
  }
}
