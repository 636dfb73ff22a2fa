import SQLiteCore
import Testing

@testable import Providers

@Suite struct `Decimal numbers` {
  private let connection: Connection

  init() throws {
    connection = try Connection.inMemory(configuration: Configuration().withProviderFunctions)
  }

  private func value(_ sql: String) throws -> SQLiteValue? {
    try connection.value(SQLiteValue.self, SQL(unsafe: "SELECT \(sql)"))
  }

  @Test(
    arguments: [
      ("1", "2", -1), ("10", "9", 1), ("1.50", "1.5", 0), ("1e2", "100.0", 0), ("-0", "0.0", 0),
      ("-2", "-10", 1), ("-1", "1", -1), ("0", "-1", 1), ("0.1", "0.10000000000000000000001", -1),
      ("12345678901234567890", "12345678901234567891", -1), ("1e400", "9.9e399", 1),
      ("1e-400", "0", 1), ("+5", "5", 0), ("007", "7", 0), (".5", "0.50", 0), ("5.", "5", 0),
      ("1e9999", "1e-9999", 1), ("0e9999", "0", 0), ("100", "1e2", 0), ("99", "1e2", -1),
      // Texts that are not numbers come last, in the order of their bytes.
      ("x", "1e9999", 1), ("", "5", 1), ("abc", "abd", -1), ("a", "ab", -1), ("1x", "1x", 0),
      ("1e10000", "2", 1), ("é", "z", 1),
    ] as [(String, String, Int)])
  func `are compared exactly`(_ a: String, _ b: String, _ order: Int) throws {
    #expect(a.withUTF8Span { x in b.withUTF8Span { NumberText.order(x, $0) } } == order)
    #expect(a.withUTF8Span { x in b.withUTF8Span { NumberText.order($0, x) } } == -order)
    let operation = order < 0 ? "<" : order > 0 ? ">" : "="
    let result = try connection.value(
      Int.self, "SELECT ? \(unsafe: operation) ? COLLATE decimal", a, b)
    #expect(result == 1)
  }

  @Test(
    arguments: [
      ("decimal('1.50')", "1.50"), ("decimal(1e3)", "1000.0"), ("decimal('1e3')", "1000"),
      ("decimal('1.5e-3')", "0.0015"), ("decimal('-0.0')", "0.0"), ("decimal(7)", "7"),
      ("decimal('x')", nil), ("decimal(NULL)", nil), ("decimal(x'31')", nil),
      ("decimal('+.5')", "0.5"), ("decimal('-5.')", "-5"),
      ("decimal_add('1.50', '1.5')", "3.00"), ("decimal_add('0.1', '0.2')", "0.3"),
      ("decimal_add('12345678901234567890', 1)", "12345678901234567891"),
      ("decimal_add('9.99', '0.01')", "10.00"), ("decimal_add('-1', '1')", "0"),
      ("decimal_add('1e20', '1e-20')", "100000000000000000000.00000000000000000001"),
      ("decimal_add('x', 1)", nil), ("decimal_sub('1', '1.25')", "-0.25"),
      ("decimal_sub('100', '99.99')", "0.01"), ("decimal_sub('-1', '-1')", "0"),
      ("decimal_mul('1.50', '2')", "3"), ("decimal_mul('1.50', '2.0')", "3.0"),
      ("decimal_mul('-0.1', '0.1')", "-0.01"),
      (
        "decimal_mul('99999999999999999999', '99999999999999999999')",
        "9999999999999999999800000000000000000001"
      ),
      ("decimal_mul('0', '5.5')", "0"), ("decimal_mul('25', '0.04')", "1"),
    ] as [(String, String?)])
  func `are computed exactly`(_ sql: String, _ text: String?) throws {
    #expect(try value(sql) == text.map { .text($0) } ?? .null)
  }

