import Foundation
import LSPWire
import QueryGenTestSupport
import Testing

@Suite struct `Messages in a stream` {
  static func frame(_ body: String) -> [UInt8] {
    [UInt8](MessageReader.frame(Data(body.utf8)))
  }

  static func all(_ reader: inout MessageReader) throws -> [String] {
    var bodies: [String] = []
    while let body = try reader.next() { bodies.append(String(decoding: body, as: UTF8.self)) }
    return bodies
  }

  @Test(arguments: [1, 2, 3, 7, 64, 10_000])
  func `are found in chunks of any size`(_ size: Int) throws {
    let bodies = ["{}", #"{"text":"größe 🙂"}"#, "", String(repeating: "x", count: 5_000)]
    let bytes = bodies.flatMap(Self.frame)
    var reader = MessageReader()
    var found: [String] = []
    for start in stride(from: 0, to: bytes.count, by: size) {
      reader.append(bytes[start..<min(start + size, bytes.count)])
      found += try Self.all(&reader)
    }
    #expect(found == bodies)
    #expect(!reader.isWithinMessage)
  }

  @Test func `may have other headers and any letter case`() throws {
    var reader = MessageReader()
    reader.append(
      Array(
        "content-type: application/vscode-jsonrpc; charset=utf-8\r\nCONTENT-LENGTH:  2\r\n\r\n{}"
          .utf8))
    #expect(try Self.all(&reader) == ["{}"])
  }

  struct Case: CustomTestStringConvertible, Sendable {
    let text: String, failure: MessageReader.Failure
    var testDescription: String { String(text.prefix(40)) }
  }

  @Test(arguments: [
    Case(text: "X-Other: 1\r\n\r\n{}", failure: .missingLength),
    Case(text: "Content-Length: two\r\n\r\n{}", failure: .malformedHeader),
    Case(text: "Content-Length: -1\r\n\r\n{}", failure: .malformedHeader),
    Case(text: "Content-Length\r\n\r\n{}", failure: .malformedHeader),
    Case(text: "Content-Length: 99999999999\r\n\r\n", failure: .bodyTooLong(99_999_999_999)),
    Case(text: String(repeating: "a", count: 9_000), failure: .malformedHeader),
  ])
  func `are refused without a valid length`(_ expected: Case) throws {
    var reader = MessageReader()
    reader.append(Array(expected.text.utf8))
    #expect(throws: expected.failure) { try Self.all(&reader) }
  }

  @Test func `never trap on random bytes`() {
    var random = SeededGenerator(seed: 42)
    for _ in 0..<2_000 {
      var reader = MessageReader()
      let pieces = ["Content-Length: ", "3", "\r\n", "\r\n\r\n", "{}", "\u{0}", ":", "é", "-"]
      for _ in 0..<Int.random(in: 0..<12, using: &random) {
        reader.append(Array(pieces[Int.random(in: 0..<pieces.count, using: &random)].utf8))
      }
      do { while try reader.next() != nil {} } catch {}
    }
  }
}
