import SQLiteCore
import Primitives
import Testing

@testable import Relations

/// Trees of an orchard and their apples. The number of apples that are read is counted.
private enum Orchard {
  struct Tree: Table {
    static let tableName = "Tree"
    var id = 0
    var apples = ManyRelation<Apple>(\.tree)

    init() {}
    init(row: borrowing SQLiteCore.Row) throws(SQLiteError) { id = try row.read(at: 0) }
    static var properties: [RowProperty<Tree>] {
      [.init(column: "id") { $0.id }, .init(relation: "apples") { $0.apples }]
    }
  }

  struct Apple: Table {
    static let tableName = "Apple"
    static let readCount = Atomic<Int>(0)
    var id = 0
    var tree: OneRelation<Tree>

    init() { tree = OneRelation() }
    init(row: borrowing SQLiteCore.Row) throws(SQLiteError) {
      Apple.readCount.add(1, ordering: .relaxed)
      id = try row.read(at: 0)
      tree = try row.read(at: 1)
    }
    static var properties: [RowProperty<Apple>] {
      [.init(column: "id") { $0.id }, .init(column: "tree") { $0.tree }]
    }
  }

  /// Trees with the given numbers, each with the number of apples that its last digit specifies.
  static func grow(_ numbers: [Int64], _ path: String, type: String = "INTEGER") throws {
    let connection = try Connection(path: path)
    try connection.execute(
      """
      CREATE TABLE Tree (id INTEGER PRIMARY KEY);
      CREATE TABLE Apple (id INTEGER PRIMARY KEY, tree \(unsafe: type));
      CREATE INDEX Apple_tree ON Apple (tree);
      """)
    try connection.transaction {
      for number in numbers {
        try connection.run("INSERT INTO Tree (id) VALUES (?)", number)
        for _ in 0..<abs(number % 10) {
          try connection.run("INSERT INTO Apple (tree) VALUES (?)", number)
        }
      }
    }
  }
}

extension Trait where Self == ParallelizationTrait {
  /// The reads are counted for all tests of the suite together.
  fileprivate static var counted: Self { .serialized }
}

