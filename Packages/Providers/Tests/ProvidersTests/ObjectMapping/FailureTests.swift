import Foundation
import SQLiteCore
import Testing

@testable import Providers

@Suite struct `Objects that can't be saved` {
  struct Measure: DataTable {
    var id = 0
    var value = 0.0
    var other: Float?
    var count: UInt64 = 0
  }

  struct Strict: DataTable {
    struct Refusal: Error {}
    struct Part: Codable {
      var isBad = false
      func encode(to encoder: any Encoder) throws {
        if isBad { throw Refusal() }
        _ = encoder.container(keyedBy: Key.self)
      }
      enum Key: CodingKey {}
      init(isBad: Bool = false) { self.isBad = isBad }
      init(from decoder: any Decoder) throws {}
    }
    var id = 0
    var part = Part()
  }

  @Test(arguments: [
    Measure(id: 2, value: .nan), Measure(id: 2, other: .nan), Measure(id: 2, count: .max),
  ])
  func `leave no rows or tables behind`(_ bad: Measure) throws {
    let access = try TestAccess()
    let error = #expect(throws: SQLiteError.self) {
      try access.save([Measure(id: 1), bad, Measure(id: 3)])
    }
    #expect(error?.code == .valueOutOfRange && error?.column != nil)
    #expect(try access.tables.isEmpty)
    try access.save(Measure(id: 1))
    #expect(throws: SQLiteError.self) { try access.save([Measure(id: 4), bad]) }
    #expect(try access.rowCount(forType: Measure.self) == 1)
  }

  @Test func `rethrow the errors of their type`() throws {
    let access = try TestAccess()
    #expect(throws: Strict.Refusal.self) {
      try access.save([Strict(id: 1), Strict(id: 2, part: .init(isBad: true))])
    }
    #expect(try access.tables.isEmpty)
  }

  @Test func `roll back only themselves inside a transaction`() throws {
    let access = try TestAccess()
    try access.write { connection in
      try access.save(Measure(id: 1))
      #expect(throws: SQLiteError.self) { try access.save([Measure(id: 2), Measure(value: .nan)]) }
    }
    #expect(try access.getRows(ofType: Measure.self).map(\.id) == [1])
  }

  @Test func `report the column that their table lacks`() throws {
    let access = try TestAccess()
    try access.connection.execute("CREATE TABLE Measure (id INTEGER PRIMARY KEY, value REAL)")
    for body in [
      { try access.save(Measure(id: 1)) }, { _ = try access.getRows(ofType: Measure.self) },
    ] as [() throws -> Void] {
      let error = #expect(throws: ProviderError.self) { try body() }
      #expect(error?.code == .schemaMismatch && error?.table == "Measure")
      #expect(error?.column == "other")
    }
  }

  @Test func `are not read from a missing table`() throws {
    let access = try TestAccess()
    for body in [
      { _ = try access.getRows(ofType: Measure.self) },
      { _ = try access.getRow(ofType: Measure.self, forPrimaryKeyValue: 1) },
      { _ = try access.rowCount(forType: Measure.self) },
      { _ = try access.hasRow(forType: Measure.self, matchingPrimaryKey: 1) },
      { try access.delete(Measure(id: 1)) },
      { _ = try access.getRows(ofType: Group.self) },
    ] as [() throws -> Void] {
      let error = #expect(throws: ProviderError.self) { try body() }
      #expect(error?.code == .unknownTable)
    }
    try access.dropTable(Measure.self)
  }

  @Test func `report the errors of the caller's statement unchanged`() throws {
    let access = try TestAccess()
    for sql in ["SELECT 1 AS id FROM missing", "SELECT nosuch('x') AS id"] {
      for body in [
        { _ = try access.getRows(ofType: Measure.self, matchingSQL: SQL(unsafe: sql)) },
        { _ = try access.getRows(ofType: Bag.self, matchingSQL: SQL(unsafe: sql)) },
      ] as [() throws -> Void] {
        let error = #expect(throws: SQLiteError.self) { try body() }
        #expect(error?.message.contains("no such") == true, "\(error as Any)")
      }
    }
  }

  @Test func `report a missing table of referenced rows`() throws {
    let access = try TestAccess()
    try access.save(Owner(home: Home(city: "Oslo")))
    var bag = Bag()
    bag.words.append(Word(id: "a"))
    try access.save(bag)
    try access.connection.execute("PRAGMA foreign_keys = off; DROP TABLE Home; DROP TABLE BagWord")
    var error = #expect(throws: ProviderError.self) { try access.getRows(ofType: Owner.self) }
    #expect(error?.code == .unknownTable && error?.table == "Home")
    error = #expect(throws: ProviderError.self) { try access.getRows(ofType: Bag.self) }
    #expect(error?.code == .unknownTable && error?.table == "BagWord")
  }

  @Test func `report that their table has no key`() throws {
    let access = try TestAccess()
    try access.connection.execute(
      """
      CREATE TABLE Word (id TEXT NOT NULL, text TEXT NOT NULL);
      CREATE TABLE Place (x INTEGER, y TEXT, note TEXT);
      CREATE TABLE Bag (id INTEGER)
      """)
    for body in [
      { try access.save(Word(id: "a")) }, { try access.save(Place(x: 1, y: "a")) },
      { _ = try access.save(Bag()) as Int },
    ] as [() throws -> Void] {
      let error = #expect(throws: ProviderError.self) { try body() }
      #expect(error?.code == .schemaMismatch)
      #expect(error?.message.contains("PRIMARY KEY") == true)
    }
    // Any unique constraint on the same columns is sufficient.
    try access.connection.execute("CREATE UNIQUE INDEX u ON Place (y, x)")
    try access.save(Place(x: 1, y: "a"))
    try access.updateTableSchema(Word.self)
    try access.save(Word(id: "a"))
  }

  @Test func `of a type that can't be a table are refused`() throws {
    struct Twins: DataTable {
      var id = 0
      var name = ""
      var NAME = ""
    }
    struct Single: DataTable {
      init() {}
      init(from decoder: any Decoder) throws {}
      func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(1)
      }
    }
    let access = try TestAccess()
    for type in [Twins.self, Single.self] as [any DataTable.Type] {
      let error = #expect(throws: ProviderError.self) { try access.registerTableSchema(type) }
      #expect(error?.code == .schemaMismatch)
    }
  }

  @Test func `can omit only columns that are nil`() throws {
    struct Sparse: DataTable, Equatable {
      var id = 0
      var note: String? = ""
      init(id: Int = 0, note: String? = "") {
        self.id = id
        self.note = note
      }
      init() {}
      enum CodingKeys: CodingKey { case id, note, other }
      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        if let note { try container.encodeIfPresent(String?(note), forKey: .note) }
        if id == 9 { try container.encode(1, forKey: .other) }
      }
      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decode(Int.self, forKey: .id)
        note = try container.decodeIfPresent(String.self, forKey: .note)
      }
    }
    let access = try TestAccess()
    try access.save([Sparse(id: 1, note: "a"), Sparse(id: 2, note: nil)])
    #expect(
      try access.getRows(ofType: Sparse.self) == [.init(id: 1, note: "a"), .init(id: 2, note: nil)])
    let error = #expect(throws: SQLiteError.self) { try access.save(Sparse(id: 9)) }
    #expect(error?.code == .unknownColumn && error?.column?.name == "other")
  }
}
