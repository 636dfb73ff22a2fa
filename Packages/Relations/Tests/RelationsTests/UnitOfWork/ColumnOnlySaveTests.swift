import SQLiteCore
import Testing

@testable import Relations

private final class Purse: Model, @unchecked Sendable {
  struct Value: Table {
    static let tableName = "Purse"
    var id = ""
    var color = ""
    var coins = ManyRelation<Coin>(\.purse)

    init() {}
    init(row: borrowing SQLiteCore.Row) throws(SQLiteError) {
      id = try row.read(at: 0)
      color = try row.read(at: 1)
    }
    static var properties: [RowProperty<Value>] {
      [
        .init(column: "id") { $0.id }, .init(column: "color") { $0.color },
        .init(relation: "coins") { $0.coins },
      ]
    }
  }
  var value: Value
  init(_ value: Value) { self.value = value }
}

private final class Coin: Model, @unchecked Sendable {
  struct Value: Table {
    static let tableName = "Coin"
    var id = 0
    var face = ""
    var worth = 0.0
    var year: Int?
    var purse = OneRelation<Purse>()

    init() {}
    init(id: Int) {
      self.id = id
      face = "coin \(id)"
    }
    init(row: borrowing SQLiteCore.Row) throws(SQLiteError) {
      id = try row.read(at: 0)
      face = try row.read(at: 1)
      worth = try row.read(at: 2)
      year = try row.read(at: 3)
      purse = OneRelation(try row.read(at: 4))
    }
    static var properties: [RowProperty<Value>] {
      [
        .init(column: "id") { $0.id }, .init(column: "face") { $0.face },
        .init(column: "worth") { $0.worth }, .init(column: "year") { $0.year },
        .init(column: "purse") { $0.purse },
      ]
    }
  }
  var value: Value
  init(_ value: Value) { self.value = value }
}

/// A model class for rows of any type.
private final class Cast<Row: Table>: Model, @unchecked Sendable {
  typealias Value = Row
  var value: Row
  init(_ value: Row) { self.value = value }
}
private final class LooseCast<Row: Table>: Model, @unchecked Sendable {
  typealias Value = Row
  var value: Row
  init(_ value: Row) { self.value = value }
}

private struct Stamp: Table {
  static let tableName = "Stamp"
  var id = 0
  var price = 0

  init() {}
  init(id: Int) { self.id = id }
  init(row: borrowing SQLiteCore.Row) throws(SQLiteError) {
    id = try row.read(at: 0)
    price = try row.read(at: 1)
  }
  static var properties: [RowProperty<Stamp>] {
    [.init(column: "id") { $0.id }, .init(column: "price") { $0.price }]
  }
}

@Suite struct `Models with changed columns only` {
  private func withCoins(
    _ count: Int, _ body: (ModelSession, [Coin]) async throws -> Void
  ) async throws {
    try await withSession { session in
      try await session.save((1...count).map { Coin.Value(id: $0) })
      let purse = try await session.create(Purse.self, "left")
      try await session.save(purse)
      try await session.database.write { connection in
        try connection.execute(
          """
          CREATE TABLE written (id INTEGER);
          CREATE TRIGGER note AFTER UPDATE ON Coin BEGIN INSERT INTO written VALUES (new.id); END;
          """)
      }
      try await body(session, try await session.fetchAll(Coin.self, "ORDER BY id"))
    }
  }

  /// The keys of the updated rows, in order.
  private func written(_ session: ModelSession) async throws -> [Int] {
    try await session.database.read { connection in
      try connection.values(Int.self, "SELECT id FROM written ORDER BY rowid")
    }
  }

  /// Plans a save of all changes.
  private func plan(_ session: ModelSession) throws -> UnitOfWork {
    var unitOfWork = UnitOfWork(session)
    try session.identities(of: Coin.self).addChanged(to: &unitOfWork)
    return unitOfWork
  }

