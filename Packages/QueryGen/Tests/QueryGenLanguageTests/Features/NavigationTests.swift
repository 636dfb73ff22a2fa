import QueryGenDriver
import QueryGenLanguage
import QueryGenTestSupport
import SQLSemantics
import SQLSyntax
import Testing

/// The project of ``Shop`` with a query file that contains marks.
struct MarkedShop {
  let workspace: Workspace
  var host: LanguageHost
  let path: String
  let marked: MarkedText

  init(_ text: String) throws {
    workspace = try Shop.workspace()
    marked = MarkedText(text)
    path = "\(workspace.path)/Queries/Marked.sql"
    host = LanguageHost(workspace)
    host.open(path, text: marked.text, version: 1)
    host.finish()
  }

  func mark(_ number: Int) -> ByteOffset { marked.offsets[number - 1] }

  mutating func hover(_ number: Int) -> String? {
    let offset = mark(number)
    return (host.withProject(of: path) { $0.hover(path, at: offset) } ?? nil)?.markdown
  }

  /// The text and the file of each place that declares the object at a mark.
  mutating func declarations(_ number: Int) -> [String] {
    let offset = mark(number)
    let places =
      host.withProject(of: path) { project in
        project.object(path, at: offset).map { project.declarations(of: $0.object) } ?? []
      } ?? []
    return places.map(describe)
  }

  mutating func occurrences(_ number: Int) -> [String] {
    let offset = mark(number)
    let found =
      host.withProject(of: path) { project in
        project.object(path, at: offset).map { project.occurrences(of: $0.object) } ?? []
      } ?? []
    return found.map { describe($0.place) }
  }

  private func describe(_ place: FilePlace) -> String {
    let file = host.projects[workspace.path]?.file(place.path)
    let text = file.map { $0.source[place.span] } ?? ""
    let line = file.map { $0.source.lineTable().position(of: place.span.start).line } ?? 0
    return "\(workspace.short(place.path)):\(line) \(text)"
  }
}

@Suite struct `Hover` {
  struct Case: CustomTestStringConvertible, Sendable {
    let text: String, parts: [String]
    var testDescription: String { text }
  }

