import CommandTesting
import Foundation
import QueryGenDriver
import SQLiteCore
import Testing

@testable import HoltTool

@Suite struct `holt check` {
  @Test func `finds foreign keys to missing rows and missing tables`() throws {
    let run = try HoltRun()
    let connection = try Connection(path: run.path("a.db"))
    try connection.execute(SQL(unsafe: Samples.library))
    #expect(try run.holt("check", "a.db").output == "a.db: no errors found\n")
    try connection.execute(
      """
      PRAGMA foreign_keys = OFF;
      CREATE TABLE tag (id INTEGER PRIMARY KEY, name TEXT);
      CREATE TABLE book_tag (book INTEGER REFERENCES book, tag INTEGER REFERENCES tag, PRIMARY KEY (book, tag));
      INSERT INTO book_tag VALUES (1, 7);
      INSERT INTO book VALUES (9, 'Lost', NULL, 77);
      CREATE TABLE odd (a REFERENCES nowhere);
      """)
    let result = try run.holt("check", "a.db")
    #expect(result.status == 1)
    #expect(
      result.output == """
        reference: row 9 of book references a missing row of author via author
        link: row 1 of book_tag references a missing row of tag via tag
        schema: odd references the missing table nowhere

        """)
    #expect(
      try run.holt("check", "a.db", "--json").output.split(separator: "\n")[0]
        == "{\"kind\":\"reference\",\"table\":\"book\",\"rowid\":9,\"message\":\"row 9 of book references a missing row of author via author\"}"
    )
  }

  @Test func `reports the number of rows that are not listed`() throws {
    let run = try HoltRun()
    let connection = try Connection(path: run.path("a.db"))
    try connection.execute(SQL(unsafe: Samples.library))
    try connection.execute(
      """
      PRAGMA foreign_keys = OFF;
      INSERT INTO book VALUES (7, 'Lost', NULL, 77), (8, 'Lost', NULL, 77), (9, 'Lost', NULL, 77);
      """)
    #expect(
      try run.holt("check", "a.db", "--limit", "1").errors
        == "note: 2 more rows of book reference missing rows\n")
    #expect(
      try run.holt("check", "a.db", "--limit", "2").errors
        == "note: 1 more row of book references missing rows\n")
  }

  @Test func `finds corruption and mismatched full-text indexes`() throws {
    let run = try HoltRun()
    var configuration = Configuration()
    configuration.journalMode = .delete
    let connection = try Connection(path: run.path("a.db"), configuration: configuration)
    try connection.execute(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT); CREATE VIRTUAL TABLE f USING fts5(a, content='t', content_rowid='id');
      INSERT INTO t VALUES (1, 'one'); INSERT INTO f(f) VALUES ('rebuild');
      """)
    #expect(try run.holt("check", "a.db").status == 0)
    try connection.execute("UPDATE t SET a = 'two'")
    let result = try run.holt("check", "a.db")
    #expect(result.status == 1)
    #expect(result.output.hasPrefix("fullText: the index of f does not match its content"))
    try connection.close()
    var data = try Data(contentsOf: URL(filePath: run.path("a.db")))
    for index in 4_096..<6_000 { data[index] = 0xAA }
    try data.write(to: URL(filePath: run.path("b.db")))
    let damaged = try run.holt("check", "b.db")
    #expect(damaged.status == 1 || damaged.status == 2)
    #expect(damaged.output + damaged.errors != "")
  }
}

@Suite struct `holt migrate` {
  private func folder() throws -> HoltRun {
    let run = try HoltRun()
    try FileManager.default.createDirectory(
      atPath: run.path("Migrations"), withIntermediateDirectories: true)
    try run.write("CREATE TABLE a (x);\n", to: "Migrations/1_a.sql")
    try run.write("CREATE TABLE b (x);\nINSERT INTO b VALUES (1);\n", to: "Migrations/2_b.sql")
    return run
  }

  @Test func `migrates a database that an app created`() throws {
    let run = try folder()
    try Connection(path: run.path("app.db")).migrate([
      Migration(name: "1_a", sql: "create table a (x);")
    ])
    let status = try run.holt("migrate", "status", "app.db", "--json")
    #expect(status.output.contains("{\"name\":\"1_a\",\"state\":\"applied\","))
    #expect(
      status.output.hasSuffix("{\"name\":\"2_b\",\"state\":\"pending\",\"appliedAt\":null}]\n"))
    let dry = try run.holt("migrate", "up", "app.db", "--dry-run")
    #expect(dry.output == "-- migration 2_b\nCREATE TABLE b (x);\nINSERT INTO b VALUES (1);\n")
    #expect(try run.holt("migrate", "up", "app.db").output == "ran 2_b\n")
    #expect(try run.holt("migrate", "up", "app.db", "--json").output == "{\"ran\":[]}\n")
    let connection = try Connection(path: run.path("app.db"))
    #expect(try connection.appliedMigrations() == ["1_a", "2_b"])
  }

  @Test func `reads a migrations folder like QueryGen`() throws {
    let run = try folder()
    try FileManager.default.createDirectory(
      atPath: run.path("Queries"), withIntermediateDirectories: true)
    for (name, column) in [("10_c", "c"), ("0003_d", "d"), ("20240131_e", "e"), ("9_f", "f")] {
      let sql = "-- a comment\nALTER TABLE a\n  ADD COLUMN \(column)  TEXT ; \n"
      try run.write(sql, to: "Migrations/\(name).sql")
    }
    let theirs = Driver(DriverOptions(path: run.folder)).projectSchema().migrations.map {
      Migration(name: $0.name, sql: SQL(unsafe: $0.sql))
    }
    let ours = try Migration.read(folder: run.path("Migrations"))
    #expect(ours.count == 6)
    #expect(ours.map(\.name) == theirs.map(\.name))
    #expect(ours.map(\.checksum) == theirs.map(\.checksum))
  }

  @Test func `reports the file and line of a failing migration and keeps earlier ones`() throws {
    let run = try folder()
    try run.write("CREATE TABLE c (x);\nCREATE TABLE c (y);\n", to: "Migrations/3_c.sql")
    let result = try run.holt("migrate", "up", "new.db")
    #expect(result.status == 2)
    #expect(result.errors.hasPrefix("Migrations/3_c.sql:2:"), "\(result.errors)")
    #expect(try Connection(path: run.path("new.db")).appliedMigrations() == ["1_a", "2_b"])
    try run.write("CREATE TABLE other (x);\n", to: "Migrations/1_a.sql")
    #expect(try run.holt("migrate", "status", "new.db").output.contains("changed"))
    let changed = try run.holt("migrate", "up", "new.db").errors
    #expect(changed.contains("after they had been applied to the database: 1_a"))
    #expect(try run.holt("migrate", "up", "new.db", "-m", "none").status == 2)
  }

  @Test func `adopts a database that has the same schema`()
    throws
  {
    let run = try folder()
    let connection = try Connection(path: run.path("theirs.db"))
    try connection.execute("CREATE TABLE A (x); CREATE TABLE their_migrations (name)")
    let refused = try run.holt("migrate", "adopt", "theirs.db", "--to", "2_b")
    #expect(refused.status == 2)
    #expect(refused.errors.contains("b"), "\(refused.errors)")
    #expect(try connection.appliedMigrations() == [])
    #expect(try run.holt("migrate", "adopt", "theirs.db", "--to", "1_a").output == "adopted 1_a\n")
    #expect(try connection.appliedMigrations() == ["1_a"])
    #expect(
      try run.holt("migrate", "adopt", "theirs.db", "--to", "2_b", "--json").output
        == "{\"adopted\":[]}\n")
    #expect(try run.holt("migrate", "up", "theirs.db").output == "ran 2_b\n")
    #expect(try run.holt("migrate", "adopt", "none.db", "--to", "1_a").status == 2)
    #expect(try run.holt("migrate", "adopt", "theirs.db", "--to", "9_z").status == 2)
    #expect(try run.holt("migrate", "adopt", "theirs.db").status == 64)
  }
}

@Suite struct `holt watch` {
  @Test func `writes a line for each value, including commits of other processes`() throws {
    let run = try HoltRun()
    try Connection(path: run.path("a.db")).execute("CREATE TABLE t (a); INSERT INTO t VALUES (1)")
    let result = try run.shell(
      """
      holt watch 'SELECT count(*) AS n FROM t' a.db --count 2 >out &
      for i in $(seq 1 200); do [ -s out ] && break; sleep 0.05; done
      holt query 'INSERT INTO t VALUES (2)' a.db --write </dev/null
      wait $!
      echo $?; cat out
      """)
    #expect(
      result.output
        == "0\n{\"number\":1,\"rows\":[{\"n\":1}]}\n{\"number\":2,\"rows\":[{\"n\":2}]}\n",
      "\(result.errors)")
  }

  @Test func `ends without an error when interrupted`() throws {
    let run = try HoltRun()
    try Connection(path: run.path("a.db")).execute("CREATE TABLE t (a)")
    let result = try run.shell(
      """
      '\(run.executable)' watch 'SELECT count(*) AS n FROM t' a.db >out &
      for i in $(seq 1 200); do [ -s out ] && break; sleep 0.05; done
      kill -TERM $!; wait $!; echo $?
      """)
    #expect(result.output == "0\n", "\(result.errors)")
  }

  @Test(arguments: ["SELECT none", "DELETE FROM t", "SELECT :a"])
  func `fails if the query fails`(_ sql: String) throws {
    let run = try HoltRun()
    try Connection(path: run.path("a.db")).execute("CREATE TABLE t (a)")
    #expect(try run.holt("watch", sql, "a.db").status == 2)
  }
}

@Suite struct `holt bench` {
  @Test func `reports times, the plan and the counters`() throws {
    let run = try HoltRun()
    try Connection(path: run.path("a.db")).execute(
      "CREATE TABLE t (a); INSERT INTO t VALUES (1), (2), (3)")
    let text = try run.holt(
      "bench", "a.db", "SELECT * FROM t WHERE a > ? ORDER BY a", "--arg", "1", "--runs", "5")
    #expect(text.status == 0)
    #expect(text.output.hasPrefix("runs      5\nrows      2\nmin       "))
    #expect(text.output.contains("--SCAN t\n"))
    #expect(text.output.contains("full scan steps: 2\nsorts: 1\n"))
    let json = try run.holt("bench", "a.db", "SELECT 1", "--runs", "3", "--json")
    #expect(json.output.hasPrefix("{\"runs\":3,\"rows\":1,\"seconds\":{\"min\":"))
    #expect(try run.holt("bench", "a.db", "DELETE FROM t", "--runs", "3").status == 0)
    #expect(try Connection(path: run.path("a.db")).value(Int.self, "SELECT count(*) FROM t") == 3)
  }

  @Test(arguments: [([0.5], 0.5), ([1, 2, 3], 2), ([1, 2, 3, 4], 2)] as [([Double], Double)])
  func `computes the median of the times`(_ times: [Double], _ median: Double) {
    #expect(StatementMeasurement.quantile(times, 0.5) == median)
  }

  @Test(
    arguments: [
      (0.0000123, "12.3 µs"), (0.00123, "1.23 ms"), (0.4567, "457 ms"), (12.34, "12.3 s"),
    ] as [(Double, String)])
  func `formats times with three digits`(_ seconds: Double, _ words: String) {
    #expect(StatementMeasurement.formatted(seconds) == words)
  }
}
