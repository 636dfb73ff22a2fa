import Foundation
@_spi(Formats) import Providers
import Testing

@Suite struct `XML faults` {
  struct Case: CustomTestStringConvertible, Sendable {
    let text: String
    let place: String
    var testDescription: String { text }

    init(_ text: String, _ place: String) {
      self.text = text
      self.place = place
    }
  }

  @Test(arguments: [
    Case("<a></b>", "1"), Case("<a/><b/>", "1"), Case("<a/>x", "1"), Case("<a/>\n\njunk", "3"),
    Case("x<a/>", "1"), Case("hello", "1"), Case("<a b='1' b='2'/>", "1"), Case("<p:a/>", "1"),
    Case("<a p:b='1'/>", "1"), Case("<a xmlns:p='u' xmlns:q='u' p:b='1' q:b='2'/>", "1"),
    Case("<a b=1/>", "1"), Case("<a b/>", "1"), Case("<a b='<'/>", "1"), Case("<a>x & y</a>", "1"),
    Case("<a>&amp</a>", "1"), Case("<a>&#xZ;</a>", "1"), Case("<a>&#0;</a>", "1"),
    Case("<a>&#xFFFE;</a>", "1"), Case("<a>]]></a>", "1"), Case("<a><!-- -- --></a>", "1"),
    Case("<a>\n\u{1}</a>", "2"), Case("<a>\n\u{FFFF}</a>", "2"), Case("<a>\n\u{0}</a>", "2"),
    Case("<a b='\u{0}'/>", "1"), Case("<1/>", "1"), Case("< a/>", "1"),
    Case("<a><?xml version='1.0'?></a>", "1"),
    Case("\n<?xml version='1.0'?><a/>", "2"), Case("<a:b:c xmlns:a='u'/>", "1"),
    Case("<a b='1'c='2'/>", "1"), Case("</a>", "1"), Case("<a>\n<b>\n</a>", "3"),
    Case("<a xmlns:p=''/>", "1"), Case("<?xml version='1.0' standalone='maybe'?><a/>", "1"),
    Case("<!DOCTYPE a [<!ELEMENT a>]><a/>", "1"),
  ])
  func `are reported as malformed with their line`(_ expected: Case) throws {
    for length in [expected.text.utf8.count, 1] {
      let error = try #require(
        try XMLTranscript(Array(expected.text.utf8), pieces: length).error)
      #expect(error.code == .malformed, "\(error)")
      #expect(error.position.map { "\($0.line)" } == expected.place)
      #expect(!error.message.isEmpty)
    }
  }

  @Test func `are reported as truncated if a document ends prematurely`() throws {
    let document = Array(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <!-- c --><!DOCTYPE a [ <!ELEMENT a ANY> ]>
      <a b="1" c='é'>text &amp; more &#65;<![CDATA[ x ]]><?p q?><b x = 'y' /><ä>🐎</ä ></a>
      """.utf8)
    for end in 0..<document.count {
      let transcript = try XMLTranscript(Array(document[..<end]))
      #expect(
        transcript.error?.code == .truncated,
        "at \(end): \(transcript.error.map(String.init(describing:)) ?? "nothing")")
    }
    #expect(try XMLTranscript(document).error == nil)
  }

  struct Encoded: CustomTestStringConvertible, Sendable {
    let name: String
    let bytes: [UInt8]
    var testDescription: String { name }
  }

  static let text = "<?xml version='1.0' encoding='@'?><a b='é'>ÿ\r\n🐎</a>"

  static func declaring(_ encoding: String) -> String {
    text.replacingOccurrences(of: "@", with: encoding)
  }

  @Test(arguments: [
    Encoded(name: "UTF-8", bytes: Array(declaring("utf-8").utf8)),
    Encoded(
      name: "UTF-8 with a byte order mark",
      bytes: [0xEF, 0xBB, 0xBF] + Array(declaring("UTF-8").utf8)),
    Encoded(
      name: "UTF-16LE with a byte order mark",
      bytes: [0xFF, 0xFE] + XMLDocuments.utf16(declaring("UTF-16"), isBig: false)),
    Encoded(
      name: "UTF-16BE with a byte order mark",
      bytes: [0xFE, 0xFF] + XMLDocuments.utf16(declaring("UTF-16"), isBig: true)),
    Encoded(
      name: "UTF-16LE", bytes: XMLDocuments.utf16(declaring("UTF-16LE"), isBig: false)),
    Encoded(
      name: "UTF-16BE", bytes: XMLDocuments.utf16(declaring("utf-16be"), isBig: true)),
    Encoded(
      name: "ISO-8859-1",
      bytes: declaring("iso-8859-1").replacingOccurrences(of: "🐎", with: "&#128014;")
        .unicodeScalars.map { UInt8($0.value) }),
    Encoded(
      name: "US-ASCII",
      bytes: Array(
        declaring("US-ASCII").replacingOccurrences(of: "🐎", with: "&#128014;")
          .replacingOccurrences(of: "é", with: "&#xE9;")
          .replacingOccurrences(of: "ÿ", with: "&#xFF;").utf8)),
  ])
  func `do not occur in supported encodings`(_ document: Encoded) throws {
    for length in [document.bytes.count, 1, 3] {
      let transcript = try XMLTranscript(document.bytes, pieces: length)
      #expect(transcript.error == nil)
      #expect(transcript.events == ["<a b=é>", "'ÿ\n🐎'", "</a>"])
    }
  }

  @Test(arguments: [
    Encoded(
      name: "a byte that is not UTF-8", bytes: Array("<a>".utf8) + [0xFF] + Array("</a>".utf8)),
    Encoded(
      name: "ISO-8859-1 as UTF-8",
      bytes: Array("<?xml version='1.0' encoding='UTF-8'?><a>".utf8) + [0xE9] + Array("</a>".utf8)),
    Encoded(
      name: "an overlong form",
      bytes: Array("<a>".utf8) + [0xC1, 0x81] + Array("</a>".utf8)),
    Encoded(
      name: "a surrogate", bytes: Array("<a>".utf8) + [0xED, 0xA0, 0x80] + Array("</a>".utf8)),
    Encoded(
      name: "beyond Unicode",
      bytes: Array("<a>".utf8) + [0xF4, 0x90, 0x80, 0x80] + Array("</a>".utf8)),
    Encoded(
      name: "not ASCII as declared",
      bytes: Array("<?xml version='1.0' encoding='US-ASCII'?><a>é</a>".utf8)),
    Encoded(
      name: "UTF-16 declared, UTF-8 there",
      bytes: Array("<?xml version='1.0' encoding='UTF-16'?><a/>".utf8)),
    Encoded(
      name: "UTF-8 declared, UTF-16 there",
      bytes: [0xFF, 0xFE]
        + XMLDocuments.utf16("<?xml version='1.0' encoding='UTF-8'?><a/>", isBig: false)),
    Encoded(
      name: "ISO-8859-1 declared after a byte order mark of UTF-8",
      bytes: [0xEF, 0xBB, 0xBF]
        + Array("<?xml version='1.0' encoding='ISO-8859-1'?><a/>".utf8)),
    Encoded(
      name: "an unpaired surrogate",
      bytes: [0xFE, 0xFF] + XMLDocuments.utf16("<a>", isBig: true) + [0xD8, 0x3D]
        + XMLDocuments.utf16("</a>", isBig: true)),
    Encoded(
      name: "an unknown encoding",
      bytes: Array("<?xml version='1.0' encoding='KOI8-R'?><a/>".utf8)),
    Encoded(name: "UTF-32", bytes: [0xFF, 0xFE, 0, 0, 0x3C, 0, 0, 0, 0x61, 0, 0, 0]),
  ])
  func `are reported as invalid encodings with their position`(_ document: Encoded) throws {
    for length in [document.bytes.count, 1] {
      let error = try #require(try XMLTranscript(document.bytes, pieces: length).error)
      #expect(error.code == .invalidEncoding, "\(error)")
      #expect(error.position?.line == 1)
    }
  }

  @Test func `have byte offsets in UTF-8`() throws {
    let bytes = [0xEF, 0xBB, 0xBF] + Array("<a>\né".utf8) + [0xFF] + Array("</a>".utf8)
    let error = try XMLTranscript(bytes).error
    #expect(error?.position == ProviderError.Position(byteOffset: 9, line: 2, column: 3))
  }

  @Test func `of files are typed and contain the file`() throws {
    let folder = try TemporaryFolder()
    let missing = "\(folder.path)/missing.xml"
    #expect(code { _ = try XMLEventReader(path: missing) } == .notFound)
    #expect(code { _ = try XMLEventReader(path: "a\0b") } == .notFound)
    #expect(
      code {
        var reader = try XMLEventReader(path: folder.path)
        _ = try reader.next()
      } == .fileSystem)
    let file = try folder.file(Array("<a>".utf8))
    let error = XMLTranscript(try XMLEventReader(path: file)).error
    #expect(error?.file == file && error?.code == .truncated)
    if getuid() != 0 {
      try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: file)
      #expect(code { _ = try XMLEventReader(path: file) } == .accessDenied)
    }
  }

  private func code(_ body: () throws -> Void) -> ProviderError.Code? {
    do { try body() } catch { return (error as? ProviderError)?.code }
    return nil
  }

  /// `HOLT_RELIABILITY=all` runs a hundred times the number of cases.
  @Test func `of randomly damaged documents are typed`() throws {
    let rounds = ProcessInfo.processInfo.environment["HOLT_RELIABILITY"] == "all" ? 2_000 : 15
    var random = SeededRandom(seed: 7)
    let tokens = [
      "<", ">", "&", "'", "\"", "]]>", "<!--", "&#", "\0", "\u{FFFF}", "/", "=", "<!DOCTYPE",
    ]
    for round in 0..<rounds {
      for document in XMLDocuments.all {
        var bytes = document
        for _ in 0...Int.random(in: 0..<3, using: &random) where !bytes.isEmpty {
          let at = Int.random(in: 0..<bytes.count, using: &random)
          switch Int.random(in: 0..<5, using: &random) {
          case 0: bytes[at] ^= 1 << UInt8.random(in: 0..<8, using: &random)
          case 1: bytes.removeSubrange(at...)
          case 2: bytes.remove(at: at)
          case 3: bytes.insert(contentsOf: tokens.randomElement(using: &random)!.utf8, at: at)
          default: bytes.insert(contentsOf: bytes[at...].prefix(9), at: at)
          }
        }
        let whole = try XMLTranscript(bytes)
        let pieces = try XMLTranscript(bytes, pieces: Int.random(in: 1...40, using: &random))
        // A document with two faults can be refused for either.
        #expect((whole.error == nil) == (pieces.error == nil), "round \(round): \(bytes)")
        if whole.error == nil { #expect(whole == pieces, "round \(round): \(bytes)") }
      }
    }
  }
}
