import Foundation
import SQLiteCore
import Testing

@Suite struct `Dates` {
  /// A date, and its value in each storage format.
  struct Case: CustomTestStringConvertible, Sendable {
    let seconds: Double
    let iso8601: SQLiteValue
    let unixSeconds: SQLiteValue
    let unixMilliseconds: SQLiteValue
    let julianDay: SQLiteValue
    /// The beginning of a day, without the time.
    var dateOnly: SQLiteValue?
    var date: Date { Date(timeIntervalSince1970: seconds) }
    var testDescription: String { iso8601.description }

    func stored(_ storage: DateStorage) -> SQLiteValue {
      switch storage {
      case .iso8601: iso8601
      case .dateOnly: dateOnly ?? .null
      case .unixSeconds: unixSeconds
      case .unixMilliseconds: unixMilliseconds
      case .julianDay: julianDay
      }
    }
  }

  static let cases: [Case] = [
    Case(
      seconds: 0, iso8601: "1970-01-01 00:00:00", unixSeconds: 0, unixMilliseconds: 0,
      julianDay: 2440587.5, dateOnly: "1970-01-01"),
    Case(
      seconds: 1_795_271_849.5, iso8601: "2026-11-21 14:37:29.500", unixSeconds: 1795271849.5,
      unixMilliseconds: 1_795_271_849_500, julianDay: .real(2461366.1093692128)),
    Case(
      seconds: -0.25, iso8601: "1969-12-31 23:59:59.750", unixSeconds: -0.25,
      unixMilliseconds: -250, julianDay: .real(2440587.5 - 0.25 / 86_400)),
    Case(
      seconds: -62_167_219_200, iso8601: "0000-01-01 00:00:00", unixSeconds: -62_167_219_200,
      unixMilliseconds: -62_167_219_200_000, julianDay: 1721059.5, dateOnly: "0000-01-01"),
    Case(
      seconds: 253_402_300_799, iso8601: "9999-12-31 23:59:59", unixSeconds: 253_402_300_799,
      unixMilliseconds: 253_402_300_799_000, julianDay: .real(5373484.5 - 1 / 86_400)),
    Case(
      seconds: 951_782_400, iso8601: "2000-02-29 00:00:00", unixSeconds: 951_782_400,
      unixMilliseconds: 951_782_400_000, julianDay: 2451603.5, dateOnly: "2000-02-29"),
  ]

