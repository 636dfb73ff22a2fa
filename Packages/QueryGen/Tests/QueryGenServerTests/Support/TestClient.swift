import Foundation
import LSPWire
import QueryGenDriver
import QueryGenServer

/// A client that calls a server directly, and collects its messages.
final class TestClient {
  private(set) var server: LanguageServer
  private let sent: Sent
  private var nextID = 1
  /// The methods of the requests, by identifier.
  private var methods: [Int: String] = [:]

  private final class Sent { var messages: [JSONValue] = [] }

  init(
    makePlanSession: PlanSessionMaker? = nil,
    isCancelled: @escaping (RequestID) -> Bool = { _ in false }
  ) {
    let sent = Sent()
    self.sent = sent
    server = LanguageServer(
      makePlanSession: makePlanSession, isCancelled: isCancelled
    ) { data in
      if let message = try? JSONDecoder().decode(JSONValue.self, from: data) {
        sent.messages.append(message)
      }
    }
  }

  /// All messages so far.
  var messages: [JSONValue] { sent.messages }

  /// All messages so far, with their methods. The method of a response is that of its request.
  var recorded: [(method: String, message: JSONValue)] {
    messages.compactMap { message in
      let method = message["method"]?.string ?? message["id"]?.integer.flatMap { methods[$0] }
      return method.map { ($0, message) }
    }
  }

  func send(_ message: JSONValue) throws {
    server.receive(IncomingMessage([UInt8](try JSONEncoder().encode(message))))
  }

  /// Passes the server a message that may be malformed.
  func receive(_ text: String) { receive(bytes: Array(text.utf8)) }

  func receive(bytes: [UInt8]) { server.receive(IncomingMessage(bytes)) }

  func notify(_ method: String, _ parameters: JSONValue = [:]) throws {
    try send(["jsonrpc": "2.0", "method": .string(method), "params": parameters])
  }

  /// Sends a request, and returns the response.
  func call(_ method: String, _ parameters: JSONValue = [:]) throws -> JSONValue {
    let id = nextID
    nextID += 1
    methods[id] = method
    try send([
      "jsonrpc": "2.0", "id": .integer(id), "method": .string(method), "params": parameters,
    ])
    return messages.last { $0["id"]?.integer == id } ?? .null
  }

  /// Sends a request, and returns its result.
  func result(_ method: String, _ parameters: JSONValue = [:]) throws -> JSONValue {
    try call(method, parameters)["result"] ?? .null
  }

  func work() { server.work() }

  /// Lets the server work until it is idle.
  func settle() { while server.delay != nil { server.work() } }

  /// Initializes the server with the capabilities of a modern client.
  @discardableResult
  func initialize(_ folder: String, capabilities: JSONValue = TestClient.capabilities) throws
    -> JSONValue
  {
    let result = try result(
      "initialize",
      [
        "processId": .null, "rootUri": .string(DocumentURI.uri(folder)),
        "capabilities": capabilities,
      ])
    try notify("initialized")
    settle()
    return result
  }

  static let capabilities: JSONValue = [
    "textDocument": [
      "completion": ["completionItem": ["snippetSupport": true]],
      "documentSymbol": ["hierarchicalDocumentSymbolSupport": true],
    ],
    "workspace": [
      "workspaceEdit": [
        "documentChanges": true, "resourceOperations": ["create"],
        "changeAnnotationSupport": [:],
      ],
      "didChangeWatchedFiles": ["dynamicRegistration": true],
    ],
  ]

  func open(_ path: String, _ text: String) throws {
    try notify(
      "textDocument/didOpen",
      [
        "textDocument": [
          "uri": .string(DocumentURI.uri(path)), "languageId": "sql", "version": 1,
          "text": .string(text),
        ]
      ])
    settle()
  }

  func change(_ path: String, version: Int, _ changes: [JSONValue]) throws {
    try notify(
      "textDocument/didChange",
      [
        "textDocument": ["uri": .string(DocumentURI.uri(path)), "version": .integer(version)],
        "contentChanges": .array(changes),
      ])
  }

  /// The parameters of a request about a position.
  func at(_ path: String, _ line: Int, _ character: Int) -> JSONValue {
    [
      "textDocument": ["uri": .string(DocumentURI.uri(path))],
      "position": ["line": .integer(line), "character": .integer(character)],
    ]
  }

  func document(_ path: String) -> JSONValue {
    ["textDocument": ["uri": .string(DocumentURI.uri(path))]]
  }

  /// The diagnostics of a file that were sent last: line, code and version.
  func diagnostics(_ path: String) -> [String] {
    let uri = JSONValue.string(DocumentURI.uri(path))
    let last = messages.last {
      $0["method"]?.string == "textDocument/publishDiagnostics" && $0["params"]?["uri"] == uri
    }
    return (last?["params"]?["diagnostics"]?.array ?? []).map {
      "\($0["range"]?["start"]?["line"]?.integer ?? -1) \($0["code"]?.string ?? "")"
    }
  }
}
