#if os(Linux)
  import CommandTesting
  import Foundation
  import PostgreSQL
  import SQLiteCore
  import Testing

  /// Random tables, and copies that are killed.
  @Suite(.needsServer, .serialized) struct `Copies at random` {
    private static let seed: UInt64 = 20_261_127

    /// A column of a random table: its declared type, and a random value of it as SQL.
    private static let kinds: [(type: String, value: @Sendable (inout SeededGenerator) -> String)] =
      [
        ("INTEGER", { "\(Int64.random(in: .min ... .max, using: &$0))" }),
        ("SMALLINT", { "\(Int16.random(in: .min ... .max, using: &$0))" }),
        (
          "REAL",
          { "\(Double(bitPattern: UInt64.random(in: 0..<0x7FF0_0000_0000_0000, using: &$0)))" }
        ),
        (
          "DECIMAL(15,4)",
          { "\(Double(Int.random(in: -99_999_999...99_999_999, using: &$0)) / 10_000)" }
        ),
        (
          "DECIMAL TEXT",
          {
            "'\(Int64.random(in: .min ... .max, using: &$0)).\(Int.random(in: 0...999, using: &$0))'"
          }
        ),
        ("BOOLEAN", { "\(Bool.random(using: &$0) ? 1 : 0)" }),
        ("TEXT", { text(&$0) }),
        (
          "BLOB",
          { generator in
            "x'"
              + (0..<Int.random(in: 0...40, using: &generator)).map { _ in
                let byte = UInt8.random(in: 0...255, using: &generator)
                return String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
              }.joined() + "'"
          }
        ),
        (
          "DATE",
          { "date(\(Int.random(in: -60_000_000_000...200_000_000_000, using: &$0)), 'unixepoch')" }
        ),
        (
          "DATETIME",
          {
            "datetime(\(Int.random(in: -60_000_000_000...200_000_000_000, using: &$0)), 'unixepoch')"
          }
        ),
        (
          "TIMESTAMPTZ",
          {
            "datetime(\(Int.random(in: -60_000_000_000...200_000_000_000, using: &$0)), 'unixepoch') || 'Z'"
          }
        ),
        ("JSON", { "json_array(\(Int.random(in: 0...9, using: &$0)), \(text(&$0)))" }),
      ]

    private static func text(_ generator: inout SeededGenerator) -> String {
      let parts = [
        "a", "'", "\\", "\n", "\t", "é", "東", "\u{1F600}", "\"", "\r", "\u{7F}", "\u{1}", " ",
      ]
      let text = (0..<Int.random(in: 0...12, using: &generator)).map { _ in
        parts[Int.random(in: 0..<parts.count, using: &generator)]
      }.joined()
      return "'\(text.replacing("'", with: "''"))'"
    }

    /// Returns the statements that create random tables and their rows.
    private static func schema(_ generator: inout SeededGenerator) -> String {
      var sql = ""
      for table in 0..<Int.random(in: 1...4, using: &generator) {
        let columns = (0..<Int.random(in: 1...8, using: &generator)).map { _ in
          kinds[Int.random(in: 0..<kinds.count, using: &generator)]
        }
        let name = SQLName.quoted("t \(table)\"\(text(&generator).prefix(6).filter(\.isASCII))")
        let parent = table > 0 && Bool.random(using: &generator) ? "t0" : nil
        if table == 0 {
          sql += "CREATE TABLE t0 (id INTEGER PRIMARY KEY); INSERT INTO t0 VALUES (1);"
        }
        let list = columns.enumerated().map { "\"c\($0)\" \($1.type)" }
        sql += "CREATE TABLE \(name) (id INTEGER PRIMARY KEY, \(list.joined(separator: ", "))"
        sql += parent.map { ", parent INTEGER DEFAULT 1 REFERENCES \($0) (id)" } ?? ""
        sql += ");\n"
        for row in 0..<Int.random(in: 0...30, using: &generator) {
          let values = columns.map { column in
            Int.random(in: 0..<6, using: &generator) == 0 ? "NULL" : column.value(&generator)
          }
          let names = columns.indices.map { "\"c\($0)\"" }.joined(separator: ", ")
          sql +=
            "INSERT INTO \(name) (id, \(names)) VALUES (\(row * 3 - 5), \(values.joined(separator: ", ")));\n"
        }
      }
      return sql
    }

    @Test func `random tables return with the same rows`() async throws {
      print("seed of random tables for PostgreSQL: \(Self.seed)")
      var generator = SeededGenerator(Self.seed)
      for _ in 0..<6 {
        let sql = Self.schema(&generator)
        try await ServerRun.with { server in
          try server.makeSQLite("a.db", sql)
          try server.holt("copy", "a.db", server.url)
          try server.holt("copy", server.url, "b.db")
          let result = try server.holt("diff", "a.db", "b.db", "--data")
          #expect(result.output == "", "\(sql)")
          try server.holt("diff", "a.db", server.url)
          try server.holt("diff", server.url, "b.db")
        }
      }
    }

    /// Creates a database with four tables of many rows.
    private func makeLarge(_ server: ServerRun, rows: Int) throws {
      var sql = ""
      for table in 1...4 {
        sql += """
          CREATE TABLE t\(table) (id INTEGER PRIMARY KEY, n INTEGER NOT NULL, name TEXT NOT NULL UNIQUE\(table > 1 ? ", parent INTEGER REFERENCES t\(table - 1)(id)" : ""));
          CREATE INDEX t\(table)_n ON t\(table) (n);
          WITH RECURSIVE i(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM i LIMIT \(rows))
          INSERT INTO t\(table) SELECT i, i * 7 % 1000, 'name ' || i\(table > 1 ? ", i" : "") FROM i;
          """
      }
      try server.makeSQLite("a.db", sql)
    }

    @Test func `a killed copy leaves no table half copied and continues`() async throws {
      print("seed of killed copies: \(Self.seed)")
      var generator = SeededGenerator(Self.seed)
      let rows = 4_000
      for direction in 0..<2 {
        try await ServerRun.with { server in
          try makeLarge(server, rows: rows)
          var arguments = ["a.db", server.url]
          if direction == 1 {
            try server.holt("copy", "a.db", server.url)
            arguments = [server.url, "b.db"]
          }
          var kills = 0
          for attempt in 0..<40 {
            let delay = Double(Int.random(in: 20...900, using: &generator)) / 1_000
            let result = try server.run.shell(
              """
              '\(server.run.executable)' copy \(arguments.joined(separator: " ")) & pid=$!
              ( sleep \(delay); kill -9 $pid ) 2>/dev/null & killer=$!
              wait $pid; code=$?; kill $killer 2>/dev/null; exit $code
              """)
            if result.status == 0 { break }
            #expect(result.status == 137, "\(result.errors)")
            kills += 1
            // A table exists with all rows, or not at all.
            for table in 1...4 {
              if direction == 0 {
                let exists = try await server.tables().contains("t\(table)")
                if exists { #expect(try await server.count("t\(table)") == rows) }
              } else if server.run.exists("b.db") {
                let connection = try Connection(path: server.run.path("b.db"))
                if try connection.table("t\(table)") != nil {
                  let count = try connection.value(
                    Int.self, "SELECT count(*) FROM \(identifier: "t\(table)")")
                  #expect(count == rows)
                }
              }
            }
            if attempt == 39 { try server.holt("copy", arguments[0], arguments[1]) }
          }
          print("killed \(kills) times")
          try server.holt("diff", "a.db", direction == 0 ? server.url : "b.db", "--data")
          #expect(try await server.tables() == ["t1", "t2", "t3", "t4"])
          if direction == 1 {
            #expect(try Connection(path: server.run.path("b.db")).tables().count == 4)
          }
        }
      }
    }

    @Test func `memory does not grow with the number of rows`() async throws {
      try await ServerRun.with { server in
        func peak(_ arguments: String) throws -> Int {
          let result = try server.run.shell(
            """
            '\(server.run.executable)' copy \(arguments) >/dev/null & pid=$!; peak=0
            while size=$(awk '/VmHWM/ { print $2 }' /proc/$pid/status 2>/dev/null) && [ -n "$size" ]; do
              peak=$size; sleep 0.02; done
            wait $pid && echo $peak
            """)
          #expect(result.status == 0, "\(result.errors)")
          return try #require(Int(result.output.trimmingCharacters(in: .whitespacesAndNewlines)))
        }
        func make(_ name: String, _ rows: Int) throws {
          try server.makeSQLite(
            name,
            """
            CREATE TABLE \(name.prefix { $0 != "." }) (id INTEGER PRIMARY KEY, text TEXT);
            WITH RECURSIVE i(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM i LIMIT \(rows))
            INSERT INTO \(name.prefix { $0 != "." }) SELECT i, printf('%.*c', 1000, 'x') FROM i;
            """)
        }
        try make("small.db", 2_000)
        try make("large.db", 60_000)
        let (small, large) = (
          try peak("small.db \(server.url)"), try peak("large.db \(server.url)")
        )
        // The rows have 60 MB.
        #expect(large < small + 20_000)
        let back = try peak("\(server.url) back.db")
        #expect(back < small + 20_000)
      }
    }
  }

  /// A generator of pseudorandom numbers, SplitMix64.
  struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var value = state
      value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
      value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
      return value ^ (value >> 31)
    }
  }
#endif
