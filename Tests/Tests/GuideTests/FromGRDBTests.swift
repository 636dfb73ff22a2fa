import Foundation
import Observe
import Relations
import Router
import SQLiteCore
import Testing

private typealias Column = DatabaseRoute.Column

// The samples of Docs/Guides/FromGRDB.md, verbatim, and tests of its statements about files written
// by GRDB.

struct Player: Codable, RowDecodable, Identifiable, Equatable {
  var id: Int?
  var name: String
  var score: Int
  var joined: Date
  @UUIDBlob var token: UUID
  var isCaptain: Bool
  var tags: [String]?
  var teamId: Int?
}

struct Team: Codable {
  var id: Int
  var name: String
  var players: [Player]
}

/// The date format of GRDB, which always has three fractional digits.
enum MillisecondText: ColumnFormat {
  static func read(
    from row: borrowing Row, at index: ColumnIndex
  ) throws(SQLiteError) -> Date {
    try row.date(at: index)
  }

  static func sqliteValue(of value: Date) -> SQLiteValue {
    let style = Date.ISO8601FormatStyle().year().month().day()
      .dateTimeSeparator(.space).time(includingFractionalSeconds: true)
    return .text(value.formatted(style))
  }
}

final class TeamModel: Model, @unchecked Sendable {
  struct Value: Table {
    static let tableName = "team"
    var id = 0
    var name = ""
  }

  var value: Value
  init(_ value: Value) { self.value = value }
}

enum LeagueMigrations {
  static let migrations = [
    Migration(
      name: "createPlayers",
      sql: """
        CREATE TABLE team (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE);
        CREATE TABLE player (
          id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, score INTEGER NOT NULL DEFAULT 0,
          joined DATETIME NOT NULL, token BLOB NOT NULL, isCaptain BOOLEAN NOT NULL DEFAULT 0,
          tags TEXT
        );
        """),
    Migration(
      name: "addTeams",
      sql: """
        ALTER TABLE player ADD COLUMN teamId INTEGER REFERENCES team (id) ON DELETE CASCADE;
        CREATE INDEX player_on_teamId ON player (teamId);
        """),
    Migration(
      name: "dates without zeros",
      sql: "UPDATE player SET joined = replace(joined, '.000', '')"),
  ]
}

final class League: Sendable {
  let database: Database

  init(path: String) throws {
    database = try Database(path: path)
    let last = try database.read { db in
      try db.table("grdb_migrations") == nil
        ? nil : db.value(String.self, "SELECT identifier FROM grdb_migrations ORDER BY rowid DESC")
    }
    if let last { try database.adopt(LeagueMigrations.migrations, upTo: last) }
    try database.migrate(LeagueMigrations.migrations)
  }

  func add(_ player: Player) async throws -> Player {
    var player = player
    player.id = try await database.write { [player] db in
      Int(try db.insert(encoding: player, into: "player").lastInsertedRowID.rawValue)
    }
    return player
  }

  var leaders: ValueObservation<[Player]> {
    database.observe { db in
      try db.fetchAll(
        Player.self, "SELECT * FROM player ORDER BY score DESC, name LIMIT 10")
    }
  }

  func win(_ points: Int, for player: Int) async throws {
    try await database.write { db in
      try db.run("UPDATE player SET score = score + \(points) WHERE id = \(player)")
    }
  }
}

@Suite struct `From GRDB` {
  /// The SQL that GRDB's migrator and records run for the same tables.
  static let script = """
    CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
    CREATE TABLE "team" ("id" INTEGER PRIMARY KEY AUTOINCREMENT, "name" TEXT NOT NULL UNIQUE);
    CREATE TABLE "player" ("id" INTEGER PRIMARY KEY AUTOINCREMENT, "name" TEXT NOT NULL, \
    "score" INTEGER NOT NULL DEFAULT 0, "joined" DATETIME NOT NULL, "token" BLOB NOT NULL, \
    "isCaptain" BOOLEAN NOT NULL DEFAULT 0, "tags" TEXT);
    INSERT INTO grdb_migrations VALUES ('createPlayers');
    ALTER TABLE "player" ADD COLUMN "teamId" INTEGER REFERENCES "team"("id") ON DELETE CASCADE;
    CREATE INDEX "player_on_teamId" ON "player"("teamId");
    INSERT INTO grdb_migrations VALUES ('addTeams');
    INSERT INTO team (name) VALUES ('red'), ('blue');
    INSERT INTO player (name, score, joined, token, isCaptain, tags, teamId) VALUES
      ('Ada', 10, '2026-11-21 14:37:29.000', x'5B1A0E2C9F404D5E8A7B6C5D4E3F2A1B', 1, '["left"]', 1),
      ('Bob', 11, '2026-11-21 14:37:29.125', x'6B1A0E2C9F404D5E8A7B6C5D4E3F2A1B', 0, NULL, 2);
    """
  static let moment = Date(timeIntervalSince1970: 1_795_271_849)

