import Foundation
import Providers
import SQLiteCore
import Testing

@Suite struct `Ordinary XML documents` {
  @Test func `have a table of repeating elements, with attributes and elements as columns`()
    throws
  {
    let tables = try XMLTables(
      """
      <people version="2">
        <person id="1"><name>Ada</name><born>1815-12-10</born><address><city>London</city></address></person>
        <person id="2"><name>Alan</name><height unit="cm">179.5</height><address zip="M1"><city/></address></person>
      </people>
      """)
    let dump = try tables.dump()
    #expect(
      dump == [
        "person(@id INTEGER, name TEXT, born DATE TEXT, address/@zip TEXT, address/city TEXT, height/@unit TEXT, height REAL)",
        "1 'Ada' '1815-12-10' NULL 'London' NULL NULL 1",
        "2 'Alan' NULL 'M1' '' 'cm' 179.5 2",
      ])
    #expect(
      try tables.query(#"SELECT name FROM person WHERE "address/city" = 'London'"#) == [["Ada"]])
  }

  @Test func `are written with changes, and with the content around rows unchanged`() throws {
    let tables = try XMLTables(
      """
      <?xml version="1.0"?>
      <!-- people -->
      <!DOCTYPE people>
      <people version="2">
        <title>All of them</title>
        <person id="1" at="a"><name>Ada</name><member>true</member></person>
        <person id="2"><name>Alan</name><member>false</member></person>
        <!-- the end -->
      </people>
      """)
    try tables.provider.execute(
      #"UPDATE person SET "@at" = 'b', name = 'Ada & Co' WHERE "@id" = 1"#)
    try tables.provider.execute(#"INSERT INTO person ("@id", name) VALUES (3, '')"#)
    try tables.provider.execute("ALTER TABLE person ADD COLUMN \"phone/@kind\" TEXT")
    try tables.provider.execute("UPDATE person SET \"phone/@kind\" = 'home' WHERE name = 'Alan'")
    try tables.provider.persist()
    let text = try tables.text
    #expect(
      text == """
        <?xml version="1.0" encoding="UTF-8"?>
        <!-- people -->
        <!DOCTYPE people>
        <people version="2">
          <title>All of them</title>
          <person id="1" at="b">
            <name>Ada &amp; Co</name>
            <member>true</member>
          </person>
          <person id="2">
            <name>Alan</name>
            <member>false</member>
            <phone kind="home"/>
          </person>
          <person id="3">
            <name/>
          </person>
          <!-- the end -->
        </people>

        """)
  }

  @Test func `without white space are written without white space`() throws {
    let text = #"<a><b c="1"/><b c="2"><d>x</d></b></a>"#
    let tables = try XMLTables(text)
    try tables.provider.execute(#"UPDATE b SET "@c" = 5 WHERE "@c" = 1"#)
    try tables.provider.persist()
    #expect(try tables.text.contains(#"<a><b c="5"/><b c="2"><d>x</d></b></a>"#))
  }

  @Test func `have separate tables for elements that repeat in a row`() throws {
    let tables = try XMLTables(
      """
      <list><person name="a"><phone kind="x">1</phone><mail>m</mail><phone>2</phone></person><person name="b"/>\
      <person name="c"><phone>3</phone></person></list>
      """)
    let dump = try tables.dump()
    #expect(
      dump == [
        "person(@name TEXT, mail TEXT, #row INTEGER)", "'a' 'm' 1 1", "'b' NULL 2 2",
        "'c' NULL 3 3",
        "person_phone(#parent INTEGER, #position INTEGER, @kind TEXT, #text INTEGER)",
        "1 1 'x' 1 1", "1 3 NULL 2 2", "3 1 NULL 3 3",
      ])
    let joined = """
      SELECT "@name", p."#text" FROM person JOIN person_phone AS p ON "#parent" = "#row"
      """
    #expect(try tables.query(joined) == [["a", 1], ["a", 2], ["c", 3]])
    let again = try tables.written()
    #expect(try again.dump() == tables.dump())
    #expect(
      try tables.text.contains(
        #"<phone kind="x">1</phone><mail>m</mail><phone>2</phone></person>"#))
    try again.provider.execute(
      "INSERT INTO person_phone (\"#parent\", \"#text\") VALUES (2, 9), (1, 8)")
    try again.provider.persist()
    #expect(
      try again.text.contains(
        #"<phone>2</phone><phone>8</phone></person><person name="b"><phone>9</phone></person>"#))
    try again.provider.database().writeWithoutTransaction { connection in
      try connection.setOption(.foreignKeys, on: false)
      try connection.execute("DELETE FROM person WHERE \"@name\" = 'b'")
    }
    let error = expectProviderError(.unrepresentable) { try again.provider.persist() }
    #expect(error?.table == "person_phone" && error?.column == "#parent")
  }

  @Test func `have a table for each kind of repeating element`() throws {
    let tables = try XMLTables(
      """
      <export><customers><customer id="1"/><customer id="2"/></customers>
      <orders><order id="7"><line n="1"/><line n="2"/></order><order id="8"/></orders></export>
      """)
    let dump = try tables.dump()
    #expect(
      dump == [
        "customer(@id INTEGER)", "1 1", "2 2",
        "order(@id INTEGER, #row INTEGER)", "7 1 1", "8 2 2",
        "order_line(#parent INTEGER, #position INTEGER, @n INTEGER)", "1 1 1 1", "1 2 2 2",
      ])
    #expect(try tables.written().dump() == tables.dump())
  }

  @Test func `keep the order of alternating elements`() throws {
    let text =
      #"<svg xmlns="http://www.w3.org/2000/svg" width="5"><rect x="1"/><circle r="2"/><rect x="3"/><g id="q"/><circle r="4"/></svg>"#
    let tables = try XMLTables(text)
    #expect(
      try tables.query(
        "SELECT \"#position\", \"@x\" FROM rect ORDER BY 1") == [[1, 1], [3, 3]])
    #expect(try tables.query("SELECT \"#position\", \"@r\" FROM circle") == [[2, 2], [5, 4]])
    _ = try tables.written()
    #expect(try tables.text.hasSuffix(text + "\n"))
    try tables.provider.execute("INSERT INTO rect (\"@x\") VALUES (9)")
    try tables.provider.execute("DELETE FROM circle WHERE \"@r\" = 2")
    try tables.provider.persist()
    #expect(
      try tables.text.contains(
        #"<rect x="1"/><g id="q"/><rect x="3"/><circle r="4"/><rect x="9"/></svg>"#))
  }

  @Test func `keep mixed content as XML texts`() throws {
    let text = """
      <list>
        <entry id="1"><p>plain &amp; simple</p></entry>
        <entry id="2"><p>with <b>bold</b> <i>words</i><!-- and this --></p></entry>
      </list>
      """
    let tables = try XMLTables(text)
    #expect(
      try tables.query("SELECT \"p/#xml\" FROM entry") == [
        ["plain &amp; simple"], ["with <b>bold</b> <i>words</i><!-- and this -->"],
      ])
    #expect(try tables.written().dump() == tables.dump())
    try tables.provider.execute("UPDATE entry SET \"p/#xml\" = 'a <b>' WHERE \"@id\" = 1")
    let error = expectProviderError(.unrepresentable) { try tables.provider.persist() }
    #expect(error?.column == "p/#xml")
  }

  @Test func `with only mixed content are one row`() throws {
    let tables = try XMLTables("<p>some <b>bold</b> text and <b>more</b></p>")
    let dump = try tables.dump()
    #expect(
      dump == ["p(#xml TEXT)", "'some <b>bold</b> text and <b>more</b>' 1"])
    #expect(try tables.written().dump() == tables.dump())
  }

