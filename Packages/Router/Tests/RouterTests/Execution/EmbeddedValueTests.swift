import Foundation
import Router
import RouterTesting
import SQLiteCore
import Testing

/// A column value with its storage class.
struct Exact: Codable, Hashable, Sendable, SQLiteReadable {
  let value: SQLiteValue

  init(from row: borrowing Row, at index: ColumnIndex) throws(SQLiteError) {
    value = try row.value(at: index)
  }

  init(from decoder: any Decoder) throws {
    throw DecodingError.dataCorrupted(
      .init(codingPath: decoder.codingPath, debugDescription: "the value did not come from a row"))
  }

  func encode(to encoder: any Encoder) throws {}
}

@Suite struct `Values of embedded rows` {
  static let seed: UInt64 = 20_261_122

  struct Cells: Codable, Hashable, Sendable {
    var id: Int
    var integer: Exact?
    var real: Exact?
    var text: Exact?
    var blob: Exact?
    var boolean: Exact?
    var numeric: Exact?
    var date: Exact?
    var any: Exact?
    var made: Exact?
  }

  struct Parent: Codable, Hashable, Sendable {
    var id: Int
    var many: [Cells]?
    var cells: Cells?
    var parent: [Parent]?
  }

  static let schema = """
    PRAGMA trusted_schema = ON;
    CREATE TABLE parent (id INTEGER PRIMARY KEY, cell INTEGER REFERENCES cells);
    CREATE TABLE cells (
      id INTEGER PRIMARY KEY, parent INTEGER REFERENCES parent, "integer" INTEGER, "real" REAL,
      "text" TEXT, "blob" BLOB, "boolean" BOOLEAN, "numeric" NUMERIC, "date" DATE, "any",
      made AS (CASE WHEN json_valid("text") THEN json("text") ELSE "any" END));
    INSERT INTO parent VALUES (1, NULL);
    """

  static let texts = [
    "", "a", "\"", "\\", "'", "\\u0041", "{\"a\":1}", "[1, 2]", "[\"00\"]", "null", "true", "1",
    "1.5", "{ }", "a\0b", "\u{1}\u{8}\t\n\u{c}\r\u{1f}\u{7f}", "é", "e\u{301}", "👩‍👩‍👧", "\u{10ffff}",
    "\u{feff}", "\u{2028}\u{2029}", "</script>", ",:{}[]", "Inf", "9.0e+999",
  ]

  static func value(_ random: inout SeededGenerator) -> SQLiteValue {
    switch Int.random(in: 0...8, using: &random) {
    case 0: return .null
    case 1:
      return .integer(
        [.min, .max, 0, -1, 1, 2, 1 << 53 + 1, .min + 1].randomElement(using: &random) ?? 0)
    case 2: return .integer(Int64(bitPattern: random.next()))
    case 3:
      return .real(
        [
          .infinity, -.infinity, .greatestFiniteMagnitude, .leastNonzeroMagnitude, 0.1 + 0.2, 1,
          -1.5, 1e15, 1e16, .pi, 9_007_199_254_740_992, .leastNormalMagnitude, 0,
        ].randomElement(using: &random) ?? 0)
    case 4:
      let real = Double(bitPattern: random.next())
      return real.isNaN ? .null : .real(real)
    case 5:
      return .blob(
        (0..<Int.random(in: 0...9, using: &random)).map { _ in .random(in: 0...255, using: &random)
        })
    default:
      return .text(
        (0..<Int.random(in: 1...3, using: &random))
          .map { _ in texts.randomElement(using: &random) ?? "" }.joined())
    }
  }

