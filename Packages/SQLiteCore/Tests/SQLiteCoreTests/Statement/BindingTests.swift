import SQLiteCore
import Testing

@Suite struct `Binding` {
  @Test(arguments: [0, 1, 3]) func `requires one value for each parameter`(_ count: Int) throws {
    let db = try memory()
    let values = [any SQLiteBindable & Sendable](repeating: 1, count: count)
    let named = Dictionary(uniqueKeysWithValues: values.enumerated().map { (":\($0)", $1) })
    for attempt in [
      { try db.run("SELECT ?, ?", values: values) },
      { try db.run(SQL("SELECT ?, :b", named: named)) },
    ] {
      let error = #expect(throws: SQLiteError.self) { try attempt() }
      #expect(error?.code == .parameterCount)
    }
  }

  @Test func `requires one value of a parameter pack for each parameter`() throws {
    let db = try memory()
    for attempt in [
      { try db.run("SELECT ?, ?") }, { try db.run("SELECT ?, ?", 1) },
      { try db.run("SELECT ?, ?", 1, "2", 3.0) }, { try db.run("SELECT 1", 1) },
      { try db.run("SELECT ?3", 1) },
    ] {
      let error = #expect(throws: SQLiteError.self) { try attempt() }
      #expect(error?.code == .parameterCount)
    }
    #expect(try db.value(Int.self, "SELECT ?2", 1, 2) == 2)
  }

  @Test func `finds parameters by name, with or without their prefix`() throws {
    let db = try memory()
    let statement = try db.prepare("SELECT :a, @b, $c, :a")
    #expect(statement.parameterCount == 3)
    try statement.bindAll(named: ["a": 1, "@b": 2, "c": 3])
    #expect(try statement.step())
    #expect(try statement.row.values == [1, 2, 3, 1])
  }

  @Test func `rejects an unknown name`() throws {
    let db = try memory()
    let statement = try db.prepare("SELECT :a")
    let error = #expect(throws: SQLiteError.self) { try statement.bind(1, named: "b") }
    #expect(error?.code == .unknownParameter)
    #expect(throws: SQLiteError.self) { try statement.bindAll(named: ["b": 1]) }
  }

  @Test func `rejects a name that contains NUL`() throws {
    let statement = try memory().prepare("SELECT :a")
    let error = #expect(throws: SQLiteError.self) { try statement.bind(1, named: ":a\0b") }
    #expect(error?.code == .unknownParameter)
  }

  @Test func `rejects two names for one parameter if another has none`() throws {
    let db = try memory()
    let statement = try db.prepare("SELECT :a, :b")
    let error = #expect(throws: SQLiteError.self) {
      try statement.bindAll(named: ["a": 1, ":a": 1])
    }
    #expect(error?.code == .parameterCount)
  }

  @Test(arguments: [0, -1, 2, Int.max, Int.min])
  func `rejects an index without a parameter`(_ index: Int) throws {
    let db = try memory()
    let statement = try db.prepare("SELECT ?")
    for attempt in [
      { try statement.bind(1, at: ParameterIndex(index)) },
      { try statement.bind("a", at: ParameterIndex(index)) },
      { try statement.bind([UInt8]([1]), at: ParameterIndex(index)) },
      { try statement.bind([UInt8](), at: ParameterIndex(index)) },
      { try statement.bind(String?.none, at: ParameterIndex(index)) },
      { try statement.bind(0.5, at: ParameterIndex(index)) },
    ] {
      let error = #expect(throws: SQLiteError.self) { try attempt() }
      #expect(error?.code == .range)
    }
  }

  @Test func `keeps values between runs until they are cleared`() throws {
    let db = try memory()
    let statement = try db.prepare("SELECT ?")
    try statement.bind("a", at: 1)
    for _ in 0..<2 {
      #expect(try statement.step())
      #expect(try statement.row.read(String.self, at: 0) == "a")
      statement.reset()
    }
    statement.clearBindings()
    #expect(try statement.step())
    #expect(try statement.row.isNull(at: 0))
  }

  @Test func `during a run restarts it`() throws {
    let db = try memory()
    let statement = try db.prepare("SELECT value FROM (SELECT ?1 AS value UNION ALL SELECT 9)")
    try statement.bind(1, at: 1)
    #expect(try statement.step())
    try statement.bind(2, at: 1)
    #expect(try statement.step())
    #expect(try statement.row.read(Int.self, at: 0) == 2)
  }

  @Test func `supports as many values as SQLite`() throws {
    let db = try memory()
    let marks = [String](repeating: "?", count: 1_000).joined(separator: ",")
    let row = try db.rows("SELECT \(unsafe: marks)", values: Array(0..<1_000))
    #expect(row == [(0..<1_000).map { .integer($0) }])
  }
}