  @Test(arguments: [
    Case(
      text: "q: SELECT n①ame FROM customer;",
      parts: ["customer.name TEXT", "Swift type: `String`", "never `NULL`", "The full name."]),
    Case(text: "q: SELECT * FROM customer ORDER BY n①ame;", parts: ["customer.name TEXT"]),
    Case(text: "q: SELECT ema①il FROM customer;", parts: ["`String?`, may be `NULL`"]),
    Case(
      text: "q: SELECT c.n①ame FROM orders o LEFT JOIN customer c ON c.id = o.customer_id;",
      parts: ["`NULL` if the outer join finds no row of `c`"]),
    Case(
      text: "q: SELECT 1 FROM cust①omer;",
      parts: ["CREATE TABLE customer", "city TEXT", "A customer."]),
    Case(text: "q: SELECT 1 FROM customer AS ①c;", parts: ["An alias of `customer`"]),
    Case(text: "q: SELECT ①c.id FROM customer AS c;", parts: ["An alias of `customer`"]),
    Case(
      text: "q: SELECT sub①str(name, 1) FROM customer;",
      parts: ["substr(x, y[, z])", "A built-in function"]),
    Case(
      text: "q: SELECT 1 FROM customer WHERE id = :i①d;",
      parts: ["The parameter `:id`: INTEGER, never `NULL`", "`customer.id`"]),
    Case(
      text: "-- Counts.\nq①: SELECT count(*) FROM customer WHERE city = :city;",
      parts: ["q(city: String) -> Int", "Counts.", "exactly one row", "Reads `customer` (city)"]),
    Case(
      text: "q: INSERT INTO customer (name, city) VALUES :peo①ple;",
      parts: [
        "The parameter `:people`: a list of rows", "- `name`: TEXT, never `NULL`",
        "- `city`: TEXT, may be `NULL`",
      ]),
    Case(
      text: "q: INSERT INTO customer (name, city) VALUES (:per①son.*);",
      parts: ["The parameter `:person`: a row with the values"]),
    Case(
      text: "q: BEGIN DELETE FROM orders WHERE id = :id; UPDATE customer SET na①me = :id; END;",
      parts: ["customer.name TEXT"]),
    Case(
      text:
        "q: BEGIN DELETE FROM orders WHERE id = :i①d; DELETE FROM customer WHERE id = :id; END;",
      parts: ["The parameter `:id`: INTEGER, never `NULL`"]),
    Case(
      text: "q①: BEGIN DELETE FROM orders WHERE id = :id; SELECT name FROM customer; END;",
      parts: ["q(id: Int) -> [String]", "Reads `customer`"]),
    Case(
      text: "q: WITH t (a) AS (SELECT id FROM orders) SELECT a FROM ①t;",
      parts: ["The common table `t`", "- `a` INTEGER"]),
  ])
  func `describes the name`(_ expected: Case) throws {
    var shop = try MarkedShop(expected.text)
    let hover = shop.hover(1)
    let text = try #require(hover)
    for part in expected.parts { #expect(text.contains(part), "\(text)") }
  }

  @Test func `describes nothing in keywords, comments and strings`() throws {
    var shop = try MarkedShop("q: SEL①ECT 'cus②tomer' /* cust③omer */ FROM customer;")
    #expect(shop.hover(1) == nil)
    #expect(shop.hover(2) == nil)
    #expect(shop.hover(3) == nil)
  }
}

@Suite struct `Definitions` {
  @Test(arguments: [
    ("q: SELECT n①ame FROM customer;", ["Migrations/001_shop.sql:5 name"]),
    ("q: SELECT c①ity FROM customer;", ["Migrations/002_views.sql:1 city"]),
    ("q: SELECT 1 FROM or①ders;", ["Migrations/001_shop.sql:8 orders"]),
    ("q: SELECT 1 FROM open_or①ders;", ["Migrations/002_views.sql:2 open_orders"]),
    ("q: SELECT ①c.id FROM customer c;", ["Queries/Marked.sql:1 c"]),
    ("q: SELECT id AS x FROM customer ORDER BY ①x;", ["Queries/Marked.sql:1 x"]),
    ("q: WITH t AS (SELECT 1 AS a) SELECT ①a FROM t;", ["Queries/Marked.sql:1 a"]),
    ("q: WITH t AS (SELECT 1 AS a) SELECT a FROM ①t;", ["Queries/Marked.sql:1 t"]),
    ("q: WITH t (b) AS (SELECT 1) SELECT ①b FROM t;", ["Queries/Marked.sql:1 b"]),
    ("q: WITH t AS (SELECT id FROM orders) SELECT ①id FROM t;", ["Migrations/001_shop.sql:9 id"]),
    ("q: SELECT :x, :①x;", ["Queries/Marked.sql:1 :x"]),
    (
      "q: SELECT row_number() OVER ①w FROM customer WINDOW w AS (ORDER BY id);",
      ["Queries/Marked.sql:1 w"]
    ),
    ("q: INSERT INTO orders (sta①te) VALUES (1);", ["Migrations/001_shop.sql:11 state"]),
    ("q: UPDATE orders SET to①tal = 1;", ["Migrations/001_shop.sql:12 total"]),
    ("q: SELECT sum①(total) FROM orders;", []),
  ])
  func `are in migrations or in the statement`(_ text: String, _ places: [String]) throws {
    var shop = try MarkedShop(text)
    #expect(shop.declarations(1) == places)
  }
}

@Suite struct `References` {
  @Test func `of a column are in migrations, views, triggers and queries`() throws {
    var shop = try MarkedShop("q: SELECT st①ate FROM orders WHERE state = 'open';")
    #expect(
      shop.occurrences(1) == [
        "Migrations/001_shop.sql:11 state", "Migrations/001_shop.sql:11 state",
        "Migrations/002_views.sql:2 state", "Migrations/002_views.sql:3 state",
        "Queries/Marked.sql:1 state", "Queries/Marked.sql:1 state", "Queries/Order.sql:2 state",
      ])
  }

