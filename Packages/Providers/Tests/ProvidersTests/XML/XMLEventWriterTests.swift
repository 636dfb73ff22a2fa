import Foundation
@_spi(Formats) import Providers
import Primitives
import Testing

@Suite struct `Writing XML` {
  static let header = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"

  private func written(
    indentation: Int? = nil, _ body: (inout XMLEventWriter) throws -> Void
  ) throws -> String {
    var writer = XMLEventWriter(indentation: indentation)
    try body(&writer)
    let text = String(decoding: try writer.finish(), as: UTF8.self)
    return String(text.dropFirst(Self.header.count).dropLast())
  }

  @Test func `escapes special characters`() throws {
    let a = try XMLEventWriter.Name("a"), b = try XMLEventWriter.Name("b")
    let text = try written { writer in
      try writer.start(a)
      try writer.attribute(b, "<>&\"'\t\n\r ]]>é")
      try writer.text("<>&\"'\t\n\r ]]>é🐎")
      try writer.end()
    }
    #expect(
      text
        == "<a b=\"&lt;&gt;&amp;&quot;'&#9;&#10;&#13; ]]&gt;é\">&lt;&gt;&amp;\"'\t\n&#13; ]]&gt;é🐎</a>"
    )
  }

  @Test func `indents elements without texts`() throws {
    let a = try XMLEventWriter.Name("a"), b = try XMLEventWriter.Name("b")
    let text = try written(indentation: 2) { writer in
      try writer.start(a)
      try writer.start(b)
      try writer.text(" ")
      try writer.end()
      try writer.start(b)
      try writer.start(a)
      try writer.end()
      try writer.end()
      try writer.comment("c")
      try writer.end()
    }
    #expect(text == "<a>\n  <b> </b>\n  <b>\n    <a/>\n  </b>\n  <!--c-->\n</a>")
  }

  @Test func `declares namespaces and refuses undeclared prefixes`() throws {
    let name = try XMLEventWriter.Name("p:a"), b = try XMLEventWriter.Name("b")
    let text = try written { writer in
      try writer.start(name)
      try writer.declare(prefix: "p", namespace: "u&v")
      try writer.declare(prefix: nil, namespace: "w")
      try writer.start(name)
      try writer.attribute(XMLEventWriter.Name("xml:lang"), "de")
      try writer.end()
      try writer.end()
    }
    #expect(text == "<p:a xmlns:p=\"u&amp;v\" xmlns=\"w\"><p:a xml:lang=\"de\"/></p:a>")
    #expect(try XMLTranscript(text).error == nil)
    try expectUnrepresentable { writer in
      try writer.start(name)
      try writer.start(b)
    }
    try expectUnrepresentable { writer in
      try writer.start(b)
      try writer.start(name)
      try writer.declare(prefix: "p", namespace: "u")
      try writer.end()
      try writer.start(name)
      try writer.end()
    }
    try expectUnrepresentable { writer in
      try writer.start(b)
      try writer.declare(prefix: "p", namespace: "")
    }
  }

  private func expectUnrepresentable(
    sourceLocation: Testing.SourceLocation = #_sourceLocation,
    _ body: (inout XMLEventWriter) throws -> Void
  ) throws {
    var writer = XMLEventWriter()
    let error = #expect(throws: ProviderError.self, sourceLocation: sourceLocation) {
      try body(&writer)
    }
    #expect(error?.code == .unrepresentable, sourceLocation: sourceLocation)
  }

  @Test(arguments: [
    "\u{0}", "\u{1}", "\u{8}", "\u{B}", "\u{1F}", "\u{FFFE}", "ab\u{FFFF}", "éé\u{C}",
  ])
  func `refuses invalid characters without writing them`(_ text: String) throws {
    let a = try XMLEventWriter.Name("a")
    #expect(!XMLEventReader.Text.canHold(text))
    var writer = XMLEventWriter()
    try writer.start(a)
    #expect(throws: ProviderError.self) { try writer.attribute(a, text) }
    #expect(throws: ProviderError.self) { try writer.text("long enough, " + text) }
    #expect(throws: ProviderError.self) { try writer.comment(text) }
    #expect(throws: ProviderError.self) { try writer.processingInstruction("p", text) }
    try writer.end()
    #expect(String(decoding: try writer.finish(), as: UTF8.self) == Self.header + "<a/>\n")
  }

  @Test func `refuses bytes that are not UTF-8`() {
    let bytes: [[UInt8]] = [
      [0xFF], [0xC1, 0x81], [0xED, 0xA0, 0x80], [0x41, 0xC3], [0xF0, 0x9F, 0x90],
    ]
    for bytes in bytes {
      let isHeld = XMLEventReader.Text.canHold(bytes.elementSpan)
      #expect(!isHeld)
    }
    let isHeld = XMLEventReader.Text.canHold(Array("é🐎\t\n\r".utf8).elementSpan)
    #expect(isHeld)
  }

  @Test func `refuses invalid names and duplicate attributes`() throws {
    for name in [
      "", "1a", "a b", "a:", ":a", "a:b:c", "-a", "a\u{D7}", "<", "xmlns", "xmlns:a", "\u{B7}a",
    ] {
      let error = #expect(throws: ProviderError.self) { _ = try XMLEventWriter.Name(name) }
      #expect(error?.code == .unrepresentable)
    }
    for name in ["a", "_", "a-1.b", "ä", "日本", "a:b", "xml:lang", "\u{10000}", "a\u{B7}"] {
      let written = try XMLEventWriter.Name(name)
      try expectUnrepresentable { writer in
        try writer.start(try XMLEventWriter.Name("r"))
        try writer.attribute(written, "1")
        try writer.attribute(written, "2")
      }
    }
    for comment in ["--", "a-", "\r"] {
      try expectUnrepresentable { writer in try writer.comment(comment) }
    }
    try expectUnrepresentable { writer in try writer.processingInstruction("XML", "") }
    try expectUnrepresentable { writer in try writer.processingInstruction("p", "?>") }
  }

  @Test func `passes the same bytes to a sink in pieces`() throws {
    let row = try XMLEventWriter.Name("row"), id = try XMLEventWriter.Name("id")
    func write(_ writer: inout XMLEventWriter) throws {
      try writer.start(row)
      for number in 0..<10_000 {
        try writer.start(row)
        try writer.attribute(id, "\(number)")
        try writer.text("text \(number)")
        try writer.end()
      }
      try writer.end()
    }
    var whole = XMLEventWriter()
    try write(&whole)
    var pieces: [[UInt8]] = []
    var writer = XMLEventWriter { pieces.append($0) }
    try write(&writer)
    #expect(try writer.finish().isEmpty)
    #expect(pieces.count > 3 && pieces.allSatisfy { $0.count < 70_000 })
    let expected = try whole.finish()
    #expect(Array(pieces.joined()) == expected)
  }

  @Test func `rethrows the sink's errors`() throws {
    var writer = XMLEventWriter { _ in throw Unexpected() }
    try writer.start(try XMLEventWriter.Name("a"))
    #expect(throws: Unexpected.self) { try writer.text(String(repeating: "x", count: 70_000)) }
  }

  @Test func `preserves every character that XML allows`() throws {
    let a = try XMLEventWriter.Name("a")
    let isAll = ProcessInfo.processInfo.environment["HOLT_RELIABILITY"] == "all"
    var text = ""
    for value in UInt32(0)...0x10FFFF {
      guard let scalar = Unicode.Scalar(value) else { continue }
      // One in sixteen similar characters, unless `HOLT_RELIABILITY=all` requests all.
      if !isAll, value > 0x3000, value & 0xFF < 0xF0, value & 15 != 0 { continue }
      let isAllowed = value >= 0x20 ? value & ~1 != 0xFFFE : [9, 10, 13].contains(value)
      if value < 0x3000 || value & 0xFF > 0xF0 {
        #expect(XMLEventReader.Text.canHold(String(scalar)) == isAllowed)
      }
      if isAllowed { text.unicodeScalars.append(scalar) }
    }
    var writer = XMLEventWriter()
    try writer.start(a)
    try writer.attribute(a, text)
    try writer.text(text)
    try writer.end()
    var reader = try XMLEventReader(bytes: try writer.finish())
    _ = try reader.next()
    #expect(Array(reader.attribute(at: 0).utf8) == Array(text.utf8))
    _ = try reader.next()
    #expect(Array(reader.text.utf8) == Array(text.utf8))
  }
}
