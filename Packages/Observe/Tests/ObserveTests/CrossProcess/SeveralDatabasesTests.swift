import Foundation
import ObserveTesting
import SQLiteCore
import Testing

@testable import Observe

/// A file in a separate folder, which several databases open.
func withFile<Result>(
  _ schema: String, _ body: (String) async throws -> Result
) async throws -> Result {
  try await withFolder { folder in
    let path = "\(folder)/test.sqlite"
    try Connection(path: path).execute(SQL(unsafe: schema))
    return try await body(path)
  }
}

@Suite(.timeLimit(.minutes(10))) struct `Several databases on one file` {
  private let schema = "CREATE TABLE player (name TEXT, score INTEGER); CREATE TABLE team (id)"
  private let names: @Sendable (Connection) throws -> [String] = {
    try $0.values(String.self, "SELECT name FROM player ORDER BY name")
  }

  @Test(arguments: [true, false])
  func `observe each other's commits`(opensSecondFirst: Bool) async throws {
    try await withFile(schema) { path in
      let first = try Database(path: path)
      var second = opensSecondFirst ? try Database(path: path) : nil
      var values = first.observe(names).makeAsyncIterator()
      #expect(try await values.next() == [])
      if second == nil { second = try Database(path: path) }
      try await second?.run("INSERT INTO player VALUES ('Ada', 1)")
      #expect(try await values.next() == ["Ada"])
      try await first.run("INSERT INTO player VALUES ('Bea', 2)")
      #expect(try await values.next() == ["Ada", "Bea"])
    }
  }

  /// A file system can reuse the identity of a deleted file for a new one.
  @Test func `receive nothing from a database whose file was deleted`() async throws {
    try await withFolder { folder in
      var closed: [Database] = []
      for number in 1...20 {
        let path = "\(folder)/\(number)/test.sqlite"
        try FileManager.default.createDirectory(
          atPath: "\(folder)/\(number)", withIntermediateDirectories: true)
        let database = try Database(path: path)
        try await database.write { try $0.execute(SQL(unsafe: schema)) }
        let changes = await Recording(database.changes(), of: database)
        await changes.waitUntilIdle()
        try await database.run("INSERT INTO player VALUES ('Ada', 1)")
        await changes.waitUntilIdle()
        // Each counts its own commits, and watches its own folder.
        #expect(changes.values.map(\.sequence) == [1])
        try await database.startObserving(.watched)
        database.close()
        closed.append(database)
        try FileManager.default.removeItem(atPath: "\(folder)/\(number)")
      }
    }
  }

  @Test func `share the changed rows`() async throws {
    try await withFile(schema) { path in
      let first = try Database(path: path)
      let second = try Database(path: path)
      try await first.startObserving()
      var changes = first.changes(in: .table("player")).makeAsyncIterator()
      try await second.run("INSERT INTO team VALUES (1)")
      try await second.run("INSERT INTO player VALUES ('Ada', 1)")
      #expect(
        try await changes.next()?.description == "player: inserted 1 row (name: \"Ada\", score: 1)")
    }
  }

  @Test func `fetch nothing for other tables`() async throws {
    try await withFile(schema) { path in
      let first = try Database(path: path)
      let second = try Database(path: path)
      let fetches = Counter()
      let observation = first.observe { [names] connection in
        fetches.add()
        return try names(connection)
      }
      let task = Task { for try await _ in observation {} }
      while fetches.value == 0 { await Task.yield() }
      try await second.run("INSERT INTO team VALUES (1)")
      await first.waitUntilIdle(includingConsumers: true)
      #expect(fetches.value == 1)
      task.cancel()
      _ = await task.result
    }
  }

  @Test func `are observed through a read-only one`() async throws {
    try await withFile(schema) { path in
      var configuration = Configuration()
      configuration.isReadOnly = true
      let reader = try Database(path: path, configuration: configuration)
      let writer = try Database(path: path)
      var values = reader.observe(names).makeAsyncIterator()
      #expect(try await values.next() == [])
      try await writer.run("INSERT INTO player VALUES ('Ada', 1)")
      #expect(try await values.next() == ["Ada"])
    }
  }

  @Test func `with different file names are recognized`() async throws {
    try await withFile(schema) { path in
      let url = URL(fileURLWithPath: path)
      let link = url.deletingLastPathComponent().appendingPathComponent("link.sqlite")
      try FileManager.default.createSymbolicLink(at: link, withDestinationURL: url)
      let first = try Database(path: path)
      let second = try Database(path: link.path)
      var values = first.observe(names).makeAsyncIterator()
      #expect(try await values.next() == [])
      try await second.run("INSERT INTO player VALUES ('Ada', 1)")
      #expect(try await values.next() == ["Ada"])
    }
  }

  @Test func `do not report temporary and attached tables`() async throws {
    try await withFile(schema) { path in
      let first = try Database(path: path)
      let second = try Database(path: path)
      try await first.startObserving()
      var changes = first.changes().makeAsyncIterator()
      try await second.run(
        """
        CREATE TEMP TABLE mine (x);
        ATTACH ':memory:' AS side; CREATE TABLE side.other (x);
        """)
      // Schema changes may affect every observer.
      await first.waitUntilIdle()
      var seen = try #require(ChangeHub.of(first).position)
      while seen > 0 {
        _ = try await changes.next()
        seen -= 1
      }
      try await second.run("INSERT INTO mine VALUES (1); INSERT INTO side.other VALUES (1)")
      try await second.run("INSERT INTO player VALUES ('Ada', 1)")
      #expect(try await changes.next()?.tables.keys.map(\.name) == ["player"])
    }
  }

  @Test func `continue when one of them is closed`() async throws {
    try await withFile(schema) { path in
      let first = try Database(path: path)
      let second = try Database(path: path)
      let third = try Database(path: path)
      second.close()
      var values = first.observe(names).makeAsyncIterator()
      #expect(try await values.next() == [])
      try await third.run("INSERT INTO player VALUES ('Ada', 1)")
      #expect(try await values.next() == ["Ada"])
    }
  }

  @Test func `in shared memory observe each other's commits`() async throws {
    let location = Database.Location.sharedMemory(named: "observe-\(UUID().uuidString)")
    let first = try Database(location)
    let second = try Database(location)
    try await first.run(schema)
    var values = first.observe(names).makeAsyncIterator()
    #expect(try await values.next() == [])
    try await second.run("INSERT INTO player VALUES ('Ada', 1)")
    #expect(try await values.next() == ["Ada"])
  }

  @Test func `are not kept alive by observers of another one`() async throws {
    try await withFile(schema) { path in
      let first = try Database(path: path)
      try await first.startObserving()
      var second: Database? = try Database(path: path)
      weak var gone: Database?
      gone = second
      second = nil
      #expect(gone == nil)
    }
  }
}
