import LSPWire
import QueryGenDatabase
import QueryGenServer
import QueryGenTestSupport
import Testing

@Suite struct `Random interleavings of messages` {
  @Test(arguments: [UInt64](1...4))
  func `get one response for each request, and versions in order`(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let workspace = try Workspace([
      "Migrations/1.sql": "CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT NOT NULL);\n",
      "Queries/Note.sql": "notes: SELECT * FROM note;\n",
    ])
    let path = "\(workspace.path)/Queries/Note.sql"
    let texts = [
      "notes: SELECT * FROM note;\n", "notes: SELECT txt FROM note;\n", "notes: SELECT (\n",
      "notes: SELECT n.text FROM note n;\nmore: SELECT 1;\n", "",
    ]
    let methods = [
      "textDocument/hover", "textDocument/definition", "textDocument/completion",
      "textDocument/documentHighlight", "textDocument/signatureHelp", "textDocument/prepareRename",
    ]
    let wholeDocument = [
      "textDocument/documentSymbol", "textDocument/foldingRange", "textDocument/codeLens",
      "textDocument/semanticTokens/full", "textDocument/formatting", "textDocument/diagnostic",
    ]
    let client = TestClient(isCancelled: { id in
      if case .integer(let number) = id { number % 7 == 0 } else { false }
    })
    try client.initialize(workspace.path)
    try client.open(path, texts[0])
    var version = 1
    var requests = 0
    for _ in 0..<300 {
      switch Int.random(in: 0..<4, using: &random) {
      case 0:
        version += 1
        try client.change(path, version: version, [["text": .string(random.pick(texts))]])
      case 1:
        let line = Int.random(in: 0..<4, using: &random)
        let character = Int.random(in: 0..<40, using: &random)
        let response = try client.call(random.pick(methods), client.at(path, line, character))
        requests += 1
        #expect(response != .null)
      case 2:
        let response = try client.call(random.pick(wholeDocument), client.document(path))
        requests += 1
        let code = response["error"]?["code"]?.integer
        #expect(code == nil || code == -32800, "\(response)")
      default: if client.server.delay != nil { client.work() }
      }
    }
    client.settle()
    let responses = client.messages.filter { $0["id"]?.integer != nil && $0["method"] == nil }
    // The first response is that of `initialize`.
    #expect(responses.count == requests + 1)
    let versions = client.messages.filter {
      $0["method"] == "textDocument/publishDiagnostics"
        && $0["params"]?["uri"]?.string == DocumentURI.uri(path)
    }.compactMap { $0["params"]?["version"]?.integer }
    #expect(versions == versions.sorted())
    #expect(versions.last == version)
  }
}

@Suite struct `Work between messages` {
  private static let texts = [
    "Queries/Note.sql": [
      "notes: SELECT * FROM note WHERE kind = :kind;\n", "notes: SELECT txt FROM note;\n",
      "-- plan: allow full-scan\nnotes: SELECT id FROM note WHERE kind = :kind;\n",
      "notes: SELECT id FROM note;\nmore: SELECT kind FROM note ORDER BY kind;\n",
      "notes: SELECT (", "",
    ],
    "Queries/Tag.sql": [
      "tags: SELECT id FROM tag WHERE note = :note;\n", "notes: SELECT 1;\n",
      "tags: SELECT n.kind FROM tag AS t JOIN note AS n ON n.id = t.note ORDER BY n.kind;\n",
    ],
    "Migrations/2.sql": [
      "CREATE TABLE tag (id INTEGER PRIMARY KEY, note REFERENCES note (id));\n",
      "CREATE TABLE tag (id INTEGER PRIMARY KEY, note REFERENCES note (id));\n"
        + "CREATE INDEX tag_note ON tag (note);\n",
      "CREATE TABLE tag (id INTEGER PRIMARY KEY, note);\n", "CREATE TABLE tag (",
    ],
  ]

  @Test(arguments: [UInt64](1...4))
  func `can be interrupted by edits, and ends with the diagnostics of a new server`(
    _ seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    var files = Self.texts.mapValues { $0[0] }
    files["Migrations/1.sql"] = "CREATE TABLE note (id INTEGER PRIMARY KEY, kind TEXT);\n"
    files["querygen.yaml"] = "plans: { rows: { note: 50000, tag: 50000 } }\n"
    let workspace = try Workspace(files)
    let names = Self.texts.keys.sorted()
    func client(_ files: [String: String]) throws -> TestClient {
      let client = TestClient(makePlanSession: DatabasePlanSession.init)
      try client.initialize(workspace.path)
      for name in names { try client.open("\(workspace.path)/\(name)", files[name] ?? "") }
      return client
    }
    func diagnostics(_ client: TestClient) -> [[String]] {
      files.keys.sorted().map { client.diagnostics("\(workspace.path)/\($0)") }
    }
    let edited = try client(files)
    for version in 2..<60 {
      let name = random.pick(names)
      let text = random.pick(Self.texts[name] ?? [])
      files[name] = text
      try edited.change(
        "\(workspace.path)/\(name)", version: version, [["text": .string(text)]])
      for _ in 0..<Int.random(in: 0..<12, using: &random) where edited.server.delay != nil {
        edited.work()
      }
      guard version.isMultiple(of: 6) else { continue }
      edited.settle()
      #expect(
        diagnostics(edited) == diagnostics(try client(files)), "seed \(seed), version \(version)")
    }
  }
}
