import Foundation
import SQLiteCore
import Testing

@testable import Observe

/// Observers in separate tasks, while a writer runs statements from a fixed seed. At the end, each
/// observer has the result of a new fetch, and has received no uncommitted value.
@Suite struct `Under random writes` {
  static let schema = """
    CREATE TABLE p (id INTEGER PRIMARY KEY, name TEXT, score INTEGER NOT NULL DEFAULT 0);
    CREATE TABLE c (id INTEGER PRIMARY KEY, p REFERENCES p ON DELETE CASCADE, v INTEGER);
    CREATE TABLE w (k TEXT PRIMARY KEY, v INTEGER) WITHOUT ROWID;
    CREATE TABLE total (n INTEGER); INSERT INTO total VALUES (0);
    CREATE TRIGGER counted AFTER INSERT ON c BEGIN UPDATE total SET n = n + 1; END;
    CREATE VIEW best AS SELECT name, score FROM p WHERE score > 50;
    CREATE VIRTUAL TABLE ft USING fts5(body);
    CREATE TABLE revision (n INTEGER); INSERT INTO revision VALUES (0);
    """

  static let queries = [
    "SELECT id, name FROM p ORDER BY id", "SELECT score FROM p ORDER BY score, id",
    "SELECT count(*) FROM p", "SELECT name, score FROM best ORDER BY score, name",
    "SELECT p.name, c.v FROM p JOIN c ON c.p = p.id ORDER BY p.id, c.id", "SELECT n FROM total",
    "SELECT k, v FROM w ORDER BY k", "SELECT rowid FROM ft WHERE ft MATCH 'odd' ORDER BY rowid",
    "SELECT max(v) FROM c", "SELECT 1",
  ]

  /// Queries of some rows, with their explicit regions.
  static let rowQueries: [(sql: String, region: Region)] = [
    (
      "SELECT name FROM p WHERE score > 50 ORDER BY id",
      .rows(of: "p", where: .column("score", .greater, 50), reading: ["name"])
    ),
    (
      "SELECT v FROM c WHERE p = 3 ORDER BY id",
      .rows(of: "c", where: .column("p", equals: 3), reading: ["v"])
    ),
    ("SELECT v FROM w WHERE k = 'k3'", .rows(of: "w", where: .column("k", equals: "k3"))),
    (
      "SELECT name FROM p WHERE rowid IN (3, 4) ORDER BY id",
      .rows(of: "p", where: .rowIDs([3, 4]), reading: ["name"])
    ),
    (
      "SELECT count(*) FROM p WHERE name IS NULL OR score IN (0, 7)",
      .rows(of: "p", where: .isNull("name") || .column("score", in: [0, 7]), reading: [])
    ),
  ]

  static func statement(_ generator: inout SeededGenerator) -> String {
    let id = Int.random(in: 1...20, using: &generator)
    let value = Int.random(in: 0...99, using: &generator)
    switch Int.random(in: 0..<14, using: &generator) {
    case 0: return "INSERT OR IGNORE INTO p VALUES (\(id), 'n\(value)', \(value))"
    case 1: return "REPLACE INTO p VALUES (\(id), 'n\(value)', \(value))"
    case 2: return "UPDATE p SET score = \(value) WHERE id = \(id)"
    case 3: return "UPDATE p SET name = name || '!' WHERE score > \(value)"
    case 4: return "DELETE FROM p WHERE id = \(id)"
    case 5: return "INSERT INTO c (p, v) SELECT id, \(value) FROM p WHERE id <= \(id)"
    case 6: return "DELETE FROM c WHERE v < \(value)"
    case 7: return "INSERT INTO w VALUES ('k\(id)', \(value)) ON CONFLICT DO UPDATE SET v = v + 1"
    case 8: return "UPDATE w SET k = k || 'x' WHERE k = 'k\(id)'"
    case 9: return "DELETE FROM w"
    case 10: return "INSERT INTO ft VALUES ('\(value % 2 == 0 ? "even" : "odd")')"
    case 11: return "DELETE FROM ft WHERE rowid % 3 = 0"
    case 12: return "UPDATE OR IGNORE p SET id = \(id) WHERE id = \(id + 1)"
    default: return "UPDATE p SET score = score"
    }
  }

