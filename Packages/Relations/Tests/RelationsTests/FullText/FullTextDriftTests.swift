import Relations
import SQLiteCore
import Testing

@Suite struct `A full-text index under random writes` {
  struct Undo: Error {}

  /// A table of books with two unique keys in addition to its primary key, and random writes to it.
  struct World {
    let connection: Connection
    let index: FullTextIndex
    var random: FullTextGenerator
    var done = 0
    var refused = 0

    init(seed: UInt64) throws {
      random = FullTextGenerator(seed: seed)
      connection = try Connection.inMemory(configuration: .trusting)
      try connection.execute(
        """
        CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT, body TEXT, a, b, n, UNIQUE (a, b));
        CREATE UNIQUE INDEX book_n ON book (n) WHERE n > 3;
        """)
      try connection.execute(
        "PRAGMA recursive_triggers = \(unsafe: "\(Bool.random(using: &random))")")
      index = FullTextIndex(
        "find", on: "book", columns: ["title", "body"], tokenizer: .porter(), prefixLengths: [2])
      try index.create(in: connection)
    }

    mutating func text() -> String {
      if Int.random(in: 0..<8, using: &random) == 0 { return "NULL" }
      let count = Int.random(in: 0..<4, using: &random)
      let list = (0..<count).map { _ in words.randomElement(using: &random) ?? "" }
      return SQLiteValue.text(list.joined(separator: " ")).description
    }

    mutating func number(_ limit: Int = 8) -> Int { Int.random(in: 0..<limit, using: &random) }

    mutating func statement() -> String {
      let conflict = ["", "OR REPLACE", "OR IGNORE", "OR ABORT", "OR FAIL"][number(5)]
      let row =
        "\(number(2) == 0 ? "NULL" : "\(number(12))"), \(text()), \(text()), \(number(3)), "
        + "\(number(3)), \(number(9))"
      switch number(9) {
      case 0, 1, 2:
        return "INSERT \(conflict) INTO book VALUES (\(row))"
      case 3:
        let key = ["(id)", "(a, b)", ""][number(3)]
        return "INSERT INTO book VALUES (\(row)) ON CONFLICT \(key) DO UPDATE SET "
          + "title = excluded.title, n = excluded.n\(key == "(a, b)" ? ", id = excluded.id" : "")"
      case 4: return "DELETE FROM book WHERE id = \(number(12))"
      case 5:
        return
          "UPDATE \(conflict) book SET title = \(text()), a = \(number(3)) WHERE n = \(number(9))"
      case 6: return "UPDATE \(conflict) book SET rowid = \(number(12)) WHERE id > \(number(12))"
      case 7: return "UPDATE \(conflict) book SET n = n + 1, b = \(number(3)), body = \(text())"
      default:
        return "UPDATE \(conflict) book SET id = id + 1, n = \(number(9)) WHERE a = \(number(3))"
      }
    }

    mutating func step() throws {
      let isUndone = number(6) == 0
      do {
        try connection.savepoint {
          for _ in 0..<(1 + number(3)) {
            do {
              try connection.run(SQL(unsafe: statement()))
              done += 1
            } catch let error as SQLiteError where error.code.primary == .constraint {
              refused += 1
            }
          }
          if isUndone { throw Undo() }
        }
      } catch is Undo {
      }
    }

    /// Returns whether searches have the same results as with an index that was just rebuilt.
    func check(_ note: String) throws {
      #expect(try index.integrityCheck(in: connection) == [], "\(note)")
      let queries = words.map { FullTextQuery.prefix(String($0.prefix(3))) }
      func all() throws -> [[FullTextIndex.Hit]] {
        try queries.map { try connection.search(index, $0) }
      }
      let kept = try all()
      let isSame = try connection.savepoint {
        try index.rebuild(in: connection)
        return try all() == kept
      }
      #expect(isSame, "\(note)")
    }
  }

  @Test func `never drifts from its table`() throws {
    for seed in UInt64(0x5eed_0000)..<0x5eed_0000 + FullTextEffort.seeds(2) {
      var world = try World(seed: seed)
      for round in 0..<5 {
        for _ in 0..<12 { try world.step() }
        try world.check("seed \(seed), round \(round)")
      }
      #expect(world.done > 30 && world.refused > 5)
    }
  }

  @Test func `of computed text never drifts from its sources`() throws {
    for seed in UInt64(0xc0de_0000)..<0xc0de_0000 + FullTextEffort.seeds(2) {
      var random = FullTextGenerator(seed: seed)
      func number(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }
      let library = try ComputedBooks()
      try library.connection.execute("PRAGMA recursive_triggers = \(unsafe: "\(number(2))")")
      for _ in 0..<30 {
        let conflict = ["", "OR REPLACE", "OR IGNORE"][number(3)]
        let word = words[number(words.count)]
        let sql: String =
          switch number(8) {
          case 0, 1:
            "INSERT \(conflict) INTO book VALUES (\(number(6)), '\(word)', \(number(4)), NULL)"
          case 2, 3:
            "INSERT \(conflict) INTO tag VALUES (\(number(6)), '\(words[number(3)])')"
          case 4: "DELETE FROM \(["book", "tag"][number(2)]) WHERE rowid = \(number(6))"
          case 5: "UPDATE \(conflict) tag SET book = \(number(6)) WHERE rowid > \(number(4))"
          case 6:
            "UPDATE \(conflict) book SET id = \(number(6)), code = \(number(4)) WHERE id = \(number(6))"
          default:
            "UPDATE \(conflict) book SET title = '\(word)', code = \(number(4)) WHERE id = \(number(6))"
          }
        try library.connection.transaction {
          do {
            try library.connection.run(SQL(unsafe: sql))
          } catch let error as SQLiteError where error.code.primary == .constraint {
          }
          try library.update()
        }
        #expect(try library.problems() == [], "seed \(seed): \(sql)")
        #expect(try library.keptTexts() == library.freshTexts(), "seed \(seed): \(sql)")
      }
    }
  }
}

private let words = ["fox", "dog", "cat", "owl", "Émile", "münze", "run", "running"]