  @Test func `are saved by consecutive updates of the same columns`() async throws {
    try await withCoins(9) { session, coins in
      // The changed columns of each coin; the third coin is unchanged.
      let changes: [[Int]] = [
        [1, 2], [1, 2], [], [1], [1], [1, 3], [2, 3], [1, 2], [1, 2, 3],
      ]
      for (coin, places) in zip(coins, changes) {
        if places.contains(1) { coin.value.face = "tail" }
        if places.contains(2) { coin.value.worth = Double(coin.id) }
        if places.contains(3) { coin.value.year = 1_900 + coin.id }
      }
      var unitOfWork = try plan(session)
      unitOfWork.finish()
      let runs = unitOfWork.plan.steps.compactMap { step -> UpdateBatch? in
        guard case .updates(let run) = step else { return nil }
        return run
      }
      #expect(runs.map(\.changed) == [[1, 2], [1], [1, 3], [2, 3], [1, 2], [1, 2, 3]])
      #expect(runs.map(\.count) == [2, 2, 1, 1, 1, 1])
      #expect(
        runs.map(\.parameters) == [
          [.text("tail"), .real(1), .integer(1), .text("tail"), .real(2), .integer(2)],
          [.text("tail"), .integer(4), .text("tail"), .integer(5)],
          [.text("tail"), .integer(1_906), .integer(6)],
          [.real(7), .integer(1_907), .integer(7)],
          [.text("tail"), .real(8), .integer(8)],
          [.text("tail"), .real(9), .integer(1_909), .integer(9)],
        ])
      _ = try await session.run(&unitOfWork)
      #expect(try await written(session) == [1, 2, 4, 5, 6, 7, 8, 9])
      let rows = try await session.fetchAll(Coin.Value.self, "ORDER BY id")
      for (coin, row) in zip(coins, rows) {
        #expect(coin.value == row)
        #expect(!session.isChanged(coin))
      }
      try await session.saveChanges()
      #expect(try await written(session).count == 8)
    }
  }

  @Test func `are written in order among models with other changes`() async throws {
    try await withCoins(300) { session, coins in
      for coin in coins where coin.id % 4 != 0 {
        coin.value.worth = 0.5
        if coin.id % 3 == 0 { coin.value.purse.key = "left" }
        if coin.id % 10 == 1 { coin.value.year = 2_000 }
      }
      let new = try await session.create(Coin.self, 301)
      new.value.face = "new"
      try await session.saveChanges()
      #expect(try await written(session) == (1...300).filter { $0 % 4 != 0 })
      let rows = try await session.fetchAll(Coin.Value.self, "ORDER BY id")
      #expect(rows.count == 301)
      for row in rows.dropLast() {
        #expect(row.worth == (row.id % 4 == 0 ? 0 : 0.5))
        #expect(row.purse.key == (row.id % 12 == 0 || row.id % 3 != 0 ? nil : "left"))
        #expect(row.year == (row.id % 4 != 0 && row.id % 10 == 1 ? 2_000 : nil))
      }
      for coin in coins { #expect(!session.isChanged(coin)) }
    }
  }

  @Test func `are written once if a list refers to them again`() async throws {
    try await withCoins(3) { session, coins in
      let left = try await session.fetch(Purse.self, "left")
      left.value.color = "red"
      left.value.coins.append([coins[0]])
      // The coins are scanned for changed columns first, before the list is saved.
      coins[1].value.worth = 2
      coins[2].value.worth = 3
      try await session.write(saving: [coins[1], coins[2], left, coins[1]]) { _ in }
      #expect(try await written(session).sorted() == [1, 2, 3])
      left.value.coins.append([coins[1]])
      coins[2].value.worth = 4
      try await session.saveChanges()
      #expect(try await written(session).sorted() == [1, 2, 2, 3, 3])
      #expect(try await session.fetch(Coin.Value.self, 2).purse.key == "left")
      #expect(try await session.fetch(Purse.Value.self, "left").color == "red")
    }
  }

  @Test func `are saved if they are no longer referenced, and then released`() async throws {
    try await withSession { session in
      try await session.save((1...2).map { Coin.Value(id: $0) })
      weak var released: Coin?
      do {
        var unitOfWork = UnitOfWork(session)
        do {
          let coins = try await session.fetchAll(Coin.self, "ORDER BY id")
          released = coins[0]
          coins[0].value.face = "lost"
          unitOfWork = try plan(session)
        }
        #expect(released != nil)
        _ = try await session.run(&unitOfWork)
      }
      #expect(released == nil)
      #expect(try await session.fetch(Coin.Value.self, 1).face == "lost")
    }
  }

  @Test func `keep changes made during a save for the next save`() async throws {
    try await withCoins(2) { session, coins in
      for coin in coins { coin.value.face = "first" }
      var unitOfWork = try plan(session)
      coins[0].value.face = "second"
      coins[1].value.worth = 2
      _ = try await session.run(&unitOfWork)
      #expect(coins.map { session.isChanged($0) } == [true, true])
      #expect(try await session.fetchAll(Coin.Value.self).map(\.face) == ["first", "first"])
      try await session.saveChanges()
      let rows = try await session.fetchAll(Coin.Value.self, "ORDER BY id")
      #expect(rows.map(\.face) == ["second", "first"])
      #expect(rows.map(\.worth) == [0, 2])
      #expect(try await written(session) == [1, 2, 1, 2])
    }
  }

  @Test func `remain unsaved after a failed save`() async throws {
    try await withCoins(3) { session, coins in
      for coin in coins { coin.value.worth = 7 }
      await #expect(throws: HookError.self) {
        try await session.write(saving: coins) { _ in throw HookError() }
      }
      #expect(coins.allSatisfy { session.isChanged($0) })
      try await session.saveChanges()
      #expect(try await written(session) == [1, 2, 3])
      #expect(!coins.contains { session.isChanged($0) })
    }
  }

  @Test func `are no longer retained if they equal their rows again`() async throws {
    try await withSession { session in
      try await session.save(Coin.Value(id: 1))
      weak var released: Coin?
      do {
        let coin = try await session.fetch(Coin.self, 1)
        released = coin
        coin.value.worth = 1
        session.markChanged(of: coin)
        coin.value.worth = 0
      }
      #expect(released != nil)
      try await session.saveChanges()
      #expect(released == nil)
    }
  }

  @Test func `are skipped if their rows are deleted or their instances released`() async throws {
    try await withCoins(3) { session, coins in
      coins[0].value.worth = 1
      try await session.delete([coins[1]])
      coins[1].value.worth = 1
      try await session.saveChanges()
      #expect(try await written(session) == [1])
      #expect(try await session.fetchAll(Coin.Value.self).map(\.id).sorted() == [1, 3])
    }
  }

  @Test func `are saved in an array with others, each once and in order`() async throws {
    try await withCoins(6) { session, coins in
      for coin in coins where coin.id != 3 { coin.value.worth = 1 }
      coins[1].value.purse.key = "left"
      let new = try await session.create(Coin.self, 7)
      let purse = try await session.fetch(Purse.self, "left")
      purse.value.color = "red"
      let models: [any Model] = [
        coins[5], coins[2], coins[1], coins[5], new, coins[0], purse, coins[3], coins[4],
      ]
      try await session.save(models)
      #expect(try await written(session) == [6, 2, 1, 4, 5])
      #expect(try await session.fetchAll(Coin.Value.self).count == 7)
      #expect(try await session.fetch(Coin.Value.self, 2).purse.key == "left")
      #expect(try await session.fetch(Purse.Value.self, "left").color == "red")
      #expect(!(coins + [new]).contains { session.isChanged($0) })
      try await session.save(coins)
      #expect(try await written(session).count == 5)
    }
  }

  @Test func `are refused in an array with a model whose row is deleted, and nothing is written`()
    async throws
  {
    try await withCoins(3) { session, coins in
      for coin in coins { coin.value.worth = 1 }
      try await session.database.write { try $0.execute("DELETE FROM Coin WHERE id = 2") }
      let first = await #expect(throws: RelationError.self) { try await session.save(coins) }
      #expect(first?.code == .missingRow)
      // The row is now known to be deleted.
      #expect(try await session.find(Coin.self, 2) == nil)
      let second = await #expect(throws: RelationError.self) { try await session.save(coins) }
      #expect(second?.code == .missingRow)
      #expect(try await written(session) == [])
      try await session.save([coins[2], coins[0]])
      #expect(try await written(session) == [3, 1])
    }
  }

  @Test func `have keys of any type`() async throws {
    try await withSession { session in
      for key in ["a", "b", "c"] {
        let purse = try await session.create(Purse.self, key)
        try await session.save(purse)
      }
      let purses = try await session.fetchAll(Purse.self, "ORDER BY id")
      for purse in purses { purse.value.color = "color of \(purse.id)" }
      try await session.saveChanges()
      purses[1].value.color = "none"
      try await session.save(purses)
      #expect(
        try await session.fetchAll(Purse.Value.self, "ORDER BY id").map(\.color)
          == ["color of a", "none", "color of c"])
    }
  }

  @Test func `may be of generic classes`() async throws {
    try await withSession { session in
      try await session.save((1...3).map { Stamp(id: $0) })
      let first = try await session.fetchAll(Cast<Stamp>.self, "ORDER BY id")
      for stamp in first { stamp.value.price = stamp.id }
      try await session.saveChanges()
      #expect(try await session.fetchAll(Stamp.self, "ORDER BY id").map(\.price) == [1, 2, 3])
      let others = try await session.fetchAll(LooseCast<Stamp>.self, "ORDER BY id")
      for stamp in others { stamp.value.price += 10 }
      try await session.saveChanges()
      #expect(try await session.fetchAll(Stamp.self, "ORDER BY id").map(\.price) == [11, 12, 13])
      #expect(!others.contains { session.isChanged($0) })
    }
  }
}
