import Foundation
import LSPWire
import QueryGenServer
import QueryGenTestSupport
import Testing

/// Streams with random faults. `make fuzz-LSP` searches for more.
@Suite struct `Random bytes from a client` {
  private static let messages = [
    #"{"jsonrpc":"2.0","method":"initialized","params":{}}"#,
    #"{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":"#
      + #"{"uri":"file:///none/a.sql","languageId":"sql","version":1,"text":"a: SELECT é, :b;\n"}}}"#,
    #"{"jsonrpc":"2.0","method":"textDocument/didChange","params":{"textDocument":"#
      + #"{"uri":"file:///none/a.sql","version":2},"contentChanges":[{"range":{"start":"#
      + #"{"line":0,"character":3},"end":{"line":0,"character":9}},"text":"🙂"}]}}"#,
    #"{"jsonrpc":"2.0","id":1,"method":"textDocument/hover","params":{"textDocument":"#
      + #"{"uri":"file:///none/a.sql"},"position":{"line":0,"character":4}}}"#,
    #"{"jsonrpc":"2.0","id":"two","method":"textDocument/completion","params":{"textDocument":"#
      + #"{"uri":"file:///none/a.sql"},"position":{"line":7,"character":99}}}"#,
    #"{"jsonrpc":"2.0","id":3,"method":"textDocument/semanticTokens/full","params":"#
      + #"{"textDocument":{"uri":"file:///none/a.sql"}}}"#,
    #"{"jsonrpc":"2.0","id":4,"method":"textDocument/codeAction","params":{"textDocument":"#
      + #"{"uri":"file:///none/a.sql"},"range":{"start":{"line":0,"character":0},"end":"#
      + #"{"line":0,"character":20}},"context":{"diagnostics":[]}}}"#,
    #"{"jsonrpc":"2.0","id":"querygen-1","result":null}"#,
    #"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":1}}"#,
  ]

  private static let faults: [[UInt8]] = [
    [], [0], [0xFF, 0xFE], [0xED, 0xA0, 0x80], Array("9223372036854775808".utf8),
    Array("-1".utf8), Array("1e999".utf8), Array("null".utf8), Array("[[[[".utf8),
    Array("\"\\ud800\"".utf8), Array(#"{"a":{}}"#.utf8), Array("\\".utf8),
  ]

  private static func message(_ random: inout SeededGenerator) -> [UInt8] {
    var bytes = Array(messages[Int.random(in: 0..<messages.count, using: &random)].utf8)
    for _ in 0..<Int.random(in: 0..<3, using: &random) where !bytes.isEmpty {
      let start = Int.random(in: 0..<bytes.count, using: &random)
      let end = min(bytes.count, start + Int.random(in: 0..<12, using: &random))
      bytes.replaceSubrange(
        start..<end, with: faults[Int.random(in: 0..<faults.count, using: &random)])
    }
    return bytes
  }

  @Test func `have one response for each request and each malformed message`() throws {
    let seed: UInt64 = 20
    var random = SeededGenerator(seed: seed)
    for round in 0..<60 {
      let client = TestClient()
      try client.initialize("/nowhere")
      for _ in 0..<20 {
        let body = Self.message(&random)
        let known = client.messages.count
        client.receive(bytes: body)
        let responses = client.messages.dropFirst(known).filter { $0["method"] == nil }
        let expected =
          switch IncomingMessage(body) {
          case .request, .malformed: 1
          case .notification, .response: 0
          }
        try #require(
          responses.count == expected,
          "seed \(seed), round \(round): \(String(decoding: body, as: UTF8.self))")
      }
      client.settle()
      #expect(client.server.exitCode == nil)
    }
  }

  @Test func `are split into the same messages in chunks of any size`() {
    let seed: UInt64 = 21
    var random = SeededGenerator(seed: seed)
    let heads = [
      "Content-Length: ", "content-length:", "Content-Type: x\r\nContent-Length: ", "X: 1\r\n",
      "\r\n", "Content-Length 5", "Content-Length: 99999999999999999999", "Content-Length: +", "",
    ]
    for round in 0..<500 {
      var bytes: [UInt8] = []
      for _ in 0..<6 {
        let body = Self.message(&random)
        if Int.random(in: 0..<8, using: &random) > 0 {
          bytes += [UInt8](MessageReader.frame(Data(body)))
        } else {
          bytes += Array(heads[Int.random(in: 0..<heads.count, using: &random)].utf8)
          bytes += Array("\(Int.random(in: -1...300, using: &random))\r\n\r\n".utf8) + body
        }
      }
      let whole = Self.split(bytes, by: bytes.count)
      let size = Int.random(in: 1...50, using: &random)
      #expect(Self.split(bytes, by: size) == whole, "seed \(seed), round \(round), size \(size)")
    }
  }

  private static func split(_ bytes: [UInt8], by size: Int) -> [String] {
    var reader = MessageReader()
    var found: [String] = []
    for start in stride(from: 0, to: bytes.count, by: size) {
      reader.append(bytes[start..<min(start + size, bytes.count)])
      do throws(MessageReader.Failure) {
        while let body = try reader.next() { found.append("\(body)") }
      } catch {
        return found + ["\(error)"]
      }
    }
    return found
  }
}