  static func transaction(_ generator: inout SeededGenerator, on connection: Connection) throws {
    try connection.execute("BEGIN IMMEDIATE")
    for _ in 0..<Int.random(in: 1...4, using: &generator) {
      switch Int.random(in: 0..<8, using: &generator) {
      case 0:
        try connection.execute("SAVEPOINT s")
        try? connection.execute(SQL(unsafe: statement(&generator)))
        if Bool.random(using: &generator) { try connection.execute("ROLLBACK TO s") }
        try connection.execute("RELEASE s")
      case 1: try? connection.execute("INSERT INTO p (id) SELECT id FROM p")
      default: try? connection.execute(SQL(unsafe: statement(&generator)))
      }
    }
    guard connection.isInTransaction else { return }
    try connection.execute(
      Int.random(in: 0..<5, using: &generator) == 0
        ? "UPDATE revision SET n = -1; ROLLBACK" : "UPDATE revision SET n = n + 1; COMMIT")
  }

  /// `HOLT_SEEDS=100` sets the number of seeds.
  static let seeds: [UInt64] =
    [20_261_121]
    + (1...(ProcessInfo.processInfo.environment["HOLT_SEEDS"].flatMap(UInt64.init) ?? 2))

  @Test(arguments: Store.allCases, seeds)
  func `every observer ends with the result of a new fetch`(_ store: Store, _ seed: UInt64)
    async throws
  {
    print("random writes: \(store), seed \(seed)")
    let queries: [(sql: String, region: Region?)] =
      Self.queries.map { ($0, nil) } + Self.rowQueries.map { ($0.sql, $0.region) }
    try await withDatabase(store, Self.schema) { database in
      let latest = queries.map { _ in Collector<[[SQLiteValue]]>() }
      let revisions = Collector<Int>()
      try await database.startObserving()
      try await withThrowingTaskGroup(of: Void.self) { group in
        for (index, query) in queries.enumerated() {
          group.addTask {
            for try await rows in database.observe(
              query.region, { try $0.rows(SQL(unsafe: query.sql)) })
            {
              latest[index].add(rows)
              if index % 3 == 0 { try? await Task.sleep(for: .milliseconds(index)) }
            }
          }
        }
        group.addTask {
          for try await n in database.observe({
            try $0.value(Int.self, "SELECT n FROM revision") ?? 0
          }) { revisions.add(n) }
        }
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<400 {
          generator = try await database.writeWithoutTransaction { [generator] connection in
            var next = generator
            try Self.transaction(&next, on: connection)
            return next
          }
        }
        let fresh = try await database.read { connection in
          try queries.map { try connection.rows(SQL(unsafe: $0.sql)) }
        }
        let last = try await database.read { try $0.value(Int.self, "SELECT n FROM revision") }
        await database.waitUntilIdle(includingConsumers: true)
        #expect(revisions.all.last == last)
        for (index, query) in queries.enumerated() {
          #expect(latest[index].all.last == fresh[index], "\(query.sql)")
        }
        group.cancelAll()
        try await group.waitForAll()
      }
      let seen = revisions.all
      #expect(seen == seen.sorted(), "values are in the order of the commits")
      #expect(!seen.contains(-1), "no value was rolled back")
    }
  }

  @Test func `an observer receives one first value, and no more values than commits`() async throws
  {
    try await withDatabase(.file, "CREATE TABLE t (x)") { database in
      try await database.startObserving()
      let commits = 300
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
          for _ in 0..<commits {
            try await database.write { try $0.run("INSERT INTO t VALUES (1)") }
          }
        }
        for start in 0..<20 {
          group.addTask {
            try await Task.sleep(for: .milliseconds(start))
            let before = try #require(ChangeHub.of(database).position)
            var values: [Int] = []
            for try await value in database.observe({
              try $0.value(Int.self, "SELECT count(*) FROM t") ?? 0
            }) {
              values.append(value)
              if value == commits { break }
            }
            #expect(values == values.sorted())
            #expect(values.count <= 1 + commits - Int(before))
          }
        }
        try await group.waitForAll()
      }
    }
  }
}