  @Test(arguments: cases, DateStorage.allCases)
  func `are written in their storage format, and read back`(
    _ expected: Case, _ storage: DateStorage
  ) throws {
    let db = try memory("CREATE TABLE t (v ANY) STRICT")
    if storage == .dateOnly, expected.dateOnly == nil {
      let error = #expect(throws: SQLiteError.self) {
        try db.run("INSERT INTO t VALUES (?)", expected.date.stored(as: storage))
      }
      #expect(error?.code == .valueOutOfRange)
      return
    }
    try db.run("INSERT INTO t VALUES (?)", expected.date.stored(as: storage))
    #expect(try db.value(SQLiteValue.self, "SELECT v FROM t") == expected.stored(storage))
    try db.forEach("SELECT v FROM t") { row in
      let read = try row.date(at: 0, as: storage)
      #expect(read == expected.date)
    }
  }

  @Test func `are stored as ISO 8601 text by default`() throws {
    let directory = try TemporaryDirectory()
    let date = Date(timeIntervalSinceReferenceDate: 812_345_678.123)
    do {
      let db = try directory.connect()
      try db.execute("CREATE TABLE t (a TEXT, b TEXT)")
      try db.run("INSERT INTO t VALUES (?, ?)", date, Date?.none)
    }
    let db = try directory.connect()
    let text = "2026-09-29 03:34:38.123"
    #expect(try db.rows("SELECT a, b FROM t") == [[.text(text), .null]])
    #expect(try db.value(Date.self, "SELECT a FROM t") == date)
    #expect(try db.value(Date?.self, "SELECT b FROM t") == .some(nil))
    #expect(try db.value(Int.self, "SELECT unixepoch(a) FROM t") == 1_790_652_878)
  }

  struct Visit: RowDecodable, Codable, Hashable, Sendable {
    @ISO8601Date var booked: Date
    @UnixDate var began: Date
    @JulianDate var ended: Date?
    @UnixMillisecondsDate var paid: Date?

    init(booked: Date, began: Date, ended: Date?, paid: Date?) {
      self.booked = booked
      self.began = began
      self.ended = ended
      self.paid = paid
    }

    init(row: borrowing Row) throws(SQLiteError) {
      _booked = try row.read(at: 0)
      _began = try row.read(at: 1)
      _ended = try row.read(named: "ended")
      _paid = try row.read(named: "paid")
    }
  }

  private static let date = Date(timeIntervalSince1970: 1_795_271_849)

  @Test(arguments: [
    Visit(booked: date, began: date, ended: date, paid: date),
    Visit(booked: date, began: date, ended: nil, paid: nil),
  ])
  func `of one structure can be stored in different formats`(_ visit: Visit) throws {
    let directory = try TemporaryDirectory()
    do {
      let db = try directory.connect()
      try db.execute("CREATE TABLE visit (booked TEXT, began INTEGER, ended REAL, paid INTEGER)")
      try db.run(
        "INSERT INTO visit VALUES (?, ?, ?, ?)", visit.$booked, visit.$began, visit.$ended,
        visit.$paid)
    }
    let db = try directory.connect()
    #expect(try db.fetchAll(Visit.self, "SELECT * FROM visit") == [visit])
    let types = "SELECT typeof(booked), typeof(began), typeof(ended), typeof(paid) FROM visit"
    let isPresent = visit.ended != nil
    #expect(
      try db.rows(SQL(unsafe: types)) == [
        ["text", "integer", isPresent ? "real" : "null", isPresent ? "integer" : "null"]
      ])
    let instants = "SELECT unixepoch(booked), began, unixepoch(ended), paid / 1000 FROM visit"
    let end: SQLiteValue = isPresent ? 1_795_271_849 : .null
    #expect(try db.rows(SQL(unsafe: instants)) == [[1_795_271_849, 1_795_271_849, end, end]])
    #expect(try JSONDecoder().decode(Visit.self, from: JSONEncoder().encode(visit)) == visit)
  }

  @Test func `with a format can be missing when decoded if they are optional`() throws {
    let decoded = try JSONDecoder().decode(Visit.self, from: Data(#"{"booked":0,"began":1}"#.utf8))
    #expect(decoded.ended == nil)
    #expect(decoded.began == Date(timeIntervalSinceReferenceDate: 1))
    #expect(throws: (any Error).self) {
      try JSONDecoder().decode(Visit.self, from: Data(#"{"booked":0}"#.utf8))
    }
  }

  @Test func `sort as text, also with the text of SQLite's own functions`() throws {
    let db = try memory("CREATE TABLE t (v TEXT)")
    let start = 812_345_678.0
    let offsets = [0, 0.001, 0.0015, 0.12, 0.123, 0.1234567, 0.999, 1, 61, 86_400, 4e9]
    let dates = offsets.map { Date(timeIntervalSinceReferenceDate: start + $0) }
    for date in dates.shuffled() { try db.run("INSERT INTO t VALUES (?)", date) }
    #expect(try db.values(Date.self, "SELECT v FROM t ORDER BY v") == dates)
    let now = try #require(try db.value(Date.self, "SELECT CURRENT_TIMESTAMP"))
    #expect(try db.value(Bool.self, "SELECT ? < datetime('now', '+1 hour')", now) == true)
    #expect(try db.value(Bool.self, "SELECT ? >= datetime('now', '-1 hour')", now) == true)
  }

  @Test(arguments: [
    ("2026-11-21", 1_795_219_200.0), ("2026-11-21 14:37", 1_795_271_820),
    ("2026-11-21T14:37", 1_795_271_820), ("2026-11-21T14:37:29", 1_795_271_849),
    ("2026-11-21 14:37:29Z", 1_795_271_849), ("2026-11-21T14:37:29z", 1_795_271_849),
    ("2026-11-21T14:37:29.5Z", 1_795_271_849.5), ("2026-11-21T14:37:29+02:00", 1_795_264_649),
    ("2026-11-21 14:37:29.25-05:30", 1_795_291_649.25), ("2026-11-21 14:37+00:00", 1_795_271_820),
    ("2026-11-21 14:37:29.500000000000000000000001", 1_795_271_849.5),
    ("2000-02-29", 951_782_400), ("9999-12-31 23:59:59.999", 253_402_300_799.999),
    ("0000-01-01", -62_167_219_200),
  ])
  func `are read from every text form that SQLite reads`(_ text: String, _ seconds: Double) throws {
    let db = try memory()
    let read = try #require(try db.value(Date.self, "SELECT ?", text))
    #expect(abs(read.timeIntervalSince1970 - seconds) < 1e-4)
    let ours = try db.value(Double.self, "SELECT julianday(?)", read)
    #expect(try db.value(Double.self, "SELECT julianday(?)", text) == ours)
  }

  @Test(arguments: [
    "", "now", "2026", "2026-1-1", "2026-11-21 ", "2026-11-21T", "2026-11-21 14", "14:37",
    "2026-11-21 14:37:", "2026-11-21 14:37:29.", "2026-11-21 14:37:29 Z", "2026-11-21Z",
    "2026-11-21 24:00:00", "2026-11-21 14:60", "2026-11-21 14:37:60", "2026-02-29", "2026-04-31",
    "1900-02-29", "2026-13-01", "2026-00-01", "2026-01-00", "-001-01-01", "10000-01-01",
    "2026-11-21 14:37:29+2:00", "2026-11-21 14:37:29+15:00", "2026-11-21 14:37:29+02:60",
    "2026-11-21 14:37:29ZZ", "2461366.1", "1795271849", "2026-11-21\0", "２０２６-11-21",
    "2026-11-21  14:37", " 2026-11-21", "2026/11/21", "20261121T143729Z",
  ])
  func `are not read from any other text`(_ text: String) throws {
    let db = try memory("CREATE TABLE event (at TEXT)")
    try db.run("INSERT INTO event VALUES (?)", text)
    let error = #expect(throws: SQLiteError.self) {
      try db.value(Date.self, "SELECT at FROM event")
    }
    #expect(error?.code == .invalidText)
    #expect(error?.column == .init(name: "at", table: "event", origin: "at"))
  }

  struct Refusal: CustomTestStringConvertible, Sendable {
    let literal: String, storage: DateStorage, code: SQLiteError.Code
    var testDescription: String { "\(literal) as \(storage)" }
  }

  static let refusals: [Refusal] = [
    Refusal(literal: "1795271849", storage: .iso8601, code: .columnTypeMismatch),
    Refusal(literal: "2461366.1", storage: .iso8601, code: .columnTypeMismatch),
    Refusal(literal: "x'32'", storage: .iso8601, code: .columnTypeMismatch),
    Refusal(literal: "NULL", storage: .iso8601, code: .unexpectedNull),
    Refusal(
      literal: "'9999-12-31 23:59:59-01:00'", storage: .iso8601, code: .valueOutOfRange),
    Refusal(
      literal: "'0000-01-01 00:00:00+01:00'", storage: .iso8601, code: .valueOutOfRange),
    Refusal(literal: "CAST(x'ff' AS TEXT)", storage: .iso8601, code: .invalidText),
    Refusal(literal: "20261121", storage: .dateOnly, code: .columnTypeMismatch),
    Refusal(literal: "'21.11.2026'", storage: .dateOnly, code: .invalidText),
    Refusal(literal: "'2026-11-21'", storage: .unixSeconds, code: .columnTypeMismatch),
    Refusal(literal: "NULL", storage: .unixSeconds, code: .unexpectedNull),
    Refusal(literal: "1795271849000", storage: .unixSeconds, code: .valueOutOfRange),
    Refusal(literal: "9e999", storage: .unixSeconds, code: .valueOutOfRange),
    Refusal(literal: "253402300800", storage: .unixSeconds, code: .valueOutOfRange),
    Refusal(literal: "-62167219201", storage: .unixSeconds, code: .valueOutOfRange),
    Refusal(literal: "9223372036854775807", storage: .unixMilliseconds, code: .valueOutOfRange),
    Refusal(literal: "'0'", storage: .unixMilliseconds, code: .columnTypeMismatch),
    Refusal(literal: "0", storage: .julianDay, code: .valueOutOfRange),
    Refusal(literal: "5373484.5", storage: .julianDay, code: .valueOutOfRange),
    Refusal(literal: "-9e999", storage: .julianDay, code: .valueOutOfRange),
    Refusal(literal: "'2461366.1'", storage: .julianDay, code: .columnTypeMismatch),
  ]

  @Test(arguments: refusals)
  func `are not read from values of other storage classes`(_ expected: Refusal) throws {
    let db = try memory("CREATE TABLE event (at ANY) STRICT")
    try db.run("INSERT INTO event VALUES (\(unsafe: expected.literal))")
    let error = #expect(throws: SQLiteError.self) {
      try db.forEach("SELECT at AS moment FROM event") { row in
        _ = try row.date(at: 0, as: expected.storage)
      }
    }
    #expect(error?.code == expected.code)
    #expect(error?.column == .init(name: "moment", table: "event", origin: "at"))
  }

  @Test(
    arguments: [
      Double.infinity, -.infinity, .nan, 1e300, 252_423_993_600, (-63_145_526_400).nextDown,
    ], DateStorage.allCases)
  func `outside the years 0000 to 9999 are rejected`(
    _ seconds: Double, _ storage: DateStorage
  ) throws {
    let db = try memory()
    let date = Date(timeIntervalSinceReferenceDate: seconds)
    let error = #expect(throws: SQLiteError.self) {
      try db.value(SQLiteValue.self, "SELECT ?", date.stored(as: storage))
    }
    #expect(error?.code == .valueOutOfRange)
    #expect(error?.sql == "SELECT ?")
  }

  @Test(arguments: [
    (1.0.nextDown, "2001-01-01 00:00:01"), (60.0.nextDown, "2001-01-01 00:01:00"),
    (-0.0.nextUp, "2001-01-01 00:00:00"), (0.999_999_999_4, "2001-01-01 00:00:00.999999999"),
  ])
  func `more precise than a nanosecond are rounded to the nearest one`(
    _ seconds: Double, _ text: String
  ) throws {
    let date = Date(timeIntervalSinceReferenceDate: seconds)
    #expect(try memory().value(String.self, "SELECT ?", date) == text)
  }

  @Test func `that rounding would move out of the valid years are rejected`() throws {
    let db = try memory()
    let last = Date(timeIntervalSinceReferenceDate: 252_423_993_600.0.nextDown)
    for storage in [DateStorage.unixMilliseconds, .julianDay] {
      let error = #expect(throws: SQLiteError.self) {
        try db.value(SQLiteValue.self, "SELECT ?", last.stored(as: storage))
      }
      #expect(error?.code == .valueOutOfRange)
    }
    #expect(try db.value(Date.self, "SELECT ?", last) == last)
  }

  @Test func `stored as numbers in a text column can't be read`() throws {
    let db = try memory("CREATE TABLE t (v TEXT)")
    try db.run("INSERT INTO t VALUES (?)", Self.date.stored(as: .unixSeconds))
    for storage in DateStorage.allCases {
      #expect(throws: SQLiteError.self) {
        try db.forEach("SELECT v FROM t") { _ = try $0.date(at: 0, as: storage) }
      }
    }
  }

  @Test func `stored as Unix seconds are read from integers and real numbers`() throws {
    let db = try memory()
    let read = UnixDate<Date>.self
    #expect(try db.value(read, "SELECT 12")?.wrappedValue == Date(timeIntervalSince1970: 12))
    #expect(try db.value(read, "SELECT 12.5")?.wrappedValue == Date(timeIntervalSince1970: 12.5))
    #expect(
      try db.value(UnixMillisecondsDate<Date>.self, "SELECT 12500.0")?.wrappedValue
        == Date(timeIntervalSince1970: 12.5))
    #expect(
      try db.value(JulianDate<Date>.self, "SELECT 2440588")?.wrappedValue
        == Date(timeIntervalSince1970: 43_200))
  }
}
