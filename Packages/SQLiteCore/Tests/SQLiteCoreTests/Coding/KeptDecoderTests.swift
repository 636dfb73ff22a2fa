import SQLiteCore
import Testing

@Suite struct `A decoder that outlives its row` {
  final class Shelf {
    var decoders: [any Decoder] = []
    var rows: [KeyedDecodingContainer<NamedKey>] = []
    var lists: [any UnkeyedDecodingContainer] = []
    var values: [any SingleValueDecodingContainer] = []

    /// The decoders also refer to the shelf, in their `userInfo`.
    func clear() { (decoders, rows, lists, values) = ([], [], [], []) }
  }

  static let shelfKey = CodingUserInfoKey(rawValue: "shelf")!

  struct Shared: @unchecked Sendable {
    // Used by one test on one thread.
    let shelf: Shelf
  }

  struct Hoarder: Decodable {
    let id: Int

    init(from decoder: any Decoder) throws {
      let row = try decoder.container(keyedBy: NamedKey.self)
      id = try row.decode(Int.self, forKey: NamedKey("id"))
      let shelf = (decoder.userInfo[shelfKey] as? Shared)?.shelf
      // Decoders of earlier rows must not show this row.
      for kept in shelf?.rows ?? [] {
        expectExpired { try kept.decode(Int.self, forKey: NamedKey("id")) }
      }
      for kept in shelf?.decoders ?? [] {
        expectExpired { try kept.container(keyedBy: NamedKey.self) }
      }
      shelf?.decoders.append(decoder)
      shelf?.decoders.append(try row.superDecoder(forKey: NamedKey("id")))
      shelf?.decoders.append(try row.superDecoder(forKey: NamedKey("team")))
      shelf?.rows.append(row)
      shelf?.rows.append(
        try row.nestedContainer(keyedBy: NamedKey.self, forKey: NamedKey("team")))
      shelf?.lists.append(try decoder.unkeyedContainer())
      shelf?.values.append(try decoder.singleValueContainer())
    }
  }

  @Test func `is rejected in later rows, after the fetch and after the connection is released`()
    throws
  {
    let shelf = Shelf()
    defer { shelf.clear() }
    var decoder = RowDecoder()
    decoder.nestedColumnSeparator = "."
    decoder.userInfo[Self.shelfKey] = Shared(shelf: shelf)
    do {
      let db = try memory()
      let rows = try db.fetchAll(
        decoding: Hoarder.self, with: decoder,
        #"SELECT 1 AS id, 2 AS "team.id" UNION ALL SELECT 3, 4 UNION ALL SELECT 5, 6"#)
      #expect(rows.map(\.id) == [1, 3, 5])
      #expect(shelf.rows.count == 6)
      checkAll(shelf)
      try db.close()
    }
    checkAll(shelf)
  }

  private func checkAll(_ shelf: Shelf) {
    for decoder in shelf.decoders {
      expectExpired { try decoder.container(keyedBy: NamedKey.self) }
      expectExpired { try decoder.unkeyedContainer() }
      expectExpired { try decoder.singleValueContainer() }
    }
    // A nested value's prefix belongs to its decoder; a column's name belongs to the statement.
    #expect(shelf.decoders.flatMap(\.codingPath).allSatisfy { $0.stringValue == "team." })
    for row in shelf.rows {
      expectExpired { try row.decode(Int.self, forKey: NamedKey("id")) }
      expectExpired { try row.decodeIfPresent(String.self, forKey: NamedKey("id")) }
      expectExpired { try row.decode([UInt8].self, forKey: NamedKey("id")) }
      expectExpired { try row.decodeNil(forKey: NamedKey("id")) }
      expectExpired { try row.superDecoder() }
      expectExpired { try row.superDecoder(forKey: NamedKey("id")) }
      #expect(row.allKeys.isEmpty)
      #expect(!row.contains(NamedKey("id")))
    }
    for var list in shelf.lists {
      expectExpired { try list.decode(Int.self) }
      expectExpired { try list.decodeNil() }
    }
    for value in shelf.values {
      expectExpired { try value.decode(Int.self) }
      expectExpired { try value.decode([Int].self) }
      #expect(!value.decodeNil())
    }
  }

  /// A type that stores its containers, but not its decoder, in selected rows.
  class Keeper: Decodable {
    let id: Int
    fileprivate let kept: KeyedDecodingContainer<NamedKey>?

    enum CodingKeys: CodingKey { case id }

    required init(from decoder: any Decoder) throws {
      id = try decoder.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .id)
      let row = try decoder.container(keyedBy: NamedKey.self)
      kept = id % 3 == 0 ? nil : row
      #expect(try row.decode(Int.self, forKey: NamedKey("id")) == id)
    }
  }

