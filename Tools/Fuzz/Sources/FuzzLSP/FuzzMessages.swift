import Foundation
import Fuzzing
import LSPWire
import QueryGenServer

/// A server without a project, and the messages that it has sent.
final class Session {
  private final class Sent { var messages: [JSONValue] = [] }

  private(set) var server: LanguageServer
  private let sent: Sent

  init() {
    let sent = Sent()
    self.sent = sent
    server = LanguageServer { data in
      do {
        sent.messages.append(try JSONDecoder().decode(JSONValue.self, from: data))
      } catch {
        fail("a message that was sent is not JSON: \(String(decoding: data, as: UTF8.self))")
      }
    }
    receive(
      #"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"capabilities":{"#
        + #""window":{"workDoneProgress":true},"workspace":{"workspaceEdit":{"documentChanges":true}}}}}"#
    )
    settle()
  }

  /// Passes the server a message, and tests that it responds exactly once to a request.
  func receive(_ body: [UInt8]) {
    let message = IncomingMessage(body)
    let known = sent.messages.count
    server.receive(message)
    let responses = sent.messages.dropFirst(known).filter { $0["method"] == nil }
    switch message {
    case .request(let id, _, _):
      let written: JSONValue =
        switch id {
        case .integer(let number): .integer(number)
        case .string(let text): .string(text)
        }
      expect(
        responses.map { $0["id"] } == [written],
        "a request does not have one response: \(responses)")
      expect(
        responses.allSatisfy { ($0["result"] == nil) != ($0["error"] == nil) },
        "a response has no result, or both a result and an error")
    case .malformed: expect(responses.count == 1, "a malformed message does not have one response")
    case .notification, .response: expect(responses.isEmpty, "a notification has a response")
    }
    sent.messages.removeAll()
  }

  func receive(_ text: String) { receive(Array(text.utf8)) }

  func settle() { while server.delay != nil { server.work() } }
}

/// Passes a server one message on each line.
func fuzzMessages(_ bytes: [UInt8]) {
  let session = Session()
  for line in bytes.split(separator: UInt8(ascii: "\n")).prefix(20) {
    session.receive(Array(line))
    if session.server.exitCode != nil { return }
  }
  session.settle()
}
