import Foundation
import PostgreSQL
import Testing

/// A value in SQL, in the form of this package, and in the form that all engines share.
private struct Case: CustomTestStringConvertible, Sendable {
  let sql: String
  let value: PostgreSQLValue
  let data: DataValue

  init(_ sql: String, _ value: PostgreSQLValue, _ data: DataValue? = nil) {
    self.sql = sql
    self.value = value
    self.data = data ?? value.dataValue
  }

  var testDescription: String { sql }
}

private let infinity = Double.infinity

private let cases: [Case] = [
  Case("true", .bool(true)), Case("false", .bool(false)), Case("NULL::int", .null),
  Case("32767::int2", .integer(32_767)), Case("(-32768)::int2", .integer(-32_768)),
  Case("2147483647::int4", .integer(2_147_483_647)),
  Case("(-2147483648)::int4", .integer(-2_147_483_648)),
  Case("9223372036854775807::int8", .integer(.max)),
  Case("(-9223372036854775808)::int8", .integer(.min)),
  Case("4294967295::oid", .integer(4_294_967_295)),
  Case("0.1::float8", .real(0.1)), Case("'-0'::float8", .real(-0.0)),
  Case("'Infinity'::float8", .real(infinity)),
  Case("5e-324::float8", .real(.leastNonzeroMagnitude)),
  Case("0.5::float4", .real(0.5)),
  Case("0::numeric", .decimal("0")), Case("0.00::numeric", .decimal("0.00")),
  Case("1::numeric", .decimal("1")), Case("(-1.5)::numeric", .decimal("-1.5")),
  Case("10000::numeric", .decimal("10000")), Case("9999::numeric", .decimal("9999")),
  Case("100000000::numeric", .decimal("100000000")), Case("0.0001::numeric", .decimal("0.0001")),
  Case("0.00001::numeric", .decimal("0.00001")),
  Case("1e-20::numeric", .decimal("0.00000000000000000001")),
  Case(
    "12345678901234567890123456789.123456789::numeric",
    .decimal("12345678901234567890123456789.123456789")),
  Case("1000000.50::numeric(12,2)", .decimal("1000000.50")),
  Case("1e30::numeric", .decimal("1" + String(repeating: "0", count: 30))),
  Case("'NaN'::numeric", .decimal("NaN")), Case("'-Infinity'::numeric", .decimal("-Infinity")),
  Case("''::text", .text("")), Case("'ä€😀'::text", .text("ä€😀")),
  Case("'abc'::varchar(10)", .text("abc")),
  Case("'ab'::char(4)", .text("ab  ")), Case("'x'::name", .text("x")),
  Case("'y'::\"char\"", .text("y")),
  Case("'<a/>'::xml", .text("<a/>")),
  Case("'\\x00ff10'::bytea", .blob([0, 255, 16])), Case("''::bytea", .blob([])),
  Case("'{\"b\": 1.50, \"a\": [1]}'::json", .scalar(.json("{\"b\": 1.50, \"a\": [1]}"))),
  Case("'{\"b\": 1.50}'::jsonb", .scalar(.json("{\"b\": 1.50}"))),
  Case(
    "'00112233-4455-6677-8899-aabbccddeeff'::uuid",
    .scalar(.uuid("00112233-4455-6677-8899-aabbccddeeff"))),
  Case("'2026-11-21'::date", .scalar(.date("2026-11-21"))),
  Case("'2000-01-01'::date", .scalar(.date("2000-01-01"))),
  Case("'1999-12-31'::date", .scalar(.date("1999-12-31"))),
  Case("'4713-01-01 BC'::date", .scalar(.date("-4712-01-01"))),
  Case("'5874897-12-31'::date", .scalar(.date("5874897-12-31"))),
  Case("'infinity'::date", .scalar(.date("infinity"))),
  Case("'-infinity'::date", .scalar(.date("-infinity"))),
  Case("'14:37:29.125'::time", .scalar(.time("14:37:29.125"))),
  Case("'24:00'::time", .scalar(.time("24:00:00"))),
  Case("'14:37:29+02'::timetz", .scalar(.time("14:37:29+02:00"))),
  Case("'14:37:29.000001-05:30'::timetz", .scalar(.time("14:37:29.000001-05:30"))),
  Case("'2026-11-21 14:37:29.125'::timestamp", .scalar(.timestamp("2026-11-21 14:37:29.125"))),
  Case(
    "'1969-12-31 23:59:59.999999'::timestamp", .scalar(.timestamp("1969-12-31 23:59:59.999999"))),
  Case("'0044-03-15 BC'::timestamp", .scalar(.timestamp("-0043-03-15 00:00:00"))),
  Case("'infinity'::timestamp", .scalar(.timestamp("infinity"))),
  Case(
    "'2026-11-21 14:37:29.125+01'::timestamptz",
    .scalar(.timestampWithZone("2026-11-21 13:37:29.125Z"))),
  Case("'-infinity'::timestamptz", .scalar(.timestampWithZone("-infinity"))),
  Case(
    "'1 year 2 mons 3 days 04:05:06.5'::interval",
    .interval(PostgreSQLInterval(months: 14, days: 3, microseconds: 14_706_500_000)),
    .text("P1Y2M3DT4H5M6.5S")),
  Case(
    "'-1 mons +1 day -00:00:01'::interval",
    .interval(PostgreSQLInterval(months: -1, days: 1, microseconds: -1_000_000)),
    .text("P-1M1DT-1S")),
  Case("'0'::interval", .interval(PostgreSQLInterval()), .text("PT0S")),
  Case(
    "ARRAY[1, NULL, 3]::int[]", .array([.integer(1), .null, .integer(3)]),
    DataValue.array([1, nil, 3])),
  Case("'{}'::text[]", .array([])),
  Case(
    "ARRAY[[1, 2], [3, 4], [5, 6]]::int8[]",
    .array([
      .array([.integer(1), .integer(2)]), .array([.integer(3), .integer(4)]),
      .array([.integer(5), .integer(6)]),
    ])),
  Case("ARRAY['a', '']::text[]", .array([.text("a"), .text("")])),
  Case(
    "ROW(1, 'a'::text, NULL::text, 2.50::numeric)",
    .record([.integer(1), .text("a"), .null, .decimal("2.50")])),
  Case(
    "ARRAY(SELECT ROW(i, ARRAY[i]) FROM generate_series(1, 2) i)",
    .array([
      .record([.integer(1), .array([.integer(1)])]), .record([.integer(2), .array([.integer(2)])]),
    ])),
  Case(
    "'[1,5]'::int4range", .range(PostgreSQLRange(lower: .integer(1), upper: .integer(6))),
    .text("[1,6)")),
  Case(
    "'(,2026-01-01]'::tsrange",
    .range(
      PostgreSQLRange(
        lower: nil, upper: .scalar(.timestamp("2026-01-01 00:00:00")), includesLower: false,
        includesUpper: true)),
    .text("(,\"2026-01-01 00:00:00\"]")),
  Case("'empty'::numrange", .range(.empty), .text("empty")),
  Case(
    "'{[1,3),[5,7)}'::int8multirange",
    .multirange([
      PostgreSQLRange(lower: .integer(1), upper: .integer(3)),
      PostgreSQLRange(lower: .integer(5), upper: .integer(7)),
    ]),
    .text("{[1,3),[5,7)}")),
  Case(
    "'192.168.0.1'::inet", .other(PostgreSQLType(rawValue: 869), [2, 32, 0, 4, 192, 168, 0, 1])),
]

