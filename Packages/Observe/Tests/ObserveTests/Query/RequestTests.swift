import SQLiteCore
import Testing

@testable import Observe

@MainActor @Suite struct `A request` {
  @Test func `that fetches delivers one value`() async throws {
    try await withDatabase(.file, playerSchema) { database in
      var all: [Int] = []
      for try await count in try PlayerCount().values(in: .readOnly { database }) {
        all.append(count)
      }
      #expect(all == [3])
    }
  }

  @Test(arguments: Store.allCases)
  func `that observes delivers a value after each commit that changes it`(_ store: Store)
    async throws
  {
    try await withDatabase(store, playerSchema) { database in
      var values = try Names(team: "red").values(in: .readOnly { database }).makeAsyncIterator()
      #expect(try await values.next() == ["Ada", "Cy"])
      // Equal values are skipped.
      try await database.run("UPDATE player SET name = 'Bo' WHERE id = 2")
      try await database.run("UPDATE player SET name = 'Di' WHERE id = 3")
      #expect(try await values.next() == ["Ada", "Di"])
    }
  }

  @Test func `that observes presence remembers the last value`() async throws {
    try await withDatabase(.file, playerSchema) { database in
      var values = try OneName(id: 4).values(in: .readOnly { database }).makeAsyncIterator()
      #expect(try await values.next() == .missing)
      try await database.run("INSERT INTO player VALUES (4, 'Di', 'red')")
      #expect(try await values.next() == .existing("Di"))
      try await database.run("DELETE FROM player WHERE id = 4")
      #expect(try await values.next() == .gone("Di"))
      try await database.run("INSERT INTO player VALUES (4, 'Ed', 'red')")
      #expect(try await values.next() == .existing("Ed"))
    }
  }

  @Test func `in a snapshot delivers one value`() async throws {
    struct Count: ValueObservationQueryable {
      typealias Context = DatabaseSnapshot
      static var defaultValue: Int { 0 }
      func fetch(_ db: Connection) throws -> Int {
        try db.value(Int.self, "SELECT count(*) FROM player") ?? 0
      }
    }
    try await withDatabase(.file, playerSchema) { database in
      let snapshot = try await database.snapshot()
      try await database.run("DELETE FROM player")
      var all: [Int] = []
      for try await count in try Count().values(in: snapshot) { all.append(count) }
      #expect(all == [3])
    }
  }

  @Test func `can declare its region`() async throws {
    struct Count: ValueObservationQueryable {
      static var defaultValue: Int { 0 }
      var region: Region? { .columns("player", []) }
      func fetch(_ db: Connection) throws -> Int {
        try db.value(Int.self, "SELECT sum(id) FROM player") ?? 0
      }
    }
    try await withDatabase(.file, playerSchema) { database in
      var values = try Count().values(in: .readWrite { database }).makeAsyncIterator()
      #expect(try await values.next() == 6)
      try await database.run("UPDATE player SET id = 10 WHERE id = 1")
      try await database.run("DELETE FROM player WHERE id = 2")
      #expect(try await values.next() == 13)
    }
  }

  @Test func `delivers the elements of a custom sequence`() async throws {
    struct Countdown: Queryable {
      typealias Context = Int
      static var defaultValue: Int { 0 }
      func values(in start: Int) -> QueryValues<Int> {
        QueryValues(
          AsyncStream { continuation in
            for number in (1...start).reversed() { continuation.yield(number) }
            continuation.finish()
          })
      }
    }
    var all: [Int] = []
    for try await number in Countdown().values(in: 3) { all.append(number) }
    #expect(all == [3, 2, 1])
  }

  @Test func `in a context that fails rethrows its error`() {
    #expect(throws: DatabaseContextError.notConnected) {
      try Names(team: "red").values(in: .notConnected)
    }
  }
}

@Suite struct `A presence` {
  @Test func `has its value, and whether it exists`() {
    #expect(Presence.existing(1).value == 1)
    #expect(Presence.gone(1).value == 1)
    #expect(Presence<Int>.missing.value == nil)
    #expect([.existing(1), .gone(1), .missing].map(\Presence<Int>.exists) == [true, false, false])
    #expect(Set([Presence.existing(1), .gone(1), .missing, .missing]).count == 3)
  }

  @Test func `remembers the last value in any sequence of optionals`() async throws {
    let numbers = AsyncStream<Int?> { continuation in
      for number in [nil, 1, nil, nil, 3] { continuation.yield(number) }
      continuation.finish()
    }
    let presences: QueryValues<Presence<Int>> = numbers.scanPresence()
    var all: [Presence<Int>] = []
    for try await presence in presences { all.append(presence) }
    #expect(all == [.missing, .existing(1), .gone(1), .gone(1), .existing(3)])
  }

  // Defect 11: colliding identities.
  @Test func `has no identity, because a missing value has none`() {
    struct Item: Identifiable { var id: Int }
    #expect(!(Presence<Item>.missing as Any is any Identifiable))
    #expect(Presence.existing(Item(id: 7)).value?.id == 7)
  }
}
