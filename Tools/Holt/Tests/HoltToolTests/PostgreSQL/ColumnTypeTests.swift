import Primitives
import SQLiteCore
import Testing

@testable import HoltTool

@Suite struct `Types of columns in both databases` {
  struct Case: CustomTestStringConvertible, Sendable {
    let declared: String
    let server: String
    let back: String
    var testDescription: String { declared }
  }

  @Test(arguments: [
    Case(declared: "INTEGER", server: "bigint", back: "INTEGER"),
    Case(declared: "UNSIGNED BIG INT", server: "bigint", back: "INTEGER"),
    Case(declared: "int2", server: "smallint", back: "SMALLINT"),
    Case(declared: "double  precision", server: "double precision", back: "REAL"),
    Case(declared: "DECIMAL(10, 2)", server: "numeric(10,2)", back: "DECIMAL(10,2)"),
    Case(declared: "NUMERIC(20,4)", server: "numeric(20,4)", back: "DECIMAL TEXT"),
    Case(declared: "NUMERIC", server: "numeric", back: "DECIMAL TEXT"),
    Case(declared: "DECIMAL TEXT", server: "numeric", back: "DECIMAL TEXT"),
    Case(declared: "varchar(20)", server: "character varying(20)", back: "VARCHAR(20)"),
    Case(declared: "CLOB", server: "text", back: "TEXT"),
    Case(declared: "Boolean", server: "boolean", back: "BOOLEAN"),
    Case(declared: "DATETIME", server: "timestamp without time zone", back: "DATETIME"),
    Case(
      declared: "TIMESTAMP WITH TIME ZONE", server: "timestamp with time zone", back: "TIMESTAMPTZ"),
    Case(declared: "JSON TEXT", server: "json", back: "JSON"),
    Case(declared: "SPON INSTANT TEXT", server: "timestamp with time zone", back: "TIMESTAMPTZ"),
    Case(declared: "BLOB", server: "bytea", back: "BLOB"),
  ])
  func `correspond to each other`(_ expected: Case) throws {
    let type = try #require(ColumnType.sqlite(expected.declared) { [] })
    #expect(type.postgreSQLName == expected.server)
    #expect(ColumnType(postgreSQL: expected.server) == type)
    #expect(type.sqliteDeclaration == expected.back)
  }

  @Test(
    arguments: [
      ([], "text"), (["integer"], "bigint"), (["integer", "real"], "double precision"),
      (["text"], "text"),
      (["blob"], "bytea"), (["text", "integer"], nil), (["blob", "text"], nil),
    ] as [(Set<String>, String?)])
  func `without a declaration follow from the values`(_ classes: Set<String>, _ name: String?) {
    #expect(ColumnType.sqlite("") { classes }?.postgreSQLName == name)
    #expect(ColumnType.sqlite("ANY") { classes }?.postgreSQLName == name)
  }

