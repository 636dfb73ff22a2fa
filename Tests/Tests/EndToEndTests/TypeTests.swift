import Foundation
import QueryGen
import Testing

@Suite struct `Types named in the schema` {
  @Test func `are read and bound according to their conformances`() async throws {
    let shop = try await Shop()
    let apple = try #require(try await shop.db.product.execute(shop.apple))
    #expect(apple.id == shop.apple)
    #expect(apple.price == Price(cents: 120))
    #expect(apple.state == .draft)
    #expect(apple.labels == ["fruit", "red"])
    #expect(apple.details == Details(size: 7, notes: ["taste": "sweet"]))
    #expect(apple.page?.host() == "a.example")
    #expect(apple.added == Shop.added)
    #expect(apple.checked.map { abs($0.timeIntervalSince(Shop.added) - 60) < 0.001 } == true)
    #expect(apple.weight == Decimal(string: "0.15"))
    #expect(apple.rank == .high)
    #expect(apple.source == .bought)
    #expect(apple.colour == .red)
    let pear = try #require(try await shop.db.product.execute(shop.pear))
    #expect(pear.details == nil && pear.page == nil && pear.checked == nil && pear.weight == nil)
    #expect(pear.rank == nil && pear.source == nil && pear.colour == nil)
  }

  @Test func `are stored in their formats`() async throws {
    let shop = try await Shop()
    let stored = try await shop.db.database.read {
      try $0.rows(
        """
        SELECT typeof(product_id), price, labels, details, page, added, typeof(checked), weight, rank,
          source, colour
        FROM product WHERE name = 'Apple'
        """)
    }
    #expect(
      stored == [
        [
          .text("blob"), .integer(120), .text(#"["fruit","red"]"#),
          .text(#"{"notes":{"taste":"sweet"},"size":7}"#), .text("https://a.example/1"),
          .integer(1_700_000_000), .text("real"), .text("0.15"), .integer(2), .integer(1),
          .text("red"),
        ]
      ])
  }

  @Test func `are also the results of single columns`() async throws {
    let shop = try await Shop()
    let prices: [Price] = try await shop.db.prices.execute(Price(cents: 1))
    #expect(prices == [Price(cents: 80), Price(cents: 120)])
    let lowest: Price? = try await shop.db.lowestPrice.execute()
    #expect(lowest == Price(cents: 80))
    let price: Price? = try await shop.db.priceOf.execute(shop.apple)
    #expect(price == Price(cents: 120))
    let none = try await shop.db.priceOf.execute(UUID())
    #expect(none == nil)
    let checked: Date? = try await shop.db.checkedOf.execute(shop.pear)
    #expect(checked == nil)
    let dates: [Date?] = try await shop.db.checkedDates.execute()
    #expect(dates.map { $0 == nil } == [false, true])
    let names = try await shop.db.productsAt.execute([Price(cents: 80), Price(cents: 81)])
    #expect(names == ["Pear"])
  }

  @Test func `are enums if a constraint lists the values`() async throws {
    let shop = try await Shop()
    try await shop.db.restate.execute(state: .onSale, id: shop.pear)
    let found = try await shop.db.productsIn.execute([.onSale, .soldOut])
    #expect(found.map(\.name) == ["Pear"])
    #expect(ProductState.allCases.map(\.rawValue) == ["draft", "on sale", "sold out"])
    let rows = try await shop.db.statesAndColours.execute()
    #expect(rows.map(\.state) == [.draft, .onSale])
    #expect(rows.map(\.colour) == [.red, nil])
    #expect(rows.map(\.shown) == ["red", "none"])
    let states: [ProductState] = try await shop.db.states.execute()
    #expect(states == [.draft, .onSale])
  }

  @Test func `are integer enums if a comment names the cases`() async throws {
    let shop = try await Shop()
    let db = shop.db
    #expect(SupplierGrade.allCases.map(\.rawValue) == [1, 2, 3])
    try await db.gradeSupplier.execute(grade: .good, id: 2)
    #expect(try await db.suppliersOf.execute([.good, .poor]).map(\.name) == ["South"])
    #expect(try await db.suppliersOf.execute([]).isEmpty)
    let region = db.suppliersOf.region(for: [.good])
    #expect(
      region
        == .rows(
          of: "supplier", where: .column("grade", in: [.integer(3)]),
          reading: ["grade", "id", "name"]))
    try await db.database.write { connection in
      try connection.execute("PRAGMA ignore_check_constraints = ON")
      try connection.run("UPDATE supplier SET grade = 4 WHERE id = 1")
    }
    let error = await #expect(throws: SQLiteError.self) { try await db.gradeOf.execute(1) }
    #expect(error?.code == .valueOutOfRange)
  }

