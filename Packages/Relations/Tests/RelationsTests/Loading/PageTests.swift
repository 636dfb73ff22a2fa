import Observe
import Relations
import SQLiteCore
import Testing

/// A row with columns for every kind of order.
struct Page: Table {
  var id = 0
  var number: Int?
  var title = ""
  var stack = OneRelation<Stack>()
}

struct Stack: Table {
  var id = 0
  var byKey = ManyRelation<Page>(\.stack, initial: 2, limit: 2)
  var ascending = ManyRelation<Page>(\.stack, orderedBy: "number", initial: 2, limit: 2)
  var descending = ManyRelation<Page>(
    \.stack, orderedBy: "number DESC, title COLLATE NOCASE", initial: 2, limit: 2)
  var nullsLast = ManyRelation<Page>(
    \.stack, orderedBy: "number ASC NULLS LAST, lower(title) desc", initial: 2, limit: 2)
  var nullsFirst = ManyRelation<Page>(
    \.stack, orderedBy: "number DESC NULLS FIRST", initial: 2, limit: 2)
}

@Suite struct `Pages of lists` {
  static func stack(_ session: ModelSession) async throws -> Stack {
    try await session.prepare(Page.self)
    try await session.database.write { connection in
      try connection.execute("INSERT INTO Stack (id) VALUES (1)")
      try connection.execute(
        """
        INSERT INTO Page (id, number, title, stack) VALUES (1, 5, 'b', 1), (2, NULL, 'a', 1), (3, 5, 'A', 1),
          (4, 1, 'x', 1), (5, NULL, 'c', 1), (6, 9, '', 1), (7, 5, 'B', 1), (8, 1, 'x', 1)
        """)
    }
    return try await session.fetch(Stack.self, 1)
  }

  @Test(
    arguments: [\Stack.byKey, \.ascending, \.descending, \.nullsLast, \.nullsFirst]
      as [any KeyPath<Stack, ManyRelation<Page>> & Sendable])
  func `continue after the last row, and report whether there are more rows`(
    _ path: any KeyPath<Stack, ManyRelation<Page>> & Sendable
  ) async throws {
    try await withSession { session in
      let stack = try await Self.stack(session)
      let list = stack[keyPath: path]
      let whole = try await session.fetch(Stack.self, 1)
      try await [whole].fetchAll(path)
      let all = try whole[keyPath: path].loaded().map(\.id)
      #expect(Set(all) == Set(1...8))
      for count in [2, 4, 6, 8] {
        try await list.fetch()
        #expect(list.items.map(\.id) == Array(all.prefix(count)))
        #expect(list.hasMore == (count < 8))
      }
      try await list.fetch()
      #expect(list.items.count == 8)
      #expect(!list.hasMore)
    }
  }

  @Test func `are stable while rows are inserted and deleted`() async throws {
    try await withLoggedSession { session, log in
      let stack = try await Self.stack(session)
      try await stack.ascending.fetch()
      #expect(stack.ascending.items.map(\.id) == [2, 5])
      // Inserting a row before the fetched rows, and deleting one of them, shifts no page.
      try await session.database.write { connection in
        try connection.execute(
          "INSERT INTO Page (id, number, title, stack) VALUES (0, NULL, '', 1)")
        try connection.execute("DELETE FROM Page WHERE id = 5")
        try connection.execute("INSERT INTO Page (id, number, title, stack) VALUES (20, 2, '', 1)")
      }
      await session.database.waitUntilIdle(includingConsumers: true)
      #expect(stack.ascending.items.map(\.id) == [2])
      let statements = try await log.recordStatements { try await stack.ascending.fetch() }
      #expect(statements.count == 1)
      #expect(stack.ascending.items.map(\.id) == [2, 4, 8])
      try await stack.ascending.fetch()
      #expect(stack.ascending.items.map(\.id) == [2, 4, 8, 20, 1])
      try await stack.ascending.reload()
      #expect(stack.ascending.items.map(\.id) == [0, 2, 4, 8, 20])
      #expect(stack.ascending.hasMore)
      try await stack.ascending.fetch()
      try await stack.ascending.fetch()
      #expect(stack.ascending.items.map(\.id) == [0, 2, 4, 8, 20, 1, 3, 7, 6])
      #expect(!stack.ascending.hasMore)
      try await session.database.write { connection in
        try connection.execute("INSERT INTO Page (id, number, title, stack) VALUES (30, 99, '', 1)")
      }
      try await stack.ascending.fetch()
      #expect(stack.ascending.items.last?.id == 30)
    }
  }

  @Test func `keep the places of rows that were added in memory`() async throws {
    try await withSession { session in
      let stack = try await Self.stack(session)
      try await stack.ascending.fetch()
      stack.ascending.append([Page(id: 40, number: 3, title: "new")])
      try await stack.save()
      #expect(stack.ascending.hasMore)
      for _ in 0..<4 { try await stack.ascending.fetch() }
      #expect(stack.ascending.items.map(\.id) == [2, 5, 4, 8, 40, 1, 3, 7, 6])
      #expect(!stack.ascending.hasMore)
    }
  }
}
