import Foundation
import QueryGen

/// The types that are named in the shop's schema.
struct Price: Hashable, Comparable, Sendable {
  var cents: Int

  static func < (a: Price, b: Price) -> Bool { a.cents < b.cents }
}

/// A price in whole cents.
enum CentsFormat: ColumnFormat {
  static func read(from row: borrowing Row, at index: ColumnIndex) throws(SQLiteError) -> Price {
    Price(cents: try row.read(at: index))
  }

  static func sqliteValue(of value: Price) -> SQLiteValue { .integer(Int64(value.cents)) }
}

struct Details: Codable, Hashable, Sendable {
  var size: Int
  var notes: [String: String]
}

enum Rank: Int, SQLiteConvertible { case low = 1, high }

/// A type without SQLite support.
enum Source: Int { case made, bought }

/// A shop with two products.
struct Shop {
  let db: DB
  let apple = UUID(uuidString: "00000000-0000-0000-0000-00000000000A") ?? UUID()
  let pear = UUID(uuidString: "00000000-0000-0000-0000-00000000000B") ?? UUID()
  static let added = Date(timeIntervalSince1970: 1_700_000_000)

  init() async throws {
    db = try DB()
    try await db.addProduct.execute(
      id: apple, name: "Apple", price: Price(cents: 120), labels: ["fruit", "red"],
      details: Details(size: 7, notes: ["taste": "sweet"]),
      page: URL(string: "https://a.example/1"),
      added: Shop.added, checked: Shop.added.addingTimeInterval(60),
      weight: Decimal(string: "0.150"),
      rank: .high, source: .bought, colour: .red)
    try await db.addProduct.execute(
      id: pear, name: "Pear", price: Price(cents: 80), labels: [], details: nil, page: nil,
      added: Shop.added.addingTimeInterval(3600), checked: nil, weight: nil, rank: nil,
      source: nil, colour: nil)
    try await db.addSupplier.execute(many: [
      AddSupplierInput(id: 1, name: "North"), AddSupplierInput(id: 2, name: "South"),
      AddSupplierInput(id: 3, name: "West"),
    ])
    try await db.addOffer.execute(many: [
      AddOfferInput(product: apple, supplier: 1, amount: 5),
      AddOfferInput(product: pear, supplier: 1, amount: 7),
      AddOfferInput(product: apple, supplier: 2, amount: 9),
    ])
  }
}
