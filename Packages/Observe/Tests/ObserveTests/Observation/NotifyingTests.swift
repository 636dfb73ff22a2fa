import SQLiteCore
import Testing

@testable import Observe

@Suite struct `Changes that can't be detected` {
  static let schema = "CREATE TABLE t (id INTEGER PRIMARY KEY, a, b); CREATE TABLE u (x)"

  @Test func `are reported, and cause fetches`() async throws {
    try await withDatabase(.file, Self.schema) { database in
      var values = database.observe { connection in
        try connection.value(Int.self, "SELECT count(*) FROM t") ?? 0
      }.makeAsyncIterator()
      #expect(try await values.next() == 0)
      let other = try Connection(path: #require(database.path))
      try other.execute("INSERT INTO t VALUES (1, 2, 3)")
      database.notifyChanges(in: .table("u"))
      database.notifyChanges(in: .table("t"))
      #expect(try await values.next() == 1)
    }
  }

  @Test func `reach observers of a read-only database`() async throws {
    try await withDatabase(.file, Self.schema) { database in
      var configuration = Configuration()
      configuration.isReadOnly = true
      let reading = try Database(path: #require(database.path), configuration: configuration)
      defer { reading.close() }
      var values = reading.observe { connection in
        try connection.value(Int.self, "SELECT count(*) FROM t") ?? 0
      }.makeAsyncIterator()
      #expect(try await values.next() == 0)
      try await database.run("INSERT INTO t VALUES (1, 2, 3)")
      reading.notifyChanges(in: .table("t"))
      #expect(try await values.next() == 1)
    }
  }

  @Test func `are numbered among the commits`() async throws {
    try await withDatabase(.file, Self.schema) { database in
      try await database.startObserving()
      var changes = database.changes().makeAsyncIterator()
      try await database.run("INSERT INTO u VALUES (1)")
      database.notifyChanges(in: .table("t"))
      database.notifyChanges(in: .nothing)
      try await database.run("INSERT INTO u VALUES (2)")
      for number in 1...3 as ClosedRange<UInt64> {
        let next = try await changes.next()
        #expect(next?.sequence == number)
        if number == 2 { #expect(next?.description == "t: changed") }
      }
    }
  }

  static let regions: [(Region, [Region], [Region])] = [
    (.everything, [.table("t"), .columns("u", [])], [.nothing]),
    (.table("t"), [.table("t"), .columns("t", [])], [.table("u")]),
    (.columns("t", ["a"]), [.table("t"), .columns("t", ["a"])], [.columns("t", ["b"])]),
    (.columns("t", []), [.columns("t", ["b"])], [.table("u")]),
    (
      .rows(of: "t", where: .column("a", equals: 1), reading: ["b"]),
      [.columns("t", []), .rows(of: "t", where: .column("a", equals: 2), reading: ["b"])],
      [.table("u")]
    ),
  ]

  @Test(arguments: regions)
  func `affect observers of tables that may have changed`(
    _ region: Region, _ concerned: [Region], _ others: [Region]
  ) {
    let changes = ChangeSet(changing: region)
    for other in concerned { #expect(other.overlaps(changes), "\(other)") }
    for other in others { #expect(!other.overlaps(changes), "\(other)") }
  }

  @Test func `of a closed database have no effect`() async throws {
    try await withDatabase(.file, Self.schema) { database in
      database.close()
      database.notifyChanges()
    }
  }
}
