import Foundation
@_spi(Formats) import Providers
import Testing

@Suite struct `Hostile XML` {
  struct Case: CustomTestStringConvertible, Sendable {
    let name: String
    let text: String
    var code = ProviderError.Code.forbidden
    var line = 1
    var testDescription: String { name }
  }

  @Test(arguments: [
    Case(
      name: "billion laughs",
      text: """
        <?xml version="1.0"?>
        <!DOCTYPE lolz [
         <!ENTITY lol "lol">
         <!ENTITY lol2 "&lol;&lol;&lol;&lol;&lol;&lol;&lol;&lol;&lol;&lol;">
         <!ENTITY lol3 "&lol2;&lol2;&lol2;&lol2;&lol2;&lol2;&lol2;&lol2;&lol2;&lol2;">
        ]>
        <lolz>&lol3;</lolz>
        """, line: 3),
    Case(
      name: "quadratic blowup",
      text: "<!DOCTYPE a [<!ENTITY x \"\(String(repeating: "x", count: 20_000))\">]><a>"
        + String(repeating: "&x;", count: 20_000) + "</a>"),
    Case(
      name: "parameter entities",
      text: "<!DOCTYPE a [\n<!ENTITY % p '<!ENTITY e \"x\">'>\n%p;]><a>&e;</a>", line: 2),
    Case(
      name: "undeclared parameter entity", text: "<!DOCTYPE a [\n\n%p;]><a/>", line: 3),
    Case(
      name: "external entity",
      text: "<!DOCTYPE a [<!ENTITY e SYSTEM 'file:///etc/passwd'>]>\n<a>&e;</a>"),
    Case(
      name: "external parameter entity",
      text: "<!DOCTYPE a [<!ENTITY % e SYSTEM 'http://localhost:1/x.dtd'> %e;]>\n<a/>"),
    Case(name: "unparsed entity", text: "<!DOCTYPE a [<!ENTITY e SYSTEM 'x' NDATA gif>]><a/>"),
    Case(name: "external document type", text: "<!DOCTYPE a SYSTEM 'file:///etc/passwd'><a/>"),
    Case(name: "public document type", text: "<!DOCTYPE a PUBLIC '-//X//Y' 'http://x/y'><a/>"),
    Case(name: "undeclared entity", text: "<a>\n&nbsp;</a>", line: 2),
    Case(name: "entity in an attribute", text: "<a b='&e;'/>"),
    Case(
      name: "entity with a predefined name",
      text: "<!DOCTYPE a [<!ENTITY lt '&#38;#60;'>]><a/>"),
    Case(
      name: "attribute defaults in the document type",
      text: "<!DOCTYPE a [<!ATTLIST a b CDATA 'value'>]><a/>"),
    Case(name: "too deep", text: String(repeating: "<a>", count: 300), code: .limitExceeded),
    Case(
      name: "too many attributes",
      text: "<a " + (0..<5_000).map { "a\($0)=''" }.joined(separator: " ") + "/>",
      code: .limitExceeded),
    Case(
      name: "too many attributes, longer than a piece of the input",
      text: "<a " + (0..<12_000).map { "a\($0)=''" }.joined(separator: " ") + "/>",
      code: .limitExceeded),
    Case(
      name: "too many namespaces",
      text: (0..<50).map { level in
        "<a " + (0..<100).map { "xmlns:p\(level)_\($0)='u'" }.joined(separator: " ") + ">"
      }.joined(), code: .limitExceeded),
    Case(
      name: "a name that is too long", text: "<\(String(repeating: "n", count: 5_000))/>",
      code: .limitExceeded),
    Case(
      name: "a document type that is too long",
      text: "<!DOCTYPE a [" + String(repeating: "<!ELEMENT a ANY>", count: 100_000) + "]><a/>",
      code: .limitExceeded),
  ])
  func `is refused with its position`(_ expected: Case) throws {
    for length in [expected.text.utf8.count, 1_000] {
      let transcript = try XMLTranscript(Array(expected.text.utf8), pieces: length)
      #expect(transcript.error?.code == expected.code, "\(transcript.error as Any)")
      #expect(transcript.error?.position?.line == expected.line)
      #expect(!transcript.events.contains { $0.hasPrefix("'") })
    }
  }

