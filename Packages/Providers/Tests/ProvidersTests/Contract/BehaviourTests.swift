import Foundation
import ProviderTesting
import Providers
import SQLiteCore
import Testing

/// The required behaviors of providers, each with its own check.
@Suite struct `The required behaviors` {
  struct Line: Decodable {
    let `case`: String
    let expected: String
  }

  @Test(arguments: Candidates.tried)
  func `hold for each provider`(_ candidate: Candidate) throws {
    guard let lines = try ProviderCorpora.lines("provider_behaviour.jsonl", as: Line.self) else {
      return
    }
    var unknown: [String] = []
    for line in lines {
      guard let check = Self.checks[line.case] else {
        unknown.append("\(line.case): \(line.expected)")
        continue
      }
      let sources = try `The corpora of providers`.Sources(candidate)
      let provider = try sources.opened()
      do {
        try check(provider)
      } catch {
        Issue.record("\(candidate): \(line.case), expected \(line.expected): \(error)")
      }
    }
    if !unknown.isEmpty { print("\(candidate): no check for \(unknown)") }
  }

  typealias Check = @Sendable (any DataProvider) throws -> Void

  struct Wrong: Error {
    let got: String
  }

  static func expect<Value: Equatable>(_ got: Value, _ expected: Value) throws {
    guard got == expected else { throw Wrong(got: "\(got)") }
  }

  private static func table(_ columns: String, _ check: @escaping Check) -> Check {
    { provider in
      try provider.execute("CREATE TABLE t (\(unsafe: columns))")
      try check(provider)
    }
  }

  /// A bound value, and the value that is then read.
  private static func kept(
    _ value: @escaping @Sendable () -> (any SQLiteBindable)?, as expected: SQLiteValue,
    in type: String
  ) -> Check {
    table("id INTEGER PRIMARY KEY, v \(type)") { provider in
      try provider.execute("INSERT INTO t (v) VALUES (?)", withParameters: [value()])
      try expect(provider.query("SELECT v FROM t").map(\.values), [[expected]])
    }
  }

  /// Behaviors of both tables and objects.
  static let checks: [String: Check] = tables.merging(ObjectBehaviours.checks) { first, second in
    { provider in
      try first(provider)
      try second(provider)
    }
  }

  private static let tables: [String: Check] = [
    "execute INSERT explicit id 10 (first row)": table("id INTEGER PRIMARY KEY, name TEXT") {
      try expect($0.execute("INSERT INTO t VALUES (10, 'x')"), 10)
    },
    "execute DELETE matching 1 row": table("id INTEGER PRIMARY KEY") { provider in
      try provider.execute("INSERT INTO t VALUES (1), (2)")
      try expect(provider.execute("DELETE FROM t WHERE id = 2"), 1)
    },
    "execute '  insert ...' with leading spaces": table("id INTEGER PRIMARY KEY, name TEXT") {
      try expect($0.execute("  insert into t (name) values ('x')"), 1)
      try expect($0.execute("  insert into t (name) values ('y')"), 2)
    },
    "execute two statements in one string": table("id INTEGER PRIMARY KEY") { provider in
      try provider.execute("INSERT INTO t VALUES (1); INSERT INTO t VALUES (2)")
      try expect(provider.countRows(inTable: "t"), 2)
      _ = try? provider.execute("INSERT INTO t VALUES (3); INSERT INTO t VALUES (1)")
      try expect(provider.countRows(inTable: "t"), 2)
    },
    "read stored 3_000_000_000": kept({ 3_000_000_000 }, as: 3_000_000_000, in: "INTEGER"),
    "bind Float 1.5": kept({ Float(1.5) }, as: 1.5, in: "REAL"),
    "bind Int64 5": kept({ Int64(5) }, as: 5, in: "INTEGER"),
    "NULL in INTEGER column": kept({ nil }, as: nil, in: "INTEGER"),
    "NULL in TEXT column": kept({ nil }, as: nil, in: "TEXT"),
    "lastAutoID before any AUTOINCREMENT table": table("id INTEGER PRIMARY KEY") {
      try expect($0.lastAutoID(forTable: "t"), 0)
    },
    "lastIntID on populated table": table("id INTEGER PRIMARY KEY") { provider in
      try provider.execute("INSERT INTO t VALUES (3), (17), (5)")
      try expect(provider.lastIntID(forTable: "t", withKey: "id"), 17)
    },
    "nested transaction / save([T]) inside begin": table("id INTEGER PRIMARY KEY") { provider in
      try provider.beginTransaction()
      try provider.execute("INSERT INTO t VALUES (1)")
      try provider.beginTransaction()
      try provider.execute("INSERT INTO t VALUES (2)")
      try provider.rollbackTransaction()
      try provider.endTransaction()
      try expect(provider.query("SELECT id FROM t").map(\.values), [[1]])
    },
    "rollback of row changes": table("id INTEGER PRIMARY KEY, name TEXT") { provider in
      try provider.execute("INSERT INTO t VALUES (1, 'x'), (2, 'y')")
      try provider.beginTransaction()
      try provider.execute("UPDATE t SET name = 'z'; DELETE FROM t WHERE id = 1")
      try provider.execute("INSERT INTO t VALUES (3, 'new')")
      try provider.rollbackTransaction()
      try expect(provider.query("SELECT * FROM t").map(\.values), [[1, "x"], [2, "y"]])
    },
  ]
}