  @Test(
    arguments: [
      ("'1', '2'", "<", -1), ("10, '9'", ">", 1), ("1.5, '1.50'", "=", 0), ("'x', 1", "", nil),
      ("NULL, 1", "", nil),
    ] as [(String, String, Int64?)])
  func `are compared by a function`(_ pair: String, _ sign: String, _ order: Int64?) throws {
    #expect(try value("decimal_cmp(\(pair))") == order.map { .integer($0) } ?? .null)
  }

  @Test(arguments: ["decimal_mul", "decimal_add"])
  func `with too many digits are an error`(_ name: String) throws {
    let long = String(repeating: "9", count: 15_000)
    #expect(throws: SQLiteError.self) {
      try value("\(name)('\(long)e9999', '\(long)')")
    }
  }

  // MARK: Aggregates

  @Test(
    arguments: [
      // As SQLite's own functions.
      ("(1), (2), (NULL)", 3, 3.0, 1.5), ("(1), (2.5)", 3.5, 3.5, 1.75),
      ("(NULL)", .null, 0.0, .null), ("(0.1), (0.2), (0.3)", 0.6, 0.6, .real(0.6 / 3)),
      ("('1'), ('2')", 3, 3.0, 1.5), ("('x'), (1)", 1.0, 1.0, 0.5),
      ("('12abc'), (1)", 13.0, 13.0, 6.5),
      ("(9e999), (1)", .real(.infinity), .real(.infinity), .real(.infinity)),
      ("(x'31'), (1)", 2, 2.0, 1.0),
      // Exact.
      ("('0.1'), ('0.2')", 0.3, 0.3, 0.15),
      (
        "('12345678901234567890'), ('1')", "12345678901234567891", "12345678901234567891",
        "6172839450617283945.5"
      ),
      (
        "('9223372036854775807'), ('1')", "9223372036854775808", "9223372036854775808",
        "4611686018427387904"
      ),
      ("('12345678901234567890'), ('-12345678901234567889')", 1, 1.0, 0.5),
      (
        "('100000000000000000001'), ('0'), ('0')", "100000000000000000001",
        "100000000000000000001", "33333333333333333333.66666666666666666666666666666666667"
      ),
      (
        "('0.10000000000000000001'), (2)", "2.10000000000000000001", "2.10000000000000000001",
        "1.050000000000000000005"
      ),
    ] as [(String, SQLiteValue, SQLiteValue, SQLiteValue)])
  func `have exact sums and averages`(
    _ rows: String, _ sum: SQLiteValue, _ total: SQLiteValue, _ average: SQLiteValue
  ) throws {
    let from = "FROM (VALUES \(rows))"
    #expect(try value("sum(column1) \(from)") == sum)
    #expect(try value("total(column1) \(from)") == total)
    if case .text(let text) = average, case .text(let found)? = try value("avg(column1) \(from)") {
      #expect(found.hasPrefix(text.prefix(34)))
    } else {
      #expect(try value("avg(column1) \(from)") == average)
    }
  }

  @Test func `overflow as SQLite's own sums do`() throws {
    let error = #expect(throws: SQLiteError.self) {
      try value("sum(column1) FROM (VALUES (9223372036854775807), (1))")
    }
    #expect(error?.message == "integer overflow")
  }

  @Test func `have sums over windows`() throws {
    let sums = try connection.values(
      SQLiteValue.self,
      """
      SELECT sum(column1) OVER (ROWS 1 PRECEDING)
      FROM (VALUES ('12345678901234567890'), ('1'), ('2'), (0.5), (3))
      """)
    #expect(sums == ["12345678901234567890", "12345678901234567891", 3, 2.5, 3.5])
    let decimals = try connection.values(
      SQLiteValue.self,
      "SELECT decimal_sum(column1) OVER (ROWS 1 PRECEDING) FROM (VALUES ('1.50'), ('x'), (2))")
    #expect(decimals == ["1.50", "1.50", "2"] || decimals == ["1.50", "1.50", "2.00"])
  }

  /// The sums of values that are not decimal are those of SQLite.
  @Test func `do not change other sums`() throws {
    let plain = try Connection.inMemory()
    var random = SeededRandom(seed: 4_711)
    for _ in 0..<200 {
      var largest = 0.0
      let rows = (0..<1 + random.below(8)).map { _ -> String in
        let value: any LosslessStringConvertible =
          switch random.below(3) {
          case 0: Int64(bitPattern: random.next()) >> Int64(random.below(60))
          case 1: random.finite()
          default: random.below(1_000)
          }
        largest = max(largest, abs(Double(value.description) ?? 0))
        return random.oneIn(6) ? "(NULL)" : "(\(value.description))"
      }.joined(separator: ", ")
      for name in ["sum", "total", "avg", "count"] {
        let sql = "SELECT \(name)(column1) FROM (VALUES \(rows))"
        let expected = Result { try plain.value(SQLiteValue.self, SQL(unsafe: sql)) }
        let found = Result { try connection.value(SQLiteValue.self, SQL(unsafe: sql)) }
        switch (expected, found) {
        case (.success(.real(let a)?), .success(.real(let b)?)):
          // SQLite before 3.43 adds without a correction.
          #expect(a == b || abs(a - b) <= 1e-14 * largest, "\(sql)")
        case (.success(let a), .success(let b)): #expect(a == b, "\(sql)")
        case (.failure, .failure): break
        default: Issue.record("\(sql): \(expected), \(found), seed 4711")
        }
      }
    }
  }
}