  @Test func `equal those of rows fetched directly`() async throws {
    var random = SeededGenerator(seed: Self.seed)
    let executor = SQLiteRouteExecutor(try database(Self.schema))
    let columns = ["integer", "real", "text", "blob", "boolean", "numeric", "date", "any"]
    let rows = (1...200).map { id in
      Record(
        fields: [.init(column: "id", value: .integer(id)), .init(column: "parent", value: 1)]
          + columns.map { .init(column: .init($0), value: Self.value(&random)) })
    }
    try await executor.perform(.insert(rows, into: "cells"))
    let own = try await executor.values(
      Cells.self, for: .fetch(from: "cells", order: .ascending("id")))
    #expect(own.count == 200)

    let many = DatabaseRoute.fetch(from: "parent").selecting("id").embedding(
      .init("cells", as: "many", via: "cells.parent", orderedBy: [.ascending("id")]))
    let embedded = try await executor.value(Parent.self, for: many)
    for (a, b) in zip(own, embedded.many ?? []) {
      #expect(a == b, "seed \(Self.seed), row \(a.id)")
    }
    #expect(embedded.many?.count == own.count)
    #expect(try await executor.run(many).values(Parent.self, of: many) == [embedded])
    var streamed: [Parent] = []
    for try await parent in try await executor.stream(Parent.self, for: many) {
      streamed.append(parent)
    }
    #expect(streamed == [embedded])

    // One row, in one of many rows, in one row.
    try await executor.perform(.update(id: 1, in: "parent", with: ["cell": 7] as Record))
    let deep = DatabaseRoute.fetch(from: "cells", order: .ascending("id")).selecting("id")
      .limited(to: 1).embedding(
        .init(
          "parent", via: "parent", columns: ["id"],
          embedding: [.init("cells", via: "cell")]))
    struct Cell: Decodable, Sendable { var parent: Parent? }
    #expect(try await executor.value(Cell.self, for: deep).parent?.cells == own[6])
  }

  struct Typed: Codable, Hashable, Sendable {
    struct Profile: Codable, Hashable, Sendable { var isNew: Bool }
    enum Kind: String, Codable { case large, small }

    var id: Int
    var isOpen: Bool
    var isDone: Bool?
    var bytes: [UInt8]?
    var data: Data?
    var day: Date?
    var key: UUID?
    var profile: Profile?
    var kind: Kind?
    var note: String?
  }

  struct Owner: Codable, Hashable, Sendable {
    var id: Int
    var ownedItems: [Typed]
    var firstItem: Typed?
  }

