import SQLiteCore
import Testing

@Suite struct `The generation of a connection's content` {
  @Test func `is another one after each deserialization, and of no other connection`() throws {
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
}
