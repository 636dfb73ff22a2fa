import Foundation
import SQLiteCore
import Testing

@Suite struct `Row bindings` {
  struct Thing: Codable, Equatable {
    enum Color: String, Codable { case red, blue }
    var id: Int
    var name: String?
    var size: Float?
    var color = Color.red
    var tags = ["a": 1]
    var date = Date(timeIntervalSinceReferenceDate: 0.5)
    var bytes: [UInt8] = [1]
  }

  static let columns = ["id", "name", "size", "color", "tags", "date", "bytes"]

  private func memory() throws -> Connection {
    let connection = try Connection.inMemory()
    try connection.execute("CREATE TABLE thing (\(unsafe: Self.columns.joined(separator: ", ")))")
    return connection
  }

  @Test func `encode the same rows as an encoder`() throws {
    let connection = try memory()
    let binding = RowEncoder.Binding(columns: Self.columns)
    let insert = try connection.prepare("INSERT INTO thing VALUES (?, ?, ?, ?, ?, ?, ?)")
    let things = [
      Thing(id: 1, name: "a", size: 1.5), Thing(id: 2), Thing(id: 3, name: "", color: .blue),
    ]
    for thing in things {
      try binding.bind(thing, to: insert)
      try insert.run()
      #expect(try binding.values(of: thing) == RowEncoder().encode(thing).map(\.value))
    }
    #expect(try connection.fetchAll(decoding: Thing.self, "SELECT * FROM thing") == things)
  }

  @Test func `have NULL for a column that a value does not encode`() throws {
    let binding = RowEncoder.Binding(columns: [
      "more", "name", "id", "size", "color", "tags", "date", "bytes",
    ])
    let values = try binding.values(of: Thing(id: 1, name: "a"))
    #expect(values.prefix(3) == [.null, .text("a"), .integer(1)])
  }

  @Test func `require a column for each key that is not nil`() throws {
    let binding = RowEncoder.Binding(columns: Self.columns.filter { $0 != "name" })
    _ = try binding.values(of: Thing(id: 1))
    let error = #expect(throws: SQLiteError.self) {
      try binding.values(of: Thing(id: 1, name: "a"))
    }
    #expect(error?.code == .unknownColumn && error?.column?.name == "name")
    _ = try binding.values(of: Thing(id: 1))
  }

  @Test func `require a parameter for each column`() throws {
    let statement = try memory().prepare("SELECT ?")
    let error = #expect(throws: SQLiteError.self) {
      try RowEncoder.Binding(columns: Self.columns).bind(Thing(id: 1), to: statement)
    }
    #expect(error?.code == .parameterCount)
  }

  @Test func `refuse NaN, and bind no value then`() throws {
    let binding = RowEncoder.Binding(columns: Self.columns)
    let select = try memory().prepare("SELECT ?, ?, ?, ?, ?, ?, ?")
    let error = #expect(throws: SQLiteError.self) {
      try binding.bind(Thing(id: 1, name: "a", size: .nan), to: select)
    }
    #expect(error?.code == .valueOutOfRange && error?.column?.name == "size")
    #expect(try select.step())
    #expect(try select.row.values.allSatisfy(\.isNull))
  }

  @Test func `adjust and replace columns`() throws {
    var seen: [String] = []
    let binding = RowEncoder.Binding(
      columns: Self.columns,
      adjusting: ["id": { value in value == .integer(0) ? .null : value }]
    ) { type, key in
      seen.append(key)
      return type == [String: Int].self ? { _ in .text("replaced") } : nil
    }
    #expect(try binding.values(of: Thing(id: 0))[0] == .null)
    #expect(try binding.values(of: Thing(id: 5))[0] == .integer(5))
    #expect(try binding.values(of: Thing(id: 5))[4] == .text("replaced"))
    // The closure is called once for each type.
    #expect(seen == ["color", "tags", "date", "bytes"])
    let without = RowEncoder.Binding(columns: ["id"]) { _, _ in { _ in nil } }
    #expect(try without.values(of: Thing(id: 5)) == [.integer(5)])
  }

  @Test func `write nested containers`() throws {
    struct Pieces: Encodable {
      enum Key: CodingKey { case a, b, c }
      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        var list = container.nestedUnkeyedContainer(forKey: .a)
        try list.encode(1)
        try list.encode(2)
        var object = container.nestedContainer(keyedBy: Key.self, forKey: .b)
        try object.encode("x", forKey: .c)
        try container.encodeNil(forKey: .c)
      }
    }
    let binding = RowEncoder.Binding(columns: ["a", "b", "c"])
    #expect(try binding.values(of: Pieces()) == [.text("[1,2]"), .text(#"{"c":"x"}"#), .null])
  }

  @Test func `refuse single values and lists, which have no column names`() throws {
    for value in [[1, 2], 5] as [any Encodable] {
      let error = #expect(throws: SQLiteError.self) {
        try RowEncoder.Binding(columns: ["a"]).values(of: value)
      }
      #expect(error?.code == .unnamedColumns)
    }
  }

  @Test func `write the superclass's columns into the same row`() throws {
    class Animal: Encodable { var legs = 4 }
    class Cat: Animal {
      var name = "Tom"
      enum Key: CodingKey { case name }
      override func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(name, forKey: .name)
        try super.encode(to: container.superEncoder())
      }
    }
    let binding = RowEncoder.Binding(columns: ["legs", "name"])
    for _ in 0..<3 {
      #expect(try binding.values(of: Cat()) == [.integer(4), .text("Tom")])
    }
  }

  /// The encoder or containers that a type has stored.
  final class Kept {
    var encoder: (any Encoder)?
    var container: KeyedEncodingContainer<Keeper.Key>?
  }

  struct Keeper: Encodable {
    enum Key: CodingKey { case id }
    let kept: Kept
    let keepsEncoder: Bool

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Key.self)
      try container.encode(1, forKey: .id)
      if keepsEncoder { kept.encoder = encoder } else { kept.container = container }
    }
  }

  @Test(arguments: [true, false])
  func `ignore an encoder that a type has kept`(_ keepsEncoder: Bool) throws {
    let kept = Kept()
    let binding = RowEncoder.Binding(columns: ["id"])
    for _ in 0..<2 { _ = try binding.values(of: Keeper(kept: kept, keepsEncoder: keepsEncoder)) }
    func writeLate() throws {
      var container = try #require(
        kept.container ?? kept.encoder?.container(keyedBy: Keeper.Key.self))
      try container.encode(2, forKey: .id)
    }
    let error = #expect(throws: SQLiteError.self) { try writeLate() }
    #expect(error?.code == .misuse)
    #expect(try binding.values(of: Keeper(kept: Kept(), keepsEncoder: true)) == [.integer(1)])
  }
}