  @Test func `have canonical bytes that depend on the value only`() throws {
    func bytes(_ type: ColumnType, _ value: SQLiteValue) throws -> [UInt8] {
      var bytes: [UInt8] = []
      type.appendCanonical(try type.dataValue(value), to: &bytes)
      return bytes
    }
    let decimal = ColumnType.numeric(precision: nil, scale: 0)
    for text in ["1.50", "+1.5", "15e-1", "0001.5000", "0.15E1"] {
      #expect(try bytes(decimal, .text(text)) == bytes(decimal, .real(1.5)), "\(text)")
    }
    #expect(try bytes(decimal, .text("-0.00")) == bytes(decimal, .integer(0)))
    #expect(try bytes(decimal, .text("1.51")) != bytes(decimal, .real(1.5)))
    #expect(
      try bytes(.timestamptz, .text("2026-01-01T00:30+01:00"))
        == bytes(.timestamptz, .text("2025-12-31 23:30:00.000Z")))
    #expect(
      try bytes(.uuid, .text("ABCDEF01-2345-6789-ABCD-EF0123456789"))
        == bytes(
          .uuid,
          .blob([
            0xAB, 0xCD, 0xEF, 1, 0x23, 0x45, 0x67, 0x89, 0xAB, 0xCD, 0xEF, 1, 0x23, 0x45, 0x67,
            0x89,
          ])))
    #expect(
      try bytes(.jsonb, .text(#"{"b":1.0, "a":[]}"#)) == bytes(.jsonb, .text(#"{"a": [ ],"b":1}"#)))
    #expect(try bytes(.json, .text("[1]")) != bytes(.json, .text("[ 1]")))
    #expect(try bytes(.text, .text("é")) != bytes(.text, .text("e\u{301}")))
  }

  @Test func `have a checksum that does not depend on the order of rows`() {
    let rows: [[UInt8]] = [[1], [2], [2], [3, 4]]
    var (a, b, fewer) = (TableChecksum(), TableChecksum(), TableChecksum())
    for row in rows { a.add(row) }
    for row in rows.reversed() { b.add(row) }
    for row in rows.dropFirst() { fewer.add(row) }
    #expect(a == b)
    // Equal rows don't cancel each other.
    var single = TableChecksum()
    for row in Set(rows) { single.add(row) }
    #expect(a != single && a.text != single.text)
    #expect(TableChecksum(rowCount: a.rowCount, text: a.text) == a)
    var first = TableChecksum()
    first.add(rows[0])
    #expect(first + fewer == a)
  }

  struct Time: CustomTestStringConvertible, Sendable {
    let text: String
    let date: String?
    let timestamp: String?
    let zoned: String?
    var testDescription: String { text }
  }

  @Test(arguments: [
    Time(text: "2026-02-28", date: "2026-02-28", timestamp: nil, zoned: nil),
    Time(text: "2026-02-29", date: nil, timestamp: nil, zoned: nil),
    Time(text: "2024-02-29T24:00", date: nil, timestamp: nil, zoned: nil),
    Time(text: "2024-02-29T23:59", date: nil, timestamp: "2024-02-29 23:59:00", zoned: nil),
    Time(
      text: "2024-02-29 23:59:59.120000000", date: nil, timestamp: "2024-02-29 23:59:59.12",
      zoned: nil),
    Time(text: "2024-02-29 23:59:59.1234567", date: nil, timestamp: nil, zoned: nil),
    Time(text: "2024-02-29 23:59:60", date: nil, timestamp: nil, zoned: nil),
    Time(text: "2024-02-29 23:30-01:00", date: nil, timestamp: nil, zoned: "2024-03-01 00:30:00Z"),
    Time(text: "2024-03-01 00:30Z", date: nil, timestamp: nil, zoned: "2024-03-01 00:30:00Z"),
    Time(text: "-0044-03-15", date: "-0044-03-15", timestamp: nil, zoned: nil),
    Time(text: "infinity", date: "infinity", timestamp: "infinity", zoned: "infinity"),
    Time(text: "yesterday", date: nil, timestamp: nil, zoned: nil),
    Time(text: "", date: nil, timestamp: nil, zoned: nil),
  ])
  func `read dates and times in one notation`(_ expected: Time) {
    #expect(CalendarText.date(expected.text) == expected.date)
    #expect(CalendarText.timestamp(expected.text) == expected.timestamp)
    #expect(CalendarText.timestampWithZone(expected.text) == expected.zoned)
  }
}

@Suite struct `Expressions in both databases` {
  private static let columns: [PortableTable.Column] = [
    .init(name: "n", type: .bigint), .init(name: "price", type: .numeric(precision: 8, scale: 2)),
    .init(name: "exact", type: .numeric(precision: nil, scale: 0)), .init(name: "t", type: .text),
    .init(name: "v", type: .varchar(5)), .init(name: "done", type: .boolean),
    .init(name: "day", type: .date), .init(name: "x y", type: .text, comparesBytes: false),
  ]

