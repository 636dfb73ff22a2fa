import Foundation
import LSPWire
import QueryGenServer
import QueryGenTestSupport
import Testing

/// The built command, through pipes.
@Suite struct `querygen lsp` {
  private final class Connection {
    let process = Process()
    let input = Pipe()
    let output = Pipe()
    private var reader = MessageReader()

    init() throws {
      let folder = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
      let built = ["querygen", "querygen-tool"].map { folder.appending(path: $0) }
        .first { FileManager.default.isExecutableFile(atPath: $0.path(percentEncoded: false)) }
      let tool: URL = try #require(built, "the command is not built")
      process.executableURL = tool
      process.arguments = ["lsp", "--stdio"]
      process.standardInput = input
      process.standardOutput = output
      try process.run()
    }

    func send(_ message: JSONValue) throws {
      input.fileHandleForWriting.write(MessageReader.frame(try JSONEncoder().encode(message)))
    }

    /// Reads messages up to the first that satisfies a condition; `nil` at the end of the stream.
    func read(until condition: (JSONValue) -> Bool) throws -> JSONValue? {
      while true {
        while let body = try reader.next() {
          let message = try JSONDecoder().decode(JSONValue.self, from: Data(body))
          if condition(message) { return message }
        }
        let data = output.fileHandleForReading.availableData
        if data.isEmpty { return nil }
        reader.append(data)
      }
    }

    func call(_ id: Int, _ method: String, _ parameters: JSONValue) throws -> JSONValue? {
      try send([
        "jsonrpc": "2.0", "id": .integer(id), "method": .string(method), "params": parameters,
      ])
      return try read { $0["id"]?.integer == id && $0["method"] == nil }
    }
  }

  @Test func `answers a session from initialize to exit`() throws {
    let workspace = try Workspace([
      "Migrations/001.sql": "CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT NOT NULL);\n",
      "Queries/Note.sql": "notes: SELECT txt FROM note;\n",
    ])
    let connection = try Connection()
    let initialized = try connection.call(
      1, "initialize",
      [
        "processId": .integer(Int(ProcessInfo.processInfo.processIdentifier)),
        "rootUri": .string(DocumentURI.uri(workspace.path)), "capabilities": [:],
      ])
    #expect(initialized?["result"]?["capabilities"]?["hoverProvider"] == true)
    try connection.send(["jsonrpc": "2.0", "method": "initialized", "params": [:]])
    let uri = DocumentURI.uri("\(workspace.path)/Queries/Note.sql")
    let published = try connection.read {
      $0["method"] == "textDocument/publishDiagnostics" && $0["params"]?["uri"]?.string == uri
    }
    #expect(
      published?["params"]?["diagnostics"]?.array?.compactMap { $0["code"]?.string }
        == ["unknown-column"])
    let position: JSONValue = [
      "textDocument": ["uri": .string(uri)], "position": ["line": 0, "character": 24],
    ]
    let hover = try connection.call(2, "textDocument/hover", position)
    #expect(
      hover?["result"]?["contents"]?["value"]?.string?.contains("CREATE TABLE note") == true)
    #expect(try connection.call(3, "shutdown", .null)?["result"] == JSONValue.null)
    try connection.send(["jsonrpc": "2.0", "method": "exit"])
    connection.process.waitUntilExit()
    #expect(connection.process.terminationStatus == 0)
  }

  @Test func `ends when its input ends`() throws {
    let connection = try Connection()
    _ = try connection.call(1, "initialize", ["capabilities": [:]])
    try connection.input.fileHandleForWriting.close()
    connection.process.waitUntilExit()
    #expect(connection.process.terminationStatus == 1)
  }

  @Test func `ends when the client's process has ended`() throws {
    let editor = Process()
    editor.executableURL = URL(filePath: "/bin/sleep")
    editor.arguments = ["1000"]
    try editor.run()
    let connection = try Connection()
    let response = try connection.call(
      1, "initialize",
      ["processId": .integer(Int(editor.processIdentifier)), "capabilities": [:]])
    #expect(response?["result"] != nil)
    // The test's process may have blocked the signals of terminate().
    kill(editor.processIdentifier, SIGKILL)
    editor.waitUntilExit()
    connection.process.waitUntilExit()
    #expect(connection.process.terminationStatus == 1)
    try connection.input.fileHandleForWriting.close()
  }

  @Test func `ends with an error if its input is not a sequence of messages`() throws {
    let connection = try Connection()
    connection.input.fileHandleForWriting.write(Data("hello\r\n\r\n".utf8))
    connection.process.waitUntilExit()
    #expect(connection.process.terminationStatus == 1)
  }
}
