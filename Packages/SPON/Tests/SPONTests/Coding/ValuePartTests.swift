import Foundation
import SPON
import Testing

private struct Item: Codable, Equatable {
  var price: SPONDecimal
  var made: SPONInstant
  var more: SPONObject
}

@Suite struct `Parts of values in types` {
  private func item() throws -> Item {
    Item(
      price: try #require(SPONDecimal("12345678901234567890123456789012345678901234567890.5")),
      made: try #require(SPONInstant(secondsSince1970: 1_700_000_000, attoseconds: 1)),
      more: SPONObject(typeName: "More", ["a": .float(1.5), "b": [1, .null]]))
  }

  @Test func `are kept exactly in SPON`() throws {
    let item = try item()
    let text = try SPONEncoder().encode(item)
    #expect(try SPONDecoder().decode(Item.self, from: text) == item)
    let value = try SPONValue(parsing: text)
    #expect(value["price"] == .decimal(item.price))
    #expect(value["made"] == .instant(item.made))
    #expect(value["more"] == .object(item.more))
    // The result is the same with a strategy for dates.
    var encoder = SPONEncoder()
    encoder.dateEncodingStrategy = .secondsSince1970
    #expect(try encoder.value(of: item)["made"] == .instant(item.made))
  }

  @Test func `are texts and objects in JSON`() throws {
    var item = try item()
    item.more = ["a": 1]
    let data = try JSONEncoder().encode(item)
    #expect(try JSONDecoder().decode(Item.self, from: data) == item)
    #expect(
      try JSONDecoder().decode([SPONDecimal].self, from: Data("[1.5, 2]".utf8)) == [
        try #require(SPONDecimal("1.5")), SPONDecimal(2),
      ])
  }

  @Test(arguments: ["@array[`x`]", "@array[true%]", "@array[@array[]]", "@array[x?]"])
  func `reject other kinds of value`(_ text: String) throws {
    #expect(throws: SPONError.self) { try SPONDecoder().decode([SPONDecimal].self, from: text) }
    #expect(throws: SPONError.self) { try SPONDecoder().decode([SPONInstant].self, from: text) }
    #expect(throws: SPONError.self) { try SPONDecoder().decode([SPONObject].self, from: text) }
    let json = Data(#"["x"]"#.utf8)
    #expect(throws: DecodingError.self) { try JSONDecoder().decode([SPONDecimal].self, from: json) }
    #expect(throws: DecodingError.self) { try JSONDecoder().decode([SPONInstant].self, from: json) }
    #expect(throws: DecodingError.self) { try JSONDecoder().decode([SPONObject].self, from: json) }
  }

  @Test func `an error has the same localized description`() {
    let error = #expect(throws: SPONError.self) {
      try SPONDecoder().decode([Int].self, from: "@array[1!, `x`]")
    }
    #expect(error?.localizedDescription == error?.description)
    #expect((error as (any Error)?)?.localizedDescription.contains("line 1, column 13") == true)
  }
}
