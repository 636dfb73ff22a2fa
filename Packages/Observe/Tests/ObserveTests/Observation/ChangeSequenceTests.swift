import SQLiteCore
import Testing

@testable import Observe

@Suite struct `The change sequence` {
  static let schema = "CREATE TABLE t (id INTEGER PRIMARY KEY, a); CREATE TABLE u (x)"

  @Test(arguments: Store.allCases)
  func `delivers every commit in order, also to a late consumer`(_ store: Store) async throws {
    try await withDatabase(store, Self.schema) { database in
      try await database.startObserving()
      var changes = database.changes().makeAsyncIterator()
      for id in 1...100 { try await database.run("INSERT INTO t VALUES (\(id), 'a')") }
      for id in 1...100 {
        let next = try await changes.next()
        #expect(next?.sequence == UInt64(id))
        #expect(next?.description == "t: inserted 1 row (id: \(id), a: \"a\")")
      }
    }
  }

  @Test func `merges old commits, and omits none`() async throws {
    try await withDatabase(.memory, Self.schema) { database in
      try await database.startObserving()
      var changes = database.changes().makeAsyncIterator()
      for id in 1...1_000 {
        try await database.run(
          "INSERT INTO \(id == 1 ? "u" : "t") VALUES (\(id)\(id == 1 ? "" : ", 1"))")
      }
      var last: UInt64 = 0
      var tables: Set<TableName> = []
      while last < 1_000 {
        let next = try #require(try await changes.next())
        #expect(next.sequences.lowerBound == last + 1)
        last = next.sequence
        tables.formUnion(next.tables.keys)
      }
      #expect(tables == ["t", "u"])
    }
  }

  @Test func `delivers only changes in its region`() async throws {
    try await withDatabase(.file, Self.schema) { database in
      try await database.startObserving()
      var changes = database.changes(in: .columns("t", ["a"])).makeAsyncIterator()
      try await database.run("INSERT INTO u VALUES (1)")
      try await database.run(
        "BEGIN; INSERT INTO t VALUES (1, 'a'); INSERT INTO u VALUES (2); COMMIT")
      try await database.run("UPDATE t SET id = id, a = 'a'")
      try await database.run("UPDATE t SET a = 'b'")
      #expect(try await changes.next()?.description == #"t: inserted 1 row (id: 1, a: "a")"#)
      #expect(try await changes.next()?.description == #"t: updated 1 row (a: "a" → "b")"#)
    }
  }

  @Test func `omits rolled back changes, and ends with its task`() async throws {
    try await withDatabase(.file, Self.schema) { database in
      try await database.startObserving()
      let changes = database.changes()
      let reported = Task {
        var reported: [String] = []
        for try await change in changes {
          reported.append(change.description)
          if reported.count == 2 { break }
        }
        return reported
      }
      try await database.run("INSERT INTO u VALUES (1)")
      try? await database.write { connection in
        try connection.run("INSERT INTO u VALUES (2)")
        try connection.run("INSERT INTO nowhere VALUES (2)")
      }
      try await database.run("INSERT INTO u VALUES (3)")
      #expect(try await reported.value == ["u: inserted 1 row (x: 1)", "u: inserted 1 row (x: 3)"])
    }
  }
}
