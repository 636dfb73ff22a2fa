import SQLiteCore
import Testing

@Suite struct `The generation of a connection's content` {
  @Test func `changes with each deserialization, to a unique value`() throws {
    let first = try Connection.inMemory()
    try first.execute("CREATE TABLE t (a)")
    let second = try Connection.inMemory()
    #expect(first.contentGeneration == 0)
    var seen: Set<UInt64> = [0]
    for connection in [first, second, first] {
      try connection.deserialize(try first.serialized())
      #expect(seen.insert(connection.contentGeneration).inserted)
    }
    try first.execute("INSERT INTO t VALUES (1)")
    #expect(seen.contains(first.contentGeneration))
  }

  @Test func `changes for the schema in an open transaction`() throws {
    let database = try Database.inMemory()
    var seen: Set<UInt64> = []
    for _ in 0..<2 {
      let outside = try database.read { $0.schemaGeneration }
      #expect(outside == 0)
      let transaction = try database.beginTransaction()
      let begun = try transaction.read { $0.schemaGeneration }
      try transaction.savepoint()
      let part = try transaction.write { $0.schemaGeneration }
      #expect(part == begun)
      try transaction.rollBackSavepoint()
      let undone = try transaction.read { ($0.schemaGeneration, $0.contentGeneration) }
      #expect(undone.1 == 0)
      seen.formUnion([begun, undone.0])
      transaction.rollBack()
    }
    #expect(seen.count == 4)
  }
}
