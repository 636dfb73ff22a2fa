import Foundation
import QueryGen
import Testing

@Suite struct `A query with variable parts` {
  @Test func `has the order that its caller chooses`() async throws {
    let db = try await Library().db
    func titles(_ sort: ShelfSort...) async throws -> [String] {
      try await db.shelf.execute(sort: sort).map(\.title)
    }
    #expect(try await titles() == ["Emma", "Persuasion", "Orlando"])
    #expect(try await titles(.title) == ["Emma", "Orlando", "Persuasion"])
    #expect(try await titles(.price) == ["Emma", "Persuasion", "Orlando"])
    #expect(try await titles(.price.nullsFirst) == ["Orlando", "Emma", "Persuasion"])
    #expect(
      try await titles(.author.descending, .title.descending) == ["Orlando", "Persuasion", "Emma"])
    let injected: any ShelfQuery = db.shelf
    #expect(try await injected.execute([.author]).map(\.name).last == "Virginia Woolf")
  }

  @Test func `leaves out the terms of the arguments that are nil`() async throws {
    let db = try await Library().db
    #expect(try await db.findBooks.execute().map(\.id) == [1, 2, 3])
    #expect(try await db.findBooks.execute(author: "Jane%").map(\.id) == [1, 2])
    #expect(try await db.findBooks.execute(least: 7, most: 8).map(\.id) == [2])
    #expect(try await db.findBooks.execute(least: 7).map(\.id) == [1, 2, 3])
    #expect(try await db.findBooks.execute(ids: [1, 3], isLent: false).map(\.id) == [1, 3])
    #expect(try await db.findBooks.execute(author: "%o%", ids: []).map(\.id) == [])
    let statement = db.findBooks.statement(for: .init(ids: [2]))
    #expect(!statement.sql.text.contains("LIKE"))
    #expect(statement.values.count == 4)
  }

  @Test func `binds values in the formats of their columns`() async throws {
    let shop = try await Shop()
    func names(
      ids: [UUID]? = nil, most: Price? = nil, state: ProductState? = nil, before: Date? = nil
    ) async throws -> [String] {
      let input = FindProductsInput(ids: ids, most: most, state: state, before: before)
      return try await shop.db.findProducts.execute(input).map(\.name)
    }
    #expect(try await names() == ["Apple", "Pear"])
    #expect(try await names(ids: [shop.pear]) == ["Pear"])
    #expect(try await names(ids: [shop.pear, shop.apple], most: Price(cents: 100)) == ["Pear"])
    #expect(try await names(state: .draft, before: Shop.added.addingTimeInterval(1)) == ["Apple"])
    #expect(try await names(state: .onSale) == [])
    #expect(try await names(ids: []) == [])
  }

  @Test func `filters by conditions that its caller composes`() async throws {
    let shop = try await Shop()
    typealias Filter = Queries.Filter<ProductsMatchingMatching>
    func names(_ filter: Filter?) async throws -> [String] {
      try await shop.db.productsMatching.execute(matching: filter)
    }
    #expect(try await names(nil) == ["Apple", "Pear"])
    #expect(try await names(\.price > Price(cents: 100)) == ["Apple"])
    #expect(try await names(.isIn(\.productId, [shop.pear]) && \.state == .draft) == ["Pear"])
    #expect(try await names(\.added == Shop.added || \.name == "Pear") == ["Apple", "Pear"])
    #expect(try await names(!(\.added == Shop.added)) == ["Pear"])
  }
}
