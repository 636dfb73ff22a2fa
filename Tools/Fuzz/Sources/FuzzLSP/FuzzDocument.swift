import Foundation
import Fuzzing
import LSPWire

private let requests = [
  "hover", "definition", "references", "documentHighlight", "completion", "signatureHelp",
  "prepareRename", "rename", "documentSymbol", "foldingRange", "formatting", "rangeFormatting",
  "onTypeFormatting", "semanticTokens/full", "semanticTokens/range", "inlayHint", "codeLens",
  "codeAction", "selectionRange", "diagnostic",
]

/// Opens the text after the first zero byte as a document. Each four bytes before it are a request
/// about a place, or a change.
func fuzzDocument(_ bytes: [UInt8]) {
  let zero = bytes.firstIndex(of: 0) ?? 0
  let session = Session()
  let uri: JSONValue = "file:///nowhere/of/a/project/a.sql"
  func send(_ method: String, _ parameters: JSONValue, id: Int? = nil) {
    var message: [String: JSONValue] = [
      "jsonrpc": "2.0", "method": .string(method), "params": parameters,
    ]
    if let id { message["id"] = .integer(id) }
    guard let body = try? JSONEncoder().encode(JSONValue.object(message)) else { return }
    session.receive([UInt8](body))
  }
  let text = String(decoding: bytes[min(zero + 1, bytes.count)...], as: UTF8.self)
  send(
    "textDocument/didOpen",
    ["textDocument": ["uri": uri, "languageId": "sql", "version": 1, "text": .string(text)]])
  var index = 0
  while index + 4 <= zero, index < 64 {
    let operation = bytes[index..<index + 4].map(Int.init)
    index += 4
    // Positions beyond the end of a line or of the text are valid.
    let start: JSONValue = [
      "line": .integer(operation[1] % 32), "character": .integer(operation[2]),
    ]
    let end: JSONValue = ["line": .integer(operation[3] % 32), "character": .integer(operation[2])]
    let range: JSONValue = ["start": start, "end": end]
    if operation[0] % 4 == 3 {
      let inserted = ["", ";", "(", "'", "\u{1F600}", "\r\n", "SELECT ", "--"][operation[0] / 4 % 8]
      send(
        "textDocument/didChange",
        [
          "textDocument": ["uri": uri, "version": .integer(index)],
          "contentChanges": [["range": range, "text": .string(inserted)]],
        ])
      if operation[0] > 127 { session.settle() }
      continue
    }
    send(
      "textDocument/" + requests[operation[0] % requests.count],
      [
        "textDocument": ["uri": uri], "position": start, "positions": [start], "range": range,
        "newName": "x", "ch": ";", "options": ["tabSize": 2, "insertSpaces": true],
        "context": ["diagnostics": [], "includeDeclaration": true],
      ], id: index)
  }
  session.settle()
}
