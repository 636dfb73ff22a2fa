import Foundation
@_spi(Formats) import Providers
import Testing

@Suite struct `XML events` {
  struct Case: CustomTestStringConvertible, Sendable {
    let text: String
    let events: [String]
    var testDescription: String { text }

    init(_ text: String, _ events: String...) {
      self.text = text
      self.events = events
    }
  }

  @Test(arguments: [
    Case("<a/>", "<a>", "</a>"),
    Case("<a></a>", "<a>", "</a>"),
    Case("<a>x</a>", "<a>", "'x'", "</a>"),
    Case("<a z='1' b=\"2\" y='' />", "<a z=1 b=2 y=>", "</a>"),
    Case("<a>x<![CDATA[<y>&]]>z&amp;&#65;&#x42;</a>", "<a>", "'x<y>&z&AB'", "</a>"),
    Case("<a>x<!-- c -->y<?p q?>z</a>", "<a>", "'xyz'", "</a>"),
    Case("<a>\r\n1\r2\n</a>", "<a>", "'\n1\n2\n'", "</a>"),
    Case("<a b='1\n2\t3&#10;&#9;&#13;'/>", "<a b=1 2 3\n\t\r>", "</a>"),
    Case("<a b='&lt;&gt;&amp;&quot;&apos;'>&lt;</a>", "<a b=<>&\"'>", "'<'", "</a>"),
    Case("<ä ö='é🐎'>日本</ä>", "<ä ö=é🐎>", "'日本'", "</ä>"),
    Case("\u{FEFF}<?xml version='1.0'?>\n<a/>\n", "<a>", "</a>"),
    Case("<!-- x --><?p?><a/><!-- y -->", "<a>", "</a>"),
    Case(
      "<p>one <b>two</b> three</p>", "<p>", "'one '", "<b>", "'two'", "</b>", "' three'", "</p>"),
  ])
  func `match the document`(_ expected: Case) throws {
    let transcript = try XMLTranscript(expected.text)
    #expect(transcript.events == expected.events)
    #expect(transcript.error == nil)
  }

