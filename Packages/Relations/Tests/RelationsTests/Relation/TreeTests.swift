import Relations
import SQLiteCore
import Testing

@Suite struct `Trees` {
  /// 1 → (2 → (4 → 6), 3 → 5), and a cycle: 10 → 11 → 12 → 10, with 13 below 12.
  static func fill(_ session: ModelSession) async throws {
    for (type, table) in [(Twig.Value.self as any Table.Type, "Twig"), (Leaf.self, "Leaf")] {
      try await session.prepare(type)
      try await session.database.write { connection in
        try connection.execute("PRAGMA defer_foreign_keys = ON")
        try connection.execute(
          """
          INSERT INTO \(unsafe: table) (id, name, parent) VALUES (1, 'a', NULL), (2, 'b', 1), (3, 'c', 1),
            (4, 'd', 2), (5, 'e', 3), (6, 'f', 4), (10, 'x', 12), (11, 'y', 10), (12, 'z', 11), (13, 'w', 12)
          """)
      }
    }
  }

  @Test func `have ancestors, nearest first, and support cycles`() async throws {
    try await withLoggedSession { session, log in
      try await Self.fill(session)
      let twigs = try await Twig.fetchIds([6, 3, 1, 10, 13])
      var above: [Int: [Twig]] = [:]
      let statements = try await log.recordStatements {
        above = try await twigs.ancestors(\.parent)
      }
      #expect(statements.count == 1)
      #expect(
        above.mapValues { $0.map(\.id) } == [
          6: [4, 2, 1], 3: [1], 1: [], 10: [12, 11], 13: [12, 11, 10],
        ])
      #expect(try await [Twig]().ancestors(\.parent).isEmpty)
    }
  }

  @Test func `have descendants level by level, and support cycles`() async throws {
    try await withLoggedSession { session, log in
      try await Self.fill(session)
      let twigs = try await Twig.fetchIds([1, 2, 5, 10])
      var below: [Int: [Twig]] = [:]
      let statements = try await log.recordStatements {
        below = try await twigs.descendants(\.parent)
      }
      #expect(statements.count == 1)
      #expect(
        below.mapValues { $0.map(\.id) } == [
          1: [2, 3, 4, 5, 6], 2: [4, 6], 5: [], 10: [11, 12, 13],
        ])
      let some = try await twigs.descendants(\.parent, depth: 2, orderedBy: "name DESC")
      #expect(
        some.mapValues { $0.map(\.id) } == [1: [3, 2, 5, 4], 2: [4, 6], 5: [], 10: [11, 12]])
    }
  }

  @Test func `are loaded completely with one statement`() async throws {
    try await withLoggedSession { session, log in
      try await Self.fill(session)
      let twigs = try await Twig.fetchIds([1, 10])
      let statements = try await log.recordStatements { try await twigs.loadTrees(\.children) }
      #expect(statements.count == 1)
      #expect(try Self.text(twigs[0]) == "1(3(5())2(4(6())))")
      let children = try twigs[0].value.children.loaded()
      #expect(try children[0].value.parent.loaded() === twigs[0])
      let circle = try twigs[1].value.children.loaded()[0].value.children.loaded()[0]
      #expect(try circle.value.children.loaded().map(\.id) == [10, 13])
      #expect(try circle.value.children.loaded()[0] === twigs[1])
    }
  }

  private static func text(_ twig: Twig) throws -> String {
    "\(twig.id)(\(try twig.value.children.loaded().map(text).joined()))"
  }

  @Test func `are loaded to a depth, and are not loaded below it`() async throws {
    try await withSession { session in
      try await Self.fill(session)
      let leaves = try await Leaf.fetchIds([1])
      try await leaves.loadTrees(\.children, depth: 2)
      let children = try leaves[0].children.loaded()
      #expect(children.map(\.id) == [2, 3])
      let next = try children[0].children.loaded()
      #expect(next.map(\.id) == [4])
      #expect(throws: RelationError.self) { try next[0].children.loaded() }
      let error = await #expect(throws: RelationError.self) {
        try await Twig.fetchIds([1]).loadTrees(\.links)
      }
      #expect(error?.code == .schemaMismatch)
    }
  }
}
