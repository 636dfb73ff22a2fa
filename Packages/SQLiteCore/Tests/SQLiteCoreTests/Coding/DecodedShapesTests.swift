import Foundation
import SQLiteCore
import Testing

@Suite struct `Decoding unusual types` {
  struct Point: Codable, Hashable { var x: Int, y: Int }
  enum Shape: Codable, Equatable {
    case circle(radius: Double)
    case polygon([Point])
    case empty
  }
  enum Level: Int, Codable { case low = 1, high }
  enum Color: String, Codable { case red, green }

  struct Drawing: Codable, Equatable {
    var shape: Shape
    var level: Level
    var color: Color?
    var counts: [String: Int]
    var corners: [Point]
    var origin: Point?
    var flags: [Bool]?
  }

  @Test func `reads structs, arrays, dictionaries and enums from JSON in a column`() throws {
    let db = try memory()
    let drawings = try db.fetchAll(
      decoding: Drawing.self,
      #"""
      SELECT '{"circle":{"radius":1.5}}' AS shape, 2 AS level, 'red' AS color,
        '{"a":1,"b":2}' AS counts, '[{"x":1,"y":2}]' AS corners, '{"x":0,"y":0}' AS origin,
        CAST('[true]' AS BLOB) AS flags
      UNION ALL SELECT '{"empty":{}}', 1, NULL, '{}', '[]', NULL, NULL
      """#)
    #expect(
      drawings == [
        Drawing(
          shape: .circle(radius: 1.5), level: .high, color: .red, counts: ["a": 1, "b": 2],
          corners: [Point(x: 1, y: 2)], origin: Point(x: 0, y: 0), flags: [true]),
        Drawing(
          shape: .empty, level: .low, color: nil, counts: [:], corners: [], origin: nil, flags: nil),
      ])
  }

  @Test func `reads a single value of a row with one column`() throws {
    let db = try memory()
    #expect(try db.fetchAll(decoding: Int.self, "SELECT 1 UNION ALL SELECT 2") == [1, 2])
    #expect(try db.fetchOne(decoding: String.self, "SELECT 'a'") == "a")
    #expect(try db.fetchOne(decoding: [UInt8].self, "SELECT x'0102'") == [1, 2])
    #expect(try db.fetchOne(decoding: Data.self, "SELECT x'0102'") == Data([1, 2]))
    #expect(try db.fetchOne(decoding: Color.self, "SELECT 'green'") == .green)
    #expect(try db.fetchAll(decoding: Int?.self, "SELECT 1 UNION ALL SELECT NULL") == [1, nil])
    #expect(try db.fetchOne(decoding: UInt8.self, "SELECT 7") == 7)
    #expect(try db.fetchOne(decoding: Double.self, "SELECT 0.5") == 0.5)
  }

  @Test func `reads an unkeyed container from the columns by position`() throws {
    struct Pair: Decodable, Equatable {
      let id: Int, name: String?, origin: Point

      init(id: Int, name: String?, origin: Point) {
        (self.id, self.name, self.origin) = (id, name, origin)
      }

      init(from decoder: any Decoder) throws {
        var list = try decoder.unkeyedContainer()
        #expect(list.count == 3)
        id = try list.decode(Int.self)
        name = try list.decodeNil() ? nil : list.decode(String.self)
        let nested = try list.nestedContainer(keyedBy: Point.Keys.self)
        origin = Point(
          x: try nested.decode(Int.self, forKey: .x), y: try nested.decode(Int.self, forKey: .y))
        #expect(list.isAtEnd)
      }
    }
    let db = try memory()
    #expect(try db.fetchOne(decoding: [Int].self, "SELECT 3, 2, 1") == [3, 2, 1])
    #expect(try db.fetchOne(decoding: [Int?].self, "SELECT 3, NULL, 1") == [3, nil, 1])
    #expect(
      try db.fetchOne(decoding: Pair.self, #"SELECT 1, NULL, '{"x":1,"y":2}'"#)
        == Pair(id: 1, name: nil, origin: Point(x: 1, y: 2)))
  }

  @Test func `refuses to read past the last column`() throws {
    struct Two: Decodable {
      init(from decoder: any Decoder) throws {
        var list = try decoder.unkeyedContainer()
        _ = try (list.decode(Int.self), list.decode(Int.self))
      }
    }
    let error = #expect(throws: SQLiteError.self) {
      try memory().fetchOne(decoding: Two.self, "SELECT 1")
    }
    #expect(error?.code == .unknownColumn)
  }

  @Test func `reads a dictionary from all columns`() throws {
    let db = try memory()
    #expect(
      try db.fetchOne(decoding: [String: Int].self, "SELECT 1 AS a, 2 AS b") == ["a": 1, "b": 2])
    #expect(
      try db.fetchOne(decoding: [Int: String].self, #"SELECT 'x' AS "7", 'y' AS "8""#)
        == [7: "x", 8: "y"])
  }

  @Test func `passes the same row to a superclass`() throws {
    class Animal: Decodable {
      let name: String

      private enum Keys: CodingKey { case name }

      required init(from decoder: any Decoder) throws {
        name = try decoder.container(keyedBy: Keys.self).decode(String.self, forKey: .name)
      }
    }
    final class Dog: Animal {
      let age: Int

      private enum Keys: CodingKey { case age }

      required init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Keys.self)
        age = try container.decode(Int.self, forKey: .age)
        try super.init(from: container.superDecoder())
      }
    }
    let dogs = try memory().fetchAll(
      decoding: Dog.self, "SELECT 'Rex' AS name, 3 AS age UNION ALL SELECT 'Ina', 4")
    #expect(dogs.map(\.name) == ["Rex", "Ina"])
    #expect(dogs.map(\.age) == [3, 4])
  }

  @Test func `reads keys that have numbers by their names`() throws {
    struct Numbered: Decodable, Equatable {
      let first: Int, second: Int

      enum CodingKeys: Int, CodingKey { case first = 1, second = 0 }
    }
    let value = try memory().fetchOne(decoding: Numbered.self, "SELECT 1 AS first, 2 AS second")
    #expect(value == Numbered(first: 1, second: 2))
  }

  @Test func `serves an initializer that requests keys in any order and repeatedly`() throws {
    struct Choosy: Decodable, Equatable {
      let text: String

      enum Keys: String, CodingKey { case kind, number, name, missing }

      init(from decoder: any Decoder) throws {
        let row = try decoder.container(keyedBy: Keys.self)
        #expect(!row.contains(.missing))
        #expect(row.allKeys == [.kind, .number, .name])
        let isNull = try row.decodeNil(forKey: .name)
        #expect(throws: SQLiteError.self) { try row.decodeNil(forKey: .missing) }
        if try row.decode(String.self, forKey: .kind) == "number" {
          text = try "\(row.decode(Int.self, forKey: .number))"
        } else {
          text = isNull ? "none" : try row.decode(String.self, forKey: .name)
        }
        #expect(try row.decode(String.self, forKey: .kind).isEmpty == false)
      }
    }
    let rows = try memory().fetchAll(
      decoding: Choosy.self,
      """
      SELECT 'number' AS kind, 1 AS number, NULL AS name UNION ALL SELECT 'name', NULL, 'a'
      UNION ALL SELECT 'name', NULL, NULL UNION ALL SELECT 'number', 2, 'b'
      """)
    #expect(rows.map(\.text) == ["1", "a", "none", "2"])
  }

  @Test func `limits the cache of keys that differ from row to row`() throws {
    struct Prober: Decodable {
      init(from decoder: any Decoder) throws {
        let row = try decoder.container(keyedBy: NamedKey.self)
        let id = try row.decode(Int.self, forKey: NamedKey("id"))
        for number in 0..<100 {
          #expect(try row.decodeIfPresent(Int.self, forKey: NamedKey("\(id)-\(number)")) == nil)
        }
        #expect(try row.decode(Int.self, forKey: NamedKey("id")) == id)
      }
    }
    #expect(
      try memory().fetchAll(
        decoding: Prober.self,
        "WITH n(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n LIMIT 50) SELECT id FROM n"
      ).count == 50)
  }

  @Test func `reads nested containers that an initializer requests`() throws {
    struct Custom: Decodable {
      let x: Int, second: String, isRed: Bool

      enum Keys: CodingKey { case origin, names, color }

      init(from decoder: any Decoder) throws {
        let row = try decoder.container(keyedBy: Keys.self)
        x = try row.nestedContainer(keyedBy: Point.Keys.self, forKey: .origin)
          .decode(Int.self, forKey: .x)
        var names = try row.nestedUnkeyedContainer(forKey: .names)
        _ = try names.decode(String.self)
        second = try names.decode(String.self)
        isRed = try Color(from: row.superDecoder(forKey: .color)) == .red
      }
    }
    let value = try memory().fetchOne(
      decoding: Custom.self,
      #"SELECT '{"x":5}' AS origin, '["a","b"]' AS names, 'red' AS color"#)
    #expect(value?.x == 5)
    #expect(value?.second == "b")
    #expect(value?.isRed == true)
  }

  @Test func `reads a type that is a row by way of another type`() throws {
    struct Wrapper: Decodable, Equatable {
      let point: Point

      init(from decoder: any Decoder) throws {
        point = try decoder.singleValueContainer().decode(Point.self)
      }
    }
    let db = try memory()
    #expect(
      try db.fetchOne(decoding: Wrapper.self, "SELECT 1 AS x, 2 AS y")?.point == Point(x: 1, y: 2))
    #expect(
      try db.fetchAll(decoding: Point?.self, "SELECT 1 AS x, 2 AS y UNION ALL SELECT NULL, NULL")
        == [Point(x: 1, y: 2), nil])
  }

  @Test func `rethrows errors of the decoded type`() throws {
    struct Strict: Decodable {
      init(from decoder: any Decoder) throws { throw Failure(name: "own") }
    }
    struct Corrupted: Decodable {
      init(from decoder: any Decoder) throws {
        throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "own"))
      }
    }
    struct Holder: Decodable { let inner: Corrupted }
    let db = try memory()
    #expect(throws: Failure(name: "own")) { try db.fetchAll(decoding: Strict.self, "SELECT 1") }
    #expect(throws: DecodingError.self) { try db.fetchAll(decoding: Corrupted.self, "SELECT 1") }
    #expect(throws: DecodingError.self) {
      try db.fetchAll(decoding: Holder.self, "SELECT 1 AS inner")
    }
  }

  @Test func `provides the decoder's user info, also in JSON`() throws {
    struct Told: Decodable, Equatable {
      let told: String

      init(from decoder: any Decoder) throws {
        _ = try decoder.container(keyedBy: NamedKey.self)
        told = decoder.userInfo[.init(rawValue: "told")!] as? String ?? ""
      }
    }
    struct Outer: Decodable { let inner: Told }
    var decoder = RowDecoder()
    decoder.userInfo[.init(rawValue: "told")!] = "yes"
    let db = try memory()
    #expect(try db.fetchOne(decoding: Told.self, with: decoder, "SELECT 1")?.told == "yes")
    #expect(
      try db.fetchOne(decoding: Outer.self, with: decoder, "SELECT '{}' AS inner")?.inner.told
        == "yes")
  }

  @Test func `refuses JSON that is nested too deeply`() throws {
    indirect enum Tree: Decodable {
      case list([Tree])

      init(from decoder: any Decoder) throws {
        self = .list(try decoder.singleValueContainer().decode([Tree].self))
      }
    }
    struct Holder: Decodable { let tree: Tree }
    let deep = String(repeating: "[", count: 100_000)
    let error = #expect(throws: SQLiteError.self) {
      try memory().fetchOne(decoding: Holder.self, "SELECT ? AS tree", deep)
    }
    #expect(error?.code == .invalidJSON)
  }

  @Test func `decodes another type during a decoding`() throws {
    struct Outer: Decodable {
      let id: Int
      let inner: [Point]
      let last: Int

      enum Keys: CodingKey { case id, last }

      init(from decoder: any Decoder) throws {
        let row = try decoder.container(keyedBy: Keys.self)
        id = try row.decode(Int.self, forKey: .id)
        inner = try memory().fetchAll(
          decoding: Point.self, "SELECT ? AS x, 1 AS y UNION ALL SELECT 7, 8", id)
        last = try row.decode(Int.self, forKey: .last)
      }
    }
    let rows = try memory().fetchAll(
      decoding: Outer.self, "SELECT 1 AS id, 10 AS last UNION ALL SELECT 2, 20")
    #expect(rows.map(\.id) == [1, 2])
    #expect(rows.map(\.last) == [10, 20])
    #expect(rows[1].inner == [Point(x: 2, y: 1), Point(x: 7, y: 8)])
  }
}

extension `Decoding unusual types`.Point {
  enum Keys: CodingKey { case x, y }
}

/// A key with any name.
struct NamedKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(_ name: String) { stringValue = name }
  init?(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}
