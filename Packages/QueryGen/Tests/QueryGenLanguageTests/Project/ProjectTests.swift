import QueryGenDriver
import QueryGenLanguage
import QueryGenTestSupport
import SQLSyntax
import Testing

@Suite struct `Projects of a workspace` {
  @Test func `are folders with migrations or a configuration`() throws {
    let workspace = try Workspace(
      [
        "app/Migrations/001.sql": "CREATE TABLE a (x);",
        "app/Queries/A.sql": "a: SELECT x FROM a;",
        "lib/querygen.yaml": "database: Other\n",
        "lib/Migrations/001.sql": "CREATE TABLE b (x);",
        "lib/Queries/B.sql": "b: SELECT x FROM a;",
        ".build/app/Migrations/001.sql": "nonsense",
      ], folders: false)
    let host = LanguageHost(workspace)
    #expect(
      host.projects.keys.map(workspace.short).sorted() == ["app", "lib"])
    #expect(
      host.report(workspace).map { String($0.prefix { $0 != " " }) } == ["lib/Queries/B.sql"])
  }

  @Test func `are found above a document outside of the workspace's folders`() throws {
    let workspace = try Shop.workspace()
    var host = LanguageHost(folders: [], encoding: .utf16)
    let path = "\(workspace.path)/Queries/Order.sql"
    host.open(path, text: "x: SELECT nmae FROM customer;", version: 1)
    host.finish()
    #expect(host.diagnostics(of: path).map(\.identity.rawValue) == ["unknown-column"])
  }

  @Test func `do not contain a document elsewhere, which is checked on its own`() throws {
    let workspace = try Workspace([:], folders: false)
    var host = LanguageHost(workspace)
    let path = "\(workspace.path)/notes.sql"
    host.open(path, text: "CREATE TABLE t (a); SELECT b FROM t;", version: 1)
    host.finish()
    #expect(
      host.diagnostics(of: path).map(\.identity.rawValue) == ["no-project", "unknown-column"])
    host.close(path)
    host.finish()
    #expect(host.projects.isEmpty)
  }

  @Test func `include a query file that is not saved yet`() throws {
    let workspace = try Shop.workspace()
    var host = LanguageHost(workspace)
    let path = "\(workspace.path)/Queries/New.sql"
    host.open(path, text: "new: SELECT x FROM customer;", version: 1)
    host.finish()
    #expect(host.diagnostics(of: path).map(\.identity.rawValue) == ["unknown-column"])
  }

  @Test func `report the problems of a whole folder at a file`() throws {
    let workspace = try Workspace(["Migrations/1.sql": "CREATE TABLE t (a);"], folders: false)
    let host = LanguageHost(workspace)
    #expect(
      host.report(workspace).map { $0.split(separator: " ").prefix(3).joined(separator: " ") }
        == ["Migrations/1.sql 0..<0 missing-folder"])
  }

  @Test func `report a broken view at its definition`() throws {
    let workspace = try Shop.workspace()
    try workspace.write("DROP TABLE orders;", to: "Migrations/003_drop.sql")
    let host = LanguageHost(workspace)
    let path = "\(workspace.path)/Migrations/002_views.sql"
    let broken = host.diagnostics(of: path).filter { $0.identity.rawValue == "broken-object" }
    #expect(broken.count == 1)
    let text = try workspace.read("Migrations/002_views.sql")
    #expect(broken.map { SourceText(text)[$0.span] } == ["open_orders"])
  }
}

@Suite struct `A definition` {
  private func definitions(_ files: [String: String]) throws -> (LanguageProject, Workspace) {
    let workspace = try Workspace(files)
    let host = LanguageHost(workspace)
    return (try #require(host.projects[workspace.path]), workspace)
  }

  @Test func `follows a table that is rebuilt`() throws {
    let (project, workspace) = try definitions([
      "Migrations/1.sql": "CREATE TABLE t (a TEXT);",
      "Migrations/2.sql": """
      CREATE TABLE new_t (a TEXT NOT NULL, b);
      INSERT INTO new_t SELECT a, 1 FROM t;
      DROP TABLE t;
      ALTER TABLE new_t RENAME TO t;
      """,
    ])
    let table = try #require(project.definitions.objects["t"])
    #expect(workspace.short(table.definition.path) == "Migrations/2.sql")
    #expect(table.columns.map(\.name) == ["a", "b"])
    #expect(table.changes.count == 1)
    #expect(project.definitions.objects["new_t"] == nil)
  }

  @Test func `of a column has the chain of its changes`() throws {
    let (project, workspace) = try definitions([
      "Migrations/1.sql": "CREATE TABLE t (a TEXT);",
      "Migrations/2.sql": "ALTER TABLE t RENAME COLUMN a TO b; ALTER TABLE t ADD c;",
      "Migrations/3.sql": "ALTER TABLE t RENAME TO u; ALTER TABLE u RENAME b TO d;",
    ])
    let column = try #require(project.definitions.column("d", of: "u"))
    #expect(
      ([column.definition] + column.changes).map { workspace.short($0.path) }
        == ["Migrations/1.sql", "Migrations/2.sql", "Migrations/3.sql"])
    #expect(project.definitions.column("c", of: "u") != nil)
    #expect(project.definitions.column("a", of: "t") == nil)
  }
}
