import ObserveTesting
import SQLiteCore
import Testing

@testable import Observe

/// The change sets of transactions that change more rows than the limit.
@Suite struct `Changes beyond the row limit` {
  struct Case: CustomTestStringConvertible, Sendable {
    let query: String, script: String
    var schema = "CREATE TABLE t (a, b)"
    var testDescription: String { "\(query): \(script)" }
  }

  /// More rows than are recorded.
  static let count = PendingChanges.maximumRows + 200

  static let fill = """
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
    INSERT INTO t (a) SELECT i FROM n
    """

  static let cases = [
    // No column value changes, but the rows' order in the table does.
    Case(query: "SELECT min(rowid) FROM t", script: "UPDATE t SET rowid = rowid + 5000"),
    Case(query: "SELECT a FROM t LIMIT 1", script: "UPDATE t SET rowid = -rowid"),
    Case(
      query: "SELECT min(rowid) FROM t",
      script: "BEGIN; SAVEPOINT s; UPDATE t SET rowid = rowid + 5000; RELEASE s; COMMIT"),
    Case(
      query: "SELECT min(rowid) FROM t",
      script: "BEGIN; UPDATE t SET rowid = rowid + 5000 WHERE a < 9; UPDATE t SET b = a; COMMIT"),
    // One row with values that are too large to be recorded.
    Case(
      query: "SELECT max(rowid) FROM t",
      script: """
        BEGIN; UPDATE t SET b = zeroblob(300000) WHERE a = 1; UPDATE t SET rowid = 7000 WHERE a = 1;
        COMMIT
        """),
    // The collapsed changes of two parts of the transaction are merged.
    Case(
      query: "SELECT sum(b) FROM t",
      script: "BEGIN; UPDATE t SET a = 0; SAVEPOINT s; UPDATE t SET b = 1; RELEASE s; COMMIT"),
    Case(query: "SELECT sum(b) FROM t", script: "UPDATE t SET b = 1"),
    Case(query: "SELECT count(*) FROM t", script: "DELETE FROM t"),
    Case(
      query: "SELECT sum(g) FROM t", script: "UPDATE t SET b = 1",
      schema: "CREATE TABLE t (a, b, g AS (b + 1))"),
  ]

  @Test(arguments: Store.allCases, cases)
  func `are observed`(_ store: Store, _ expected: Case) async throws {
    try await withDatabase(store, expected.schema) { database in
      try await database.run(Self.fill)
      let values = await Recording(
        database.observe { try $0.rows(SQL(unsafe: expected.query)) }, of: database)
      try await database.run(expected.script)
      await values.waitUntilIdle()
      let fresh = try await database.read { try $0.rows(SQL(unsafe: expected.query)) }
      #expect(values.values.last == fresh)
      #expect(values.values.count == 2)
    }
  }

  @Test(arguments: [-1, 0, 1])
  func `begin with the first row beyond the limit`(_ difference: Int) async throws {
    try await withDatabase(.memory, "CREATE TABLE t (a, b)") { database in
      let kept = PendingChanges.maximumRows
      let changes = try await database.recording { connection in
        try connection.transaction {
          for number in 1...(kept + difference) {
            try connection.run("INSERT INTO t (a) VALUES (?)", number)
          }
        }
      }
      #expect(changes?.tables["t"]?.rows?.count == (difference > 0 ? nil : kept + difference))
      #expect(changes?.tables["t"]?.kinds == .insert)
    }
  }
}
