import Primitives
import Testing

@Suite struct `Text in XML` {
  @Test(arguments: [
    ("", ""), ("plain é 🐎", "plain é 🐎"),
    ("a < b && c > \"d\"", "a &lt; b &amp;&amp; c &gt; &quot;d&quot;"),
    ("a\tb\nc\r\n", "a&#9;b&#10;c&#13;&#10;"),
    ("\0\u{1}\u{1F}\u{FFFE}\u{7F}", "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}\u{7F}"),
    ("e\u{301}&\u{301}", "e\u{301}&amp;\u{301}"),
  ])
  func `is escaped`(text: String, xml: String) {
    #expect(text.escapedForXML == xml)
  }
}