  static let typed = Typed(
    id: 1, isOpen: true, isDone: false, bytes: [0, 255], data: Data([1, 2, 3]),
    day: Date(timeIntervalSince1970: 1_700_000_000.125), key: UUID(), profile: .init(isNew: true),
    kind: .small, note: #"{"a":1}"#)

  static func owners() async throws -> SQLiteRouteExecutor {
    let executor = SQLiteRouteExecutor(
      try database(
        """
        CREATE TABLE owner (id INTEGER PRIMARY KEY, first INTEGER REFERENCES item);
        CREATE TABLE item (
          id INTEGER PRIMARY KEY, owner INTEGER REFERENCES owner, isOpen INTEGER, isDone BOOLEAN,
          bytes BLOB, data BLOB, day, key, profile TEXT, kind TEXT, note TEXT);
        INSERT INTO owner VALUES (1, NULL);
        """))
    var record = try Record(encoding: Self.typed)
    record["owner"] = 1
    try await executor.perform(.insert(record, into: "item"))
    try await executor.perform(.insert(["id": 2, "owner": 1, "isOpen": 0] as Record, into: "item"))
    try await executor.perform(.update(id: 1, in: "owner", with: ["first": 1] as Record))
    return executor
  }

  static func route(_ many: String, _ one: String) -> DatabaseRoute {
    DatabaseRoute.fetch(from: "owner").selecting("id").embedding(
      .init("item", as: many, via: "item.owner", orderedBy: [.ascending("id")]),
      .init("item", as: one, via: "first"))
  }

  @Test func `are decoded by the types that decode columns`() async throws {
    let expected = Owner(
      id: 1, ownedItems: [Self.typed, Typed(id: 2, isOpen: false)], firstItem: Self.typed)
    let executor = try await Self.owners()
    let route = Self.route("ownedItems", "firstItem")
    #expect(try await executor.value(Owner.self, for: route) == expected)
    #expect(try await executor.transaction { try $0.value(Owner.self, for: route) } == expected)
    #expect(try await executor.run(route).values(Owner.self, of: route) == [expected])
    let update = try DatabaseRoute.update(id: 1, in: "owner", with: ["first": 2] as Record)
      .selecting("id").embedding(route.embeds[0], route.embeds[1])
    #expect(
      try await executor.value(Owner.self, for: update).firstItem == Typed(id: 2, isOpen: false))
    var guarded = try await Self.owners()
    guarded.rowFilters["owner"] = Column("id").equals(1)
    let checked = guarded
    #expect(
      try await checked.value(Owner.self, for: update).ownedItems == expected.ownedItems)
  }

  @Test func `have the keys that the decoder derives from their columns`() async throws {
    var executor = try await Self.owners()
    executor.decoder.keyDecodingStrategy = .convertFromSnakeCase
    let snake = executor
    let owner = try await snake.value(Owner.self, for: Self.route("owned_items", "first_item"))
    #expect(owner.ownedItems.map(\.id) == [1, 2])
    #expect(owner.firstItem == Self.typed)
  }

  @Test func `are JSON text if decoded as text`() async throws {
    struct Texts: Decodable, Sendable { var ownedItems: String; var firstItem: String? }
    let executor = try await Self.owners()
    var route = Self.route("ownedItems", "firstItem")
    route.embeds[0].columns = ["id", "isDone", "bytes"]
    route.embeds[1].columns = ["note"]
    let texts = try await executor.value(Texts.self, for: route)
    #expect(
      texts.ownedItems
        == #"[{"id":1,"isDone":false,"bytes":["00FF"]},{"id":2,"isDone":null,"bytes":null}]"#)
    #expect(texts.firstItem == #"{"note":"{\"a\":1}"}"#)
  }

  @Test func `are an error if the type is different`() async throws {
    struct One: Decodable, Sendable { var ownedItems: Typed }
    struct Wrong: Decodable, Sendable { var ownedItems: [Bad] }
    struct Bad: Decodable, Sendable { var note: Int? }
    let executor = try await Self.owners()
    let route = Self.route("ownedItems", "firstItem")
    await #expect(throws: (any Error).self) { try await executor.value(One.self, for: route) }
    await #expect(throws: SQLiteError.self) { try await executor.value(Wrong.self, for: route) }
  }

  class Base: Decodable {
    let firstItem: Typed?
  }

  final class Derived: Base, @unchecked Sendable {
    let ownedItems: [Typed]

    private enum CodingKeys: CodingKey { case ownedItems }

    required init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      ownedItems = try container.decode([Typed].self, forKey: .ownedItems)
      try super.init(from: container.superDecoder())
    }
  }

  @Test func `are also found by a superclass`() async throws {
    let derived = try await Self.owners()
      .value(Derived.self, for: Self.route("ownedItems", "firstItem"))
    #expect(derived.firstItem == Self.typed)
    #expect(derived.ownedItems.count == 2)
  }

  @Test func `are decoded from other forms of a response, at any depth`() throws {
    struct Node: Decodable, Sendable { var node: Box? }
    final class Box: Decodable, Sendable { let node: Box? }
    struct Open: Decodable, Sendable { var node: [Flag] }
    struct Flag: Decodable, Sendable { var on: Bool?; var list: [Int]? }
    let route = DatabaseRoute.fetch(from: "t").embedding(.init("node"))
    func response(_ text: String) -> DatabaseRoute.Response {
      DatabaseRoute.Response(columns: ["node"], rows: [[.text(text)]])
    }
    let deep =
      String(repeating: #"{"node":"#, count: 20_000) + "null"
      + String(repeating: "}", count: 20_000)
    #expect(throws: (any Error).self) { try response(deep).values(Node.self, of: route) }
    #expect(throws: (any Error).self) { try response(#"{"node":{"#).values(Node.self, of: route) }
    // Text that no SQLite route creates is decoded as arbitrary JSON.
    let other = try response(#"[ {"on": true, "list": [1, 2]} ]"#).values(Open.self, of: route)
    #expect(other.first?.node.first?.list == [1, 2])
    let own = try response(#"[{"on":1},{"on":false},{"on":null}]"#).values(Open.self, of: route)
    #expect(own.first?.node.map(\.on) == [true, false, nil])
  }

  @Test func `replace a column of the embed's name`() async throws {
    let executor = SQLiteRouteExecutor(
      try database(
        """
        CREATE TABLE team (id TEXT PRIMARY KEY, isOpen);
        CREATE TABLE player (id INTEGER PRIMARY KEY, team TEXT REFERENCES team);
        INSERT INTO team VALUES ('{}', 1);
        INSERT INTO player VALUES (1, '{}');
        """))
    struct Player: Decodable, Sendable { var team: Team }
    struct Team: Decodable, Sendable { var id: String }
    let route = DatabaseRoute.fetch(from: "player").embedding(.init("team"))
    #expect(try await executor.value(Player.self, for: route).team.id == "{}")
  }
}
