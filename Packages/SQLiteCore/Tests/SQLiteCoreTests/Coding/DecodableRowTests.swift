import Foundation
import SQLiteCore
import Testing

@Suite struct `Types that are RowDecodable by Codable` {
  struct Point: Codable, RowDecodable, RowEncodable, Equatable {
    var x: Int
    var y: Int?
    var tags: [String]? = nil
  }

  /// A type that stores its decoder.
  struct Keeping: Decodable, RowDecodable {
    let decoder: any Decoder
    let x: Int

    enum CodingKeys: CodingKey { case x }

    init(from decoder: any Decoder) throws {
      self.decoder = decoder
      x = try decoder.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .x)
    }
  }

  struct Refusing: Decodable, RowDecodable {
    struct Refusal: Error, Equatable { let x: Int }

    init(from decoder: any Decoder) throws {
      throw Refusal(x: try decoder.singleValueContainer().decode(Int.self))
    }
  }

  /// A type that reads two values from one row.
  struct Both: RowDecodable {
    let point: Point
    let name: Name

    struct Name: Codable, RowDecodable { let name: String }

    init(row: borrowing Row) throws {
      point = try Point(row: row)
      name = try Name(row: row)
    }
  }

  private func points() throws -> Connection {
    let db = try Connection.inMemory()
    try db.execute(
      """
      CREATE TABLE point (x, y, tags, name);
      INSERT INTO point VALUES (1, NULL, NULL, 'a'), (2, 5, '["b"]', 'b'), (3, 6, NULL, 'c');
      """)
    return db
  }

  @Test func `are read by the names of their columns`() throws {
    let db = try points()
    let expected = [Point(x: 1), Point(x: 2, y: 5, tags: ["b"]), Point(x: 3, y: 6)]
    #expect(try db.fetchAll(Point.self, "SELECT * FROM point ORDER BY x") == expected)
    #expect(
      try db.fetchAll(Point.self, "SELECT name, tags, y, x FROM point ORDER BY x") == expected)
    #expect(
      try db.fetchOne(Point.self, "SELECT * FROM point WHERE x = ?", 2) == expected[1])
    #expect(try db.fetchOne(Point.self, "SELECT * FROM point WHERE x = 9") == nil)
    var found: [Point] = []
    try db.forEachRow(Point.self, "SELECT * FROM point ORDER BY x", values: []) { point, _ in
      found.append(point)
    }
    #expect(found == expected)
  }

  @Test func `are read by the new names after a change of the schema`() throws {
    let db = try points()
    let sql: SQL = "SELECT * FROM point ORDER BY x LIMIT 1"
    #expect(try db.fetchAll(Point.self, sql) == [Point(x: 1)])
    try db.execute(
      """
      ALTER TABLE point RENAME COLUMN x TO z; ALTER TABLE point RENAME COLUMN y TO x;
      ALTER TABLE point RENAME COLUMN z TO y; UPDATE point SET x = 7 WHERE y = 1;
      """)
    #expect(try db.fetchOne(Point.self, "SELECT * FROM point ORDER BY y LIMIT 1")?.x == 7)
    try db.execute("DELETE FROM point WHERE x <> 7")
    #expect(try db.fetchAll(Point.self, sql) == [Point(x: 7, y: 1)])
  }

  @Test func `can be read alternately from one row`() throws {
    let both = try points().fetchAll(Both.self, "SELECT * FROM point ORDER BY x")
    #expect(both.map(\.point.x) == [1, 2, 3])
    #expect(both.map(\.name.name) == ["a", "b", "c"])
  }

  @Test func `are read from in-memory rows`() throws {
    let rows: [[SQLiteValue]] = [[1, .null], [2, 3]]
    var found: [Point] = []
    try Row.forEach(columns: ["x", "y"], in: rows) { found.append(try Point(row: $0)) }
    #expect(found == [Point(x: 1), Point(x: 2, y: 3)])
  }

  @Test func `rethrow their initializer's errors, and name a column that does not fit`() throws {
    let db = try points()
    #expect(throws: Refusing.Refusal(x: 1)) {
      try db.fetchAll(Refusing.self, "SELECT x FROM point ORDER BY x")
    }
    #expect(throws: Refusing.Refusal(x: 3)) {
      try db.fetchOne(Refusing.self, "SELECT x FROM point WHERE x = 3")
    }
    let error = #expect(throws: SQLiteError.self) {
      try db.fetchAll(Point.self, "SELECT name AS x FROM point")
    }
    #expect(error?.code == .columnTypeMismatch)
    #expect(error?.column?.name == "x")
  }

  @Test func `refuse the use of a decoder after its row`() throws {
    let db = try points()
    let rows = try db.fetchAll(Keeping.self, "SELECT x FROM point ORDER BY x")
    #expect(rows.map(\.x) == [1, 2, 3])
    for row in rows {
      let error = #expect(throws: SQLiteError.self) {
        try row.decoder.container(keyedBy: Keeping.CodingKeys.self)
      }
      #expect(error?.code == .decoderExpired)
    }
  }

  @Test func `release their decoder when the statement is released`() throws {
    let db = try points()
    weak var row: AnyObject?
    do {
      let context = Witness()
      row = context
      try db.withRowContext(context) {
        let statement = try db.prepare("SELECT * FROM point")
        #expect(try statement.step())
        #expect(try Point(row: statement.row).x == 1)
      }
    }
    #expect(row == nil)
  }

  private final class Witness {}

  @Test func `bind their columns to the parameters of their names`() throws {
    let db = try points()
    let changes = try db.run(
      "UPDATE point SET y = :y, tags = $tags WHERE x = @x", of: Point(x: 1, y: 9, tags: ["t"]))
    #expect(changes.count == 1)
    #expect(
      try db.run(
        "INSERT INTO point (x, y) VALUES (:x, :y)", ofEach: [Point(x: 7), Point(x: 8, y: 8)]
      ).count == 2)
    #expect(
      try db.fetchAll(Point.self, "SELECT * FROM point WHERE x IN (1, 7, 8) ORDER BY x")
        == [Point(x: 1, y: 9, tags: ["t"]), Point(x: 7), Point(x: 8, y: 8)])
  }

  @Test func `read and write single columns by the rules of properties`() throws {
    let row = Row(columns: ["a", "b"], values: ["[1,2]", .null])
    #expect(try RowDecoder().decodeColumn([Int].self, from: row, at: 0) == [1, 2])
    #expect(try RowDecoder().decodeColumn([Int]?.self, from: row, at: 1) == nil)
    #expect(try RowEncoder().encodeColumn([1, 2]) == "[1,2]")
    #expect(try RowEncoder().encodeColumn([Int]?.none) == .null)
    let missing = #expect(throws: SQLiteError.self) {
      try RowDecoder().decodeColumn([Int].self, from: row, at: 2)
    }
    #expect(missing?.code == .unknownColumn)
  }
}