  @Test func `can be set for computed columns by a comment above the query`() async throws {
    let shop = try await Shop()
    let rows: [PricesByStateRow] = try await shop.db.pricesByState.execute(Price(cents: 1))
    #expect(rows.map(\.total) == [Price(cents: 200)])
    #expect(rows.map(\.state) == ["draft"])
    #expect(try await shop.db.pricesByState.execute(Price(cents: 201)).isEmpty)
    let last: Date? = try await shop.db.lastAdded.execute()
    #expect(last == Shop.added.addingTimeInterval(3600))
  }

  @Test func `report the table and column of an invalid value`() async throws {
    let shop = try await Shop()
    try await shop.db.database.write { connection in
      try connection.execute("PRAGMA ignore_check_constraints = ON")
      try connection.run("UPDATE product SET state = 'stolen' WHERE name = 'Pear'")
    }
    let error = await #expect(throws: SQLiteError.self) {
      try await shop.db.product.execute(shop.pear)
    }
    #expect(error?.code == .valueOutOfRange)
    #expect(error?.column?.table == "product")
    #expect(error?.column?.origin == "state")
    #expect(error?.message.contains("ProductState") == true)
  }

  @Test func `can be omitted if they are optional`() async throws {
    let shop = try await Shop()
    #expect(try await shop.db.searchProducts.execute() == ["Apple", "Pear"])
    #expect(try await shop.db.searchProducts.execute(name: "a%") == ["Apple"])
    #expect(try await shop.db.searchProducts.execute(state: .soldOut) == [])
    #expect(
      try await shop.db.searchProducts.execute(from: Shop.added.addingTimeInterval(1)) == ["Pear"])
  }
}

@Suite struct `Rows of several tables` {
  @Test func `have a struct for each`() async throws {
    let shop = try await Shop()
    let offers = try await shop.db.offers.execute()
    #expect(offers.map(\.product.name) == ["Apple", "Pear", "Apple"])
    #expect(offers.map(\.s.name) == ["North", "North", "South"])
    #expect(offers.map(\.amount) == [5, 7, 9])
  }

  @Test func `are nil for missing rows of an outer join`() async throws {
    let shop = try await Shop()
    let rows = try await shop.db.suppliersAndOffers.execute()
    #expect(rows.map(\.supplier.name) == ["North", "North", "South", "West"])
    #expect(rows.map { $0.offer?.amount } == [5, 7, 9, nil])
    #expect(rows[0].offer?.id == Offer.ID(product: shop.apple, supplier: 1))
    try await shop.db.addRemark.execute(text: nil, author: "Ada", product: shop.apple)
    let remarks = try await shop.db.productsAndRemarks.execute()
    #expect(remarks.map { $0.remark?.author } == ["Ada", nil])
    #expect(remarks.map { $0.remark == nil } == [false, true])
  }

  @Test func `use the struct of a view`() async throws {
    let shop = try await Shop()
    try await shop.db.restate.execute(state: .onSale, id: shop.apple)
    let rows: [OnSale] = try await shop.db.onSale.execute()
    #expect(rows.map(\.productId) == [shop.apple])
    #expect(rows.map(\.state) == [.onSale])
    #expect(rows.map(\.price) == [Price(cents: 120)])
  }

  @Test func `are nested with a nest comment`() async throws {
    let shop = try await Shop()
    let suppliers = try await shop.db.suppliersWithProducts.execute()
    #expect(suppliers.map(\.supplier.name) == ["North", "South", "West"])
    #expect(suppliers.map { $0.products.map(\.name) } == [["Apple", "Pear"], ["Apple"], []])
  }