  @Test func `a file is adopted with its migrations`() throws {
    let file = try LegacyFile(Self.script)
    let league = try League(path: file.path)
    let status = try league.database.migrationStatus(of: LeagueMigrations.migrations)
    #expect(status.map(\.state) == [.applied, .applied, .applied])
    #expect(try league.database.read { try $0.integrityCheck() } == [])
    let players = try league.database.read {
      try $0.fetchAll(Player.self, "SELECT * FROM player ORDER BY id")
    }
    #expect(players.map(\.name) == ["Ada", "Bob"])
    #expect(players.map(\.joined) == [Self.moment, Self.moment + 0.125])
    #expect(players[0].token.uuidString == "5B1A0E2C-9F40-4D5E-8A7B-6C5D4E3F2A1B")
    #expect(players.map(\.isCaptain) == [true, false])
    #expect(players.map(\.tags) == [["left"], nil])
    // Running it again changes nothing, for example in another process.
    league.database.close()
    #expect(try League(path: file.path).database.read { try $0.count("player") } == 2)
  }

  @Test func `a file at an earlier version runs the remaining migrations`() throws {
    let script = Self.script.components(separatedBy: "ALTER TABLE")[0]
    let league = try League(path: LegacyFile(script).path)
    #expect(try league.database.read { try $0.appliedMigrations().count } == 3)
    #expect(try league.database.read { try $0.columns(of: "player").last?.name } == "teamId")
  }

  @Test func `a new file is created by the migrations`() throws {
    let league = try League(path: LegacyFile().path)
    #expect(try league.database.read { try $0.table("grdb_migrations") } == nil)
    #expect(try league.database.read { try $0.appliedMigrations().count } == 3)
  }

  @Test func `dates with whole seconds are equal in SQL after their zeros are removed`() throws {
    let file = try LegacyFile(Self.script)
    let database = try Database(path: file.path)
    func found(_ sql: SQL) throws -> [String] {
      try database.read { try $0.values(String.self, sql) }
    }
    #expect(try found("SELECT name FROM player WHERE joined = \(Self.moment)") == [])
    #expect(try found("SELECT name FROM player WHERE joined > \(Self.moment - 1)").count == 2)
    let asGRDB: SQL =
      "SELECT name FROM player WHERE joined = strftime('%Y-%m-%d %H:%M:%f', \(Self.moment))"
    #expect(try found(asGRDB) == ["Ada"])
    database.close()
    let league = try League(path: file.path)
    let names = try league.database.read {
      try $0.values(String.self, "SELECT name FROM player WHERE joined = \(Self.moment)")
    }
    #expect(names == ["Ada"])
  }

