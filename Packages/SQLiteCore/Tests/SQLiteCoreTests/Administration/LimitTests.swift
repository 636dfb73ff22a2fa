import SQLiteCore
import Testing

@Suite struct `Limits` {
  static let all: [Connection.Limit] = [
    .length, .sqlLength, .columnCount, .expressionDepth, .compoundSelectCount, .instructionCount,
    .functionArgumentCount, .attachedCount, .likePatternLength, .variableCount, .triggerDepth,
    .workerThreadCount,
  ]

  @Test(arguments: all)
  func `are read, lowered, and clamped to the maximum`(_ limit: Connection.Limit) throws {
    let db = try memory()
    let maximum = try db.maximum(of: limit)
    let now = try db.limit(limit)
    #expect(now <= maximum)
    // Some limits have a minimum that SQLite itself needs.
    let lowered = try db.setLimit(limit, to: max(maximum - 1, 0))
    #expect(try db.limit(limit) == lowered)
    #expect(lowered == max(maximum - 1, 0))
    #expect(try db.setLimit(limit, to: .max) == maximum)
    #expect(try db.maximum(of: limit) == maximum)
    let error = #expect(throws: SQLiteError.self) { try db.setLimit(limit, to: -1) }
    #expect(error?.code == .range)
    #expect(try db.limit(limit) == maximum)
  }

  @Test func `apply to statements that are compiled afterwards`() throws {
    let db = try memory()
    try db.setLimit(.variableCount, to: 2)
    #expect(try db.rows("SELECT ?1, ?2", values: [1, 2]) == [[1, 2]])
    #expect(throws: SQLiteError.self) { try db.prepare("SELECT ?3") }
    try db.setLimit(.length, to: 100)
    let error = #expect(throws: SQLiteError.self) { try db.rows("SELECT zeroblob(1000)") }
    #expect(error?.code == .tooBig)
  }

  @Test func `that are unknown are unsupported`() throws {
    let db = try memory()
    for attempt in [
      { _ = try db.limit(Connection.Limit(rawValue: 99)) },
      { try db.setLimit(Connection.Limit(rawValue: 99), to: 1) },
      { _ = try db.maximum(of: Connection.Limit(rawValue: -1)) },
    ] as [() throws -> Void] {
      let error = #expect(throws: SQLiteError.self) { try attempt() }
      #expect(error?.code == .unsupported)
    }
    try db.close()
    let error = #expect(throws: SQLiteError.self) { try db.limit(.length) }
    #expect(error?.code == .closed)
  }
}