  @Test(arguments: [
    ("n >= 0", "((n >= 0))", "\"n\" >= 0"),
    ("n BETWEEN -1 AND 5", "((n >= '-1'::integer) AND (n <= 5))", "(\"n\" >= -1) AND (\"n\" <= 5)"),
    (
      "t IN ('a', 'it''s]', '\\')", "(t = ANY (ARRAY['a'::text, 'it''s]'::text, E'\\\\'::text]))",
      "\"t\" IN ('a', 'it''s]', '\\')"
    ),
    (
      "v NOT IN ('a')", "((v)::text <> ALL ((ARRAY['a'::character varying])::text[]))",
      "\"v\" NOT IN ('a')"
    ),
    (
      "price > 1.5 OR price IS NULL", "((price > 1.5) OR (price IS NULL))",
      "(\"price\" > 1.5) OR (\"price\" IS NULL)"
    ),
    (
      "NOT (n = 1 AND t <> 'x')", "(NOT ((n = 1) AND (t <> 'x'::text)))",
      "NOT ((\"n\" = 1) AND (\"t\" <> 'x'))"
    ),
    ("length(t) < n * 2 + 1", "(length(t) < ((n * 2) + 1))", "length(\"t\") < ((\"n\" * 2) + 1)"),
    (
      "substr(t, 1, 2) = v || '-'", "(substr(t, 1, 2) = ((v)::text || '-'::text))",
      "substr(\"t\", 1, 2) = (\"v\" || '-')"
    ),
    ("day >= '2026-01-01'", "(day >= '2026-01-01'::date)", "\"day\" >= '2026-01-01'"),
    ("\"x y\" = 'a'", "(\"x y\" = 'a'::text)", "\"x y\" = 'a'"),
  ])
  func `have one meaning`(_ sqlite: String, _ server: String, _ common: String) throws {
    let first = try #require(
      PortableExpressionParser.condition(sqlite, columns: Self.columns, isPostgreSQL: false))
    let second = try #require(
      PortableExpressionParser.condition(server, columns: Self.columns, isPostgreSQL: true))
    #expect(first == second)
    #expect(first.sql(forPostgreSQL: false) == common)
    // The result is read as the same expression again.
    for isPostgreSQL in [false, true] {
      let again = PortableExpressionParser.condition(
        first.sql(forPostgreSQL: isPostgreSQL), columns: Self.columns, isPostgreSQL: isPostgreSQL)
      #expect(again == first)
    }
  }

  @Test func `compare Booleans with the literals of each database`() throws {
    let condition = try #require(
      PortableExpressionParser.condition(
        "done IN (0, 1) AND done = 1", columns: Self.columns, isPostgreSQL: false))
    #expect(
      condition.sql(forPostgreSQL: true) == "(\"done\" IN (FALSE, TRUE)) AND (\"done\" = TRUE)")
    #expect(condition.sql(forPostgreSQL: false) == "(\"done\" IN (0, 1)) AND (\"done\" = 1)")
  }

  @Test(arguments: [
    "t LIKE 'a%'", "exact > 0", "t > 5", "n = '5'", "n", "n / 2 = 1", "day > 'x'", "upper(t) = 'A'",
    "\"x y\" < 'a'", "unknown = 1", "n IN (SELECT 1)", "substr(t, -1, 2) = 'a'", "random() > 0",
    "n = 1; DROP TABLE x", "n =", "(n = 1", "t GLOB 'a*'", "n = 0x10", "typeof(n) = 'integer'",
    "t = 'a' COLLATE NOCASE", "done > 0", "done = 2", "t || n = 'a'", "'open",
  ])
  func `that differ are refused`(_ sql: String) {
    #expect(
      PortableExpressionParser.condition(sql, columns: Self.columns, isPostgreSQL: false) == nil)
  }

  @Test(arguments: [
    "(t ~ 'a'::text)", "((n)::text = '5'::text)", "(t = ANY (ARRAY[t, (n)::text]))",
    "(\"x y\" >= 'a'::text)", "((t)::character varying(1) = 'a'::text)", "(N = 1)",
    "((price)::integer = 1)", "(day = CURRENT_DATE)", "(exact = (1)::numeric)",
  ])
  func `of PostgreSQL that differ are refused`(_ sql: String) {
    #expect(
      PortableExpressionParser.condition(sql, columns: Self.columns, isPostgreSQL: true) == nil)
  }
}