  @Test func `of an alias are only in its statement`() throws {
    var shop = try MarkedShop(
      "q: SELECT ①c.id, c.name FROM customer c;\nr: SELECT c.id FROM customer c;")
    #expect(
      shop.occurrences(1)
        == ["Queries/Marked.sql:1 c", "Queries/Marked.sql:1 c", "Queries/Marked.sql:1 c"])
  }

  @Test func `of NEW and excluded belong to the table's columns`() throws {
    var shop = try MarkedShop(
      """
      q: INSERT INTO customer (id, name) VALUES (1, 'x')
      ON CONFLICT (id) DO UPDATE SET name = excluded.na①me;
      """)
    #expect(shop.occurrences(1).filter { $0.hasPrefix("Queries/Marked.sql") }.count == 3)
  }

  @Test func `of a renamed table or column include those under earlier names`() throws {
    let workspace = try Workspace([
      "Migrations/1.sql": """
      CREATE TABLE person (id INTEGER PRIMARY KEY, nick TEXT);
      CREATE INDEX person_nick ON person (nick);
      """,
      "Migrations/2.sql": """
      ALTER TABLE person RENAME TO human;
      ALTER TABLE human RENAME COLUMN nick TO alias;
      CREATE TABLE person (id INTEGER PRIMARY KEY, nick TEXT);
      UPDATE human SET alias = '' WHERE id IN (SELECT id FROM person WHERE nick = '');
      """,
      "Migrations/3.sql": """
      ALTER TABLE human RENAME TO author;
      CREATE VIEW authors AS SELECT alias FROM author;
      """,
      "Queries/A.sql": "q: SELECT alias FROM author;\nr: SELECT nick FROM person;\n",
    ])
    var host = LanguageHost(workspace)
    func occurrences(_ file: String, _ text: String) throws -> [String] {
      let path = "\(workspace.path)/\(file)"
      let found = host.withProject(of: path) { project -> [String] in
        guard let source = project.file(path)?.source,
          let range = source.bytes.ranges(of: Array(text.utf8)).first,
          let (object, _) = project.object(path, at: ByteOffset(range.lowerBound))
        else { return [] }
        return project.occurrences(of: object).map { found in
          let source = project.file(found.place.path)?.source
          let line = source?.lineTable().position(of: found.place.span.start).line ?? 0
          return workspace.short(found.place.path).dropFirst(11).prefix(1) + "\(line) "
            + (source?[found.place.span] ?? "")
        }
      }
      return try #require(found)
    }
    let author = try occurrences("Queries/A.sql", "author")
    #expect(
      author == [
        "11 person", "12 person", "21 person", "21 human", "22 human", "24 human", "31 human",
        "31 author", "32 author", "q1 author",
      ])
    #expect(try occurrences("Migrations/1.sql", "person") == author)
    #expect(try occurrences("Migrations/2.sql", "human") == author)
    #expect(try occurrences("Queries/A.sql", "person") == ["23 person", "24 person", "q2 person"])
    let alias = try occurrences("Queries/A.sql", "alias")
    #expect(
      alias == ["11 nick", "12 nick", "22 nick", "22 alias", "24 alias", "32 alias", "q1 alias"])
    #expect(try occurrences("Migrations/1.sql", "nick") == alias)
  }

  @Test func `of a rebuilt table include those of the table that it replaces`() throws {
    for rebuild in [
      """
      CREATE TABLE t2 (id INTEGER PRIMARY KEY, a TEXT);
      INSERT INTO t2 SELECT id, a FROM t;
      DROP TABLE t;
      ALTER TABLE t2 RENAME TO t;
      """,
      """
      ALTER TABLE t RENAME TO t2;
      CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT);
      INSERT INTO t SELECT id, a FROM t2;
      DROP TABLE t2;
      """,
    ] {
      let workspace = try Workspace([
        "Migrations/1.sql": "CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER);\n",
        "Migrations/2.sql": rebuild, "Queries/A.sql": "q: SELECT a FROM t;\n",
      ])
      var host = LanguageHost(workspace)
      let path = "\(workspace.path)/Queries/A.sql"
      let counts = host.withProject(of: path) { project in
        [10, 17].map { offset in
          project.object(path, at: ByteOffset(offset)).map { object, _ in
            Dictionary(grouping: project.occurrences(of: object), by: \.place.path)
              .sorted { $0.key < $1.key }.map(\.value.count)
          } ?? []
        }
      }
      #expect(counts == [[1, 2, 1], [1, 6, 1]])
    }
  }

  @Test func `and definitions agree`() throws {
    // Each occurrence of an object has the same definition, and is found from every other one.
    let workspace = try Shop.workspace()
    var host = LanguageHost(workspace)
    for path in host.paths {
      let spans =
        host.withProject(of: path) { project in
          project.trace(path).entries.flatMap(\.trace.references).map(\.span)
        } ?? []
      for span in spans {
        host.withProject(of: path) { project in
          guard let (object, _) = project.object(path, at: span.start) else { return }
          let occurrences = project.occurrences(of: object)
          #expect(
            occurrences.contains { $0.place == FilePlace(path: path, span: span) },
            "\(workspace.short(path)) \(span.range)")
        }
      }
    }
  }
}
