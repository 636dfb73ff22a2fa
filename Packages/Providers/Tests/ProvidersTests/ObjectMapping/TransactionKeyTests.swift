import SQLiteCore
import Primitives
import Testing

@testable import Providers

@Suite struct `Keys that are written back in a transaction` {
  private struct Stop: Error {}

  /// An instance that can be used on other threads.
  final class Shared: KeyedDataTable, Sendable {
    static let primaryKeyType = DataTableKeyType.computedInt
    private let number = Mutex(0)
    var primaryKeyValue: Int {
      get { number.withLock { $0 } }
      set { number.withLock { $0 = newValue } }
    }
    enum Property: CodingKey { case id }
    init() {}
    init(from decoder: any Decoder) throws {
      let id = try decoder.container(keyedBy: Property.self).decode(Int.self, forKey: .id)
      number.withLock { $0 = id }
    }
    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Property.self)
      try container.encode(primaryKeyValue, forKey: .id)
    }
  }

  private func provider() throws -> SQLiteProvider {
    let provider = SQLiteProvider()
    try provider.createSourceInMemory()
    return provider
  }

  @Test func `are restored if it is rolled back`() throws {
    let provider = try provider()
    let (first, second) = (Counter(), Counter())
    let friend = Friend("f")
    #expect(throws: Stop.self) {
      try provider.transaction { transaction in
        let key: Int = try transaction.save(first)
        try transaction.save([second, first])
        _ = try transaction.save(friend) as Int
        #expect(first.id == key && second.id == 2 && friend.id == 1)
        throw Stop()
      }
    }
    #expect(first.id == nil || first.id == -1)
    #expect(friend.id == -1)
    try provider.save(Counter())
    // Saving again inserts a separate row.
    #expect(try provider.save(first) as Int == 2)
  }

  @Test func `are restored if a part of it is rolled back`() throws {
    let provider = try provider()
    let counters = [Counter(), Counter(), Counter(), Counter()]
    try provider.transaction { transaction in
      try transaction.save(counters[0])
      try? transaction.transaction { part in
        try part.save(counters[1])
        try part.transaction { try $0.save(counters[2]) }
        throw Stop()
      }
      try transaction.transaction { try $0.save(counters[3]) }
    }
    #expect(counters.map(\.primaryKeyValue) == [1, -1, -1, 2])
    #expect(throws: Stop.self) {
      try provider.transaction { transaction in
        try transaction.transaction { try $0.save(counters[1]) }
        throw Stop()
      }
    }
    #expect(counters[1].primaryKeyValue == -1)
    #expect(try provider.rowCount(forType: Counter.self) == 2)
  }

  @Test func `are restored if the commit fails`() throws {
    let provider = try provider()
    try provider.execute("CREATE TABLE a (id INTEGER PRIMARY KEY)")
    try provider.execute("CREATE TABLE b (a REFERENCES a DEFERRABLE INITIALLY DEFERRED)")
    let counter = Counter()
    #expect(throws: SQLiteError.self) {
      try provider.transaction { transaction in
        try transaction.save(counter)
        try transaction.execute("INSERT INTO b VALUES (1)")
      }
    }
    #expect(counter.primaryKeyValue == -1)
  }

  @Test func `are restored on other threads too`() async throws {
    let provider = try provider()
    let shared = Shared()
    await #expect(throws: Stop.self) {
      try await provider.transaction { transaction in
        try transaction.save(shared)
        #expect(shared.primaryKeyValue == 1)
        throw Stop()
      }
    }
    #expect(shared.primaryKeyValue == 0)
    try await provider.transaction { _ = try $0.save(shared) as Int }
    #expect(shared.primaryKeyValue == 1)
  }

  @Test func `are not restored in transactions without a closure`() throws {
    let provider = try provider()
    let counter = Counter()
    try provider.beginTransaction()
    try provider.save(counter)
    try provider.rollbackTransaction()
    #expect(counter.id == 1)
  }
}
