import Foundation
import SQLiteCore
import Testing

@Suite struct `Coding strategies` {
  struct User: Codable, Equatable {
    var userName: String
    var _lastSeenAt_: Int?
    var id: Int
  }

  @Test func `convert snake case columns to keys`() throws {
    var decoder = RowDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    let users = try memory().fetchAll(
      decoding: User.self, with: decoder,
      "SELECT 1 AS id, 'a' AS user_name, 5 AS _last_seen_at_ UNION ALL SELECT 2, 'b', NULL")
    #expect(
      users == [
        User(userName: "a", _lastSeenAt_: 5, id: 1), User(userName: "b", _lastSeenAt_: nil, id: 2),
      ])
    #expect(
      try memory().fetchOne(
        decoding: [String: Int].self, with: decoder, "SELECT 1 AS one_two, 2 AS three")
        == ["oneTwo": 1, "three": 2])
  }

  @Test func `convert columns to keys with a closure`() throws {
    var decoder = RowDecoder()
    decoder.keyDecodingStrategy = .custom { $0.replacingOccurrences(of: "u:", with: "") }
    let user = try memory().fetchOne(
      decoding: User.self, with: decoder, #"SELECT 'a' AS "u:userName", 1 AS "u:id""#)
    #expect(user == User(userName: "a", _lastSeenAt_: nil, id: 1))
  }

  @Test func `name the key without a column`() throws {
    var decoder = RowDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    let error = #expect(throws: SQLiteError.self) {
      try memory().fetchOne(decoding: User.self, with: decoder, "SELECT 1 AS id")
    }
    #expect(error?.code == .unknownColumn)
    #expect(error?.column?.name == "userName")
  }

  @Test(arguments: [
    ("userName", "user_name"), ("myURLKey", "my_url_key"), ("id", "id"), ("aBC", "a_bc"),
    ("_hidden", "_hidden"), ("URL", "url"), ("item2Name", "item2_name"), ("", ""),
  ])
  func `convert keys to snake case columns`(_ key: String, _ column: String) throws {
    var encoder = RowEncoder()
    encoder.keyEncodingStrategy = .convertToSnakeCase
    #expect(try encoder.encode([key: 1]).map(\.name) == [column])
    encoder.keyEncodingStrategy = .custom { "c_\($0)" }
    #expect(try encoder.encode([key: 1]).map(\.name) == ["c_\(key)"])
  }

  struct Event: Codable, Equatable {
    var at: Date
    var ended: Date?
    var log: [Date]
  }

  static let strategies:
    [(String, RowEncoder.DateEncodingStrategy, RowDecoder.DateDecodingStrategy)] = [
      ("deferred", .deferredToDate, .deferredToDate), ("ISO 8601", .iso8601, .iso8601),
      ("seconds", .secondsSince1970, .secondsSince1970),
      ("milliseconds", .millisecondsSince1970, .millisecondsSince1970),
      ("Julian day", .julianDay, .julianDay),
      (
        "custom", .custom { .text("at \($0.timeIntervalSince1970)") },
        .custom { value in
          guard case .text(let text) = value, let seconds = Double(text.dropFirst(3)) else {
            throw Failure()
          }
          return Date(timeIntervalSince1970: seconds)
        }
      ),
    ]

  @Test(arguments: strategies) func `write and read dates, also in JSON`(
    _ name: String, _ encoding: RowEncoder.DateEncodingStrategy,
    _ decoding: RowDecoder.DateDecodingStrategy
  ) throws {
    var encoder = RowEncoder()
    encoder.dateEncodingStrategy = encoding
    var decoder = RowDecoder()
    decoder.dateDecodingStrategy = decoding
    let date = Date(timeIntervalSince1970: 1_234_567_890.125)
    let db = try memory("CREATE TABLE event (at, ended, log)")
    for event in [
      Event(at: date, ended: date, log: [date]), Event(at: date, ended: nil, log: []),
    ] {
      try db.execute("DELETE FROM event")
      try db.insert(encoding: event, into: "event", with: encoder)
      let read = try #require(
        try db.fetchOne(decoding: Event.self, with: decoder, "SELECT * FROM event"))
      #expect(abs(read.at.timeIntervalSince(date)) < 0.001)
      #expect((read.ended == nil) == (event.ended == nil))
      #expect(abs((read.ended ?? date).timeIntervalSince(date)) < 0.001)
      #expect(read.log.count == event.log.count)
      #expect(read.log.allSatisfy { abs($0.timeIntervalSince(date)) < 0.001 })
    }
  }

  @Test func `store dates like the storage of the same name`() throws {
    struct When: Codable { let at: Date, log: [Date] }
    let date = Date(timeIntervalSince1970: 1_795_271_849.125)
    let strategies: [(RowEncoder.DateEncodingStrategy, DateStorage, String)] = [
      (.iso8601, .iso8601, #"["2026-11-21 14:37:29.125"]"#),
      (.secondsSince1970, .unixSeconds, "[1795271849.125]"),
      (.millisecondsSince1970, .unixMilliseconds, "[1795271849125]"),
      (.julianDay, .julianDay, "[2461366.109364873]"),
    ]
    let db = try memory("CREATE TABLE t (at ANY, log TEXT) STRICT")
    for (strategy, storage, json) in strategies {
      var encoder = RowEncoder()
      encoder.dateEncodingStrategy = strategy
      try db.execute("DELETE FROM t")
      try db.insert(encoding: When(at: date, log: [date]), into: "t", with: encoder)
      let stored = try #require(
        try db.value(SQLiteValue.self, "SELECT ?", date.stored(as: storage)))
      #expect(try db.rows("SELECT at, log FROM t") == [[stored, .text(json)]])
    }
  }

  @Test(arguments: [
    RowEncoder.DateEncodingStrategy.iso8601, .secondsSince1970, .millisecondsSince1970, .julianDay,
  ])
  func `refuse dates outside the years 0000 to 9999, also in JSON`(
    _ strategy: RowEncoder.DateEncodingStrategy
  ) throws {
    struct When: Encodable { let at: Date }
    struct Log: Encodable { let log: [Date] }
    var encoder = RowEncoder()
    encoder.dateEncodingStrategy = strategy
    let db = try memory("CREATE TABLE t (at, log)")
    for date in [Date(timeIntervalSince1970: 1e15), Date(timeIntervalSince1970: .infinity)] {
      let inColumn = #expect(throws: SQLiteError.self) {
        try db.insert(encoding: When(at: date), into: "t", with: encoder)
      }
      #expect(inColumn?.code == .valueOutOfRange)
      let inJSON = #expect(throws: SQLiteError.self) {
        try db.insert(encoding: Log(log: [date]), into: "t", with: encoder)
      }
      #expect(inJSON?.code == .valueOutOfRange)
    }
  }

  @Test func `read the dates that SQLite's functions return`() throws {
    struct When: Decodable { let at: Date }
    var decoder = RowDecoder()
    let date = Date(timeIntervalSince1970: 1_000_000_000)
    let db = try memory()
    decoder.dateDecodingStrategy = .secondsSince1970
    let seconds = try db.fetchOne(
      decoding: When.self, with: decoder, "SELECT unixepoch('2001-09-09T01:46:40Z') AS at")
    #expect(seconds?.at == date)
    decoder.dateDecodingStrategy = .julianDay
    let day = try db.fetchOne(
      decoding: When.self, with: decoder, "SELECT julianday('2001-09-09T01:46:40Z') AS at")
    #expect(abs((day?.at ?? .distantPast).timeIntervalSince(date)) < 0.001)
    decoder.dateDecodingStrategy = .iso8601
    let text = try db.fetchOne(
      decoding: When.self, with: decoder, "SELECT '2001-09-09T01:46:40Z' AS at")
    #expect(text?.at == date)
    #expect(
      try db.fetchOne(decoding: Date?.self, with: decoder, "SELECT '2001-09-09T01:46:40Z' AS at")
        == date)
  }

  @Test(arguments: [
    ("'yesterday'", SQLiteError.Code.invalidText), ("5", .columnTypeMismatch),
    ("x''", .columnTypeMismatch), ("NULL", .unexpectedNull),
  ])
  func `refuse values that are not dates`(_ literal: String, _ code: SQLiteError.Code) throws {
    struct When: Decodable { let at: Date }
    var decoder = RowDecoder()
    decoder.dateDecodingStrategy = .iso8601
    let error = #expect(throws: SQLiteError.self) {
      try memory().fetchOne(decoding: When.self, with: decoder, "SELECT \(unsafe: literal) AS at")
    }
    #expect(error?.code == code)
    #expect(error?.column?.name == "at")
  }

  struct Team: Codable, Equatable {
    var id: Int
    var name: String
    var coach: Coach?
  }
  struct Coach: Codable, Equatable { var fullName: String }
  struct Player: Codable, Equatable {
    var id: Int
    var team: Team?
  }

  static let join = #"""
    SELECT player.id, team.id AS "team.id", team.name AS "team.name",
      coach AS "team.coach.fullName"
    FROM player LEFT JOIN team ON team.id = player.team ORDER BY 1
    """#

  static let schema = """
    CREATE TABLE team (id INTEGER PRIMARY KEY, name, coach);
    CREATE TABLE player (id INTEGER PRIMARY KEY, team);
    INSERT INTO team VALUES (1, 'Reds', 'Ann'), (2, 'Blues', NULL);
    INSERT INTO player VALUES (1, 1), (2, NULL), (3, 2), (4, 1);
    """

  @Test func `read a nested value from the columns that begin with its key`() throws {
    let db = try memory(SQL(unsafe: Self.schema))
    var decoder = RowDecoder()
    decoder.nestedColumnSeparator = "."
    let reds = Team(id: 1, name: "Reds", coach: Coach(fullName: "Ann"))
    let players = try db.fetchAll(decoding: Player.self, with: decoder, SQL(unsafe: Self.join))
    #expect(
      players == [
        Player(id: 1, team: reds), Player(id: 2, team: nil),
        Player(id: 3, team: Team(id: 2, name: "Blues", coach: nil)), Player(id: 4, team: reds),
      ])
    decoder.nestedColumnSeparator = "__"
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    let snake = try db.fetchOne(
      decoding: Player.self, with: decoder,
      "SELECT 1 AS id, 1 AS team__id, 'Reds' AS team__name, 'Ann' AS team__coach__full_name")
    #expect(snake == players[0])
  }

  @Test func `name the nested column that is missing or does not fit`() throws {
    struct Strict: Decodable { let id: Int, team: Team }
    var decoder = RowDecoder()
    decoder.nestedColumnSeparator = "."
    let db = try memory(SQL(unsafe: Self.schema))
    let missing = #expect(throws: SQLiteError.self) {
      try db.fetchAll(decoding: Strict.self, with: decoder, #"SELECT 1 AS id, 1 AS "team.id""#)
    }
    #expect(missing?.code == .unknownColumn)
    #expect(missing?.column?.name == "team.name")
    let none = #expect(throws: SQLiteError.self) {
      try db.fetchAll(decoding: Strict.self, with: decoder, "SELECT 1 AS id")
    }
    #expect(none?.column?.name == "team")
    let null = #expect(throws: SQLiteError.self) {
      try db.fetchAll(
        decoding: Strict.self, with: decoder, SQL(unsafe: Self.join + " LIMIT 1 OFFSET 1"))
    }
    #expect(null?.code == .unexpectedNull)
    #expect(null?.column?.name == "team.id")
  }

  @Test func `ignore nested columns if no separator is set`() throws {
    let db = try memory(SQL(unsafe: Self.schema))
    #expect(
      try db.fetchAll(decoding: Player.self, SQL(unsafe: Self.join)).allSatisfy { $0.team == nil })
  }
}
