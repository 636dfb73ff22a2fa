import Observe
import Relations
import SQLiteCore
import Testing

@Suite struct `Pages of a query` {
  private func fill(_ session: ModelSession, _ count: Int) async throws {
    try await session.prepare(Album.Value.self)
    try await session.database.write { connection in
      for id in 0..<count {
        try connection.run(
          "INSERT INTO Album VALUES (?, ?, 'The Cure')", 10 + id, "album \(10 + id)")
      }
    }
  }

  @Test(arguments: [0, 1, 3, 4, 5, 8, 9])
  func `report exactly whether there are more rows`(_ count: Int) async throws {
    try await withSession { session in
      try await fill(session, count)
      let query = RelationQuery<Album>(initial: 4, limit: 4)
      #expect(!query.isLoaded)
      try await query.fetchItems()
      #expect(query.isLoaded)
      #expect(query.items.count == min(count, 4))
      #expect(query.hasMore == (count > 4))
      try await query.fetchMore()
      #expect(query.items.count == min(count, 8))
      #expect(query.hasMore == (count > 8))
      #expect(try await query.totalCount() == count)
      try await query.restart()
      #expect(query.items.count == min(count, 4))
      #expect(query.hasMore == (count > 4))
    }
  }

  @Test func `are fetched once for concurrent requests`() async throws {
    try await withSession { session in
      try await fill(session, 40)
      let query = RelationQuery<Album>(initial: 4, limit: 5)
      try await query.fetchItems()
      try await session.use {
        try await withThrowingTaskGroup { group in
          for _ in 0..<2 { group.addTask { try await query.fetchMore() } }
          try await group.waitForAll()
        }
      }
      // The second request may have begun after the first one ended.
      #expect([9, 14].contains(query.items.count))
      #expect(query.items.map(\.id.rawValue) == (10..<10 + Int64(query.items.count)).map { $0 })
    }
  }

  @Test func `grow only by fetches, and keep their row count when refreshed`() async throws {
    try await withSession { session in
      try await fill(session, 6)
      let query = RelationQuery<Album>("ORDER BY name", initial: 2, limit: 2)
      try await query.fetchItems()
      try await query.fetchMore()
      #expect(query.items.map(\.name) == ["album 10", "album 11", "album 12", "album 13"])
      try await session.database.write { connection in
        try connection.run("DELETE FROM Album WHERE id = 11")
        try connection.run("INSERT INTO Album VALUES (1, 'a', 'x'), (2, 'b', 'x'), (3, 'c', 'x')")
      }
      await session.database.waitUntilIdle(includingConsumers: true)
      #expect(query.items.map(\.name) == ["album 10", "album 12", "album 13"])
      #expect(query.hasMore)
      try await query.refresh()
      #expect(query.items.map(\.name) == ["a", "album 10", "album 12", "album 13"])
      try await query.fetchMore()
      #expect(query.items.count == 6)
      #expect(query.hasMore)
      try await query.fetchMore()
      #expect(query.items.count == 8)
      #expect(!query.hasMore)
    }
  }

  @Test func `are cancelled when all waiting callers are cancelled`() async throws {
    try await withSession { session in
      try await fill(session, 3)
      let query = RelationQuery<Album>(
        """
        WHERE (WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000000000)
          SELECT count(*) FROM n) > 0
        """)
      try await session.use {
        let task = Task { try await query.fetchItems() }
        try await Task.sleep(for: .milliseconds(20))
        task.cancel()
        await #expect(throws: (any Error).self) { try await task.value }
      }
      #expect(!query.isLoaded)
      #expect(try await Album.fetchQuery().count == 3)
    }
  }
}
