import Foundation
import SQLiteCore
import Testing

/// Compares rows in memory with a statement's rows of the same values.
@Suite struct `A row in memory` {
  static let values: [SQLiteValue] = [
    .null, 0, 1, -7, .integer(.min), .integer(.max), 300, 1.5, 2.0, .real(.infinity), 1e300, "",
    "a",
    "12", "1.25", "2026-11-21 14:37:29", "5E2D1A0C-2F0B-4E5C-8C4D-0B1A2C3D4E5F",
    "https://swift.org",
    "é\0b", .blob([]), .blob([1, 2, 3]), .blob([UInt8](0..<16)), "[1,2]", "{\"a\":1}",
  ]

  /// The result of reading: a value's description, or the error.
  private static func outcome<Value>(_ read: () throws -> Value) -> String {
    do {
      return "\(try read())"
    } catch let error as SQLiteError {
      let column = error.column.map { $0.name } ?? "no column"
      return "\(error.code): \(error.message) (\(column))"
    } catch {
      return "\(error)"
    }
  }

  private static let readers: [@Sendable (borrowing Row, ColumnIndex) -> String] = {
    func reader<Value: SQLiteReadable & SendableMetatype>(
      _ type: Value.Type
    ) -> @Sendable (borrowing Row, ColumnIndex) -> String {
      { row, index in
        let value = "\(Value.self) " + outcome { () throws in try row.read(Value.self, at: index) }
        return value + "; " + outcome { () throws in try row.read(Value?.self, at: index) }
      }
    }
    return [
      reader(Int.self), reader(Int8.self), reader(UInt64.self), reader(Bool.self),
      reader(Double.self), reader(Float.self), reader(String.self), reader([UInt8].self),
      reader(Data.self), reader(Date.self), reader(UUID.self), reader(URL.self),
      reader(Decimal.self), reader(SQLiteValue.self), reader(UUIDBlob<UUID>.self),
      reader(BitPattern<UInt64>.self), reader(UnixDate<Date>.self),
      { row, index in outcome { () throws in try row.isNull(at: index) } },
      { row, index in outcome { () throws in try row.storageClass(at: index) } },
      { row, index in "\(row[index])" },
      { row, index in outcome { () throws in try row.withBlob(at: index) { $0.count } } },
      { row, index in outcome { () throws in try row.withText(at: index) { $0.count } } },
      { row, index in outcome { () throws in try row.withOptionalText(at: index) { $0.count } } },
    ]
  }()

  @Test(arguments: values)
  func `is read like a statement's row`(_ value: SQLiteValue) throws {
    let db = try memory()
    let statement = try db.prepare("SELECT ? AS a, ? AS b")
    try statement.bindAll(SQLiteValue.null, value)
    #expect(try statement.step())
    let stored = Row(columns: ["a", "b"], values: [.null, value])
    for reader in Self.readers {
      // There is no third column.
      for index: ColumnIndex in [1, 2, -1] {
        #expect(reader(stored, index) == reader(statement.row, index))
      }
    }
    #expect(stored.columnNames == statement.row.columnNames)
    #expect(try stored.values == statement.row.values)
    #expect(stored["B"] == value)
    #expect(stored["c"] == nil)
  }

  struct Player: Codable, Equatable {
    struct Team: Codable, Equatable { var name: String }

    var id: Int
    var name: String?
    var joined: Date
    var scores: [Int]
    var team: Team?
  }

  @Test func `is decoded like a statement's row`() throws {
    let db = try memory(
      """
      CREATE TABLE player (id INTEGER PRIMARY KEY, name TEXT, joined TEXT, scores TEXT, "team.name");
      INSERT INTO player VALUES
        (1, 'Ada', '2026-11-21', '[1,2]', 'Red'), (2, NULL, '2026-11-22 10:00', '[]', NULL);
      """)
    var decoder = RowDecoder()
    decoder.nestedColumnSeparator = "."
    let expected = try db.fetchAll(decoding: Player.self, with: decoder, "SELECT * FROM player")
    let rows = try db.rows("SELECT * FROM player")
    let columns = ["id", "name", "joined", "scores", "team.name"]
    #expect(try decoder.decode(Player.self, columns: columns, rows: rows) == expected)
    let row = Row(columns: columns, values: rows[0])
    #expect(try decoder.decode(Player.self, from: row) == expected[0])
    #expect(try decoder.decode(Player.self, columns: columns, rows: []).isEmpty)
  }

