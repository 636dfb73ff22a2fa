/// All kinds of documents, to be read, truncated and damaged.
enum XMLDocuments {
  static let texts: [String] = [
    "<a/>",
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<a b='1'>x</a>\n",
    """
    <database version="1"><table name="gears" primaryKey="gid">
      <column name="gid" type="INTEGER" nullable="false"/><column name="label" type="TEXT"/>
      <row><v c="gid">1</v><v c="label">spur</v></row><row><v c="gid">2</v></row></table></database>
    """,
    "<!DOCTYPE a [<!ELEMENT a ANY><!ATTLIST a b CDATA #IMPLIED>]><a b=\"x\">y</a>",
    "<a><![CDATA[x < y && z ]] > ]]>&amp;&#xE9;&#128014;</a>",
    "<a xmlns='u' xmlns:p='v'><p:b p:c='1' c='2'/><b xmlns=''/></a>",
    "<r><!-- a - comment --><?target some data?><e>\r\nline\rline\n</e></r>",
    "<ä ö='é'>日本語 🐎 \u{85}\u{2028}\u{D7FF}\u{E000}\u{FFFD}\u{10FFFF}</ä>",
    "<a>" + String(repeating: "long text without a tag ", count: 50) + "</a>",
    "<a><b><c><d><e><f>deep</f></e></d></c></b></a>",
    "<a b=\"" + String(repeating: "v", count: 700) + "\" c='" + String(repeating: "é", count: 400)
      + "'/>",
    "<feed><entry id='1'><title>A</title>mixed <i>text</i> here</entry><entry/></feed>",
    "<a>&e;</a>", "<!DOCTYPE a [<!ENTITY e 'x'>]><a>&e;</a>", "<a></b>", "<a b='1' b='2'/>",
    "<p:a/>", "<a/><b/>", "<a>\u{1}</a>", "<a b=c/>", "", "   ", "x",
  ]

  static var all: [[UInt8]] {
    texts.map { Array($0.utf8) } + [
      [0xFF, 0xFE] + utf16("<?xml version='1.0' encoding='UTF-16'?><a>é🐎\r\n</a>", isBig: false),
      [0xFE, 0xFF] + utf16("<a b='日本'>x</a>", isBig: true),
      Array("<?xml version='1.0' encoding='ISO-8859-1'?><a>".utf8) + [0xE9, 0x0D, 0x0A, 0xFF]
        + Array("</a>".utf8),
      rows(40),
    ]
  }

  static func utf16(_ text: String, isBig: Bool) -> [UInt8] {
    text.utf16.flatMap { unit in
      isBig ? [UInt8(unit >> 8), UInt8(unit & 0xFF)] : [UInt8(unit & 0xFF), UInt8(unit >> 8)]
    }
  }

  /// Returns rows of a table, by number.
  static func rows(_ count: Int) -> [UInt8] {
    var text = "<rows>\n"
    for number in 0..<count {
      text += "  <row id=\"\(number)\"><name>n\(number) &amp; é</name><note/></row>\n"
    }
    return Array((text + "</rows>\n").utf8)
  }
}