  @Test(arguments: [
    (
      "<people><person id=\"1\"><name>Ada</name><age>36</age></person></people>",
      ["person(@id INTEGER PRIMARY KEY, name TEXT, age INTEGER)", "1 'Ada' 36 1"]
    ),
    ("<empty>  </empty>", ["empty(#text TEXT)", "'  ' 1"]),
    (
      "<config><host>x</host><port>80</port></config>",
      ["config(host TEXT, port INTEGER)", "'x' 80 1"]
    ),
    ("<a><b>text</b></a>", ["b(#text TEXT)", "'text' 1"]),
    ("<a><b/><b/></a>", ["b(#text TEXT)", "NULL 1", "NULL 2"]),
    ("<a><b/><b></b><b>x</b></a>", ["b(#text TEXT)", "NULL 1", "'' 2", "'x' 3"]),
    ("<empty/>", []),
    (
      "<feed><title>x</title><entry><id>1</id></entry></feed>",
      ["entry(id INTEGER)", "1 1"]
    ),
  ])
  func `with few elements`(_ text: String, _ expected: [String]) throws {
    let tables = try XMLTables(text)
    let dump = try tables.dump().map { $0.replacing(" PRIMARY KEY", with: "") }
    #expect(dump == expected.map { $0.replacing(" PRIMARY KEY", with: "") })
    #expect(try tables.written().dump() == tables.dump())
  }