  final class HeirOfKeeper: Keeper {
    let twice: Int
    fileprivate let first: KeyedDecodingContainer<HeirKeys>?

    enum HeirKeys: CodingKey { case twice }

    required init(from decoder: any Decoder) throws {
      let row = try decoder.container(keyedBy: HeirKeys.self)
      twice = try row.decode(Int.self, forKey: .twice)
      first = twice % 4 == 0 ? row : nil
      try super.init(from: row.superDecoder())
      #expect(try row.decode(Int.self, forKey: .twice) == 2 * id)
    }
  }

  @Test func `is refused through its container, and later rows are read`() throws {
    let rows = try memory().fetchAll(
      decoding: HeirOfKeeper.self,
      """
      WITH RECURSIVE number (id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM number LIMIT 20)
      SELECT id, id * 2 AS twice FROM number
      """)
    #expect(rows.map(\.id) == Array(1...20))
    #expect(rows.map(\.twice) == (1...20).map { $0 * 2 })
    #expect(rows.compactMap(\.kept).count == 14)
    #expect(rows.compactMap(\.first).count == 10)
    for row in rows {
      if let kept = row.kept { expectExpired { try kept.decode(Int.self, forKey: NamedKey("id")) } }
      if let first = row.first { expectExpired { try first.decode(Int.self, forKey: .twice) } }
    }
  }

  final class Last {
    var row: KeyedDecodingContainer<NamedKey>?
  }

  struct Item: Decodable {
    let id: Int

    init(from decoder: any Decoder) throws {
      let row = try decoder.container(keyedBy: NamedKey.self)
      id = try row.decode(Int.self, forKey: NamedKey("id"))
      let last = decoder.userInfo[shelfKey] as? Holder
      if let kept = last?.last.row {
        expectExpired { try kept.decode(Int.self, forKey: NamedKey("id")) }
      }
      last?.last.row = id % 2 == 1 ? row : nil
    }
  }

  struct Holder: @unchecked Sendable {
    // Used by one test on one thread.
    let last: Last
  }

  @Test func `is refused in the next row if only its container is kept`() throws {
    var decoder = RowDecoder()
    decoder.userInfo[Self.shelfKey] = Holder(last: Last())
    let rows = try memory().fetchAll(
      decoding: Item.self, with: decoder,
      "SELECT 1 AS id UNION ALL SELECT 3 UNION ALL SELECT 4 UNION ALL SELECT 6 UNION ALL SELECT 7")
    #expect(rows.map(\.id) == [1, 3, 4, 6, 7])
  }

  @Test func `of JSON in a column remains usable`() throws {
    struct Inner: Decodable {
      let row: KeyedDecodingContainer<NamedKey>

      init(from decoder: any Decoder) throws { row = try decoder.container(keyedBy: NamedKey.self) }
    }
    struct Outer: Decodable { let inner: Inner }
    let kept = try memory().fetchAll(
      decoding: Outer.self, #"SELECT '{"a":[1]}' AS inner UNION ALL SELECT '{"a":[2]}'"#)
    #expect(
      try kept.map { try $0.inner.row.decode([Int].self, forKey: NamedKey("a")) } == [[1], [2]])
  }
}

private func expectExpired<Result>(
  _ body: () throws -> Result, sourceLocation: SourceLocation = #_sourceLocation
) {
  let error = #expect(throws: SQLiteError.self, sourceLocation: sourceLocation) { _ = try body() }
  #expect(error?.code == .decoderExpired, sourceLocation: sourceLocation)
}