  @Test func `reports the column of an error, but no statement`() throws {
    let error = #expect(throws: SQLiteError.self) {
      try RowDecoder().decode(Player.self, columns: ["id", "name"], rows: [["x", "Ada"]])
    }
    #expect(error?.code == .columnTypeMismatch)
    #expect(error?.column?.name == "id")
    #expect(error?.sql == nil)
  }

  @Test func `can have fewer values than columns, which are then missing`() throws {
    let row = Row(columns: ["a", "b"], values: [1])
    #expect(try row.read(Int.self, at: 0) == 1)
    #expect(throws: SQLiteError.self) { try row.read(Int.self, at: 1) }
    #expect(throws: SQLiteError.self) { try row.values }
  }

  @Test func `decodes each row with a decoder that expires`() throws {
    final class Keeper: @unchecked Sendable { var decoders: [any Decoder] = [] }
    struct Kept: Decodable {
      let id: Int

      init(from decoder: any Decoder) throws {
        (decoder.userInfo[CodingUserInfoKey(rawValue: "keeper")!] as? Keeper)?.decoders
          .append(decoder)
        id = try decoder.container(keyedBy: ColumnName.self).decode(Int.self, forKey: .id)
      }
      enum ColumnName: CodingKey { case id }
    }
    let keeper = Keeper()
    // The decoders also retain the keeper, in their `userInfo`.
    defer { keeper.decoders = [] }
    var decoder = RowDecoder()
    decoder.userInfo[CodingUserInfoKey(rawValue: "keeper")!] = keeper
    let rows = try decoder.decode(Kept.self, columns: ["id"], rows: [[1], [2], [3]])
    #expect(rows.map(\.id) == [1, 2, 3])
    for decoder in keeper.decoders {
      let error = #expect(throws: SQLiteError.self) { try Kept(from: decoder) }
      #expect(error?.code == .decoderExpired)
    }
  }
}

/// Compares values of Swift types with the values that SQLite stores for them.
@Suite struct `The value that SQLite stores` {
  enum State: String, SQLiteConvertible { case open }

  static let bindables: [any SQLiteBindable & Sendable] = [
    1, Int8(-3), UInt32.max, true, false, 1.5, Double.nan, Float(0.1), Float.nan, "text", "a\0b",
    Substring("part"), [UInt8]([1, 2]), [UInt8](), Data([3]), Data(), State.open,
    Date(timeIntervalSince1970: 1.25), UUID(uuidString: "5E2D1A0C-2F0B-4E5C-8C4D-0B1A2C3D4E5F")!,
    URL(string: "https://swift.org/a")!, Decimal(string: "12.50")!, Int?.none, String?.some("x"),
    SQLiteValue.real(2), ZeroBlob(count: 3), UUIDBlob(wrappedValue: UUID?.none),
    UnixDate(wrappedValue: Date(timeIntervalSince1970: 5)), BitPattern(wrappedValue: UInt64.max),
    BigEndianBlob(wrappedValue: UInt64.max), Date(timeIntervalSince1970: 0).stored(as: .julianDay),
  ]

  @Test(arguments: bindables.indices)
  func `is the value that binding stores`(_ place: Int) throws {
    let value = Self.bindables[place]
    let stored = try memory().value(SQLiteValue.self, "SELECT ?", values: [value])
    #expect(try value.sqliteValue == stored, "\(value)")
  }

  static let unrepresentable: [any SQLiteBindable & Sendable] = [
    UInt64.max, UInt.max, Decimal.nan, Date(timeIntervalSince1970: .infinity),
    Date.distantFuture + 1e15,
    ZeroBlob(count: -1), UInt64?.some(.max),
  ]

  @Test(arguments: unrepresentable.indices)
  func `throws like binding if there is none`(_ place: Int) throws {
    let value = Self.unrepresentable[place]
    let error = #expect(throws: SQLiteError.self) { try value.sqliteValue }
    #expect(error?.code == .valueOutOfRange)
    let bound = #expect(throws: SQLiteError.self) {
      try memory().value(SQLiteValue.self, "SELECT ?", values: [value])
    }
    #expect(bound?.code == .valueOutOfRange)
    #expect(bound?.message == error?.message)
    #expect(bound?.sql == "SELECT ?")
  }

  @Test func `does not exist for a list`() {
    let error = #expect(throws: SQLiteError.self) { try SQLiteArray([1, 2]).sqliteValue }
    #expect(error?.code == .unsupported)
  }
}
