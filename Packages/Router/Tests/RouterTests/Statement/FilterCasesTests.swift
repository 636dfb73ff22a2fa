import SQLiteCore
import Testing

@testable import Router

@Suite struct `The cases that a filter tells apart` {
  static let schema = """
    CREATE TABLE row (id INTEGER PRIMARY KEY, a INTEGER, b INTEGER NOT NULL, t TEXT);
    """

  static func facts() throws -> TableFacts {
    let connection = try Connection.inMemory()
    try connection.execute(schema)
    return try TableFacts("row", in: nil, connection)
  }

  /// Rows in which each column is all that filters by chance compare it with, what is beside that, and NULL.
  static var rows: [[String: SQLiteValue]] {
    var rows: [[String: SQLiteValue]] = []
    for a in Int64(-3)...4 {
      for b in Int64(-3)...4 {
        let texts = `Filters by chance`.texts
        let text = texts[Int(a + b + 6) % texts.count]
        rows.append([
          "a": a == 4 ? .null : .integer(a), "b": .integer(b), "t": b == 4 ? .null : .text(text),
        ])
      }
    }
    return rows
  }

  @Test func `are all true only of what is true of every row`() throws {
    let facts = try Self.facts()
    let rows = Self.rows
    var random = Seeded(state: `Filters by chance`.seed)
    var found = 0
    for number in 1...2_000 {
      let filter = Filter.or([
        `Filters by chance`.filter(depth: 2, &random),
        `Filters by chance`.filter(depth: 2, &random),
      ])
      guard FilterCases(filter, of: facts).areAllTrue() else { continue }
      found += 1
      for row in rows {
        #expect(
          Evaluator(row: row).evaluate(filter) == true,
          "seed \(`Filters by chance`.seed), filter \(number): \(filter), \(row)")
      }
    }
    #expect(found > 100)
  }

  @Test func `are found out where a condition meets its opposite, and NULL`() throws {
    let facts = try Self.facts()
    var random = Seeded(state: `Filters by chance`.seed)
    for _ in 1...300 {
      let one = `Filters by chance`.condition(&random)
      guard case .comparison(let comparison) = one.form, comparison.column != "t" else { continue }
      let filter = one || !one || comparison.column.isNull()
      #expect(FilterCases(filter, of: facts).areAllTrue(), "\(filter)")
    }
  }

  @Test func `are not looked at without end`() throws {
    let facts = try Self.facts()
    let filter = Filter.and(
      (1...200).map { Column("a").equals($0) || !Column("a").equals($0) || Column("a").isNull() })
    #expect(!FilterCases(filter, of: facts).areAllTrue())
    #expect(FilterCases(filter || .all, of: facts).areAllTrue())
  }
}
