import Foundation
import SQLiteCore
import Testing

@Suite(.timeLimit(.minutes(10))) struct `A released connection` {
  typealias Place = `A database`.Place

  static let readerCount = 3

  static func make() throws -> (Database, TemporaryDirectory) {
    let (database, directory) = try `A database`.make(.file) { $0.maximumReaderCount = readerCount }
    try database.write { try $0.run("INSERT INTO t VALUES ('text'), ('more')") }
    return (database, directory)
  }

  /// An object that outlives an access and would keep the connection's read transaction open.
  enum Leftover: CaseIterable, Sendable {
    case statement, cachedStatement, statementInTransaction, blob
  }

  final class Leftovers: @unchecked Sendable {
    var kept: [AnyObject] = []

    func leave(_ leftover: Leftover, on connection: Connection) throws {
      switch leftover {
      case .statement, .statementInTransaction:
        let statement = try connection.prepare("SELECT a FROM t")
        _ = try statement.step()
        kept.append(statement)
      case .cachedStatement:
        try connection.withStatement("SELECT a FROM t") { kept.append($0) }
        _ = try (kept.last as? Statement)?.step()
      case .blob: kept.append(try connection.blob(in: "t", column: "a", row: 1))
      }
    }
  }

  @Test(arguments: Leftover.allCases)
  func `reads the last commit after a read with open statements`(_ leftover: Leftover)
    async throws
  {
    let (database, directory) = try Self.make()
    let leftovers = Leftovers()
    for number in 1...2 * Self.readerCount {
      if number.isMultiple(of: 2) {
        try await database.read { try leftovers.leave(leftover, on: $0) }
      } else {
        try blocking { try database.read { try leftovers.leave(leftover, on: $0) } }
      }
      try await database.write { try $0.run("INSERT INTO t VALUES (?)", number) }
      for _ in 0..<2 * Self.readerCount {
        #expect(try await database.read { try $0.count("t") } == 2 + number)
      }
    }
    withExtendedLifetime((directory, leftovers)) {}
  }

  @Test(arguments: Leftover.allCases)
  func `writes after a write with open statements`(_ leftover: Leftover) async throws {
    let (database, directory) = try Self.make()
    let other = try directory.connect()
    let leftovers = Leftovers()
    try await database.writeWithoutTransaction { connection in
      if leftover == .statementInTransaction {
        try connection.transaction { try leftovers.leave(leftover, on: connection) }
      } else {
        try leftovers.leave(leftover, on: connection)
      }
    }
    try other.run("INSERT INTO t VALUES (1)")
    // With an old snapshot, this would throw SQLITE_BUSY_SNAPSHOT.
    try await database.write { try $0.run("INSERT INTO t VALUES (2)") }
    try await database.writeWithoutTransaction { try $0.vacuum() }
    #expect(try await database.read { try $0.count("t") } == 4)
    withExtendedLifetime(leftovers) {}
  }

  @Test func `has no statement in progress, even one that reads no table`() throws {
    let (database, directory) = try Self.make()
    var kept: [Statement] = []
    try database.writeWithoutTransaction { connection in
      let statement = try connection.prepare("SELECT value FROM json_each('[1, 2]')")
      _ = try statement.step()
      kept.append(statement)
    }
    try database.writeWithoutTransaction { try $0.vacuum() }
    withExtendedLifetime((directory, kept)) {}
  }

  @Test func `refuses to continue a statement of an earlier access`() throws {
    let (database, directory) = try Self.make()
    var kept: Statement?
    try database.writeWithoutTransaction { connection in
      let statement = try connection.prepare("SELECT a FROM t")
      _ = try statement.step()
      kept = statement
    }
    try database.writeWithoutTransaction { _ in
      let error = #expect(throws: SQLiteError.self) { try kept?.step() }
      #expect(error?.code == .abort)
    }
    withExtendedLifetime(directory) {}
  }

  // MARK: Settings

  /// A change of a reader's settings, with a query that shows it.
  struct Setting: CustomTestStringConvertible, Sendable {
    let change: @Sendable (Connection) throws -> Void
    let probe: String
    let expected: SQLiteValue
    let testDescription: String

    init(
      _ name: String, probe: String, expected: SQLiteValue,
      _ change: @escaping @Sendable (Connection) throws -> Void
    ) {
      (testDescription, self.probe, self.expected, self.change) = (name, probe, expected, change)
    }

    init(_ pragma: String, probe: String, expected: SQLiteValue) {
      self.init(pragma, probe: probe, expected: expected) {
        try $0.execute("PRAGMA \(unsafe: pragma)")
      }
    }
  }

  static let settings = [
    Setting("case_sensitive_like = 1", probe: "SELECT 'a' LIKE 'A'", expected: .integer(1)),
    Setting(
      "cache_size = 7", probe: "SELECT cache_size = 7 FROM pragma_cache_size", expected: .integer(0)
    ),
    Setting("reverse_unordered_selects = 1", probe: "SELECT a FROM t", expected: .text("text")),
    Setting(
      "full_column_names = 1", probe: "SELECT full_column_names FROM pragma_full_column_names",
      expected: .integer(0)),
    Setting(
      "a temporary table", probe: "SELECT count(*) FROM sqlite_temp_master", expected: .integer(0)
    ) {
      try $0.execute("CREATE TEMP TABLE scratch (x)")
    },
    Setting("a temporary view", probe: "SELECT count(*) FROM t", expected: .integer(2)) {
      try $0.execute("CREATE TEMP VIEW t AS SELECT 1 AS a")
    },
    Setting(
      "an attached database", probe: "SELECT count(*) FROM pragma_database_list",
      expected: .integer(1)
    ) {
      try $0.execute("ATTACH ':memory:' AS other")
    },
    Setting("a function", probe: "SELECT upper('a')", expected: .text("A")) {
      try $0.register("upper", argumentCount: 1) { _ in .text("mine") }
    },
    Setting("a collation", probe: "SELECT 'a' = 'A' COLLATE NOCASE", expected: .integer(1)) {
      try $0.registerCollation("NOCASE") { $0 == $1 ? 0 : 1 }
    },
    Setting("a limit", probe: "SELECT length('0123456789' || '0123456789')", expected: .integer(20))
    {
      _ = try $0.setLimit(.length, to: 10)
    },
    Setting("a switch", probe: "SELECT a FROM view_of_t", expected: .text("text")) {
      try $0.setOption(.views, on: false)
    },
  ]

  @Test(arguments: settings)
  func `has the settings of the configuration again`(_ setting: Setting) async throws {
    let (database, directory) = try Self.make()
    try await database.write { try $0.execute("CREATE VIEW view_of_t AS SELECT a FROM t") }
    for _ in 0..<2 * Self.readerCount {
      try await database.read { try setting.change($0) }
      #expect(
        try await database.read { try $0.value(SQLiteValue.self, SQL(unsafe: setting.probe)) }
          == setting.expected)
    }
    withExtendedLifetime(directory) {}
  }

  @Test func `stays open after reads that change no setting`() async throws {
    let opened = Shared(0)
    let (database, directory) = try `A database`.make(.file) { configuration in
      configuration.maximumReaderCount = 1
      configuration.prepare = { _ in opened.update { $0 += 1 } }
    }
    for _ in 0..<10 {
      _ = try await database.read { connection in
        _ = try connection.tables()
        _ = try connection.userVersion()
        _ = try connection.dataVersion()
        _ = try connection.rows("PRAGMA table_info(t)")
        return try connection.integrityCheck()
      }
    }
    #expect(opened.value == 2)
    withExtendedLifetime(directory) {}
  }

  @Test func `is replaced for waiting accesses`() async throws {
    let (database, directory) = try `A database`.make(.file) { $0.maximumReaderCount = 1 }
    try await withThrowingTaskGroup(of: Int?.self) { group in
      for number in 0..<50 {
        group.addTask {
          try await database.read { connection in
            if number.isMultiple(of: 3) { try connection.execute("PRAGMA cache_size = 5") }
            return try connection.value(Int.self, "SELECT cache_size = 5 FROM pragma_cache_size")
          }
        }
      }
      var changed = 0
      for try await isChanged in group { changed += isChanged ?? 0 }
      #expect(changed == 17)
    }
    #expect(database.statistics.readers.inUse == 0)
    withExtendedLifetime(directory) {}
  }

  @Test(arguments: Place.allCases)
  func `writes after a write has set query_only`(_ place: Place) throws {
    let (database, directory) = try `A database`.make(place)
    for number in 1...3 {
      try database.write { connection in
        try connection.run("INSERT INTO t VALUES (?)", number)
        try connection.execute("PRAGMA query_only = 1")
        #expect(throws: SQLiteError.self) { try connection.run("INSERT INTO t VALUES (0)") }
      }
      #expect(try database.read { try $0.count("t") } == number)
    }
    withExtendedLifetime(directory) {}
  }

  @Test(
    arguments: Place.allCases,
    ["PRAGMA query_only = 0", "PRAGMA query_only(OFF)", "PRAGMA main.QUERY_ONLY = 0"])
  func `refuses writes in a read after any setting of query_only`(
    _ place: Place, _ pragma: String
  ) throws {
    let (database, directory) = try `A database`.make(place)
    for _ in 0..<3 {
      try database.read { connection in
        try? connection.execute(SQL(unsafe: pragma))
        #expect(throws: SQLiteError.self) { try connection.run("INSERT INTO t VALUES (1)") }
        // A compiled pragma has no effect when it is run again.
        _ = try? connection.run(SQL(unsafe: pragma))
        #expect(throws: SQLiteError.self) { try connection.run("INSERT INTO t VALUES (1)") }
      }
      try database.write { try $0.run("INSERT INTO t VALUES (2)") }
    }
    #expect(try database.read { try $0.count("t") } == 3)
    withExtendedLifetime(directory) {}
  }

  @Test func `applies a pragma each time that it is run`() throws {
    let db = try memory()
    for isOn in [1, 0, 1, 0, 1] {
      try db.run("PRAGMA case_sensitive_like = \(unsafe: "\(isOn)")")
      #expect(try db.value(Int.self, "SELECT 'a' LIKE 'A'") == 1 - isOn)
    }
  }

  // MARK: Savepoints

  @Test(arguments: ["holt_1", "holt_2", "HOLT_1", "other"])
  func `rolls back a savepoint in which the user left a savepoint open`(_ name: String) throws {
    let db = try memory("CREATE TABLE t (a)")
    try db.transaction {
      #expect(throws: Failure.self) {
        try db.savepoint {
          try db.run("INSERT INTO t VALUES (1)")
          try db.execute("SAVEPOINT \(unsafe: name)")
          try db.run("INSERT INTO t VALUES (2)")
          throw Failure()
        }
      }
      #expect(try db.count("t") == 0)
      try db.savepoint {
        try db.execute("SAVEPOINT \(unsafe: name)")
        try db.run("INSERT INTO t VALUES (3)")
      }
    }
    #expect(try db.values(Int.self, "SELECT a FROM t") == [3])
  }
}
