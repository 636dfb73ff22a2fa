import Foundation
import SQLiteCore
import Testing

@Suite struct `Unsigned integers` {
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  struct Record: RowDecodable, Equatable {
    @BitPattern var hash: UInt64
    @BigEndianBlob var size: UInt64
    @BigEndianBlob var address: UInt128?
    @BitPattern var parent: UInt64?

    init(hash: UInt64, size: UInt64, address: UInt128?, parent: UInt64?) {
      self.hash = hash
      self.size = size
      self.address = address
      self.parent = parent
    }

    init(row: borrowing Row) throws(SQLiteError) {
      _hash = try row.read(at: 0)
      _size = try row.read(at: 1)
      _address = try row.read(at: 2)
      _parent = try row.read(at: 3)
    }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test(arguments: [UInt64.min, 1, UInt64(Int64.max), UInt64(Int64.max) + 1, .max])
  func `of every size are preserved as bit patterns or bytes`(_ value: UInt64) throws {
    let directory = try TemporaryDirectory()
    let address: UInt128? = value > 1 ? UInt128(value) << 64 | 1 : nil
    let record = Record(
      hash: value, size: value, address: address, parent: value > 1 ? value : nil)
    do {
      let db = try directory.connect()
      try db.execute(
        "CREATE TABLE t (hash INTEGER, size BLOB, address BLOB, parent INTEGER) STRICT")
      try db.run(
        "INSERT INTO t VALUES (?, ?, ?, ?)", record.$hash, record.$size, record.$address,
        record.$parent)
    }
    let db = try directory.connect()
    #expect(try db.fetchOne(Record.self, "SELECT * FROM t") == record)
    #expect(
      try db.rows("SELECT hash, length(size), length(address) FROM t") == [
        [.integer(Int64(bitPattern: value)), 8, address == nil ? .null : 16]
      ])
    #expect(
      try db.value(Int.self, "SELECT count(*) FROM t WHERE hash = ?", record.$hash) == 1)
  }

  @Test func `stored as bytes sort like numbers`() throws {
    let db = try memory("CREATE TABLE t (v BLOB)")
    let values: [UInt64] = [0, 1, 255, 256, 1 << 32, 1 << 63, .max]
    for value in values.shuffled() {
      try db.run("INSERT INTO t VALUES (?)", BigEndianBlob(wrappedValue: value))
    }
    let read = try db.values(BigEndianBlob<UInt64>.self, "SELECT v FROM t ORDER BY v")
    #expect(read.map(\.wrappedValue) == values)
  }

  @Test func `stored with another number of bytes are rejected`() throws {
    let db = try memory()
    let error = #expect(throws: SQLiteError.self) {
      try db.value(BigEndianBlob<UInt64>.self, "SELECT x'00'")
    }
    #expect(error?.code == .valueOutOfRange)
    let text = #expect(throws: SQLiteError.self) {
      try db.value(BigEndianBlob<UInt64>.self, "SELECT '12345678'")
    }
    #expect(text?.code == .columnTypeMismatch)
    let null = #expect(throws: SQLiteError.self) {
      try db.value(BitPattern<UInt64>.self, "SELECT NULL")
    }
    #expect(null?.code == .unexpectedNull)
  }

  @Test func `that exceed SQLite's integers are rejected without a format`() throws {
    let db = try memory()
    let error = #expect(throws: SQLiteError.self) {
      try db.value(Int.self, "SELECT ?", UInt64(Int64.max) + 1)
    }
    #expect(error?.code == .valueOutOfRange)
    #expect(
      try db.value(UInt64.self, "SELECT ?", UInt64(Int64.max)) == UInt64(Int64.max))
  }
}

@Suite struct `UUIDs and URLs` {
  struct Device: RowDecodable, Codable, Equatable {
    var plain: UUID
    @UUIDBlob var blob: UUID
    @LowercaseUUID var lower: UUID
    @UUIDBlob var owner: UUID?

    init(_ id: UUID, owner: UUID?) {
      plain = id
      blob = id
      lower = id
      self.owner = owner
    }

    init(row: borrowing Row) throws(SQLiteError) {
      plain = try row.read(at: 0)
      _blob = try row.read(at: 1)
      _lower = try row.read(at: 2)
      _owner = try row.read(at: 3)
    }
  }

  @Test(arguments: [true, false])
  func `are stored as text or bytes, depending on their property's format`(_ hasOwner: Bool) throws
  {
    let directory = try TemporaryDirectory()
    let id = try #require(UUID(uuidString: "01234567-89AB-CDEF-0123-456789ABCDEF"))
    let device = Device(id, owner: hasOwner ? id : nil)
    do {
      let db = try directory.connect()
      try db.execute("CREATE TABLE t (a TEXT, b BLOB, c TEXT, d BLOB) STRICT")
      try db.run(
        "INSERT INTO t VALUES (?, ?, ?, ?)", device.plain, device.$blob, device.$lower,
        device.$owner)
    }
    let db = try directory.connect()
    let bytes: SQLiteValue = .blob([
      0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef, 0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd,
      0xef,
    ])
    #expect(
      try db.rows("SELECT * FROM t") == [
        [
          "01234567-89AB-CDEF-0123-456789ABCDEF", bytes, "01234567-89ab-cdef-0123-456789abcdef",
          hasOwner ? bytes : .null,
        ]
      ])
    #expect(try db.fetchOne(Device.self, "SELECT * FROM t") == device)
    // Every format can read the others.
    #expect(try db.fetchOne(Device.self, "SELECT b, c, a, b FROM t")?.lower == id)
    #expect(try JSONDecoder().decode(Device.self, from: JSONEncoder().encode(device)) == device)
  }

  @Test(arguments: [
    "https://example.com/a%20b?q=1#top", "mailto:a@example.com", "a/b", "file:///tmp/x",
  ])
  func `are stored as text if they are URLs`(_ text: String) throws {
    let db = try memory("CREATE TABLE t (v TEXT)")
    let url = try #require(URL(string: text))
    try db.run("INSERT INTO t VALUES (?)", url)
    #expect(try db.value(String.self, "SELECT v FROM t") == text)
    #expect(try db.value(URL.self, "SELECT v FROM t") == url)
    try db.run("UPDATE t SET v = ?", URL?.none)
    #expect(try db.value(URL?.self, "SELECT v FROM t") == .some(nil))
  }

  @Test func `relative to a base are stored as absolute URLs`() throws {
    let db = try memory()
    let url = try #require(URL(string: "b", relativeTo: URL(string: "https://example.com/a/")))
    #expect(try db.value(String.self, "SELECT ?", url) == "https://example.com/a/b")
  }

  @Test(arguments: ["''", "'a b'", "'http://[oops'", "'é'"])
  func `are not read from a text that is not a URL`(_ literal: String) throws {
    let db = try memory()
    let error = #expect(throws: SQLiteError.self) {
      try db.value(URL.self, "SELECT \(unsafe: literal) AS link")
    }
    #expect(error?.code == .invalidText)
    #expect(error?.column?.name == "link")
    let number = #expect(throws: SQLiteError.self) { try db.value(URL.self, "SELECT 1") }
    #expect(number?.code == .columnTypeMismatch)
  }
}
