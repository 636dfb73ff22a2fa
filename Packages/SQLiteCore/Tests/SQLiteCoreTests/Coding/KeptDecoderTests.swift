import SQLiteCore
import Testing

@Suite struct `A decoder that is kept` {
  final class Shelf {
    var decoders: [any Decoder] = []
    var rows: [KeyedDecodingContainer<NamedKey>] = []
    var lists: [any UnkeyedDecodingContainer] = []
    var values: [any SingleValueDecodingContainer] = []
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
      // What earlier rows left must not show this one.
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

  @Test func `is refused in later rows, after the fetch and after the connection is gone`() throws {
    let shelf = Shelf()
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
    // A nested value's prefix is its decoder's own; a column's name is the statement's.
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

  @Test func `of JSON in a column goes on to work`() throws {
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