@Suite(.counted) struct `Lists of owners whose keys are nearly a range` {
  struct Asked: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let keys: [Int64]
    /// A Boolean value that indicates whether the keys are read as a range.
    let isRange: Bool
  }

  static let cases = [
    Asked(testDescription: "all of a range", keys: Array(1...40), isRange: true),
    Asked(testDescription: "one", keys: [17], isRange: true),
    Asked(testDescription: "from the last to the first", keys: (1...40).reversed(), isRange: true),
    Asked(testDescription: "below zero", keys: Array(-20 ... -5), isRange: true),
    Asked(testDescription: "one of 32 missing", keys: (1...32).filter { $0 != 18 }, isRange: true),
    Asked(
      testDescription: "two of 33 missing, one beside the last",
      keys: (1...33).filter { $0 != 7 && $0 != 32 }, isRange: true),
    Asked(
      testDescription: "two of 16 missing", keys: (1...16).filter { $0 % 7 != 3 }, isRange: false),
    Asked(testDescription: "every second", keys: (1...20).map { 2 * $0 }, isRange: false),
    Asked(testDescription: "the outermost", keys: [.min, -3, 8, .max], isRange: false),
    Asked(testDescription: "the largest", keys: [.max - 1, .max], isRange: true),
  ]

  /// The numbers of all trees: more than any case requests.
  static let numbers: [Int64] = [.min] + Array(-30...60) + [.max - 1, .max]

  @Test(arguments: cases)
  func `contain the rows of each owner, and no other row is read`(_ asked: Asked) async throws {
    let file = try TemporaryFile()
    try Orchard.grow(Self.numbers, file.path)
    let log = StatementLog()
    let database = try Database(path: file.path, configuration: log.configuration)
    let session = ModelSession(database, schema: .explicit)
    let all = try await session.fetchAll(Orchard.Tree.self)
    let order = Dictionary(uniqueKeysWithValues: asked.keys.enumerated().map { ($1, $0) })
    let trees = all.filter { order[Int64($0.id)] != nil }
      .sorted { order[Int64($0.id)] ?? 0 < order[Int64($1.id)] ?? 0 }
    try #require(trees.count == asked.keys.count)
    Orchard.Apple.readCount.store(0, ordering: .relaxed)
    let statements = try await log.recordStatements { try await trees.fetchAll(\.apples) }
    #expect(statements.count { $0.contains("BETWEEN") } == (asked.isRange ? 1 : 0))
    #expect(trees.map(\.apples.items.count) == asked.keys.map { Int(abs($0 % 10)) })
    for tree in trees { #expect(tree.apples.items.allSatisfy { $0.tree.key == tree.id }) }
    let read = Orchard.Apple.readCount.load(ordering: .relaxed)
    // Reading a row or two creates the type's metadata.
    let count = trees.reduce(0) { $0 + $1.apples.items.count }
    #expect((count...count + 2).contains(read))
    // The rows that were read have their session.
    let apple = trees.lazy.compactMap(\.apples.items.first).first
    #expect(try await apple?.tree.fetch()?.id == apple?.tree.key)
    database.close()
  }

  @Test(arguments: [Array(1...12), [3, 1, 2, 3, 1], [7, 7]])
  func `are set for each list of an owner`(_ numbers: [Int64]) async throws {
    let file = try TemporaryFile()
    try Orchard.grow(Array(1...12), file.path)
    let session = ModelSession(try file.open(), schema: .explicit)
    var trees: [Orchard.Tree] = []
    for number in numbers {
      trees += try await session.fetchAll(Orchard.Tree.self, "WHERE id = ?", [number])
    }
    try await trees.fetchAll(\.apples)
    #expect(trees.map(\.apples.items.count) == numbers.map { Int($0 % 10) })
    session.database.close()
  }

  @Test(arguments: [
    ("INTEGER", true), ("NUMERIC", true), ("BIGINT", true), ("BLOB", false), ("", false),
  ])
  func `are found through the index of a column of any type`(
    _ type: String, _ isRange: Bool
  ) async throws {
    let file = try TemporaryFile()
    try Orchard.grow(Array(1...12), file.path, type: type)
    let log = StatementLog()
    let database = try Database(path: file.path, configuration: log.configuration)
    let session = ModelSession(database, schema: .explicit)
    let trees = try await session.fetchAll(Orchard.Tree.self)
    let statements = try await log.recordStatements { try await trees.fetchAll(\.apples) }
    #expect(trees.map(\.apples.items.count) == trees.map { $0.id % 10 })
    let sql = try #require(statements.first { $0.contains("\"Apple\"") })
    #expect(sql.contains("BETWEEN") == isRange)
    let values: [SQLiteValue] = isRange ? [.null, .null] : [.null]
    let steps = try file.connect().rows("EXPLAIN QUERY PLAN \(unsafe: sql)", values: values)
    let plan = steps.map { "\($0)" }.joined()
    #expect(plan.contains("SEARCH") && !plan.contains("SCAN Apple"), "\(plan)")
    database.close()
  }

  @Test func `are an error if the column stores the keys as real numbers`() async throws {
    let file = try TemporaryFile()
    try Orchard.grow(Array(2...12), file.path, type: "REAL")
    let session = ModelSession(try file.open(), schema: .explicit)
    let trees = try await session.fetchAll(Orchard.Tree.self)
    let error = await #expect(throws: SQLiteError.self) { try await trees.fetchAll(\.apples) }
    #expect(error?.code == .columnTypeMismatch)
    session.database.close()
  }

  @Test(arguments: ["", "BLOB", "INTEGER"])
  func `are an error if one key is a real number among integers`(
    _ type: String
  ) async throws {
    let file = try TemporaryFile()
    try Orchard.grow(Array(4...6), file.path, type: type)
    let connection = try file.connect()
    try connection.execute(
      "DELETE FROM Apple; INSERT INTO Apple (tree) VALUES (5), (5.0), (5), (6)")
    let session = ModelSession(try file.open(), schema: .explicit)
    let trees = try await session.fetchAll(Orchard.Tree.self)
    if type == "INTEGER" {
      // The column converts the key to an integer.
      try await trees.fetchAll(\.apples)
      #expect(trees.map(\.apples.items.count) == [0, 3, 1])
    } else {
      let error = await #expect(throws: SQLiteError.self) { try await trees.fetchAll(\.apples) }
      #expect(error?.code == .columnTypeMismatch)
    }
    session.database.close()
  }

  @Test
  func `do not contain rows of owners inserted in between by other connections`() async throws {
    let file = try TemporaryFile()
    try Orchard.grow(Array(1...40), file.path)
    let connection = try file.connect()
    try connection.execute("UPDATE Apple SET tree = 7.5 WHERE tree = 7")
    let session = ModelSession(try file.open(), schema: .explicit)
    let trees = try await session.fetchAll(Orchard.Tree.self)
    try await trees.fetchAll(\.apples)
    #expect(trees.map(\.apples.items.count) == trees.map { $0.id == 7 ? 0 : $0.id % 10 })
    session.database.close()
  }
}
