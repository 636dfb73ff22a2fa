import Foundation
import Router
import RouterTesting
import SQLiteCore
import Testing

@Suite struct `Other nested parts of routes` {
  @Test func `are limited: nested embeds`() async throws {
    let executor = SQLiteRouteExecutor(
      try database(
        """
        CREATE TABLE node (id INTEGER PRIMARY KEY, parent INTEGER REFERENCES node);
        INSERT INTO node VALUES (1, NULL), (2, 1), (3, 2);
        """))
    func embed(_ depth: Int) -> DatabaseRoute.Embed {
      (1..<depth).reduce(.init("node", as: "up", via: "parent")) { embed, _ in
        .init("node", as: "up", via: "parent", embedding: [embed])
      }
    }
    let route = DatabaseRoute.fetchOne(id: 3, from: "node").embedding(embed(3))
    let row = try #require(try await executor.run(route).rows.first)
    #expect("\(row)".contains("\\\"up\\\":null") || "\(row)".contains("\"up\":null"))
    #expect(embed(DatabaseRoute.Embed.maximumDepth).embeds.count == 1)
    #expect(embed(100_000) == embed(50_000))
    #expect(embed(100_000).embeds.isEmpty)
    var grown = embed(2)
    for _ in 1...1_000 { grown.embeds = [grown] }
    #expect(grown.embeds.isEmpty)
  }

  @Test func `are no deeper than SQLite's expressions: embeds of many columns`() async throws {
    let columns = (0..<700).map { "c\($0) INTEGER DEFAULT \($0)" }.joined(separator: ", ")
    let executor = SQLiteRouteExecutor(
      try database(
        """
        CREATE TABLE wide (id INTEGER PRIMARY KEY, \(columns));
        CREATE TABLE row (id INTEGER PRIMARY KEY, wide INTEGER REFERENCES wide);
        INSERT INTO wide (id) VALUES (1); INSERT INTO row VALUES (1, 1);
        """))
    struct Wide: Codable, Sendable { var id: Int, c0: Int, c99: Int, c100: Int, c699: Int }
    struct Row: Codable, Sendable { var wide: Wide }
    let route = DatabaseRoute.fetchOne(id: 1, from: "row").embedding(.init("wide"))
    let row = try await executor.value(Row.self, for: route)
    let wide = row.wide
    let values: [Int] = [wide.id, wide.c0, wide.c99, wide.c100, wide.c699]
    #expect(values == [1, 0, 99, 100, 699])
  }

  @Test func `are limited: nested replies`() async throws {
    var router = DatabaseRouter<Routes>(UnimplementedExecutor())
    var replies = [DatabaseRoute.Reply.affected(1), .affected(1), .affected(1)]
    for _ in 1...100_000 {
      replies[0] = .delayed(by: .zero, replies[0])
      replies[1] = .sequence(replies[1])
      replies[2] = replies[2].times(1)
    }
    for reply in replies {
      router.override(\.todos.delete, with: reply)
      let failing = router
      #expect(await code { try await failing(.todos(.delete(id: 1))) } == .invalidRoute)
    }
    var many = DatabaseRoute.Reply.affected(7)
    for _ in 1...7 { many = many.times(1_000) }
    router.override(\.todos.delete, with: many)
    #expect(try await router.affectedCount(of: .todos(.delete(id: 1))) == 7)
  }

  @Test func `are not recursive: JSON paths`() async throws {
    let executor = try await todos()
    let column = (0..<10_000).reduce(Column("name")) { column, _ in column.at("a", 0) }
    let route = DatabaseRoute.fetch(from: "todos", filteredBy: column.isNull())
    #expect(await code { _ = try await executor.run(route) }?.rawValue.contains("JSON") == true)
    try await executor.perform(.update(["name": "{}"] as Record, in: "todos", filteredBy: .all))
    #expect(try await executor.run(route).rows.count == 3)
    let data = try JSONEncoder().encode(route)
    #expect(try JSONDecoder().decode(DatabaseRoute.self, from: data) == route)
  }
}