  @Test func `keep prefixes and declared namespaces`() throws {
    let text = """
      <rss xmlns:media="urn:m" version="2.0"><channel><title>News</title><link>http://x/?a=1&amp;b=2</link>\
      <item><title>One</title><media:thumb url="u" media:w="3"/><category>a</category><category>b</category></item>\
      <item><title>Two</title><x:y xmlns:x="urn:x">7</x:y></item></channel></rss>
      """
    let tables = try XMLTables(text)
    let dump = try tables.dump()
    #expect(
      dump == [
        "item(title TEXT, media:thumb/@url TEXT, media:thumb/@media:w INTEGER, x:y INTEGER, #row INTEGER)",
        "'One' 'u' 3 NULL 1 1", "'Two' NULL NULL 7 2 2",
        "item_category(#parent INTEGER, #position INTEGER, #text TEXT)", "1 3 'a' 1",
        "1 4 'b' 2",
      ])
    #expect(try tables.written().dump() == tables.dump())
    let again = try tables.text
    #expect(again == "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\(text)\n")
  }

  @Test(arguments: XMLDocumentSamples.all)
  func `of common kinds are read back unchanged`(_ sample: XMLDocumentSamples) throws {
    let tables = try XMLTables(sample.text)
    #expect(try tables.provider.read { try $0.tables().map(\.name.name) } == sample.tables)
    let again = try tables.written()
    #expect(try again.dump() == tables.dump())
    let first = try again.text
    #expect(try again.written().text == first)
  }

  @Test func `have the rows, types and keys in the options`() throws {
    let options = XMLProvider.Options(
      rows: ["offer"], columnTypes: ["offer": ["zip": .text, "sum": .real]],
      primaryKeys: ["offer": "zip"])
    let text =
      "<a><meta/><meta/><b><offer><zip>123</zip><sum>5</sum></offer></b></a>"
    let tables = try XMLTables(text, options)
    #expect(try tables.dump().last == "'123' 5.0 1")
    #expect(try tables.query("SELECT count(*) FROM pragma_table_list WHERE name = 'meta'") == [[0]])
    let byPath = try XMLTables(text, XMLProvider.Options(rows: ["a/b/offer"]))
    #expect(try byPath.dump() == ["offer(zip INTEGER, sum INTEGER)", "123 5 1"])
    let wrong = XMLProvider.Options(columnTypes: ["b": ["c": .integer]])
    let error = expectProviderError(.unrepresentable) {
      _ = try XMLTables("<a>\n<b><c>1</c></b>\n<b><c>x</c></b></a>", wrong)
    }
    #expect(error?.position?.line == 3 && error?.table == "b" && error?.column == "c")
    #expect(error?.file?.hasSuffix(".xml") == true)
  }

  @Test(arguments: [
    "CREATE TABLE new (a)", "CREATE VIEW v AS SELECT 1", "UPDATE b SET c = x'00'",
    "UPDATE b SET c = char(1)", "ALTER TABLE b ADD COLUMN \"a b\"",
    "CREATE UNIQUE INDEX i ON b (c)", "UPDATE b SET c = 9e999",
    "CREATE TRIGGER t AFTER INSERT ON b BEGIN SELECT 1; END",
  ])
  func `refuse unsupported content and keep the file`(_ change: String) throws {
    let text = "<a><b><c>1</c></b><b><c>2</c></b></a>"
    let tables = try XMLTables(text)
    try tables.provider.execute(SQL(unsafe: change))
    if change.contains("ADD COLUMN") { try tables.provider.execute("UPDATE b SET \"a b\" = 1") }
    let error = expectProviderError(.unrepresentable) { try tables.provider.persist() }
    #expect(error?.message.contains("XMLProvider.Options.writesDatabases") == true)
    #expect(try tables.text == text)
    // Holt's document layout represents it.
    let provider = XMLProvider(options: XMLProvider.Options(writesDatabases: true))
    try provider.openSource(atPath: tables.path)
    try provider.execute(SQL(unsafe: change))
    try provider.persist()
    try provider.closeSource()
    let again = try XMLTables(Array(Data(contentsOf: URL(fileURLWithPath: tables.path))))
    #expect(try again.provider.tableExists("b"))
  }

  @Test func `in UTF-16 and ISO-8859-1 are read, and written in UTF-8`() throws {
    let text = "<?xml version=\"1.0\"?><a><b>é</b><b>ü</b></a>"
    let wide: [UInt8] = [0xFF, 0xFE] + text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    let narrow = text.replacing("?>", with: " encoding=\"ISO-8859-1\"?>").unicodeScalars
      .map { UInt8($0.value) }
    for bytes in [wide, narrow] {
      let tables = try XMLTables(bytes)
      #expect(try tables.query("SELECT * FROM b") == [["é"], ["ü"]])
      #expect(try tables.written().query("SELECT * FROM b") == [["é"], ["ü"]])
      #expect(try tables.text.contains("encoding=\"UTF-8\""))
    }
  }

  @Test func `with a late structural change are read as if it had been known`() throws {
    let text = String(repeating: "x", count: 3_000)
    let filler = String(repeating: "<row><a>1</a><b>\(text)</b></row>", count: 200)
    let late: [(String, String)] = [
      ("<row><a>1</a><a>2</a></row>", "row_a"), ("<row><a>x <i>y</i></a></row>", "row"),
      ("<row><a>text</a></row>", "row"),
    ]
    for (end, table) in late {
      // Later than the examined beginning.
      let tables = try XMLTables("<t>\(filler)\(end)</t>")
      let early = try XMLTables("<t>\(end)\(filler)</t>")
      #expect(try tables.provider.tableExists(table))
      let sql = "SELECT name || ' ' || type FROM pragma_table_info('row') ORDER BY name"
      let (columns, others) = try (tables.query(sql), early.query(sql))
      #expect(columns == others)
      let count = "SELECT count(*) FROM row"
      #expect(try tables.query(count) == early.query(count))
    }
  }
}