  @Test func `dates can be written in GRDB's format`() throws {
    let connection = try Connection.inMemory()
    try connection.execute("CREATE TABLE t (d DATETIME)")
    for seconds in [0, 0.125, 0.5] {
      let date = Stored<MillisecondText, Date>(wrappedValue: Self.moment + seconds)
      try connection.run("INSERT INTO t VALUES (?)", date)
    }
    #expect(
      try connection.values(String.self, "SELECT d FROM t") == [
        "2026-11-21 14:37:29.000", "2026-11-21 14:37:29.125", "2026-11-21 14:37:29.500",
      ])
    #expect(try connection.values(Date.self, "SELECT d FROM t")[1] == Self.moment + 0.125)
  }

  @Test func `UUIDs are read as bytes and as text, and found by their stored form`() throws {
    let connection = try Connection.inMemory()
    let id = UUID()
    try connection.execute("CREATE TABLE t (id)")
    try connection.run("INSERT INTO t VALUES (?)", UUIDBlob(wrappedValue: id))
    #expect(try connection.values(UUID.self, "SELECT id FROM t") == [id])
    #expect(try connection.values(UUID.self, "SELECT id FROM t WHERE id = ?", id) == [])
    let bytes = UUIDBlob(wrappedValue: id)
    #expect(try connection.values(UUID.self, "SELECT id FROM t WHERE id = ?", bytes) == [id])
  }

  @Test func `the example adds, reads and observes players`() async throws {
    let league = try League(path: LegacyFile(Self.script).path)
    let leaders = league.leaders
    var shownNames: [[String]] = []
    func show(_ players: [Player]) { shownNames.append(players.map(\.name)) }
    for try await players in leaders {
      show(players)
      if shownNames.count == 2 { break }
      let cy = try await league.add(
        Player(
          id: nil, name: "Cy", score: 10, joined: .now, token: UUID(), isCaptain: false,
          tags: ["new"], teamId: 2))
      #expect(cy.id == 3)
    }
    #expect(shownNames == [["Bob", "Ada"], ["Bob", "Ada", "Cy"]])
    try await league.win(5, for: 3)
    let best = try await league.database.read {
      try $0.fetchOne(Player.self, "SELECT * FROM player ORDER BY score DESC")
    }
    #expect(best?.name == "Cy" && best?.tags == ["new"])
  }

  @Test func `requests are routes`() async throws {
    let league = try League(path: LegacyFile(Self.script).path)
    let database = league.database
    let executor = SQLiteRouteExecutor(database)
    let best = try await executor.values(
      Player.self,
      for: .fetch(
        from: "player", filteredBy: Column("score").greaterThan(10) && Column("tags").isNull(),
        order: .descending("score")
      ).limited(to: 10))
    #expect(best.map(\.name) == ["Bob"])

    let teams = try await executor.values(
      Team.self,
      for: .fetch(from: "team", order: .ascending("name")).embedding(
        .init("player", as: "players", orderedBy: [.descending("score")])))
    #expect(teams.map(\.name) == ["blue", "red"])
    #expect(teams.map { $0.players.map(\.name) } == [["Bob"], ["Ada"]])
  }

  @Test func `models use the tables created by migrations`() async throws {
    let league = try League(path: LegacyFile(Self.script).path)
    let database = league.database
    let schema = try await database.databaseSchema()
    let session = ModelSession(database, schema: .explicit)
    let teams = try await session.fetchAll(TeamModel.self, "ORDER BY name")
    #expect(teams.map(\.value.name) == ["blue", "red"])
    teams[0].value.name = "azure"
    try await session.saveChanges()
    #expect(try await database.databaseSchema() == schema)
    #expect(
      try await database.read { try $0.value(String.self, "SELECT name FROM team WHERE id = 2") }
        == "azure")
  }

  @Test func `a bound nil equals no value, and is inserted as NULL`() throws {
    let connection = try Connection.inMemory()
    try connection.execute("CREATE TABLE t (a INTEGER, b TEXT DEFAULT 'x')")
    struct Row: Codable { var a: Int, b: String? }
    try connection.insert(encoding: Row(a: 1, b: nil), into: "t")
    let none: String? = nil
    #expect(try connection.values(Int.self, "SELECT a FROM t WHERE b = \(none)") == [])
    #expect(try connection.values(Int.self, "SELECT a FROM t WHERE b IS \(none)") == [1])
  }

  @Test func `full-text tables updated by triggers need a trusted schema`() throws {
    let file = try LegacyFile(
      """
      CREATE TABLE "book" ("id" INTEGER PRIMARY KEY AUTOINCREMENT, "title" TEXT NOT NULL);
      CREATE VIRTUAL TABLE "book_ft" USING fts5(title, tokenize='unicode61', content='book', \
      content_rowid='id');
      CREATE TRIGGER "__book_ft_ai" AFTER INSERT ON "book" BEGIN
        INSERT INTO "book_ft"("rowid", "title") VALUES (new."id", new."title");
      END;
      CREATE TRIGGER "__book_ft_ad" AFTER DELETE ON "book" BEGIN
        INSERT INTO "book_ft"("book_ft", "rowid", "title") VALUES('delete', old."id", old."title");
      END;
      CREATE TRIGGER "__book_ft_au" AFTER UPDATE ON "book" BEGIN
        INSERT INTO "book_ft"("book_ft", "rowid", "title") VALUES('delete', old."id", old."title");
        INSERT INTO "book_ft"("rowid", "title") VALUES (new."id", new."title");
      END;
      INSERT INTO book (title) VALUES ('Middlemarch');
      """)
    let path = file.path
    var configuration = Configuration()
    configuration.trustsSchema = true
    let database = try Database(path: path, configuration: configuration)
    let titles = try database.write { db in
      try db.run("INSERT INTO book (title) VALUES ('Silas Marner')")
      return try db.values(
        String.self,
        """
        SELECT book.title FROM book JOIN book_ft ON book_ft.rowid = book.id
        WHERE book_ft MATCH ? ORDER BY rank
        """, FullTextQuery.words("silas").expression)
    }
    #expect(titles == ["Silas Marner"])
  }

  @Test func `collations of columns must be registered before their tables are used`() throws {
    let file = try LegacyFile()
    let script = """
      CREATE TABLE word (text TEXT COLLATE swiftLocalizedCaseInsensitiveCompare);
      INSERT INTO word VALUES ('b'), ('A'), ('c')
      """
    let path = file.path
    var configuration = Configuration()
    configuration.prepare = { connection in
      try connection.registerCollation("swiftLocalizedCaseInsensitiveCompare") { a, b in
        a.localizedCaseInsensitiveCompare(b).rawValue
      }
    }
    let database = try Database(path: path, configuration: configuration)
    try database.write { try $0.execute(SQL(unsafe: script)) }
    let words = try database.read {
      try $0.values(String.self, "SELECT text FROM word ORDER BY text")
    }
    #expect(words == ["A", "b", "c"])
    database.close()
    #expect(throws: SQLiteError.self) {
      try Database(path: path).read {
        try $0.values(String.self, "SELECT text FROM word ORDER BY text")
      }
    }
  }
}

extension Connection {
  /// Returns the number of rows in a table.
  func count(_ table: String) throws -> Int? {
    try value(Int.self, "SELECT count(*) FROM \(identifier: table)")
  }
}
