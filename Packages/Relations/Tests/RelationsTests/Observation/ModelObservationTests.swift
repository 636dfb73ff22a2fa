import Observation
import Observe
import Relations
import SQLiteCore
import Primitives
import Testing

@Observable final class Player: Model, @unchecked Sendable {
  struct Value: Table {
    static let tableName = "Player"
    var id = 0
    var name = ""
    var score = 0
    var team = OneRelation<Team>()
  }
  var value: Value
  init(_ value: Value) { self.value = value }
}

@Observable final class Team: Model, @unchecked Sendable {
  struct Value: Table {
    static let tableName = "Team"
    var id = ""
    var name = ""
  }
  var value: Value
  init(_ value: Value) { self.value = value }
}

@Suite @MainActor struct `Models that are referenced` {
  /// Calls `body` while the session follows commits, on the main actor.
  private func following(
    _ body: (ModelSession, () -> [ModelSession.Changes]) async throws -> Void
  ) async throws {
    try await withSession { session in
      try await Team.Value(id: "red", name: "Red").save()
      for (id, name) in [(1, "Ada"), (2, "Bob"), (3, "Cy")] {
        try await Player.Value(id: id, name: name).save()
      }
      let told = Told()
      let task = Task { @MainActor in
        try await session.followChanges { changes in
          MainActor.assertIsolated()
          told.changes.append(changes)
        }
      }
      while session.database.observationStatistics().commits == 0 {
        // The first reported commit shows that the observation has begun.
        try await session.database.write {
          try $0.run(
            "INSERT OR REPLACE INTO Player (id, name, score) VALUES (99, hex(randomblob(4)), 0)")
        }
        await Task.yield()
      }
      await session.database.waitUntilIdle(includingConsumers: true)
      try await body(session, { told.changes })
      task.cancel()
      try await task.value
    }
  }

  @MainActor private final class Told { var changes: [ModelSession.Changes] = [] }

  private func write(_ session: ModelSession, _ sql: String) async throws {
    try await session.database.write { try $0.execute(SQL(unsafe: sql)) }
    await session.database.waitUntilIdle(includingConsumers: true)
  }

  @Test func `are refreshed from their rows after each commit`() async throws {
    try await following { session, told in
      let ada = try await Player.fetchId(1)
      let bob = try await Player.fetchId(2)
      let red = try await Team.fetchId("red")
      try await write(session, "UPDATE Player SET score = id * 10, team = 'red'")
      #expect(ada.value.score == 10)
      #expect(bob.value.score == 20)
      #expect(try await ada.value.team.object === red)
      let first = try #require(told().last)
      #expect(first.changed.count == 2)
      #expect(first.deleted.isEmpty)

      try await write(session, "UPDATE Team SET name = 'Rouge'")
      #expect(red.value.name == "Rouge")
      let count = told().count
      try await write(session, "UPDATE Player SET score = 5 WHERE id = 3")
      #expect(told().count == count)
      await #expect(throws: CancellationError.self) {
        try await session.database.write { connection in
          try connection.run("UPDATE Player SET score = 7")
          throw CancellationError()
        }
      }
      await session.database.waitUntilIdle(includingConsumers: true)
      #expect(ada.value.score == 10)
    }
  }

  @Test func `keep unsaved changes, and deleted rows are reported`() async throws {
    try await following { session, told in
      let ada = try await Player.fetchId(1)
      let bob = try await Player.fetchId(2)
      ada.value.name = "Countess"
      try await write(session, "UPDATE Player SET score = 3; DELETE FROM Player WHERE id = 2")
      #expect(ada.value.name == "Countess")
      #expect(ada.value.score == 3)
      let all = told()
      #expect(all.flatMap(\.conflicting).contains { $0 === ada })
      #expect(all.flatMap(\.deleted).contains { $0 === bob })
      try await ada.save()
      let row = try await session.database.read {
        try $0.rows("SELECT name, score FROM Player WHERE id = 1")
      }
      #expect(row == [[.text("Countess"), .integer(3)]])
    }
  }

  @Test func `can be observed`() async throws {
    try await following { session, _ in
      let ada = try await Player.fetchId(1)
      let told = Mutex(0)
      withObservationTracking {
        _ = ada.value.score
      } onChange: {
        told.withLock { $0 += 1 }
      }
      try await write(session, "UPDATE Player SET score = 1 WHERE id = 2")
      #expect(told.withLock(\.self) == 0)
      try await write(session, "UPDATE Player SET score = 1 WHERE id = 1")
      #expect(told.withLock(\.self) == 1)
      #expect(ada.value.score == 1)
    }
  }

  @Test func `are refreshed on request`() async throws {
    try await withSession { session in
      for (id, name) in [(1, "Ada"), (2, "Bob"), (3, "Cy")] {
        try await Player.Value(id: id, name: name).save()
      }
      let players = try await Player.fetchQuery("ORDER BY id")
      try await session.database.write {
        try $0.execute("UPDATE Player SET score = 9; DELETE FROM Player WHERE id = 3")
      }
      players[1].value.name = "Rob"
      let new = Player(Player.Value(id: 8))
      let changes = try await session.refresh(players + [new])
      #expect(players.map(\.value.score) == [9, 9, 0])
      #expect(changes.changed.count == 1)
      #expect(changes.conflicting.first === players[1])
      #expect(changes.deleted.first === players[2])
    }
  }
}

@Suite @MainActor struct `To-one relations` {
  @Test func `are refreshed with their owners, and can be observed`() async throws {
    try await withSession { session in
      try await Team.Value(id: "red", name: "Red").save()
      try await Team.Value(id: "blue", name: "Blue").save()
      try await Player.Value(id: 1, name: "Ada", team: OneRelation("red")).save()
      let ada = try await Player.fetchId(1)
      let relation = ada.value.team
      #expect(try await relation.object.value.name == "Red")
      let told = Mutex(0)
      withObservationTracking {
        _ = relation.key
      } onChange: {
        told.withLock { $0 += 1 }
      }
      try await session.database.write { try $0.run("UPDATE Player SET team = 'blue'") }
      try await session.refresh([ada])
      #expect(told.withLock(\.self) == 1)
      #expect(relation.key == "blue")
      #expect(relation._object == nil)
      #expect(try await relation.object.value.name == "Blue")
      try await session.database.write { try $0.run("DELETE FROM Team WHERE id = 'blue'") }
      try await session.refresh([ada])
      #expect(relation.key == nil)
      #expect(relation._object == nil)
    }
  }
}