  @Test(arguments: [
    "<!DOCTYPE a [<!ENTITY e SYSTEM '@'>]><a>&e;</a>", "<!DOCTYPE a SYSTEM '@'><a/>",
    "<!DOCTYPE a [<!ENTITY % e SYSTEM '@'> %e;]><a/>",
    "<a xmlns:xi='http://www.w3.org/2001/XInclude'><xi:include href='@' parse='text'/></a>",
    "<?xml-stylesheet href='@'?><a xsi:schemaLocation='u @' xmlns:xsi='u'/>",
  ])
  func `opens no file`(_ text: String) throws {
    // A pipe, whose bytes are consumed by any reader: a reader that opens it would wait or consume them.
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/secret"
    let maker = Process()
    maker.executableURL = URL(fileURLWithPath: "/usr/bin/mkfifo")
    maker.arguments = [path]
    try maker.run()
    maker.waitUntilExit()
    let pipe = try #require(FileHandle(forUpdatingAtPath: path))
    try pipe.write(contentsOf: Data("secret".utf8))
    for target in [path, "file://\(path)"] {
      let document = text.replacingOccurrences(of: "@", with: target)
      let transcript = try XMLTranscript(document)
      #expect(!transcript.events.contains { $0.contains("secret'") })
    }
    try pipe.write(contentsOf: Data("!".utf8))
    #expect(pipe.availableData == Data("secret!".utf8))
  }

  @Test func `has XInclude as an ordinary element`() throws {
    let transcript = try XMLTranscript(
      "<a xmlns:xi='http://www.w3.org/2001/XInclude'><xi:include href='file:///etc/passwd'/></a>")
    #expect(
      transcript.events == [
        "<a>", "<xi:include href=file:///etc/passwd>", "</xi:include>", "</a>",
      ])
  }

  @Test func `has limited texts, values and comments`() throws {
    let long = String(repeating: "x", count: 1_001)
    let short = String(long.dropLast())
    var options = XMLEventReader.Options()
    options.limits.textLength = 1_000
    options.hasComments = true
    for text in ["<a>@</a>", "<a b='@'/>", "<a><!--@--></a>", "<a><![CDATA[@]]></a>"] {
      let refused = text.replacingOccurrences(of: "@", with: long)
      #expect(try XMLTranscript(refused, options).error?.code == .limitExceeded)
      let allowed = text.replacingOccurrences(of: "@", with: short)
      #expect(try XMLTranscript(allowed, options).error == nil)
    }
  }

  @Test(arguments: [
    "<a><b/><c/><d/></a>", "<a b='' c='' d=''/>", "<a xmlns='u' xmlns:v='w'/>",
    "<a><b xmlns='u'/><b xmlns='v'/><b xmlns='w'/></a>", "<a><?p?><?q?><?r?></a>",
  ])
  func `has a limited number of names`(_ text: String) throws {
    var options = XMLEventReader.Options()
    options.limits.nameCount = 3
    #expect(try XMLTranscript(text, options).error?.code == .limitExceeded)
    options.limits.nameCount = 8
    #expect(try XMLTranscript(text, options).error == nil)
  }

  @Test(arguments: ["<a>", "<a b='", "<a><!--", "<a><![CDATA[", "<a><?p ", "<"])
  func `with an endless line is refused at a limit`(_ beginning: String) throws {
    let piece = [UInt8](repeating: 0x78, count: 50_000)
    var isFirst = true
    var count = 0
    var options = XMLEventReader.Options()
    options.limits.textLength = 200_000
    var reader = try XMLEventReader(options: options) {
      defer { isFirst = false }
      count += 1
      return isFirst ? Array(beginning.utf8) : piece
    }
    let error = try #require(throws: ProviderError.self) { while try reader.next() != nil {} }
    #expect(error.code == .limitExceeded)
    #expect(count < 40)
  }

  @Test(
    .enabled(
      if: ProcessInfo.processInfo.environment["HOLT_RELIABILITY"] == "all", "it takes a second"))
  func `with texts beyond ten megabytes is read if the limits permit`() throws {
    let long = String(repeating: "x", count: 10_100_000)
    let transcript = try XMLTranscript("<a b='\(long)'/>")
    #expect(transcript.error == nil)
    #expect(transcript.events.first?.utf8.count == 10_100_000 + 6)
  }
}
