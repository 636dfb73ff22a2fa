import Testing

@testable import PostgreSQL

@Suite struct `Messages of replication` {
  /// Builds the bytes of a message.
  private struct Message {
    private(set) var bytes: [UInt8] = []

    /// The header of a message, and its kind.
    init(_ kind: Character) {
      bytes = [UInt8(ascii: "w")] + [UInt8](repeating: 0, count: 24)
      bytes.append(kind.asciiValue ?? 0)
    }

    func adding(_ numbers: any FixedWidthInteger...) -> Self {
      var copy = self
      for number in numbers { copy.bytes.append(bigEndian: number) }
      return copy
    }

    func adding(_ text: String) -> Self {
      var copy = self
      copy.bytes += Array(text.utf8) + [0]
      return copy
    }

    func adding(raw text: String) -> Self {
      var copy = self
      copy.bytes += Array(text.utf8)
      return copy
    }

    /// Adds a row: NULL, an unchanged value, and values in the binary or the text format.
    func adding(row fields: [(Character, [UInt8])]) -> Self {
      var copy = adding(UInt16(fields.count))
      for (kind, value) in fields {
        copy.bytes.append(kind.asciiValue ?? 0)
        guard kind == "b" || kind == "t" else { continue }
        copy.bytes.append(bigEndian: Int32(value.count))
        copy.bytes += value
      }
      return copy
    }

    func decoded(includesRows: Bool = true) throws -> PostgreSQLReplicationMessage? {
      guard
        case .message(let message) = try ReplicationDecoder.packet(
          bytes.elementSpan, includesRows: includesRows)
      else { return nil }
      return message
    }
  }

  private static let row: [(Character, [UInt8])] = [
    ("b", [0, 0, 0, 7]), ("n", []), ("u", []), ("t", Array("abc".utf8)), ("b", []),
  ]

  private static var relation: Message {
    Message("R").adding(UInt32(16_400)).adding("public").adding("todos").adding(raw: "d")
      .adding(UInt16(5))
      .adding(UInt8(1)).adding("id").adding(UInt32(23), Int32(-1))
      .adding(UInt8(0)).adding("a").adding(UInt32(25), Int32(-1))
      .adding(UInt8(0)).adding("b").adding(UInt32(25), Int32(-1))
      .adding(UInt8(0)).adding("c").adding(UInt32(25), Int32(-1))
      .adding(UInt8(0)).adding("d").adding(UInt32(25), Int32(8))
  }

  private static var all: [Message] {
    [
      Message("B").adding(UInt64(0x16_B374_D848), Int64(0), UInt32(771)),
      Message("C").adding(UInt8(0), UInt64(1), UInt64(2), Int64(0)),
      relation,
      Message("Y").adding(UInt32(16_500)).adding("public").adding("mood"),
      Message("O").adding(UInt64(9)).adding("other"),
      Message("I").adding(UInt32(16_400)).adding(raw: "N").adding(row: row),
      Message("U").adding(UInt32(16_400)).adding(raw: "N").adding(row: row),
      Message("U").adding(UInt32(16_400)).adding(raw: "K").adding(row: row).adding(raw: "N")
        .adding(row: row),
      Message("U").adding(UInt32(16_400)).adding(raw: "O").adding(row: row).adding(raw: "N")
        .adding(row: row),
      Message("D").adding(UInt32(16_400)).adding(raw: "K").adding(row: row),
      Message("D").adding(UInt32(16_400)).adding(raw: "O").adding(row: row),
      Message("T").adding(UInt32(2), UInt8(1), UInt32(16_400), UInt32(16_401)),
      Message("M").adding(UInt8(1), UInt64(5)).adding("app").adding(Int32(2)).adding(raw: "hi"),
    ]
  }

