import Foundation
import LSPWire
import Testing

@Suite struct `JSON-RPC messages` {
  @Test(arguments: [
    (#"{"jsonrpc":"2.0","id":7,"method":"textDocument/hover","params":{}}"#, "request 7"),
    (#"{"jsonrpc":"2.0","id":"a","method":"shutdown"}"#, "request a"),
    (#"{"jsonrpc":"2.0","method":"exit"}"#, "notification exit"),
    (#"{"jsonrpc":"2.0","id":1,"result":null}"#, "response 1"),
  ])
  func `are requests, notifications and responses`(_ text: String, _ kind: String) {
    let found: String =
      switch message(text) {
      case .request(.integer(let id), _, _): "request \(id)"
      case .request(.string(let id), _, _): "request \(id)"
      case .notification(let method, _): "notification \(method)"
      case .response(.integer(let id), _): "response \(id)"
      case .response, .malformed: "malformed"
      }
    #expect(found == kind)
  }

  struct Case: CustomTestStringConvertible, Sendable {
    let text: String, code: ResponseError.Code
    var testDescription: String { text }
  }

  @Test(arguments: [
    Case(text: "{", code: .parseError),
    Case(text: "nonsense", code: .parseError),
    Case(text: "", code: .parseError),
    Case(text: "12", code: .invalidRequest),
    Case(text: "[]", code: .invalidRequest),
    Case(text: #" [{"jsonrpc":"2.0","id":1,"method":"a"}]"#, code: .invalidRequest),
    Case(text: #"{"id":1,"method":"a"}"#, code: .invalidRequest),
    Case(text: #"{"jsonrpc":"1.0","id":1,"method":"a"}"#, code: .invalidRequest),
    Case(text: #"{"jsonrpc":"2.0"}"#, code: .invalidRequest),
    Case(text: #"{"jsonrpc":"2.0","id":{},"method":"a"}"#, code: .invalidRequest),
    Case(text: #"{"jsonrpc":"2.0","id":1,"method":5}"#, code: .invalidRequest),
  ])
  func `that are malformed have an error code`(_ expected: Case) {
    guard case .malformed(_, let error) = message(expected.text) else {
      Issue.record("the message is not rejected")
      return
    }
    #expect(error.code == expected.code)
  }

  @Test func `name the member of invalid parameters`() throws {
    guard
      case .request(_, _, let body) = message(
        #"{"jsonrpc":"2.0","id":1,"method":"a","params":{"textDocument":{}}}"#)
    else { return }
    let error = #expect(throws: ResponseError.self) {
      try body.parameters(LSP.DocumentParams.self)
    }
    #expect(error?.code == .invalidParams)
    #expect(error?.message.contains("textDocument.uri") == true)
  }

  @Test func `omit members without a value, but not identifiers`() {
    let hover = LSP.Hover(contents: LSP.MarkupContent(markdown: "x"), range: nil)
    #expect(
      text(OutgoingMessage.response(.integer(1), hover))
        == #"{"id":1,"jsonrpc":"2.0","result":{"contents":{"kind":"markdown","value":"x"}}}"#)
    #expect(
      text(OutgoingMessage.response(.integer(1), LSP.Hover?.none))
        == #"{"id":1,"jsonrpc":"2.0","result":null}"#)
    #expect(
      text(OutgoingMessage.failure(nil, ResponseError(.parseError, "m")))
        == #"{"error":{"code":-32700,"message":"m"},"id":null,"jsonrpc":"2.0"}"#)
  }

  @Test func `keep any JSON value`() throws {
    let text = #"{"a":[1,2.5,"x",true,null],"b":{"c":{}}}"#
    let value = try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
    #expect(value["a"]?.array?.first?.integer == 1)
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    #expect(String(decoding: try encoder.encode(value), as: UTF8.self) == text)
  }

  private func message(_ text: String) -> IncomingMessage { IncomingMessage(Array(text.utf8)) }

  private func text(_ data: Data) -> String { String(decoding: data, as: UTF8.self) }
}
