#if os(Linux)
  import CommandTesting
  import Foundation
  import SQLiteCore
  import Testing

  @testable import HoltTool

  /// Databases that other programs damaged, are writing, or did not finish writing.
  @Suite struct `A database` {
    @Test(arguments: [
      "query 'SELECT count(*) AS n FROM t' a.db --output jsonl",
      "query 'SELECT count(*) AS n FROM a.t JOIN b USING (id)' a.db b.csv --output jsonl",
      "query 'SELECT count(*) AS n FROM t' a.db --output jsonl --write",
      "check a.db", "schema a.db", "convert a.db a.json", "copy a.db other.db", "diff a.db a.db",
      "watch 'SELECT count(*) AS n FROM t' a.db --count 1", "bench a.db 'SELECT 1' --runs 3",
      "migrate status a.db -m .",
    ])
    func `whose writer crashed is recovered`(_ command: String) throws {
      let run = try HoltRun()
      try run.makeCrashedDatabase("a.db")
      try run.write("id\n1\n2\n", to: "b.csv")
      let result = try run.shell("holt \(command) </dev/null")
      #expect(result.status == 0, "\(result.errors)")
      if command.contains("count(*)") {
        let expected = command.contains("b.csv") ? "\"n\":2" : "\"n\":100"
        #expect(result.output.contains(expected), "\(result.output)")
      }
      #expect(!run.exists("a.db-journal"))
      let connection = try Connection(
        path: run.path("a.db"), configuration: .reading)
      #expect(try connection.value(Int.self, "SELECT count(*) FROM t WHERE text LIKE 'x%'") == 100)
      #expect(try connection.value(String.self, "PRAGMA journal_mode") == "delete")
    }

    @Test(arguments: [
      "query 'SELECT 1 FROM t'", "check", "schema", "watch 'SELECT 1 FROM t'",
    ])
    func `that can't be recovered is not read`(_ command: String) throws {
      let run = try HoltRun()
      try run.makeCrashedDatabase("a.db")
      let files = FileManager.default
      try files.createDirectory(atPath: run.path("locked"), withIntermediateDirectories: false)
      for name in ["a.db", "a.db-journal"] {
        try files.moveItem(atPath: run.path(name), toPath: run.path("locked/\(name)"))
        try files.setAttributes(
          [.posixPermissions: 0o444], ofItemAtPath: run.path("locked/\(name)"))
      }
      try files.setAttributes([.posixPermissions: 0o555], ofItemAtPath: run.path("locked"))
      defer {
        try? files.setAttributes([.posixPermissions: 0o755], ofItemAtPath: run.path("locked"))
      }
      let result = try run.asOrdinaryUser("holt \(command) locked/a.db </dev/null")
      #expect(result.status == 2)
      #expect(result.errors.contains("a program ended while it was writing"))
      #expect(result.errors.contains("copy locked/a.db and locked/a.db-journal"))
    }

    @Test func `is not blocked by a watched query`() throws {
      let run = try HoltRun()
      try run.makeDatabase("a.db", "CREATE TABLE t (a); INSERT INTO t VALUES (0)").close()
      // The writer doesn't wait for locks, and each read of the query takes some time.
      let result = try run.shell(
        """
        '\(run.executable)' watch "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 200000)
          SELECT max(a) AS last, (SELECT count(*) FROM n, (SELECT count(*) FROM t)) AS n FROM t" a.db >out &
        watch=$!
        for i in $(seq 1 400); do [ -s out ] && break; sleep 0.05; done
        python3 - <<'END'
        import sqlite3, time
        db = sqlite3.connect("a.db", timeout=0, isolation_level=None)
        for i in range(1, 301):
          db.execute("UPDATE t SET a = ?", (i,))
          if i % 100 == 0: time.sleep(1.5)
          time.sleep(0.001)
        print("written")
        END
        for i in $(seq 1 400); do grep -q '"last":300' out && break; sleep 0.05; done
        kill -TERM $watch; wait $watch; echo $?
        grep -c '"last":300' out
        """)
      #expect(result.output == "written\n0\n1\n", "\(result.errors)")
    }

    @Test func `is watched under its name`() throws {
      for mode in ["DELETE", "WAL"] {
        let run = try HoltRun()
        try run.makeDatabase("a.db", "PRAGMA journal_mode = \(mode); CREATE TABLE t (a)").close()
        let result = try run.holt(
          "watch", "SELECT count(*) AS n FROM x.t, main.t", "x=a.db", "--count", "1")
        #expect(result.output == "{\"number\":1,\"rows\":[{\"n\":0}]}\n", "\(result.errors)")
      }
    }

    @Test func `that is damaged is reported with SQLite's findings`() throws {
      let run = try HoltRun()
      let connection = try run.makeDatabase(
        "a.db",
        """
        CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT); CREATE INDEX i ON t (a);
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 2000)
        INSERT INTO t SELECT i, printf('%.*c', 100, 'x') || i FROM n;
        """)
      let page = try #require(
        try connection.value(Int.self, "SELECT rootpage FROM sqlite_schema WHERE name = 't'"))
      try connection.close()
      let whole = try Data(contentsOf: URL(filePath: run.path("a.db")))
      // The root page is overwritten, and another page is zeroed.
      for (name, range) in [
        ("root.db", (page - 1) * 4_096..<(page - 1) * 4_096 + 600), ("leaf.db", 40_960..<45_056),
      ] {
        var data = whole
        for index in range { data[index] = name == "root.db" ? 0xAA : 0 }
        try data.write(to: URL(filePath: run.path(name)))
        let result = try run.holt("check", name)
        #expect(result.status == 1, "\(result.errors)")
        #expect(result.output.hasPrefix("integrity: "))
        #expect(
          result.output.split(separator: "\n").count > 1 || name == "root.db", "\(result.output)")
        #expect(result.errors == "")
      }
      // The file ends in the middle.
      try whole.prefix(60_000).write(to: URL(filePath: run.path("short.db")))
      let short = try run.holt("check", "short.db", "--json")
      #expect(short.status == 1, "\(short.errors)")
      #expect(short.output.hasPrefix("{\"kind\":\"integrity\",\"table\":null,"))
      // The schema can't be read.
      var data = whole
      for index in 100..<4_096 { data[index] = 0xAA }
      try data.write(to: URL(filePath: run.path("schema.db")))
      let schema = try run.holt("check", "schema.db")
      #expect(schema.status == 1, "\(schema.errors)")
      #expect(schema.output == "integrity: database disk image is malformed\n")
    }

    @Test func `with invalid text is reported with the row and the column`() throws {
      let run = try HoltRun()
      try run.makeDatabase(
        "a.db",
        """
        CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b);
        INSERT INTO t VALUES (7, 'é', CAST(x'61ff' AS TEXT)), (8, CAST(x'c3' AS TEXT), x'ff');
        CREATE TABLE u (k TEXT PRIMARY KEY) WITHOUT ROWID; INSERT INTO u VALUES (CAST(x'80' AS TEXT));
        """
      ).close()
      let result = try run.holt("check", "a.db")
      #expect(result.status == 1)
      #expect(
        result.output == """
          text: the text in column b of row 7 of t is not valid UTF-8
          text: the text in column a of row 8 of t is not valid UTF-8
          text: the text in column k of a row of u is not valid UTF-8

          """)
      let json = try run.holt("check", "a.db", "--json", "--limit", "1")
      #expect(
        json.output.split(separator: "\n")[0]
          == "{\"kind\":\"text\",\"table\":\"t\",\"rowid\":7,\"column\":\"b\",\"message\":\"the text in column b of row 7 of t is not valid UTF-8\"}"
      )
      #expect(json.errors == "note: 1 more text in t is not valid UTF-8\n")
      #expect(try run.holt("check", "a.db", "--quick").status == 0)
    }
  }
#endif
