import Foundation
import SQLiteCore
import Testing

@Suite struct `Encoding rows` {
  struct Point: Codable, RowEncodable, Equatable { var x: Int, y: Int }
  enum Color: String, Codable { case red }
  enum Size: Int, Codable, SQLiteConvertible { case small = 1 }

  struct Thing: Codable, Equatable {
    var id: Int?
    var name: String
    var ratio: Double?
    var isOpen: Bool
    var bytes: [UInt8]
    var color: Color
    var size: Size
    var tags: [String: Int]
    var corner: Point?
    var uuid: UUID
    var float: Float
    var big: UInt64

    static let one = Thing(
      id: nil, name: "a\0é", ratio: nil, isOpen: true, bytes: [0, 1], color: .red, size: .small,
      tags: ["b": 2, "a": 1], corner: Point(x: 1, y: 2),
      uuid: UUID(uuidString: "0F0E0D0C-0B0A-0908-0706-050403020100")!, float: 0.5, big: 7)
  }

  @Test func `binds no value if one can't be bound`() throws {
    struct Pair: Encodable {
      var a: String
      var b: UInt64
    }
    let statement = try memory().prepare("SELECT :a, :b")
    try statement.bindAll(encoding: Pair(a: "one", b: 1))
    let error = #expect(throws: SQLiteError.self) {
      try statement.bindAll(encoding: Pair(a: "two", b: .max))
    }
    #expect(error?.code == .valueOutOfRange)
    #expect(try statement.step())
    #expect(try statement.row.values == [nil, nil])
  }

  @Test func `distinguishes tables and columns by their bytes`() throws {
    let names = ["\u{e9}", "e\u{301}"]
    let db = try memory()
    for name in names { try db.execute("CREATE TABLE \(identifier: name) (\(identifier: name))") }
    for name in names { try db.insert(encoding: [name: name], into: name) }
    for name in names {
      let found = try db.value(
        SQLiteValue.self, "SELECT \(identifier: name) FROM \(identifier: name)")
      #expect(found == .text(name))
    }
  }

  @Test func `returns a column for each key, in order, with NULL for nil`() throws {
    let row = try RowEncoder().encode(Thing.one)
    #expect(
      row == [
        RowEncoder.Column(name: "id", value: nil), RowEncoder.Column(name: "name", value: "a\0é"),
        RowEncoder.Column(name: "ratio", value: nil), RowEncoder.Column(name: "isOpen", value: 1),
        RowEncoder.Column(name: "bytes", value: .blob([0, 1])),
        RowEncoder.Column(name: "color", value: "red"), RowEncoder.Column(name: "size", value: 1),
        RowEncoder.Column(name: "tags", value: #"{"a":1,"b":2}"#),
        RowEncoder.Column(name: "corner", value: #"{"x":1,"y":2}"#),
        RowEncoder.Column(name: "uuid", value: "0F0E0D0C-0B0A-0908-0706-050403020100"),
        RowEncoder.Column(name: "float", value: 0.5), RowEncoder.Column(name: "big", value: 7),
      ])
  }

  @Test func `returns a column for a nil of every primitive type`() throws {
    struct Nothing: Encodable {
      var a: Bool?, b: Int?, c: Int8?, d: Int16?, e: Int32?, f: Int64?, g: UInt?, h: UInt8?
      var i: UInt16?, j: UInt32?, k: UInt64?, l: Float?, m: Double?, n: String?, o: Data?
    }
    let row = try RowEncoder().encode(Nothing())
    #expect(row.map(\.name) == "abcdefghijklmno".map { "\($0)" })
    #expect(row.allSatisfy { $0.value == .null })
  }

  @Test func `inserts a value with the table's next key for nil`() throws {
    let db = try memory(
      """
      CREATE TABLE "the ""big"" things" (id INTEGER PRIMARY KEY, name, ratio, isOpen, bytes, color,
        size, tags, corner, uuid, float, big)
      """)
    let changes = try db.insert(encoding: Thing.one, into: #"the "big" things"#)
    #expect(changes.count == 1)
    #expect(changes.lastInsertedRowID == 1)
    var expected = Thing.one
    expected.id = 1
    #expect(
      try db.fetchAll(decoding: Thing.self, #"SELECT * FROM "the ""big"" things""#) == [expected])
  }

  @Test func `quotes the names of columns`() throws {
    struct Odd: Codable, Equatable {
      var order: Int, quote: Int

      enum CodingKeys: String, CodingKey { case order, quote = "a\"); DROP TABLE t; --" }
    }
    let db = try memory(#"CREATE TABLE t ("order", "a""); DROP TABLE t; --")"#)
    try db.insert(encoding: Odd(order: 1, quote: 2), into: "t")
    #expect(try db.fetchAll(decoding: Odd.self, "SELECT * FROM t") == [Odd(order: 1, quote: 2)])
  }

  @Test func `inserts many values with one compiled statement`() throws {
    let db = try memory("CREATE TABLE t (x, y)")
    try db.transaction {
      try db.insert(encodingEach: (0..<100).map { Point(x: $0, y: -$0) }, into: "t")
    }
    #expect(try db.value(Int.self, "SELECT sum(x) FROM t") == 4950)
    #expect(db.statementCacheStatistics.hits >= 99)
  }

  @Test func `inserts a table's defaults for a value without keys`() throws {
    struct Nothing: Encodable {
      enum Keys: CodingKey {}

      func encode(to encoder: any Encoder) throws { _ = encoder.container(keyedBy: Keys.self) }
    }
    let db = try memory("CREATE TABLE t (x DEFAULT 5)")
    try db.insert(encoding: Nothing(), into: "t")
    #expect(try db.values(Int.self, "SELECT x FROM t") == [5])
  }

  @Test func `fails to insert values that the table refuses, and unknown columns`() throws {
    let db = try memory("CREATE TABLE t (x UNIQUE, y)")
    try db.insert(encoding: Point(x: 1, y: 1), into: "t")
    let refused = #expect(throws: SQLiteError.self) {
      try db.insert(encoding: Point(x: 1, y: 2), into: "t")
    }
    #expect(refused?.code == .constraintUnique)
    #expect(throws: SQLiteError.self) { try db.insert(encoding: Thing.one, into: "t") }
    #expect(throws: SQLiteError.self) { try db.insert(encoding: Point(x: 2, y: 2), into: "u") }
    #expect(try db.count("t") == 1)
    try db.close()
    let closed = #expect(throws: SQLiteError.self) {
      try db.insert(encoding: Point(x: 2, y: 2), into: "t")
    }
    #expect(closed?.code == .closed)
  }

  @Test func `binds columns to the parameters of their names`() throws {
    let db = try memory("CREATE TABLE t (x, y); INSERT INTO t VALUES (1, 1)")
    let changes = try db.run("UPDATE t SET y = $y WHERE x = :x", of: Point(x: 1, y: 5))
    #expect(changes.count == 1)
    let statement = try db.prepare("SELECT @y + @y, :x")
    try statement.bindAll(encoding: Point(x: 2, y: 3))
    #expect(try statement.step())
    #expect(try statement.row.values == [6, 2])
    try statement.bindAll(encoding: Point(x: 4, y: 5))
    #expect(try statement.step())
    #expect(try statement.row.values == [10, 4])
    // A column without a parameter is ignored.
    #expect(try db.run("DELETE FROM t WHERE y = :y", of: Point(x: 9, y: 5)).count == 1)
  }

  @Test(arguments: ["SELECT :z", "SELECT ?", "SELECT :x, ?5"])
  func `refuses a parameter without a column of its name`(_ sql: String) throws {
    let error = #expect(throws: SQLiteError.self) {
      try memory().run(SQL(unsafe: sql), of: Point(x: 1, y: 2))
    }
    #expect(error?.code == .unknownParameter)
    #expect(error?.sql == sql)
  }

  @Test func `refuses values without column names`() throws {
    let encoder = RowEncoder()
    for encode in [
      { try encoder.encode(1) }, { try encoder.encode("a") }, { try encoder.encode([1, 2]) },
      { try encoder.encode(Color.red) }, { try encoder.encode(Int?.none) },
      { try encoder.encode([UInt8(1)]) }, { try encoder.encode(Size.small) },
    ] {
      let error = #expect(throws: SQLiteError.self) { _ = try encode() }
      #expect(error?.code == .unnamedColumns)
    }
  }

  @Test func `refuses an integer that does not fit`() throws {
    struct Large: Encodable { let v: UInt64 }
    let error = #expect(throws: SQLiteError.self) { try RowEncoder().encode(Large(v: .max)) }
    #expect(error?.code == .valueOutOfRange)
    let db = try memory("CREATE TABLE t (v)")
    #expect(throws: SQLiteError.self) { try db.insert(encoding: Large(v: .max), into: "t") }
    #expect(try db.count("t") == 0)
  }

  @Test func `writes a bindable type by its own binding`() throws {
    struct Money: Codable, Equatable, SQLiteConvertible {
      var cents: Int

      init(cents: Int) { self.cents = cents }
      init(from row: borrowing Row, at index: ColumnIndex) throws(SQLiteError) {
        cents = try Int(from: row, at: index)
      }
      var sqliteValue: SQLiteValue { .integer(Int64(cents)) }
    }
    struct Item: Codable, Equatable { var price: Money, old: Money? }
    let item = Item(price: Money(cents: 5), old: Money(cents: 7))
    #expect(
      try RowEncoder().encode(item) == [
        RowEncoder.Column(name: "price", value: 5), RowEncoder.Column(name: "old", value: 7),
      ])
    let db = try memory("CREATE TABLE t (price, old)")
    try db.insert(encoding: item, into: "t")
    #expect(try db.fetchAll(decoding: Item.self, "SELECT * FROM t") == [item])
  }

  @Test func `writes the properties of a class and its superclass into one row`() throws {
    class Animal: Encodable {
      let name = "Rex"

      private enum Keys: CodingKey { case name }

      func encode(to encoder: any Encoder) throws {
        var row = encoder.container(keyedBy: Keys.self)
        try row.encode(name, forKey: .name)
      }
    }
    final class Dog: Animal {
      private enum Keys: CodingKey { case age }

      override func encode(to encoder: any Encoder) throws {
        var row = encoder.container(keyedBy: Keys.self)
        try row.encode(3, forKey: .age)
        try super.encode(to: row.superEncoder())
      }
    }
    #expect(
      try RowEncoder().encode(Dog()) == [
        RowEncoder.Column(name: "age", value: 3), RowEncoder.Column(name: "name", value: "Rex"),
      ])
  }

  @Test func `writes nested containers as JSON`() throws {
    struct Custom: Encodable {
      enum Keys: CodingKey { case a, b, c, d, e }

      func encode(to encoder: any Encoder) throws {
        var row = encoder.container(keyedBy: Keys.self)
        var keyed = row.nestedContainer(keyedBy: Keys.self, forKey: .a)
        try keyed.encode(1, forKey: .b)
        try keyed.encodeNil(forKey: .c)
        var inner = keyed.nestedUnkeyedContainer(forKey: .d)
        try inner.encode("x")
        try inner.encodeNil()
        var deepest = inner.nestedContainer(keyedBy: Keys.self)
        try deepest.encode(true, forKey: .e)
        try Point(x: 1, y: 2).encode(to: keyed.superEncoder(forKey: .e))
        var list = row.nestedUnkeyedContainer(forKey: .b)
        try list.encode(contentsOf: [1, 2])
        try 5.encode(to: row.superEncoder(forKey: .c))
        try row.encode("once", forKey: .d)
        try row.encode("twice", forKey: .d)
        _ = row.nestedUnkeyedContainer(forKey: .e)
      }
    }
    #expect(
      try RowEncoder().encode(Custom()) == [
        RowEncoder.Column(
          name: "a", value: #"{"b":1,"c":null,"d":["x",null,{"e":true}],"e":{"x":1,"y":2}}"#),
        RowEncoder.Column(name: "b", value: "[1,2]"), RowEncoder.Column(name: "c", value: 5),
        RowEncoder.Column(name: "d", value: "twice"), RowEncoder.Column(name: "e", value: "[]"),
      ])
  }

  @Test func `rethrows errors of the encoded type, and provides the user info`() throws {
    struct Failing: Encodable {
      func encode(to encoder: any Encoder) throws {
        throw Failure(name: encoder.userInfo[.init(rawValue: "name")!] as? String ?? "")
      }
    }
    struct Outer: Encodable { let inner = Failing() }
    var encoder = RowEncoder()
    encoder.userInfo[.init(rawValue: "name")!] = "own"
    #expect(throws: Failure(name: "own")) { try encoder.encode(Failing()) }
    #expect(throws: Failure(name: "own")) { try encoder.encode(Outer()) }
    #expect(throws: (any Error).self) { try encoder.encode(["v": [Double.infinity]]) }
  }
}