@Suite struct `A decimal column` {
  private let folder: TemporaryFolder
  private let provider = CSVProvider()

  init() throws {
    folder = try TemporaryFolder()
    try provider.openSource(
      atPath: folder.write(
        "n,v\na,5\nb,100\nc,12345678901234567890\nd,5.0\ne,\n", to: "t.csv"))
  }

  @Test(
    arguments: [
      ("max(v)", "12345678901234567890"), ("min(v)", "5"), ("count(DISTINCT v)", 3),
      ("sum(v)", "12345678901234568000.0"), ("avg(v)", 3086419725308642000.0),
      ("group_concat(n) WHERE v > 5.5", "b,c"), ("group_concat(n) WHERE v = 5", "a,d"),
      ("count(*) WHERE v IN (5, 100)", 3), ("count(*) WHERE v BETWEEN 6 AND 1000", 1),
    ] as [(String, SQLiteValue)])
  func `is queried as numbers`(_ sql: String, _ value: SQLiteValue) throws {
    let parts = sql.split(separator: " WHERE ")
    let filter = parts.count > 1 ? " WHERE \(parts[1])" : " WHERE v NOT NULL"
    let found = try provider.values("SELECT \(parts[0]) FROM t\(filter)")
    #expect(found == [[value]])
  }

  @Test func `is ordered, grouped and joined as numbers`() throws {
    #expect(
      try provider.values("SELECT n FROM t ORDER BY v, n") == [["e"], ["a"], ["d"], ["b"], ["c"]])
    #expect(
      try provider.values("SELECT count(*) FROM t GROUP BY v ORDER BY v")
        == [[1], [2], [1], [1]])
    #expect(
      try provider.values("SELECT a.n, b.n FROM t a JOIN t b ON a.v = b.v AND a.n < b.n")
        == [["a", "d"]])
    try provider.execute("CREATE INDEX i ON t (v)")
    #expect(try provider.values("SELECT n FROM t WHERE v = '5.00' ORDER BY n") == [["a"], ["d"]])
  }

  @Test func `is written as numbers after changes`() throws {
    try provider.execute("UPDATE t SET v = decimal_add(v, 1)")
    try provider.execute("INSERT INTO t VALUES ('f', 7)")
    try provider.closeSource()
    #expect(
      try folder.text(of: "t.csv")
        == "n,v\na,6\nb,101\nc,12345678901234567891\nd,6.0\ne,\nf,7\n")
  }
}
