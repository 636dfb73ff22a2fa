import Foundation
import SQLiteCore
import Testing

@Suite struct `The library` {
  @Test func `reports its version`() throws {
    let db = try memory()
    #expect(try db.value(String.self, "SELECT sqlite_version()") == SQLiteLibrary.version)
    #expect(try db.value(String.self, "SELECT sqlite_source_id()") == SQLiteLibrary.sourceID)
    #expect(
      try db.values(String.self, "PRAGMA compile_options") == SQLiteLibrary.compileOptions)
    let parts = SQLiteLibrary.version.split(separator: ".").compactMap { Int($0) }
    #expect(
      SQLiteLibrary.versionNumber == parts[0] * 1_000_000 + parts[1] * 1_000 + parts[2])
    #expect(SQLiteLibrary.isThreadSafe)
    let option = try #require(SQLiteLibrary.compileOptions.first { $0.hasPrefix("ENABLE") })
    #expect(SQLiteLibrary.has(option))
    #expect(SQLiteLibrary.has("SQLITE_" + option))
    #expect(!SQLiteLibrary.has("ENABLE_NOTHING_OF_THE_KIND"))
  }

  @Test(
    arguments: [
      (SQLiteLibrary.Feature.returning, "INSERT INTO t (a) VALUES (1) RETURNING a"),
      (.strict, "CREATE TABLE s (a INT) STRICT"),
      (.upsert, "INSERT INTO t (a) VALUES (1) ON CONFLICT (a) DO UPDATE SET b = 1"),
      (.windowFunctions, "SELECT row_number() OVER () FROM t"),
      (.generatedColumns, "CREATE TABLE g (a, b AS (a + 1))"),
      (.json, "SELECT json('1')"), (.jsonOperators, "SELECT '[1]' -> 0"),
      (.jsonb, "SELECT jsonb('1')"), (.mathFunctions, "SELECT pi()"),
      (.unixEpoch, "SELECT unixepoch()"), (.soundex, "SELECT soundex('a')"),
      (.fts3, "CREATE VIRTUAL TABLE v USING fts3(a)"),
      (.fts4, "CREATE VIRTUAL TABLE v USING fts4(a)"),
      (.fts5, "CREATE VIRTUAL TABLE v USING fts5(a)"),
      (.rTree, "CREATE VIRTUAL TABLE v USING rtree(id, a, b)"),
      (.geopoly, "CREATE VIRTUAL TABLE v USING geopoly()"),
      (.databaseStatistics, "SELECT count(*) FROM dbstat"),
      (.statementTable, "SELECT count(*) FROM sqlite_stmt"),
      (.bytecodeTable, "SELECT count(*) FROM bytecode('SELECT 1')"),
      (.dropColumn, "ALTER TABLE t DROP COLUMN b"),
      (.renameColumn, "ALTER TABLE t RENAME COLUMN b TO c"),
      (.fullJoin, "SELECT 1 FROM t FULL JOIN t AS u USING (a)"),
      (.limitedUpdates, "DELETE FROM t LIMIT 1"),
      (.updateFrom, "UPDATE t SET a = 1 FROM (SELECT 1)"),
      (.materializedExpressions, "WITH c AS MATERIALIZED (SELECT 1) SELECT * FROM c"),
    ] as [(SQLiteLibrary.Feature, String)])
  func `supports exactly the reported features`(_ feature: SQLiteLibrary.Feature, _ sql: String)
    throws
  {
    let db = try memory("CREATE TABLE t (a UNIQUE, b)")
    let works = (try? db.run(SQL(unsafe: sql))) != nil
    #expect(SQLiteLibrary.supports(feature) == works, "\(feature)")
  }

  @Test func `supports the C functions that this package finds`() throws {
    let db = try memory("CREATE TABLE t (a)")
    #expect(((try? db.hooks.add(Recorder())) != nil) == SQLiteLibrary.supports(.preupdateHook))
    let error = #expect(throws: SQLiteError.self) { try db.prepare("SELECT nope") }
    #expect((error?.offset != nil) == SQLiteLibrary.supports(.errorOffset))
    #expect(SQLiteLibrary.supports(.columnMetadata))
    for feature in [
      SQLiteLibrary.Feature.sessions, .snapshots, .serialization, .loadableExtensions,
      .normalizedSQL, .memoryManagement, .vacuumInto, .icu, .databasePages,
    ] {
      #expect(!feature.description.isEmpty)
      _ = SQLiteLibrary.supports(feature)
    }
  }

  @Test func `has memory limits`() async {
    // The limits apply to the whole process: other tests must not reach them.
    await #expect(processExitsWith: .success) {
      #expect(SQLiteLibrary.hardHeapLimit == 0)
      #expect(SQLiteLibrary.setSoftHeapLimit(50_000_000) == 0)
      #expect(SQLiteLibrary.setHardHeapLimit(20_000_000) == 0)
      #expect(SQLiteLibrary.softHeapLimit == 20_000_000)
      #expect(SQLiteLibrary.hardHeapLimit == 20_000_000)
      let db = try Connection.inMemory()
      let error = #expect(throws: SQLiteError.self) {
        try db.value(Int.self, "SELECT length(zeroblob(30000000) || 'x')")
      }
      #expect(error?.code == .outOfMemory)
      #expect(try db.value(Int.self, "SELECT 1") == 1)
      #expect(SQLiteLibrary.setHardHeapLimit(0) == 20_000_000)
      #expect(SQLiteLibrary.releaseMemory() >= 0)
      #expect(SQLiteLibrary.highestMemoryUsed(resetting: true) > 0)
    }
  }
}

@Suite struct `SQLite's log` {
  @Test func `is passed to the logger that is set before the first use`() async throws {
    await #expect(processExitsWith: .success) {
      let first = Shared<[String]>([])
      try SQLiteLibrary.setLogger(nil)
      try SQLiteLibrary.setLogger { code, message in
        first.update { $0.append("\(code.primary): \(message)") }
      }
      let db = try Connection.inMemory()
      _ = try? db.prepare("SELECT nope")
      #expect(first.value.contains { $0.hasPrefix("SQLITE_ERROR") && $0.contains("nope") })
      let second = Shared(0)
      try SQLiteLibrary.setLogger { _, _ in second.update { $0 += 1 } }
      _ = try? db.prepare("SELECT nope")
      #expect(second.value == 1)
      try SQLiteLibrary.setLogger(nil)
      _ = try? db.prepare("SELECT nope")
      #expect(first.value.count == 1)
      #expect(second.value == 1)
    }
  }

  // Since release 3.42, SQLite accepts a logger at any time.
  @Test(.enabled(if: SQLiteLibrary.versionNumber < 3_042_000))
  func `is refused after SQLite was initialized`() throws {
    let db = try memory()
    let error = #expect(throws: SQLiteError.self) { try SQLiteLibrary.setLogger { _, _ in } }
    #expect(error?.code == .alreadyInitialized)
    #expect(try db.value(Int.self, "SELECT 1") == 1)
    try SQLiteLibrary.setLogger(nil)
  }
}
