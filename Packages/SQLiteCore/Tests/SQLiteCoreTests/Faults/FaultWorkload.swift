import SQLiteCore

/// A workload of numbered commits. The content after a commit does not depend on earlier failures.
///
/// The table `ledger` contains the numbers of the commits. A commit's statements depend only on its
/// number and the current content, so a commit that failed without an effect can be repeated.
struct FaultWorkload {
  enum Step {
    case commit(Int)
    /// Does not change the content.
    case maintenance(String)
    /// Runs a commit's statements, and rolls them back.
    case rolledBack(Int)
  }

  static let seed: UInt64 = 3_401_001

  let commitCount: Int

  var steps: [Step] {
    var random = SeededGenerator(seed: Self.seed)
    var steps: [Step] = []
    for number in 1...commitCount {
      steps.append(.commit(number))
      guard number > 1 else { continue }
      switch Int.random(in: 0..<9, using: &random) {
      case 0: steps.append(.maintenance("PRAGMA wal_checkpoint(PASSIVE)"))
      case 1: steps.append(.maintenance("PRAGMA wal_checkpoint(TRUNCATE)"))
      case 2: steps.append(.maintenance("VACUUM"))
      case 3, 4: steps.append(.rolledBack(number))
      default: break
      }
    }
    return steps
  }

  func run(_ number: Int, on db: Connection) throws {
    var random = SeededGenerator(seed: Self.seed &+ UInt64(number) &* 977)
    if number == 1 {
      try db.execute(
        """
        CREATE TABLE ledger (number INTEGER PRIMARY KEY);
        CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT, size INTEGER, data BLOB);
        CREATE INDEX item_name ON item (name);
        """)
      try insert(12, number, on: db, &random)
    } else {
      switch number % 8 {
      case 2: try grow(number, on: db, &random)
      case 3: try insertInSavepoints(number, on: db, &random)
      case 4: try alter(number, on: db)
      case 5:
        try db.run("DELETE FROM item WHERE id % 3 = ?", Int.random(in: 0..<3, using: &random))
      case 6: try db.run("UPDATE item SET size = size + 1, name = name || '-' || ?", number)
      case 7: try rebuild(number, on: db)
      default: try insert(8, number, on: db, &random)
      }
    }
    try db.run("INSERT INTO ledger VALUES (?)", number)
  }

  private func insert(
    _ count: Int, _ number: Int, on db: Connection, _ random: inout SeededGenerator
  ) throws {
    for index in 0..<count {
      let size = Int.random(in: 0..<900, using: &random)
      try db.run(
        "INSERT INTO item (id, name, size, data) VALUES (?, ?, ?, ?)", number * 1_000 + index,
        "item \(random.next() % 100)", size,
        [UInt8](repeating: UInt8(truncatingIfNeeded: number &+ index), count: size))
    }
  }

  private func grow(_ number: Int, on db: Connection, _ random: inout SeededGenerator) throws {
    for id in try db.values(Int.self, "SELECT id FROM item ORDER BY id LIMIT 2") {
      let count = Int.random(in: 5_000..<14_000, using: &random)
      try db.run(
        "UPDATE item SET data = ? WHERE id = ?",
        [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: count), id)
    }
  }

  private func insertInSavepoints(
    _ number: Int, on db: Connection, _ random: inout SeededGenerator
  ) throws {
    try insert(2, number, on: db, &random)
    do {
      try db.savepoint {
        try db.run("DELETE FROM item")
        throw Failure()
      }
    } catch is Failure {}
    try db.savepoint { try insert(3, number + 500, on: db, &random) }
  }

  private func alter(_ number: Int, on db: Connection) throws {
    try db.execute(
      "ALTER TABLE item ADD COLUMN extra_\(unsafe: "\(number)") DEFAULT 'text \(unsafe: "\(number)")'"
    )
    try db.run("UPDATE item SET extra_\(unsafe: "\(number)") = id WHERE id % 2")
  }

  private func rebuild(_ number: Int, on db: Connection) throws {
    try db.execute(
      """
      DROP INDEX IF EXISTS item_size; CREATE INDEX item_size ON item (size, name);
      CREATE TABLE copy_\(unsafe: "\(number)") AS SELECT id, name FROM item;
      DROP TABLE IF EXISTS copy_\(unsafe: "\(max(0, number - 8))");
      """)
  }
}

extension FaultWorkload {
  /// The schema and rows of a database.
  struct Content: Equatable {
    var schema: [[SQLiteValue]] = []
    var tables: [[[SQLiteValue]]] = []
  }

  static func content(of db: Connection) throws -> Content {
    var content = Content()
    content.schema = try db.rows("SELECT name, sql FROM sqlite_schema ORDER BY name")
    for name in try db.values(
      String.self, "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    {
      content.tables.append(try db.rows("SELECT * FROM \(unsafe: name) ORDER BY rowid"))
    }
    return content
  }

  /// Returns the number of the last commit, or 0 before the first.
  static func lastCommit(of db: Connection) throws -> Int {
    guard
      try db.value(Int.self, "SELECT count(*) FROM sqlite_schema WHERE name = 'ledger'") == 1
    else { return 0 }
    return try db.value(Int?.self, "SELECT max(number) FROM ledger").flatMap { $0 } ?? 0
  }
}