@Suite struct `Custom decoding` {
  struct Money: Codable, Equatable { var cents = 0 }
  struct Order: Codable, Equatable {
    var id = 0
    var price = Money()
    var discount: Money?
    var lines: Set<Int> = []
  }

  private var decoder: RowDecoder {
    var decoder = RowDecoder()
    decoder.replacement = { type in
      if type == Money.self {
        return { _, _, row, column in
          guard let column else { throw CancellationError() }
          return Money(cents: try row.read(at: column))
        }
      }
      if type == Set<Int>.self {
        return { _, key, _, column in column == nil ? Set([key.count]) : [] }
      }
      return nil
    }
    return decoder
  }

  @Test func `reads columns of a type, and properties without columns`() throws {
    let connection = try Connection.inMemory()
    let sql = "SELECT 1 AS id, 250 AS price, ? AS discount UNION ALL SELECT 2, 1, NULL"
    let orders = try connection.fetchAll(decoding: Order.self, with: decoder, SQL(unsafe: sql), 5)
    #expect(
      orders == [
        Order(id: 1, price: Money(cents: 250), discount: Money(cents: 5), lines: [5]),
        Order(id: 2, price: Money(cents: 1), lines: [5]),
      ])
  }

  @Test func `is not used for the row itself`() throws {
    let connection = try Connection.inMemory()
    let money = try connection.fetchOne(
      decoding: Money.self, with: decoder, "SELECT 7 AS cents")
    #expect(money == Money(cents: 7))
  }

  @Test func `must return the requested type`() throws {
    var decoder = RowDecoder()
    decoder.replacement = { _ in { _, _, _, _ in "no money" } }
    let connection = try Connection.inMemory()
    let error = #expect(throws: SQLiteError.self) {
      try connection.fetchOne(decoding: Order.self, with: decoder, "SELECT 1 AS id, 2 AS price")
    }
    #expect(error?.code == .internalError)
  }
}
