import Foundation
import PostgreSQL
import PostgreSQLTesting
import QueryGen
import QueryGenPostgreSQL
import Testing

/// Passes an opened database to `body`.
private func withShop(_ body: (Shop) async throws -> Void) async throws {
  try await #require(PostgreSQLTestServer.shared).withDatabase { (database) async throws -> Void in
    try await body(try await Shop(database: database))
  }
}

@Suite(.enabled(if: PostgreSQLTestServer.isInstalled, "no PostgreSQL server is installed"))
struct `Generated queries on PostgreSQL` {
  @Test func `store and read values of all types`() async throws {
    try await withShop { (shop) async throws -> Void in
      let born = try #require(PostgreSQLDate(year: 1815, month: 12, day: 10))
      let wakes = try #require(PostgreSQLTime(hour: 6, minute: 30, microsecond: 250_000))
      let home = Address(street: "St James's", zip: nil, floors: [1, nil, 2])
      let id = try await shop.addCustomer.execute(
        name: "Ada", email: "ada@example.org", mood: .soSo, home: home, tags: ["a", "b,\"c\""],
        born: born, wakes: wakes, photo: [0, 255])
      let ada = try #require(try await shop.customer.execute(id))
      #expect(ada.id == id)
      #expect(ada.name == "Ada")
      #expect(ada.email == "ada@example.org")
      #expect(ada.mood == .soSo)
      #expect(ada.home == home)
      #expect(ada.tags == ["a", "b,\"c\""])
      #expect(ada.born == born)
      #expect(ada.wakes == wakes)
      #expect(ada.settings == CustomerSettings(theme: "light"))
      #expect(ada.photo == [0, 255])
      #expect(abs(ada.created.timeIntervalSinceNow) < 600)

      let details = try JSONDocument(#"{"pages": [1, 2]}"#)
      try await shop.addProduct.execute(
        id: 1 << 40, title: "Notes", price: Decimal(string: "12.50") ?? 0, weight: 0.25,
        rating: 4.5,
        stock: -3, sizes: PostgreSQLRange(lower: 1, upper: 5),
        warranty: PostgreSQLInterval(months: 14, days: 3, microseconds: -1), details: details,
        moods: [.happy, .sad])
      let product = try #require(try await shop.products.execute().first)
      #expect(product.id == 1 << 40)
      #expect(product.price == Decimal(string: "12.5"))
      #expect(product.weight == 0.25)
      #expect(product.rating == 4.5)
      #expect(product.stock == -3)
      #expect(product.sizes?.lower == 1)
      #expect(product.warranty == PostgreSQLInterval(months: 14, days: 3, microseconds: -1))
      #expect(product.details?.text == details.text)
      #expect(product.moods == [.happy, .sad])
      try await shop.setSettings.execute(
        settings: CustomerSettings(theme: "dark", volume: 3), id: id)
      #expect(
        try await shop.customers.execute().map(\.settings) == [.init(theme: "dark", volume: 3)])
    }
  }

  @Test func `have parameters that are lists, optional, or used twice`() async throws {
    try await withShop { (shop) async throws -> Void in
      for (name, mood) in [("Ada", Mood.happy), ("Bob", .sad), ("Abe", .happy)] {
        _ = try await shop.addCustomer.execute(
          name: name, email: name == "Bob" ? nil : "\(name)@example.org", mood: mood, home: nil,
          tags: [], born: nil, wakes: nil, photo: nil)
      }
      let all = try await shop.searchCustomers.execute(limit: 10)
      #expect(all.map(\.name) == ["Abe", "Ada", "Bob"])
      let happy = try await shop.searchCustomers.execute(mood: .happy, prefix: "Ad", limit: 10)
      #expect(happy.map(\.name) == ["Ada"])
      let mails = try await shop.customersByMail.execute(["Ada@example.org", "x"])
      #expect(mails == [Contact(id: 1, name: "Ada", email: "Ada@example.org")])
      #expect(try await shop.customersByMail.execute([]) == [])
      #expect(try await shop.customersExcept.execute([1, 3]) == ["Bob"])
      #expect(try await shop.customersExcept.execute([]) == ["Ada", "Bob", "Abe"])
      #expect(try await shop.customerNamed.execute("Nobody") == nil)
      #expect(try await shop.customerNamed.execute("Bob")?.mood == .sad)
      #expect(try await shop.renameCustomer.execute(name: "Rob", id: 2)?.name == "Rob")
      #expect(try await shop.renameCustomer.execute(name: "Rob", id: 9) == nil)
      #expect(try await shop.removeCustomers.execute("Rob") == 1)
      let plain = try #require(try await shop.noParameters.execute().first)
      #expect(plain.plain == ":a $1")
      #expect(plain.escaped == "it's :b")
      #expect(plain.dollar == ":c 'd $2")
      #expect(plain.slice == [1, 2])
      #expect(try await shop.homes.execute() == [])
    }
  }

