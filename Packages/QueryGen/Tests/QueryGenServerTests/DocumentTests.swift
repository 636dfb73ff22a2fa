import LSPWire
import QueryGenServer
import QueryGenTestSupport
import Testing

@Suite struct `Documents of a server` {
  private func project() throws -> (TestClient, Workspace) {
    let workspace = try Workspace([
      "Migrations/001.sql": "CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT NOT NULL);\n",
      "Queries/Note.sql": "notes:\nSELECT * FROM note;\n",
    ])
    let client = TestClient()
    try client.initialize(workspace.path)
    return (client, workspace)
  }

  @Test func `get diagnostics after each change`() throws {
    let (client, workspace) = try project()
    let path = "\(workspace.path)/Queries/Note.sql"
    try client.open(path, "notes:\nSELECT * FROM note;\n")
    #expect(client.diagnostics(path) == [])
    try client.change(
      path, version: 2,
      [
        [
          "range": [
            "start": ["line": 1, "character": 14], "end": ["line": 1, "character": 18],
          ], "text": "nota",
        ]
      ])
    client.settle()
    #expect(client.diagnostics(path) == ["1 unknown-table"])
    try client.change(path, version: 3, [["text": "notes: SELECT id FROM note;"]])
    client.settle()
    #expect(client.diagnostics(path) == [])
  }

  @Test(arguments: [
    ("notes: SELECT id FROM note AS n;", "unused-alias", 4, true),
    ("notes: BEGIN SELECT id FROM note; DELETE FROM note; END;", "unused-result", 2, false),
  ])
  func `dim unused names, but no other warnings`(
    _ text: String, _ code: String, _ severity: Int, _ isDimmed: Bool
  ) throws {
    let (client, workspace) = try project()
    let path = "\(workspace.path)/Queries/Note.sql"
    try client.open(path, text)
    #expect(client.diagnostics(path) == ["0 \(code)"])
    let sent = client.messages.last { $0["method"] == "textDocument/publishDiagnostics" }
    let diagnostic = try #require(sent?["params"]?["diagnostics"]?.array?.first)
    #expect(diagnostic["severity"]?.integer == severity)
    #expect(diagnostic["tags"]?.array == (isDimmed ? [1] : nil))
  }

  @Test func `get diagnostics when a migration changes`() throws {
    let (client, workspace) = try project()
    let path = "\(workspace.path)/Migrations/001.sql"
    try client.open(path, "CREATE TABLE notes (id INTEGER PRIMARY KEY);\n")
    #expect(client.diagnostics("\(workspace.path)/Queries/Note.sql") == ["1 unknown-table"])
    try client.notify("textDocument/didClose", client.document(path))
    client.settle()
    #expect(client.diagnostics("\(workspace.path)/Queries/Note.sql") == [])
  }

  @Test func `get diagnostics when files change on disk`() throws {
    let (client, workspace) = try project()
    let path = "\(workspace.path)/Queries/Other.sql"
    try workspace.write("broken: SELECT x FROM note;", to: "Queries/Other.sql")
    let event: JSONValue = [
      "changes": [["uri": .string(DocumentURI.uri(path)), "type": 1]]
    ]
    try client.notify("workspace/didChangeWatchedFiles", event)
    client.settle()
    #expect(client.diagnostics(path) == ["0 unknown-column"])
    try workspace.remove("Queries/Other.sql")
    try client.notify("workspace/didChangeWatchedFiles", event)
    client.settle()
    #expect(client.diagnostics(path) == [])
  }

  @Test func `keep a version that never decreases`() throws {
    let (client, workspace) = try project()
    let path = "\(workspace.path)/Queries/Note.sql"
    try client.open(path, "notes: SELECT x FROM note;")
    for version in 2...5 {
      try client.change(
        path, version: version, [["text": .string("notes: SELECT x\(version) FROM note;")]])
      client.settle()
    }
    let versions = client.messages.filter {
      $0["method"] == "textDocument/publishDiagnostics"
        && $0["params"]?["uri"]?.string == DocumentURI.uri(path)
    }.compactMap { $0["params"]?["version"]?.integer }
    #expect(versions == [1, 2, 3, 4, 5])
  }

  @Test func `are answered for the text that was sent last`() throws {
    let (client, workspace) = try project()
    let path = "\(workspace.path)/Queries/Note.sql"
    try client.open(path, "notes: SELECT id FROM note;")
    // The change has not been analyzed when the request arrives.
    try client.change(path, version: 2, [["text": "first: SELECT 1;\nsecond: SELECT 2;"]])
    let symbols = try client.result("textDocument/documentSymbol", client.document(path))
    #expect(symbols.array?.compactMap { $0["name"]?.string } == ["first", "second"])
  }

  @Test func `may have names with spaces and letters of any script`() throws {
    let (client, workspace) = try project()
    let path = "\(workspace.path)/Queries/Größe 1.sql"
    #expect(DocumentURI.path(DocumentURI.uri(path)) == path)
    try client.open(path, "broken: SELECT x FROM note;")
    #expect(client.diagnostics(path) == ["0 unknown-column"])
  }

  @Test func `are formatted as a whole, in a range, and after a semicolon`() throws {
    let (client, workspace) = try project()
    let path = "\(workspace.path)/Queries/Note.sql"
    try client.open(path, "a: select 1;\nb:  select  2;\n")
    func texts(_ result: JSONValue) -> [String] {
      result.array?.compactMap { $0["newText"]?.string } ?? []
    }
    var parameters = client.document(path)
    #expect(
      texts(try client.result("textDocument/formatting", parameters))
        == ["a:\nSELECT 1;\nb:\nSELECT 2;\n"])
    if case .object(var members) = parameters {
      members["range"] = [
        "start": ["line": 1, "character": 2], "end": ["line": 1, "character": 3],
      ]
      parameters = .object(members)
    }
    #expect(
      texts(try client.result("textDocument/rangeFormatting", parameters)) == ["b:\nSELECT 2;"])
    if case .object(var members) = client.at(path, 0, 12) {
      members["ch"] = ";"
      parameters = .object(members)
    }
    #expect(
      texts(try client.result("textDocument/onTypeFormatting", parameters)) == ["a:\nSELECT 1;"])
  }
}
