import LSPWire
import QueryGenDatabase
import QueryGenDriver
import QueryGenServer
import QueryGenTestSupport
import Testing

@Suite struct `Plans of a server` {
  private static let queries = """
    notes:
    SELECT * FROM note WHERE kind = :kind;
    note:
    SELECT * FROM note WHERE id = :id;

    """

  private func project() throws -> (client: TestClient, workspace: Workspace, path: String) {
    let workspace = try Workspace([
      "Migrations/001.sql": "CREATE TABLE note (id INTEGER PRIMARY KEY, kind TEXT);\n",
      "Migrations/002.sql":
        "CREATE TABLE tag (id INTEGER PRIMARY KEY, note REFERENCES note (id));\n",
      "Queries/Note.sql": Self.queries,
      "querygen.yaml": "plans: { rows: { note: 50000 } }\n",
    ])
    let client = TestClient(makePlanSession: DatabasePlanSession.init)
    try client.initialize(workspace.path)
    let path = "\(workspace.path)/Queries/Note.sql"
    try client.open(path, Self.queries)
    return (client, workspace, path)
  }

  @Test func `are checked after everything else`() throws {
    let (client, workspace, path) = try project()
    #expect(client.diagnostics(path) == ["1 full-scan"])
    #expect(
      client.diagnostics("\(workspace.path)/Migrations/002.sql") == ["0 unindexed-foreign-key"])
    let edited = Self.queries + "others: SELECT * FROM note WHERE kind = :other;"
    try client.change(path, version: 2, [["text": .string(edited)]])
    client.work()
    #expect(client.diagnostics(path) == ["1 full-scan"])
    client.settle()
    #expect(client.diagnostics(path) == ["1 full-scan", "4 full-scan"])
  }

  @Test func `stay known while other queries are edited`() throws {
    let (client, _, path) = try project()
    try client.change(path, version: 2, [["text": .string("first: SELECT 1;\n" + Self.queries)]])
    client.work()
    #expect(client.diagnostics(path) == ["2 full-scan"])
    client.settle()
    #expect(client.diagnostics(path) == ["2 full-scan"])
    try client.change(
      path, version: 3, [["text": .string("-- plan: allow full-scan\n" + Self.queries)]])
    client.settle()
    #expect(client.diagnostics(path) == [])
  }

  @Test func `are determined again when the schema changes`() throws {
    let (client, workspace, path) = try project()
    let migration = "\(workspace.path)/Migrations/001.sql"
    try client.open(
      migration,
      "CREATE TABLE note (id INTEGER PRIMARY KEY, kind TEXT); CREATE INDEX k ON note (kind);")
    #expect(client.diagnostics(path) == [])
    try client.change(migration, version: 2, [["text": "CREATE TABLE note (id);"]])
    client.settle()
    #expect(client.diagnostics(path) == ["1 unknown-column", "3 full-scan"])
  }

  @Test func `are not shown while a migration has an error`() throws {
    let (client, workspace, path) = try project()
    let migration = "\(workspace.path)/Migrations/001.sql"
    try client.open(migration, "CREATE TABLE note (id INTEGER PRIMARY KEY, kind TEXT")
    #expect(client.diagnostics(path) == [])
    try client.change(
      migration, version: 2,
      [["text": "CREATE TABLE note (id INTEGER PRIMARY KEY, kind TEXT);"]])
    client.settle()
    #expect(client.diagnostics(path) == ["1 full-scan"])
  }

  @Test func `are shown by code lenses and a command`() throws {
    let (client, _, path) = try project()
    let lenses = try client.result("textDocument/codeLens", client.document(path))
    let commands =
      lenses.array?.compactMap { $0["command"] }.filter { $0["arguments"] != nil } ?? []
    #expect(
      commands.map { $0["title"]?.string } == [
        "SCAN note", "SEARCH note USING INTEGER PRIMARY KEY (rowid=?)",
      ])
    let command = try #require(commands.first)
    let shown = try client.result(
      "workspace/executeCommand",
      ["command": command["command"] ?? .null, "arguments": command["arguments"] ?? .null])
    #expect(shown.string == "`--SCAN note")
    let message = client.messages.last { $0["method"] == "window/showMessage" }
    #expect(message?["params"]?["message"]?.string == "notes\n`--SCAN note")
  }

  @Test(
    arguments: [
      ["command": "querygen.nothing"], ["command": "querygen.showPlan"],
      ["command": "querygen.showPlan", "arguments": ["file:///nowhere.sql", "notes"]],
    ] as [JSONValue])
  func `are not shown for invalid commands`(_ parameters: JSONValue) throws {
    let (client, _, _) = try project()
    let response = try client.call("workspace/executeCommand", parameters)
    #expect(response["error"]?["code"]?.integer != nil)
  }

  @Test func `are part of a query's description`() throws {
    let (client, _, path) = try project()
    let hover = try client.result("textDocument/hover", client.at(path, 0, 2))
    #expect(hover["contents"]?["value"]?.string?.contains("Plan:\n```\n`--SCAN note\n```") == true)
  }

  @Test func `are improved by a new migration`() throws {
    let (client, workspace, path) = try project()
    let range: JSONValue = [
      "start": ["line": 1, "character": 14], "end": ["line": 1, "character": 14],
    ]
    let actions = try client.result(
      "textDocument/codeAction",
      [
        "textDocument": ["uri": .string(DocumentURI.uri(path))], "range": range,
        "context": ["diagnostics": []],
      ])
    let action = try #require(actions.array?.first { $0["kind"] == "quickfix" })
    #expect(action["title"] == "Add the index `note_kind` by a new migration")
    let changes = action["edit"]?["documentChanges"]?.array ?? []
    let file = "\(workspace.path)/Migrations/003_add_note_kind.sql"
    #expect(changes.first?["kind"] == "create")
    #expect(changes.first?["uri"]?.string == DocumentURI.uri(file))
    let text = changes.last?["edits"]?.array?.first?["newText"]?.string
    #expect(text == "CREATE INDEX note_kind ON note (kind);\n")
    try workspace.write(text ?? "", to: "Migrations/003_add_note_kind.sql")
    try client.notify("workspace/didChangeWatchedFiles", ["changes": []])
    client.settle()
    #expect(client.diagnostics(path) == [])
  }

  @Test func `are not determined without a planner`() throws {
    let (_, workspace, path) = try project()
    let client = TestClient()
    try client.initialize(workspace.path)
    try client.open(path, Self.queries)
    #expect(client.diagnostics(path) == [])
  }
}

@Suite struct `Plans of a watched project` {
  @Test func `are checked after each change, if requested`() throws {
    let workspace = try Workspace([
      "Migrations/1.sql": "CREATE TABLE note (id INTEGER PRIMARY KEY, kind TEXT);",
      "Queries/Note.sql": "notes: SELECT * FROM note ORDER BY kind;",
    ])
    let options = DriverOptions(path: workspace.path)
    var plain = ProjectWatcher(options, generates: false)
    #expect(plain.check().isEmpty)
    var watcher = ProjectWatcher(
      options, generates: false, makePlanSession: DatabasePlanSession.init)
    #expect(watcher.check().map(\.diagnostic?.identity) == ["sort-without-index"])
    try workspace.write("notes: SELECT * FROM note ORDER BY id;", to: "Queries/Note.sql")
    #expect(watcher.check().map(\.kind) == [.removed])
  }
}