  @Test func `join, aggregate, change and return rows`() async throws {
    try await withShop { (shop) async throws -> Void in
      let ada = try await shop.addCustomer.execute(
        name: "Ada", email: nil, mood: .happy, home: nil, tags: [], born: nil, wakes: nil,
        photo: nil)
      for id in 1...2 {
        try await shop.addProduct.execute(
          id: id, title: "Book \(id)", price: Decimal(id), weight: nil, rating: nil, stock: 0,
          sizes: nil,
          warranty: nil, details: nil, moods: nil)
      }
      #expect(try await shop.lastOrders.execute().map(\.orderId) == [nil])
      let order = try await shop.placeOrder.execute(customer: ada, note: "soon")
      #expect(order.isPaid == false)
      #expect(try await shop.addLine.execute(order: order.id, product: 1, quantity: 3) == 3)
      #expect(try await shop.addLine.execute(order: order.id, product: 1, quantity: 4) == nil)
      #expect(try await shop.addLine.execute(order: order.id, product: 2, quantity: 2) == 2)
      let lines = try await shop.orderLines.execute(order.id)
      #expect(lines.map(\.amount) == [3, 4])
      #expect(lines.map(\.pieces) == [5, 5])
      #expect(try await shop.orderTotals.execute().map(\.total) == [7])
      #expect(try await shop.lastOrders.execute().map(\.note) == ["soon"])
      #expect(try await shop.titlesByOrder.execute().map(\.titles) == [["Book 1", "Book 2"]])
      let statistics = try await shop.statistics.execute()
      #expect(statistics.orders == 2)
      #expect(statistics.average == Decimal(string: "2.5"))
      #expect(try await shop.payAll.execute() == 1)
      #expect(try await shop.payOrder.execute(order.id)?.note == "soon")
      #expect(try await shop.payOrder.execute(-1) == nil)
      #expect(try await shop.countDown.execute(3) == [3, 2, 1])
      #expect(try await shop.lockOrder.execute(order.id) == order.id)
      #expect(try await shop.addresses.execute().address.floors == [1, 2])
      #expect(try await shop.recent.execute(Date.distantFuture).map(\.note) == ["soon"])
      #expect(try await shop.lastOrders.execute().map(\.orderId) == [nil])
    }
  }

  @Test func `have names of any kind`() async throws {
    try await withShop { (shop) async throws -> Void in
      try await shop.addOdd.execute(
        select: 1, größe: "groß", self_: 2, x: .äÖ, type: "t",
        init_: Select(where: 1, größe: "g", aB: 3, aB2: 4), 日本: true)
      let row = try #require(try await shop.größtes.execute().first)
      #expect(row.select == 1)
      #expect(row.größe == "groß")
      #expect(row.x == .äÖ)
      #expect(row.init_ == Select(where: 1, größe: "g", aB: 3, aB2: 4))
      let keywords = try await shop.keywords.execute(in: true, class: 1)
      #expect(keywords.map(\.func) == [2])
      let duplicates = try await shop.duplicates.execute()
      let numbers = [duplicates.a, duplicates.a2, duplicates.a3]
      #expect(numbers == [1, 2, 3])
      #expect(duplicates.in == "x  ")
      #expect(try await shop.databaseQuery.execute() == 1)
    }
  }