  @Test func `are an optional row with its list`() async throws {
    let shop = try await Shop()
    let north = try #require(try await shop.db.supplierWithOffers.execute(1))
    #expect(north.supplier == Supplier(id: 1, name: "North", grade: .fair))
    let amounts: [Int] = north.offers.map(\.amount)
    #expect(amounts == [5, 7])
    #expect(north.offers.map(\.product) == [shop.apple, shop.pear])
    let west = try #require(try await shop.db.supplierWithOffers.execute(3))
    #expect(west.offers == [])
    #expect(try await shop.db.supplierWithOffers.execute(4) == nil)
  }

  @Test func `contain several lists without the duplicates of their product`() async throws {
    let shop = try await Shop()
    try await shop.db.addRemark.execute(text: "good", author: nil, product: shop.apple)
    try await shop.db.addRemark.execute(text: "ripe", author: nil, product: shop.apple)
    let products = try await shop.db.productsInFull.execute()
    #expect(products.map(\.product.name) == ["Apple", "Pear"])
    #expect(products.map(\.suppliers) == [["North", "South"], ["North"]])
    #expect(products.map(\.remarks) == [["good", "ripe"], []])
  }

  @Test func `are added in one transaction`() async throws {
    let shop = try await Shop()
    let error = await #expect(throws: SQLiteError.self) {
      try await shop.db.addSupplier.execute(many: [
        AddSupplierInput(id: 4, name: "East"), AddSupplierInput(id: 1, name: "North"),
      ])
    }
    #expect(error?.code == .constraintPrimaryKey)
    #expect(try await shop.db.supplierWithOffers.execute(4) == nil)
  }

  @Test func `can be injected like others`() async throws {
    let row = SuppliersWithProductsRow(
      supplier: Supplier(id: 1, name: "North", grade: .fair), products: [])
    let query: any SuppliersWithProductsQuery = Queries.Just([row])
    #expect(try await query.map { $0.map(\.supplier.id) }.execute() == [1])
    let recorder = Queries.Recorder<RestateInput, Int>(1)
    let restate: any RestateQuery = recorder
    try await restate.execute(.init(state: .onSale, id: UUID()))
    #expect(recorder.executed.map(\.state) == [.onSale])
  }
}

@Suite struct `Default types of columns` {
  static let day = Date(timeIntervalSince1970: 1_795_219_200)  // 2026-11-21

  @Test func `store dates, UUIDs and JSON as text`() async throws {
    let db = try DB()
    let (id, ended) = (UUID(), Date(timeIntervalSince1970: 1_795_271_849.5))
    let answers = try JSONDocument(#"{"size": 1.50, "colour": "red"}"#)
    try await db.addVisit.execute(id: id, day: Self.day, answers: answers)
    try await db.endVisit.execute(ended: ended, id: id)
    let visits = try await db.visitsOf.execute(first: Self.day, last: Self.day)
    #expect(visits.map(\.id) == [id])
    #expect(visits.map(\.day) == [Self.day])
    #expect(visits.map(\.ended) == [ended])
    #expect(visits.map(\.answers) == [answers])
    #expect(visits.allSatisfy { abs($0.began.timeIntervalSinceNow) < 3_600 })
    let stored = try await db.database.read {
      try $0.rows("SELECT id, day, ended, answers FROM visit")
    }
    #expect(
      stored == [
        [
          .text(id.uuidString), "2026-11-21", "2026-11-21 14:37:29.500",
          #"{"size": 1.50, "colour": "red"}"#,
        ]
      ])
  }

  @Test func `do not lose the time of a day`() async throws {
    let db = try DB()
    let error = await #expect(throws: SQLiteError.self) {
      try await db.addVisit.execute(
        id: UUID(), day: Self.day.addingTimeInterval(1), answers: JSONDocument("[]"))
    }
    #expect(error?.code == .valueOutOfRange)
  }

  @Test func `name the column of another value`() async throws {
    let db = try DB()
    try await db.database.write {
      try $0.run("INSERT INTO visit (id, day) VALUES ('one', '2026-11-21')")
    }
    let error = await #expect(throws: SQLiteError.self) {
      try await db.visitsOf.execute(first: Self.day, last: Self.day)
    }
    #expect(error?.column?.table == "visit")
    #expect(error?.column?.name == "id")
  }
}
