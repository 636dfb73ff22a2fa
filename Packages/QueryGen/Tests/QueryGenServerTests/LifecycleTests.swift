import LSPWire
import QueryGenServer
import QueryGenTestSupport
import Testing

@Suite struct `The lifecycle of a server` {
  @Test func `begins with initialize`() throws {
    let client = TestClient()
    let early = try client.call("textDocument/hover")
    #expect(early["error"]?["code"]?.integer == -32002)
    let result = try client.result("initialize", ["capabilities": [:]])
    #expect(result["capabilities"]?["positionEncoding"] == "utf-16")
    #expect(result["serverInfo"]?["name"] == "querygen")
    let again = try client.call("initialize", ["capabilities": [:]])
    #expect(again["error"]?["code"]?.integer == -32600)
  }

  @Test func `negotiates UTF-8 if the client offers it`() throws {
    let client = TestClient()
    let result = try client.result(
      "initialize",
      ["capabilities": ["general": ["positionEncodings": ["utf-16", "utf-8"]]]])
    #expect(result["capabilities"]?["positionEncoding"] == "utf-8")
  }

  @Test func `ends with shutdown and exit`() throws {
    let client = TestClient()
    try client.initialize("/nowhere")
    #expect(try client.call("shutdown")["result"] == JSONValue.null)
    let late = try client.call("textDocument/hover")
    #expect(late["error"]?["code"]?.integer == -32600)
    #expect(client.server.exitCode == nil)
    try client.notify("exit")
    #expect(client.server.exitCode == 0)
  }

  @Test func `ends with an error without shutdown`() throws {
    let client = TestClient()
    try client.initialize("/nowhere")
    try client.notify("exit")
    #expect(client.server.exitCode == 1)
  }

  @Test func `answers unknown and malformed requests with errors`() throws {
    let client = TestClient()
    try client.initialize("/nowhere")
    #expect(try client.call("textDocument/moniker")["error"]?["code"]?.integer == -32601)
    #expect(try client.call("textDocument/hover", [:])["error"]?["code"]?.integer == -32602)
    client.receive("{")
    #expect(client.messages.last?["error"]?["code"]?.integer == -32700)
    #expect(client.messages.last?["id"] == JSONValue.null)
    try client.notify("$/unknown")
    try client.notify("unknown")
    #expect(try client.call("shutdown")["error"] == nil)
  }

  @Test func `answers a cancelled request without running it`() throws {
    let client = TestClient(isCancelled: { $0 == .integer(2) })
    try client.initialize("/nowhere")
    #expect(try client.call("workspace/symbol", ["query": ""])["error"]?["code"]?.integer == -32800)
  }

  @Test func `registers for changed files`() throws {
    let client = TestClient()
    try client.initialize("/nowhere")
    let request = client.messages.first { $0["method"] == "client/registerCapability" }
    #expect(
      request?["params"]?["registrations"]?.array?.first?["method"]
        == "workspace/didChangeWatchedFiles")
  }
}