@Suite(.needsServer, .timeLimit(.minutes(2))) struct `Values` {
  @Test func `of every type are read and written without loss`() async throws {
    try await withDatabase { (database) async throws -> Void in
      for test in cases {
        let query = PostgreSQLQuery(unsafe: "SELECT \(test.sql)")
        let read = try await database.value(PostgreSQLValue.self, query)
        #expect(read == test.value, "\(test.sql)")
        #expect(try await database.value(DataValue.self, query) == test.data, "\(test.sql)")
        guard test.sql.hasPrefix("ROW") == false, !test.sql.contains("SELECT") else { continue }
        // The parameter has the type of the expression.
        let same = PostgreSQLQuery(
          unsafe:
            "SELECT x, coalesce(x::text, '') FROM (SELECT CASE WHEN true THEN $1 ELSE \(test.sql) END AS x) q"
        )
        let text = try await database.value(
          String.self, PostgreSQLQuery(unsafe: "SELECT coalesce((\(test.sql))::text, '')"))
        let written = try await database.fetchOne(Pair.self, same, test.value)
        #expect(written?.value == test.value, "\(test.sql)")
        #expect(written?.text == text, "\(test.sql)")
        if case .scalar = test.value {
          #expect(
            try await database.fetchOne(Pair.self, same, test.data)?.value == test.value,
            "\(test.sql)")
        }
      }
    }
  }

  private struct Pair: PostgreSQLRowDecodable {
    let value: PostgreSQLValue
    let text: String

    init(row: borrowing PostgreSQLRow) throws(PostgreSQLError) {
      value = try row.read(at: 0)
      text = try row.read(at: 1)
    }
  }

  enum Mood: String, PostgreSQLConvertible, Equatable { case sad, happy }

  @Test func `of types that the database defines are read and written`() async throws {
    try await withDatabase { (database) async throws -> Void in
      try await database.execute(
        """
        CREATE TYPE mood AS ENUM ('sad', 'happy');
        CREATE DOMAIN positive AS int CHECK (VALUE > 0);
        CREATE DOMAIN very_positive AS positive CHECK (VALUE > 10);
        CREATE TYPE point3 AS (x int, y float8, m mood, p positive);
        CREATE TYPE moods AS RANGE (subtype = float8);
        CREATE TABLE t (m mood, p positive, v very_positive, c point3, ms mood[], ps positive[], cs point3[], r moods);
        INSERT INTO t VALUES ('happy', 1, 11, (1, 2.5, 'sad', 3), '{sad,happy}', '{1,2}',
          ARRAY[(1, 2, 'sad', 3)::point3], '[0.5,1.5]');
        """)
      #expect(try await database.value(Mood.self, "SELECT m FROM t") == .happy)
      #expect(try await database.value(Int.self, "SELECT p FROM t") == 1)
      #expect(try await database.value(Int.self, "SELECT v FROM t") == 11)
      let point: PostgreSQLValue = .record([.integer(1), .real(2.5), .text("sad"), .integer(3)])
      #expect(try await database.value(PostgreSQLValue.self, "SELECT c FROM t") == point)
      #expect(try await database.value([Mood].self, "SELECT ms FROM t") == [.sad, .happy])
      #expect(try await database.value([Int].self, "SELECT ps FROM t") == [1, 2])
      #expect(
        try await database.value(PostgreSQLRange<Double>.self, "SELECT r FROM t")
          == PostgreSQLRange(lower: 0.5, upper: 1.5, includesUpper: true))
      #expect(
        try await database.value(PostgreSQLValue.self, "SELECT ARRAY(SELECT ROW(m, p, ms) FROM t)")
          == .array([
            .record([.text("happy"), .integer(1), .array([.text("sad"), .text("happy")])])
          ]))
      let changes = try await database.run(
        "UPDATE t SET m = $1, p = $2, c = $3, ms = $4, ps = $5, cs = $6, r = $7, v = $8", Mood.sad,
        5,
        point, [Mood.happy], [7, 8], PostgreSQLValue.array([point, .null]),
        PostgreSQLRange(lower: 1.0, upper: nil), 12)
      #expect(changes.count == 1)
      #expect(
        try await database.value(String.self, "SELECT t::text FROM t")
          == #"(sad,5,12,"(1,2.5,sad,3)",{happy},"{7,8}","{""(1,2.5,sad,3)"",NULL}","[1,)")"#)
      let error = await postgreSQLError { try await database.run("UPDATE t SET p = $1", -1) }
      #expect(error?.code == .checkViolation)
      #expect(error?.constraint == "positive_check")
    }
  }

  @Test func `of Foundation's types are read and written`() async throws {
    try await withDatabase { (database) async throws -> Void in
      let date = Date(timeIntervalSince1970: 1_795_271_849.125)
      #expect(try await database.value(Date.self, "SELECT $1::timestamptz", date) == date)
      #expect(
        try await database.value(
          String.self, "SELECT ($1::timestamptz AT TIME ZONE 'UTC')::text", date)
          == "2026-11-21 14:37:29.125")
      #expect(try await database.value(Date.self, "SELECT $1::timestamp", date) == date)
      let id = UUID()
      #expect(try await database.value(UUID.self, "SELECT $1::uuid", id) == id)
      #expect(
        try await database.value(String.self, "SELECT $1::uuid::text", id)
          == id.uuidString.lowercased())
      let data = Data([0, 1, 255])
      #expect(try await database.value(Data.self, "SELECT $1::bytea", data) == data)
      #expect(
        try await database.value([UInt8].self, "SELECT $1::bytea", [0, 1, 255] as [UInt8]) == [
          0, 1, 255,
        ])
      for text in [
        "0", "-12.50", "0.000001", "99999999999999999999999999999999999999", "123456789.987654321",
      ] {
        let decimal = try #require(Decimal(string: text))
        #expect(try await database.value(Decimal.self, "SELECT $1::numeric", decimal) == decimal)
      }
      #expect(try await database.value(Decimal.self, "SELECT 7::int8") == 7)
      struct Details: Codable, Equatable, Sendable { var tags: [String] }
      let details = PostgreSQLJSON(Details(tags: ["a", "ü"]))
      #expect(
        try await database.value(PostgreSQLJSON<Details>.self, "SELECT $1::jsonb", details)
          == details)
    }
  }

  @Test func `that do not fit throw errors without the value`() async throws {
    try await withDatabase { (database) async throws -> Void in
      let binding: [(PostgreSQLQuery, PostgreSQLError.Code)] = [
        ("SELECT \(70_000)::int2", .valueOutOfRange),
        ("SELECT \(Int64.max)::int4", .valueOutOfRange),
        ("SELECT \("77777x")::int", .typeMismatch), ("SELECT \(77_777)::text", .typeMismatch),
        ("SELECT \(1.5)::int", .valueOutOfRange), ("SELECT \(true)::int", .typeMismatch),
        ("SELECT \([1, 2])::int", .typeMismatch), ("SELECT \(1)::int[]", .typeMismatch),
        ("SELECT \(UInt64.max)::int8", .valueOutOfRange),
        ("SELECT \(1e300)::float4", .valueOutOfRange),
        ("SELECT \(DataValue.decimal("1x"))::numeric", .invalidText),
        ("SELECT \(DataValue.date("2026-02-30"))::date", .invalidText),
        ("SELECT \(DataValue.uuid("77777"))::uuid", .invalidText),
        ("SELECT \(DataValue.timestamp("2026-01-01"))::timestamp", .invalidText),
        ("SELECT \("10.0.0.1")::inet", .typeMismatch),
        (
          "SELECT \(PostgreSQLValue.array([.array([.integer(1)]), .array([])]))::int[]",
          .invalidText
        ),
      ]
      for (query, code) in binding {
        let error = await postgreSQLError { try await database.run(query) }
        #expect(error?.code == code, "\(query)")
        #expect(error?.message.contains("77777") == false, "\(query)")
        #expect(error?.sql == query.text, "\(query)")
      }
      func reading<Value: PostgreSQLReadable & Sendable>(
        _ type: Value.Type, _ sql: String, _ code: PostgreSQLError.Code
      ) async {
        let error = await postgreSQLError {
          try await database.value(type, PostgreSQLQuery(unsafe: "SELECT \(sql) AS answer"))
        }
        #expect(error?.code == code, "\(sql) as \(type)")
        #expect(error?.column == "answer")
        #expect(error?.row == 1)
      }
      await reading(Int.self, "NULL::int", .unexpectedNull)
      await reading(String.self, "NULL::text", .unexpectedNull)
      await reading([Int].self, "NULL::int[]", .unexpectedNull)
      await reading(Int.self, "'a'::text", .typeMismatch)
      await reading(String.self, "1", .typeMismatch)
      await reading(Int8.self, "200", .valueOutOfRange)
      await reading(Int.self, "1.5::numeric", .valueOutOfRange)
      await reading(Double.self, "1.5::numeric", .typeMismatch)
      await reading(Double.self, "9007199254740993::int8", .valueOutOfRange)
      await reading(Decimal.self, "1e60::numeric + 1", .valueOutOfRange)
      await reading(Date.self, "'infinity'::timestamptz", .valueOutOfRange)
      await reading(Mood.self, "'angry'::text", .valueOutOfRange)
      await reading([Int].self, "'{{1,2},{3,4}}'::int[]", .typeMismatch)
      await reading(String.self, "'10.0.0.1'::inet", .typeMismatch)
      #expect(
        try await database.value(Int.self, "SELECT sum(i) FROM generate_series(1::int8, 3) i") == 6)
    }
  }

  @Test func `of a nested row to a bounded depth are read`() async throws {
    try await withDatabase { (database) async throws -> Void in
      let nested = String(repeating: "ROW(", count: 100) + "1" + String(repeating: ")", count: 100)
      _ = try await database.value(
        PostgreSQLValue.self, PostgreSQLQuery(unsafe: "SELECT \(nested)"))
      let deep = String(repeating: "ROW(", count: 300) + "1" + String(repeating: ")", count: 300)
      let error = await postgreSQLError {
        try await database.value(PostgreSQLValue.self, PostgreSQLQuery(unsafe: "SELECT \(deep)"))
      }
      #expect(error?.code == .valueOutOfRange)
    }
  }
}
