import QueryModel
import SQLSyntax
import Testing

@testable import SQLSemantics

@Suite struct `Comments of columns` {
  private func columns(
    _ sql: String, warnings: Int = 0, sourceLocation: SourceLocation = #_sourceLocation
  ) -> [String: QueryModel.ColumnDefinition] {
    var catalog = Catalog()
    var diagnostics = DiagnosticList()
    let source = SourceText(sql)
    for entry in Parser.parseScript(source, diagnostics: &diagnostics).statements {
      catalog.apply(entry.statement, source: source, diagnostics: &diagnostics)
    }
    #expect(
      diagnostics.diagnostics.map(\.identity)
        == Array(repeating: .malformedAnnotation, count: warnings), sourceLocation: sourceLocation)
    let all = catalog.tables().flatMap(\.columns)
    return Dictionary(all.map { ($0.name, $0) }) { first, _ in first }
  }

  @Test func `set the columns' types and documentation`() {
    let found = columns(
      """
      CREATE TABLE t (
        -- Which one it is.
        -- AS UUID
        id TEXT PRIMARY KEY, -- Never changes.
        price INTEGER /* AS Price USING CentsFormat */ NOT NULL,
        tags TEXT NOT NULL -- AS [String: [Int]]; as JSON
        , made TEXT DEFAULT '-- AS Date', /* When it was made.
          * In local time. */

        -- About nothing.

        a INT, b INT -- Two on a line.
        , UNIQUE (a) -- About the key.
        -- About no column.
      );
      """)
    #expect(found["id"]?.annotation == ColumnAnnotation(type: "UUID"))
    #expect(found["id"]?.documentation == "Which one it is.\nNever changes.")
    #expect(found["price"]?.annotation == ColumnAnnotation(type: "Price", format: "CentsFormat"))
    #expect(found["price"]?.documentation == nil)
    #expect(found["tags"]?.annotation == ColumnAnnotation(type: "[String: [Int]]"))
    #expect(found["tags"]?.documentation == "as JSON")
    #expect(found["made"]?.annotation == nil)
    #expect(found["made"]?.documentation == "When it was made.\nIn local time.")
    #expect(found["a"]?.documentation == nil)
    #expect(found["b"]?.documentation == "Two on a line.")
  }

  @Test func `are preserved when the table is altered`() {
    let found = columns(
      """
      CREATE TABLE t (
        a TEXT, -- AS A
        b TEXT, -- AS B
        c TEXT -- AS C
      );
      ALTER TABLE t DROP COLUMN a;
      ALTER TABLE t RENAME COLUMN b TO d;
      ALTER TABLE t ADD COLUMN e TEXT; -- AS E
      ALTER TABLE t ADD COLUMN f TEXT NOT NULL DEFAULT '' /* AS F */;
      ALTER TABLE t RENAME TO u;
      """)
    #expect(found["c"]?.annotation?.type == "C")
    #expect(found["d"]?.annotation?.type == "B")
    #expect(found["e"]?.annotation?.type == "E")
    #expect(found["f"]?.annotation?.type == "F")
  }

  @Test(arguments: [
    "AS uuid", "AS the name says", "AS Two Words", "AS [String", "AS A USING", "AS A, B", "AS A.",
    "AS Dictionary<A,>", "AS A USING b",
  ])
  func `that are malformed annotations cause a warning`(_ comment: String) {
    let found = columns("CREATE TABLE t (a TEXT -- \(comment)\n)", warnings: 1)
    #expect(found["a"]?.annotation == nil)
  }

  @Test(
    arguments: [
      ("a TEXT CHECK (a IN ('x', 'y', 'x'))", ["x", "y"]),
      ("a TEXT CHECK (a IS NULL OR a IN ('x') OR 'y' = a)", ["x", "y"]),
      ("a TEXT NOT NULL CHECK (length(a) < 3 AND (t.a IN ('x', 'y')))", ["x", "y"]),
      ("a TEXT, CHECK (a IN ('x', 'y'))", ["x", "y"]),
      ("a TEXT CHECK (a NOT IN ('x'))", []),
      ("a TEXT CHECK (a IN ('x', b)), b TEXT", []),
      ("a TEXT CHECK (a IN ('x') OR b = 'y'), b TEXT", []),
      ("a TEXT COLLATE NOCASE CHECK (a IN ('x'))", []),
      ("a INTEGER CHECK (a IN ('x'))", []),
      ("a TEXT CHECK (a IN (1, 2))", []),
      ("a TEXT CHECK (lower(a) IN ('x'))", []),
    ] as [(String, [String])])
  func `are not needed if a constraint lists the allowed values`(
    _ definition: String, _ texts: [String]
  ) {
    #expect(
      columns("CREATE TABLE t (\(definition))")["a"]?.allowed
        == (texts.isEmpty ? nil : AllowedValues(.texts(texts))))
  }

  @Test(
    arguments: [
      ("a INTEGER CHECK (a IN (1, -2, +3, 1))", [1, -2, 3]),
      ("a INT CHECK (a = 0x10 OR a IS NULL OR (20) = a)", [16, 20]),
      ("a INTEGER CHECK (a IN (1, 'x'))", nil), ("a INTEGER CHECK (a IN (1, 2.0))", nil),
      ("a REAL CHECK (a IN (1, 2))", nil), ("a CHECK (a IN (1, 2))", nil),
      ("a INTEGER CHECK (a BETWEEN 1 AND 3)", nil),
    ] as [(String, [Int64]?)])
  func `record the integers that a constraint lists`(_ definition: String, _ integers: [Int64]?) {
    #expect(
      columns("CREATE TABLE t (\(definition))")["a"]?.allowed
        == integers.map { AllowedValues(.integers($0)) })
  }

  @Test func `name the values that a constraint lists`() {
    let sql = """
      CREATE TABLE t (
        a INTEGER CHECK (a IN (3, 1)), -- AS ENUM high , low; as in sales
        b TEXT NOT NULL, -- AS ENUM yes, no
        CHECK (b IN ('y', 'n')));
      ALTER TABLE t ADD COLUMN c INTEGER CHECK (c = 1 OR c = 2); -- AS ENUM first, second
      ALTER TABLE t RENAME TO u;
      ALTER TABLE u RENAME COLUMN a TO rank;
      """
    let found = columns(sql)
    #expect(found["rank"]?.allowed == AllowedValues(.integers([3, 1]), names: ["high", "low"]))
    #expect(found["rank"]?.documentation == "as in sales")
    #expect(found["b"]?.allowed == AllowedValues(.texts(["y", "n"]), names: ["yes", "no"]))
    #expect(found["c"]?.allowed == AllowedValues(.integers([1, 2]), names: ["first", "second"]))
  }

  @Test(arguments: [
    "a INTEGER CHECK (a IN (1, 2)) -- AS ENUM one", "a INTEGER -- AS ENUM one, two",
    "a INTEGER CHECK (a IN (1, 2)) -- AS ENUM one, one",
    "a INTEGER CHECK (a IN (1, 2)) -- AS ENUM one two",
    "a INTEGER CHECK (a IN (1, 2)) -- AS ENUM 1, 2",
    "a INTEGER CHECK (a IN (1, 2)) -- AS ENUM one,",
  ])
  func `cause a warning if the names don't match the values`(_ definition: String) {
    let found = columns("CREATE TABLE t (\(definition)\n)", warnings: 1)
    #expect(found["a"]?.allowed?.names ?? [] == [])
  }
}