  @Test func `run in transactions, together or not at all`() async throws {
    try await withShop { (shop) async throws -> Void in
      @Sendable func input(_ name: String) -> AddCustomerInput {
        AddCustomerInput(
          name: name, email: nil, mood: .happy, home: nil, tags: [], born: nil, wakes: nil,
          photo: nil)
      }
      let ids = try await shop.addCustomer.execute(many: [input("a"), input("b")])
      #expect(ids.count == 2)
      await #expect(throws: PostgreSQLError.self) {
        try await shop.addCustomer.execute(many: [input("c"), input("a")])
      }
      #expect(try await shop.customers.execute().map(\.name) == ["a", "b"])
      try await shop.database.transaction { (connection) async throws -> Void in
        _ = try await shop.addCustomer.execute(input("d"), in: connection)
        #expect(try await shop.customers.execute(in: connection).count == 3)
      }
      #expect(try await shop.customers.execute().count == 3)
    }
  }

  @Test func `stream rows`() async throws {
    try await withShop { (shop) async throws -> Void in
      var found: [Int] = []
      for try await number in shop.countDown.rows(2_000) {
        found.append(number)
        if found.count == 1_500 { break }
      }
      #expect(found.first == 2_000)
      #expect(found.count == 1_500)
      for try await _ in shop.customers.rows() { Issue.record("there are no rows") }
    }
  }

  @Test func `are replaced by test doubles`() async throws {
    struct Model {
      let addCustomer: any AddCustomerQuery
      let customersExcept: any CustomersExceptQuery
    }
    let model = Model(
      addCustomer: Queries.Just(7),
      customersExcept: Queries.Fail(CancellationError()))
    let input = AddCustomerInput(
      name: "", email: nil, mood: .happy, home: nil, tags: [], born: nil, wakes: nil, photo: nil)
    #expect(try await model.addCustomer.execute(input) == 7)
    await #expect(throws: CancellationError.self) { try await model.customersExcept.execute([]) }
  }

  @Test func `can't be observed, and say so`() async throws {
    try await withShop { (shop) async throws -> Void in
      await #expect(
        throws: PostgreSQLError(
          code: .notObservable,
          message: "queries on PostgreSQL can't be observed: execute the query again instead",
          sql: CountDownText.sql)
      ) {
        for try await _ in shop.countDown.observe(1) {}
      }
    }
  }

  private enum CountDownText { static let sql = Shop.CountDownStatement.sql.text }

  @Test func `compare their types with those of the database, once`() async throws {
    try await #require(PostgreSQLTestServer.shared).withDatabase {
      (database) async throws -> Void in
      let shop = try await Shop(database: database)
      try await database.execute("DROP VIEW totals; ALTER TABLE product ALTER price TYPE float8")
      let stale = try await #require(throws: PostgreSQLError.self) {
        try await shop.products.execute()
      }
      #expect(stale.code == .statementChanged)
      #expect(stale.message.hasPrefix("the column price has another type"))
      try await database.execute("ALTER TABLE product ALTER price TYPE numeric(10, 2)")
      #expect(try await shop.products.execute() == [])
      try await database.execute("ALTER TABLE customer ADD later int")
      let added = try await #require(throws: PostgreSQLError.self) {
        try await shop.customers.execute()
      }
      #expect(added.code == .statementChanged)
      #expect(added.message.hasPrefix("the result has 13 columns, not 12"))
    }
  }

  @Test func `refuse a value of an enumeration that was added later`() async throws {
    try await withShop { (shop) async throws -> Void in
      try await shop.database.execute(
        "ALTER TYPE mood ADD VALUE 'new'; INSERT INTO customer (name) VALUES ('x')")
      try await shop.database.execute("UPDATE customer SET mood = 'new'")
      let error = try await #require(throws: PostgreSQLError.self) {
        try await shop.customers.execute()
      }
      #expect(error.code == .valueOutOfRange)
      #expect(error.column == "mood")
    }
  }
}
