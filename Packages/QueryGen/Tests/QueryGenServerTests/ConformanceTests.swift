import Foundation
import LSPWire
import QueryGenDatabase
import QueryGenServer
import QueryGenTestSupport
import Testing

/// All messages of a session, checked against the types that Python's lsprotocol generates from the
/// protocol's model.
@Suite struct `Conformance to the protocol` {
  @Test func `holds for every message that the server sends`() throws {
    let messages = try session()
    let methods = Set(messages.map(\.method))
    #expect(methods.isSuperset(of: Self.requests))
    #expect(
      methods.isSuperset(of: ["textDocument/publishDiagnostics", "client/registerCapability"]))
    #expect(methods.isSuperset(of: ["window/logMessage", "window/workDoneProgress/create"]))
    #expect(methods.contains("$/progress"))
    let lines = try messages.map { method, message in
      String(
        decoding: try JSONEncoder().encode(
          ["method": .string(method), "message": message] as JSONValue), as: UTF8.self)
    }
    let workspace = try Workspace(["messages.jsonl": lines.joined(separator: "\n") + "\n"])
    let (status, output) = try check("\(workspace.path)/messages.jsonl")
    if status == 77 {
      print("skipped: lsprotocol is not installed (pip install lsprotocol)")
      return
    }
    #expect(status == 0, "\(output)")
  }

  /// Runs the checker with the interpreter that the environment variable `PYTHON` names.
  private func check(_ path: String) throws -> (status: Int32, output: String) {
    let root = (0..<5).reduce(URL(filePath: #filePath)) { url, _ in
      url.deletingLastPathComponent()
    }
    let script = root.appending(path: "Tools/Editors/conformance.py").path(percentEncoded: false)
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [
      ProcessInfo.processInfo.environment["PYTHON"] ?? "python3", script, path,
    ]
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    // The command is not found.
    return (process.terminationStatus == 127 ? 77 : process.terminationStatus, text)
  }

  private static let requests: Set<String> = [
    "initialize", "textDocument/documentSymbol", "workspace/symbol", "textDocument/foldingRange",
    "textDocument/selectionRange", "textDocument/formatting", "textDocument/rangeFormatting",
    "textDocument/onTypeFormatting", "textDocument/hover", "textDocument/definition",
    "textDocument/declaration", "textDocument/references", "textDocument/documentHighlight",
    "textDocument/completion", "completionItem/resolve", "textDocument/signatureHelp",
    "textDocument/prepareRename", "textDocument/rename", "textDocument/codeAction",
    "textDocument/semanticTokens/full", "textDocument/semanticTokens/full/delta",
    "textDocument/semanticTokens/range", "textDocument/inlayHint", "textDocument/codeLens",
    "workspace/executeCommand", "textDocument/diagnostic", "shutdown",
  ]

  /// Returns the messages of a session with all requests, with the methods of the requests.
  private func session() throws -> [(method: String, message: JSONValue)] {
    var files = [
      "Migrations/1.sql": """
      -- People.
      CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT NOT NULL, age INTEGER);
      CREATE TABLE pet (id INTEGER PRIMARY KEY, owner INTEGER REFERENCES person (id), name TEXT);
      CREATE VIEW owners AS SELECT person.* FROM person JOIN pet ON pet.owner = person.id;
      """,
      "Queries/A.sql": """
      -- All of them.
      people: SELECT p.name, count(*) AS n FROM person AS p LEFT JOIN pet ON pet.owner = p.id
      WHERE upper(p.name) = :name AND p.age > :age GROUP BY p.id ORDER BY n;

      broken: SELECT nmae, (SELECT 1) FROM person WHERE name LIKE '50\\%';
      stars: WITH unused AS (SELECT 1) SELECT * FROM person, pet;
      """,
    ]
    for number in 0..<300 {
      files["Queries/B\(number).sql"] = (0..<20).map {
        "q\(number)_\($0): SELECT max(age), count(name) FROM person WHERE id > :id;\n"
      }.joined()
    }
    let workspace = try Workspace(files)
    let client = TestClient(makePlanSession: DatabasePlanSession.init)
    _ = try client.call(
      "initialize",
      [
        "processId": .null, "rootUri": .string("file://" + workspace.path),
        "capabilities": Self.capabilities,
      ])
    try client.notify("initialized")
    client.work()
    let create = try #require(
      client.messages.first { $0["method"] == "window/workDoneProgress/create" })
    try client.send(["jsonrpc": "2.0", "id": create["id"] ?? .null, "result": .null])
    client.settle()
    let path = "\(workspace.path)/Queries/A.sql"
    try client.open(path, files["Queries/A.sql"] ?? "")
    try client.notify("unknown/notification")
    for (line, character) in [(1, 16), (1, 40), (2, 20), (2, 12), (4, 16), (5, 42)] {
      let position = client.at(path, line, character)
      for method in Self.requests where method.hasPrefix("textDocument/") {
        _ = try client.call(method, parameters(position, line, character))
      }
    }
    _ = try client.call("workspace/symbol", ["query": "p"])
    _ = try client.call(
      "workspace/executeCommand",
      [
        "command": "querygen.showPlan",
        "arguments": [.string("file://" + path), "people"],
      ])
    let items = client.messages.last { $0["result"]?["items"]?.array?.isEmpty == false }
    for item in items?["result"]?["items"]?.array?.prefix(20) ?? [] where item["label"] != nil {
      _ = try client.call("completionItem/resolve", item)
    }
    _ = try client.call("completionItem/resolve", ["label": "upper", "kind": 3])
    try client.change(path, version: 2, [["text": "q: SELECT * FROM person WHERE nmae = 1;"]])
    client.settle()
    _ = try client.call("textDocument/moniker", client.at(path, 0, 0))
    _ = try client.call("shutdown")
    return client.recorded
  }

  private func parameters(_ position: JSONValue, _ line: Int, _ character: Int) -> JSONValue {
    guard case .object(var members) = position else { return position }
    let place: JSONValue = ["line": .integer(line), "character": .integer(character)]
    members["positions"] = [place]
    members["range"] = ["start": place, "end": ["line": .integer(line + 1), "character": 0]]
    members["newName"] = "other"
    members["ch"] = ";"
    members["previousResultId"] = "1"
    members["options"] = ["tabSize": 2, "insertSpaces": true]
    members["context"] = ["diagnostics": [], "includeDeclaration": true]
    return .object(members)
  }

  private static var capabilities: JSONValue {
    guard case .object(var members) = TestClient.capabilities else { return [:] }
    members["window"] = ["workDoneProgress": true]
    return .object(members)
  }
}
