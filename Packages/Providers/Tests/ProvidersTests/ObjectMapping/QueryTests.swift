import Foundation
import SQLiteCore
import Testing

@testable import Providers

@Suite struct `Rows of a type` {
  struct Odd: DataTable, Equatable {
    static let tableName = "a \"table\"; DROP TABLE x--"
    static let primaryKey = "order"
    enum CodingKeys: String, CodingKey {
      case order, blob, date, group = "a \"b\" [c] `d`"
    }
    var order = 0
    var blob = ""
    var date = Date(timeIntervalSince1970: 0)
    var group: Int?
  }

  private func filled() throws -> TestAccess {
    let access = try TestAccess()
    try access.save((1...9).map { Word(id: "\($0)", text: $0 % 2 == 0 ? "even" : "odd") })
    return access
  }

  @Test func `can have any names`() throws {
    let access = try TestAccess()
    let odd = Odd(order: 1, blob: "b", group: 3)
    try access.save(odd)
    #expect(try access.save(Odd(order: 1, blob: "c", group: 3)) == 1)
    #expect(
      try access.getRow(ofType: Odd.self, forPrimaryKeyValue: 1)
        == Odd(order: 1, blob: "c", group: 3))
    #expect(try access.getRows(ofType: Odd.self, filteredBy: "\"order\" = 1").count == 1)
    try access.updateTableSchema(Odd.self)
    #expect(try access.rowCount(forType: Odd.self) == 1)
    try access.delete(odd)
    try access.dropTable(Odd.self)
    #expect(try access.tables.isEmpty)
  }

  @Test func `are filtered, ordered and counted`() throws {
    let access = try filled()
    let rows = try access.getRows(
      ofType: Word.self, filteredBy: "text = ? AND id > ?", orderedBy: "id DESC",
      withParameters: ["even", "2"])
    #expect(rows.map(\.id) == ["8", "6", "4"])
    #expect(
      try access.rowCount(forType: Word.self, filteredBy: "text = ?", withParameters: ["odd"]) == 5)
    #expect(
      try access.rowCount(forType: Word.self, filteredBy: "text IS ?", withParameters: [nil]) == 0)
  }

  @Test(arguments: ["", " ", "\n\t"])
  func `are all read if the filter and the order are blank`(_ blank: String) throws {
    let access = try filled()
    #expect(
      try access.getRows(
        ofType: Word.self, filteredBy: SQL(unsafe: blank), orderedBy: SQL(unsafe: blank)
      ).count == 9)
    #expect(try access.rowCount(forType: Word.self, filteredBy: SQL(unsafe: blank)) == 9)
  }

  @Test func `keep their limit after a comment`() throws {
    let access = try filled()
    let rows = try access.getRows(
      ofType: Word.self, filteredBy: "id > '1' OR id = '1' -- all", orderedBy: "id -- by id",
      limitedTo: 2)
    #expect(rows.map(\.id) == ["1", "2"])
    #expect(throws: SQLiteError.self) {
      try access.getRows(ofType: Word.self, filteredBy: "1) OR (1", limitedTo: 1)
        + access.getRows(ofType: Word.self, filteredBy: "1) --")
    }
  }

  @Test func `can be limited to a range`() throws {
    let access = try filled()
    func ids(_ start: Int, _ limit: Int) throws -> String {
      try access.getRows(ofType: Word.self, orderedBy: "id", startingAt: start, limitedTo: limit)
        .map(\.id).joined()
    }
    #expect(try ids(0, 0) == "123456789")
    #expect(try ids(7, 0) == "89")
    #expect(try ids(0, 3) == "123")
    #expect(try ids(3, 2) == "45")
    #expect(try ids(99, 2) == "")
    #expect(try access.getRow(ofType: Word.self, atIndex: 4, orderedBy: "id")?.id == "5")
    #expect(try access.getRow(ofType: Word.self, atIndex: 9, orderedBy: "id") == nil)
    #expect(try access.getRow(ofType: Word.self, atIndex: -1) == nil)
    let even = try access.getRow(
      ofType: Word.self, atIndex: 1, filteredBy: "text = ?", orderedBy: "id",
      withParameters: ["even"])
    #expect(even?.id == "4")
  }

  @Test func `can be read with an SQL statement`() throws {
    let access = try filled()
    let rows = try access.getRows(
      ofType: Word.self, matchingSQL: "SELECT text, id, 1 AS more FROM Word WHERE id = ?",
      withParameters: ["3"])
    #expect(rows == [Word(id: "3", text: "odd")])
    let error = #expect(throws: SQLiteError.self) {
      try access.getRows(ofType: Word.self, matchingSQL: "SELECT id FROM Word")
    }
    #expect(error?.code == .unknownColumn)
  }

  @Test func `can be deleted, one or many`() throws {
    let access = try filled()
    #expect(try access.delete(Word(id: "1")))
    #expect(try !access.delete(Word(id: "1")))
    #expect(try access.delete([Word(id: "1"), Word(id: "2"), Word(id: "3")]) == 2)
    #expect(try access.rowCount(forType: Word.self) == 6)
  }

  @Test func `have dates in the original's format`() throws {
    let access = try TestAccess()
    try access.registerTableSchema(Odd.self)
    try access.connection.run(
      "INSERT INTO \(identifier: Odd.tableName) VALUES (1, '', '2023-03-26 01:30:00', NULL)")
    let date = try access.getRow(ofType: Odd.self, forPrimaryKeyValue: 1)?.date
    #expect(date == Date(timeIntervalSince1970: 1_679_794_200))
  }
}
