import LSPWire
import QueryGenTestSupport
import Testing

@Suite struct `The progress of the first analysis` {
  /// A project whose analysis takes longer than the server works between two messages.
  private func workspace() throws -> Workspace {
    var files = ["Migrations/1.sql": "CREATE TABLE t (a INTEGER, b TEXT);\n"]
    for number in 0..<400 {
      files["Queries/\(number).sql"] = (0..<20).map {
        "q\(number)_\($0): SELECT max(a), count(b) FROM t WHERE a > :a AND b LIKE :b;\n"
      }.joined()
    }
    return try Workspace(files)
  }

  private func initialize(_ client: TestClient, _ workspace: Workspace, isShown: Bool) throws {
    _ = try client.result(
      "initialize",
      [
        "processId": .null, "rootUri": .string("file://" + workspace.path),
        "capabilities": ["window": ["workDoneProgress": .bool(isShown)]],
      ])
    try client.notify("initialized")
    client.work()
  }

  private func progress(_ client: TestClient) -> [String] {
    client.messages.filter { $0["method"] == "$/progress" }.compactMap {
      $0["params"]?["value"]?["kind"]?.string
    }
  }

  @Test func `is reported with a token that the client has created`() throws {
    let workspace = try workspace()
    let client = TestClient()
    try initialize(client, workspace, isShown: true)
    let request = try #require(
      client.messages.first { $0["method"] == "window/workDoneProgress/create" })
    client.work()
    #expect(progress(client) == [])
    try client.send(["jsonrpc": "2.0", "id": request["id"] ?? .null, "result": .null])
    #expect(progress(client) == ["begin"])
    client.settle()
    #expect(progress(client).last == "end")
    #expect(progress(client).dropFirst().dropLast().allSatisfy { $0 == "report" })
    let values = client.messages.filter { $0["method"] == "$/progress" }
    #expect(values.allSatisfy { $0["params"]?["token"] == request["params"]?["token"] })
    let percentages = values.compactMap { $0["params"]?["value"]?["percentage"]?.integer }
    #expect(percentages == percentages.sorted())
    #expect(percentages.allSatisfy { (0...100).contains($0) })
    // Later changes are analyzed without progress.
    let count = progress(client).count
    try client.open("\(workspace.path)/Queries/0.sql", "q: SELECT 1;")
    #expect(progress(client).count == count)
  }

  @Test func `is not reported if the client refuses the token or can't show it`() throws {
    let workspace = try workspace()
    let refusing = TestClient()
    try initialize(refusing, workspace, isShown: true)
    let request = try #require(
      refusing.messages.first { $0["method"] == "window/workDoneProgress/create" })
    try refusing.send([
      "jsonrpc": "2.0", "id": request["id"] ?? .null,
      "error": ["code": -32603, "message": "no"],
    ])
    refusing.settle()
    #expect(progress(refusing) == [])
    let plain = TestClient()
    try initialize(plain, workspace, isShown: false)
    plain.settle()
    #expect(!plain.messages.contains { $0["method"] == "window/workDoneProgress/create" })
    #expect(progress(plain) == [])
  }
}