/// Common kinds of documents.
struct XMLDocumentSamples: CustomTestStringConvertible, Sendable {
  let name: String
  let tables: [String]
  let text: String

  var testDescription: String { name }

  static let all = [
    XMLDocumentSamples(
      name: "Atom", tables: ["entry", "entry_link"],
      text: """
        <feed xmlns="http://www.w3.org/2005/Atom">
          <title>Example</title>
          <link href="http://example.org/"/>
          <entry>
            <title>One</title>
            <link href="http://example.org/1"/>
            <link rel="alternate" href="http://example.org/1a"/>
            <updated>2003-12-13T18:30:02Z</updated>
            <content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">A <b>b</b></div></content>
          </entry>
          <entry>
            <title>Two</title>
            <author><name>Ada</name></author>
          </entry>
        </feed>
        """),
    XMLDocumentSamples(
      name: "plist", tables: ["array", "integer", "key", "string"].sorted(),
      text: """
        <plist version="1.0">
          <dict>
            <key>a</key>
            <string>x</string>
            <key>b</key>
            <integer>1</integer>
            <key>c</key>
            <string/>
            <key>d</key>
            <integer>2</integer>
            <key>e</key>
            <array><real>1.5</real></array>
            <key>f</key>
            <array><real>2.5</real></array>
          </dict>
        </plist>
        """),
    XMLDocumentSamples(
      name: "KML", tables: ["Placemark"],
      text: """
        <kml xmlns="http://www.opengis.net/kml/2.2">
          <Document>
            <name>Places</name>
            <Style id="s"><LineStyle><color>ff</color></LineStyle></Style>
            <Placemark><name>A</name><Point><coordinates>1,2</coordinates></Point></Placemark>
            <Placemark><name>B</name><LookAt><longitude>1.25</longitude></LookAt></Placemark>
          </Document>
        </kml>
        """),
    XMLDocumentSamples(
      name: "points", tables: ["p"],
      text: #"<svg><g><p x="1" y="2.5"/><p x="3"/><p y=""/></g></svg>"#),
  ]
}
