import Foundation
import Providers
import SQLiteCore
import Testing

@Suite struct `XML documents without tables` {
  @Test(arguments: [
    (
      "<!DOCTYPE a [<!ENTITY x \"y\"><!ENTITY z \"&x;&x;&x;\">]><a><b>&z;</b></a>",
      ProviderError.Code.forbidden
    ),
    ("<!DOCTYPE a [<!ENTITY x SYSTEM \"file:///etc/passwd\">]><a>&x;</a>", .forbidden),
    ("<!DOCTYPE a SYSTEM \"http://127.0.0.1/a.dtd\"><a/>", .forbidden),
    ("<a>\n<b></a>", .malformed), ("<a>\n<b>", .truncated), ("", .truncated),
    ("<a>\n<b>\u{1}</b></a>", .malformed),
    ("<?xml version=\"1.0\" encoding=\"UTF-16\"?><a/>", .invalidEncoding),
  ])
  func `are refused with the position and unchanged`(
    _ text: String, _ code: ProviderError.Code
  ) throws {
    let folder = try TemporaryFolder()
    let path = try folder.file(Array(text.utf8))
    let provider = XMLProvider()
    let error = expectProviderError(code) { try provider.openSource(atPath: path) }
    #expect(error?.file == path && error?.position != nil)
    #expect(!provider.isOpen)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
  }

  @Test func `truncated at any byte are never accepted`() throws {
    let documents = [
      "<a x=\"1\"><b i=\"1\"><c>é</c></b><b i=\"2\">t</b><!-- c --></a>",
      "<database version=\"1\"><table name=\"t\"><column name=\"a\"/><row><v c=\"a\">1</v></row></table></database>",
    ]
    let folder = try TemporaryFolder()
    let provider = XMLProvider()
    for document in documents {
      let bytes = Array(document.utf8)
      for count in 0..<bytes.count {
        let path = try folder.file(Array(bytes[..<count]))
        let error = #expect(throws: ProviderError.self) { try provider.openSource(atPath: path) }
        #expect([.truncated, .malformed].contains(error?.code))
      }
    }
  }

  @Test func `of random bytes and tags are read or refused with a typed error`() throws {
    let seed: UInt64 = 5
    print("random XML documents: seed \(seed)")
    var random = SeededRandom(seed: seed)
    let parts = [
      "<a>", "</a>", "<b x='1'>", "</b>", "<c/>", "text", " ", "<!-- c -->", "<?p i?>", "&amp;",
      "<d:e xmlns:d='u'>", "</d:e>", "\u{0}", "]]>", "<![CDATA[x]]>", "<item>", "</item>",
    ]
    let folder = try TemporaryFolder()
    var opened = 0
    for _ in 0..<150 {
      var text = "<root>"
      var open: [String] = []
      for _ in 0..<Int.random(in: 0..<14, using: &random) {
        let part = parts.randomElement(using: &random)!
        if part.hasPrefix("</"), Int.random(in: 0..<9, using: &random) > 0 {
          if let name = open.popLast() { text += "</\(name)>" }
          continue
        }
        if part.hasPrefix("<"), !part.hasPrefix("</"), !part.hasSuffix("/>"), !part.hasPrefix("<!"),
          !part.hasPrefix("<?")
        {
          open.append(part.dropFirst().prefix { $0 != ">" && $0 != " " }.description)
        }
        text += part
      }
      text += open.reversed().map { "</\($0)>" }.joined() + "</root>"
      let path = try folder.file(Array(text.utf8))
      let provider = XMLProvider()
      do {
        try provider.openSource(atPath: path)
      } catch is ProviderError {
        continue
      }
      opened += 1
      let before = try provider.read { try XMLTables.dump($0) }
      try provider.execute("CREATE TABLE zz (a)")
      try provider.execute("DROP TABLE zz")
      try provider.persist()
      let again = try XMLTables(Array(Data(contentsOf: URL(fileURLWithPath: path))))
      #expect(try again.dump() == before, "\(text)")
      try provider.closeSource()
    }
    #expect(opened > 40)
  }

  @Test func `with too many paths are refused`() throws {
    let text = (0..<9_000).map { "<e\($0)/>" }.joined()
    _ = expectProviderError(.limitExceeded) { _ = try XMLTables("<a>\(text)</a>") }
  }
}