  @Test func `have the parts of their format`() throws {
    let all = Self.all
    #expect(
      try all[0].decoded()
        == .begin(transaction: 771, position: PostgreSQLLogPosition(rawValue: 0x16_B374_D848)))
    #expect(PostgreSQLLogPosition(rawValue: 0x16_B374_D848).description == "16/B374D848")
    #expect(
      try all[1].decoded()
        == .commit(
          position: PostgreSQLLogPosition(rawValue: 1), end: PostgreSQLLogPosition(rawValue: 2)))
    guard case .relation(let relation)? = try all[2].decoded() else {
      Issue.record("no relation")
      return
    }
    #expect(relation.schema == "public")
    #expect(relation.name == "todos")
    #expect(relation.identity == .primaryKey)
    #expect(relation.columns.map(\.name) == ["id", "a", "b", "c", "d"])
    #expect(relation.columns.map(\.isKey) == [true, false, false, false, false])
    #expect(relation.columns.last?.modifier == 8)
    #expect(
      try all[3].decoded()
        == .type(PostgreSQLType(rawValue: 16_500), schema: "public", name: "mood"))
    #expect(try all[4].decoded() == .origin(name: "other"))
    guard case .insert(16_400, let row)? = try all[5].decoded() else {
      Issue.record("no row")
      return
    }
    #expect(row.count == 5)
    #expect(row.isUnchanged(at: 2))
    #expect(!row.isUnchanged(at: 9))
    var described = relation
    described.resultColumns = ResultColumns(
      sql: nil, names: relation.columns.map(\.name), types: relation.columns.map(\.type),
      catalog: TypeCatalog())
    #expect(
      try row.values(of: described) == [.integer(7), .null, nil, .text("abc"), .text("")])
    #expect(throws: PostgreSQLError.self) { try row.values(of: relation) }
    guard case .update(16_400, .key?, let new)? = try all[7].decoded() else {
      Issue.record("no key")
      return
    }
    #expect(new == row)
    #expect(try all[9].decoded() == .delete(relation: 16_400, old: .key(row)))
    #expect(try all[10].decoded() == .delete(relation: 16_400, old: .full(row)))
    #expect(try all[11].decoded() == .truncate(relations: [16_400, 16_401]))
    #expect(
      try all[12].decoded()
        == .message(isTransactional: true, prefix: "app", content: Array("hi".utf8)))
  }

  @Test func `have rows without columns if the values are not needed`() throws {
    for message in Self.all.dropFirst(5).prefix(6) {
      switch try message.decoded(includesRows: false) {
      case .insert(_, let row), .update(_, _, let row), .delete(_, .key(let row)),
        .delete(_, .full(let row)):
        #expect(row.count == 0)
      default: Issue.record("no row")
      }
    }
  }

  @Test func `of an unknown kind are skipped`() throws {
    #expect(try ReplicationDecoder.packet(Message("Z").bytes.elementSpan) == .unknown)
    #expect(try ReplicationDecoder.packet([UInt8(ascii: "x")].elementSpan) == .unknown)
    var keepalive: [UInt8] = [UInt8(ascii: "k")]
    keepalive.append(bigEndian: UInt64(77))
    keepalive.append(bigEndian: UInt64(0))
    keepalive.append(1)
    #expect(
      try ReplicationDecoder.packet(keepalive.elementSpan)
        == .keepalive(end: PostgreSQLLogPosition(rawValue: 77), needsReply: true))
  }

  @Test func `that are cut off are an error`() {
    for message in Self.all {
      for count in 0..<message.bytes.count {
        let bytes = Array(message.bytes.prefix(count))
        #expect(throws: PostgreSQLError.self) { try ReplicationDecoder.packet(bytes.elementSpan) }
      }
    }
  }

  @Test func `with random bytes are an error or a message, and never trap`() {
    let seed: UInt64 = 0x51_7E_A1
    print("the seed of the random messages is \(seed)")
    var random = SeededGenerator(seed: seed)
    let all = Self.all.map(\.bytes)
    for _ in 0..<200_000 {
      var bytes = all.randomElement(using: &random) ?? []
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        guard !bytes.isEmpty else { break }
        let index = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes[index] = [0, 0x7F, 0x80, 0xFF].randomElement(using: &random) ?? 0
        case 2: bytes.removeLast(min(bytes.count, Int.random(in: 1...4, using: &random)))
        default: bytes.insert(UInt8.random(in: 0...255, using: &random), at: index)
        }
      }
      guard case .message(let message)? = try? ReplicationDecoder.packet(bytes.elementSpan) else {
        continue
      }
      guard case .relation(var relation) = message else {
        if case .insert(_, let row) = message {
          _ = try? row.values(of: Self.describedRelation)
        }
        continue
      }
      relation.resultColumns = ResultColumns(
        sql: nil, names: relation.columns.map(\.name), types: relation.columns.map(\.type),
        catalog: TypeCatalog())
      #expect(relation.columns.count <= bytes.count)
    }
  }

  private static let describedRelation: PostgreSQLReplicationRelation = {
    guard case .relation(var relation)? = try? relation.decoded() else {
      return PostgreSQLReplicationRelation(
        id: 0, schema: "", name: "", identity: .nothing, columns: [])
    }
    relation.resultColumns = ResultColumns(
      sql: nil, names: relation.columns.map(\.name), types: relation.columns.map(\.type),
      catalog: TypeCatalog())
    return relation
  }()
}

/// A generator with a fixed sequence: SplitMix64.
private struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