  @Test func `include white space if it is an element's content or requested`() throws {
    let text = "<a>\n  <b> </b>\n  <c/> <d>\n</d>x <e/> </a>"
    #expect(
      try XMLTranscript(text).events == [
        "<a>", "<b>", "' '", "</b>", "<c>", "</c>", "<d>", "'\n'", "</d>", "'x '", "<e>", "</e>",
        "</a>",
      ])
    #expect(
      try XMLTranscript(text, XMLEventReader.Options(keepsWhitespace: true)).events == [
        "<a>", "'\n  '", "<b>", "' '", "</b>", "'\n  '", "<c>", "</c>", "' '", "<d>", "'\n'",
        "</d>", "'x '", "<e>", "</e>", "' '", "</a>",
      ])
  }

  @Test func `include comments and instructions on request`() throws {
    let options = XMLEventReader.Options(hasComments: true, hasProcessingInstructions: true)
    let text = "<!--0--><!DOCTYPE a [<!--no--><?no no?>]><?p?><a>x<!-- c -->y<?p q r ?></a><!--z-->"
    #expect(
      try XMLTranscript(text, options).events == [
        "!0", "?p ", "<a>", "'x'", "! c ", "'y'", "?p q r ", "</a>", "!z",
      ])
  }

  @Test func `skip a document type that declares no entities`() throws {
    let text = """
      <!DOCTYPE note [
        <!ELEMENT note (to)> <!ELEMENT to (#PCDATA)>
        <!ATTLIST note id ID #REQUIRED kind (a | b) #IMPLIED>
        <!NOTATION gif PUBLIC "gif viewer"> <!-- a comment -->
      ]>
      <note id="1"><to>x</to></note>
      """
    #expect(
      try XMLTranscript(text).events == ["<note id=1>", "<to>", "'x'", "</to>", "</note>"])
  }

  @Test func `have names that are equal if namespace and local part are`() throws {
    var reader = try XMLEventReader(
      bytes: Array(
        "<p:a xmlns:p='u' xmlns:q='u' xmlns='v'><q:a/><a p:x='1' q:y='2' x='3'/></p:a>".utf8))
    let known = reader.intern("a", namespace: "v")
    let unknown = reader.intern("never")
    guard case .startElement(let first) = try reader.next() else { throw Unexpected() }
    #expect(reader.prefix == "p")
    #expect(reader.namespace(of: first) == "u")
    #expect(reader.localName(of: first) == "a")
    #expect(reader.namespaces.map(\.prefix) == ["p", "q", nil])
    #expect(reader.namespaces.map(\.namespace) == ["u", "u", "v"])
    guard case .startElement(first) = try reader.next() else { throw Unexpected() }
    #expect(reader.prefix == "q")
    guard case .endElement(first) = try reader.next() else { throw Unexpected() }
    guard case .startElement(known) = try reader.next() else { throw Unexpected() }
    #expect(known != first && unknown != first && reader.prefix == nil)
    let x = reader.intern("x")
    #expect(reader.attributeCount == 3)
    #expect(reader.attribute(x) == "3")
    #expect(reader.attributeIndex(of: reader.intern("x", namespace: "u")) == 0)
    #expect(reader.attribute(reader.intern("y", namespace: "u")) == "2")
    #expect(reader.attributePrefix(at: 1) == "q")
    #expect(reader.attribute(unknown) == nil)
  }

  @Test func `have a position, a depth and an empty flag`() throws {
    let text = "<?xml version='1.0'?>\n<a>\n <b\n x='1'/>é<c >text\n</c\n></a>"
    for length in [1, 3, 1_000] {
      var pieces = stride(from: 0, to: text.utf8.count, by: length).map { start in
        Array(Array(text.utf8)[start..<min(start + length, text.utf8.count)])
      }
      var reader = try XMLEventReader { pieces.isEmpty ? nil : pieces.removeFirst() }
      var found: [String] = []
      while let event = try reader.next() {
        let position = reader.position
        found.append(
          "\(XMLTranscript.line(event, reader)) \(position) \(position.byteOffset ?? -1) \(reader.depth)"
            + (reader.isEmptyElement ? " empty" : ""))
      }
      #expect(
        found == [
          "<a> 2:1 22 0", "<b x=1> 3:2 27 1 empty", "</b> 3:2 27 1", "'é' 4:9 38 1",
          "<c> 4:11 40 1",
          "'text\n' 4:15 44 2", "</c> 5:1 49 1", "</a> 6:2 54 0",
        ])
    }
  }

  @Test func `provide texts as strings and as borrowed bytes`() throws {
    var reader = try XMLEventReader(bytes: Array("<a k='v w'>é </a>".utf8))
    _ = try reader.next()
    #expect(reader.withAttribute(at: 0) { $0.count } == 3)
    #expect(reader.text.isEmpty)
    _ = try reader.next()
    #expect(reader.withText { text in text.indices.map { text[$0] } } == Array("é ".utf8))
    #expect(reader.text == "é " && !reader.isWhitespace)
    _ = try reader.next()
    #expect(reader.text.isEmpty)
    #expect(try reader.next() == nil)
    #expect(try reader.next() == nil)
  }

  @Test(arguments: [1, 2, 3, 7, 64, 4_096])
  func `are the same from a file, from memory and in pieces`(_ length: Int) throws {
    let folder = try TemporaryFolder()
    for document in XMLDocuments.all {
      let whole = try XMLTranscript(document)
      var fromFile = XMLTranscript(try XMLEventReader(path: folder.file(document)))
      fromFile.error?.file = nil
      #expect(fromFile == whole)
      #expect(try XMLTranscript(document, pieces: length) == whole)
    }
  }

  @Test func `precede the error, which is thrown repeatedly`() throws {
    let transcript = try XMLTranscript("<a>\n<b>x</b>\n<c></d></a>")
    #expect(transcript.events == ["<a>", "<b>", "'x'", "</b>", "<c>"])
    #expect(transcript.error?.code == .malformed)
    #expect(transcript.error?.position?.line == 3)
  }

  @Test func `rethrow the source's errors after the preceding events`() throws {
    var pieces = ["<a><b/>", "<c>"]
    var reader = try XMLEventReader {
      guard !pieces.isEmpty else { throw Unexpected() }
      return Array(pieces.removeFirst().utf8)
    }
    var count = 0
    #expect(throws: Unexpected.self) { while try reader.next() != nil { count += 1 } }
    #expect(count == 4)
    #expect(throws: Unexpected.self) { _ = try reader.next() }
  }

  @Test func `can be read by several readers concurrently`() async throws {
    let document = XMLDocuments.rows(500)
    let expected = try XMLTranscript(document)
    #expect(expected.error == nil && expected.events.count > 3_000)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<8 {
        group.addTask { @concurrent () async throws in
          let broken = Array(document.dropLast(number + 2))
          #expect(try XMLTranscript(document) == expected)
          #expect(try XMLTranscript(broken).error?.code == .truncated)
        }
      }
      try await group.waitForAll()
    }
  }

  @Test func `use constant memory`() throws {
    let row = Array("<row id='1'><name>spur &amp; bevel</name><note/></row>".utf8)
    var count = 0
    var reader = try XMLEventReader {
      count += 1
      switch count {
      case 1: return Array("<rows>".utf8)
      case 2...400: return Array(repeatElement(row, count: 20).joined())
      case 401: return Array("</rows>".utf8)
      default: return nil
      }
    }
    var most = 0
    while try reader.next() != nil { most = max(most, reader.heldByteCount) }
    #expect(most < 10_000)
  }
}

struct Unexpected: Error {}
