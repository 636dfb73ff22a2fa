import Foundation
import Router
import SQLiteCore
import Testing

@Suite struct `A route is a value` {
  static func routes() throws -> [DatabaseRoute] {
    [
      .fetch(from: "todos"), .fetch(from: "todos", filteredBy: .all, routeId: "every"),
      .fetchOne(id: 3, from: "todos"), .delete(id: "x", from: "todos"),
      .fetch(
        from: "todos", filteredBy: Column("a").at("b", 0).equals(1.5) || !Column("c").isNull(),
        Column("d").in(["x", "y"]), Column("e").any(.like, ["x%"]),
        Column("f").equals([1, 255] as [UInt8]),
        Column("g").isDistinct(from: Int?.none), Column("h").equals(-0.0),
        Column("i").equals(Double.infinity),
        order: .descending("a", nullsFirst: true, collation: "NOCASE")
      ).limited(to: 3, offset: 1).selecting("a", "b"),
      try .fetch(from: "todos").page(after: Todo.milk, size: 3),
      try .insert([Todo.milk, .bread], into: "todos", returning: .minimal),
      try .update(id: 3, in: "todos", with: Todo.tea).expecting(.one),
      try .upsert(Todo.tea, in: "todos").onConflict("name", resolution: .ignore).expecting(
        .atMost(2)),
      try .custom(on: "todos", access: .write, routeId: "c") { _ in
        "DELETE FROM todos WHERE id IN \([1, 2]) AND name = \("x")"
      },
      .fetch(from: "todos").embedding(
        .init("tag", as: "tags", via: "tagging", filteredBy: Column("x").equals(1), limit: 2)),
      .fetch(from: .init("todos", schema: "archive")),
      .fetch(from: "todos").selecting("name").aggregating(
        .count(), .sum("a", as: "s", distinct: true, filteredBy: Column("b").equals("secret"))
      ).filteringGroups(by: Column("s").greaterThan(1)),
      .fetch(from: "todos").selecting("name").aggregating(.count(), .sum("a", as: "s")),
      .count(from: "todos").counted(.planned), .count(from: "todos").counted(.estimated(upTo: 5)),
      .fetch(from: "todos").selecting(Column("a").at("é")),
      .fetch(from: "todos").selecting(Column("a").at("e\u{301}")),
    ]
  }

  @Test func `that can be encoded and decoded`() throws {
    for route in try Self.routes() {
      let data = try JSONEncoder().encode(route)
      #expect(try JSONDecoder().decode(DatabaseRoute.self, from: data) == route, "\(route)")
    }
  }

  @Test func `whose encoding omits defaults`() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let data = try encoder.encode(DatabaseRoute.fetchOne(from: "todos"))
    #expect(String(decoding: data, as: UTF8.self) == #"{"method":"fetchOne","table":"todos"}"#)
  }

  @Test func `equal only to a route with the same parts`() throws {
    let (some, others) = (try Self.routes(), try Self.routes())
    #expect(some == others)
    #expect(Set(some).count == some.count)
    #expect(
      DatabaseRoute.fetch(from: "toDos", filteredBy: Column("Name").equals("a"))
        == .fetch(from: "todos", filteredBy: Column("name").equals("a")))
    // These strings are equal in Swift, but not in SQLite.
    #expect(Column("é") != Column("e\u{301}"))
    #expect(
      DatabaseRoute.fetch(from: "t", filteredBy: Column("a").equals("é"))
        != .fetch(from: "t", filteredBy: Column("a").equals("e\u{301}")))
    #expect(
      DatabaseRoute.fetch(from: "t", filteredBy: Column("a").equals(1))
        != .fetch(from: "t", filteredBy: Column("a").equals("1")))
  }

  @Test func `that is printed without its values`() throws {
    let route = DatabaseRoute.fetch(
      from: "todos", filteredBy: Column("name").equals("secret") && !Column("done").isNull(),
      order: .descending("id"), routeId: "mine"
    ).limited(to: 10)
    #expect(
      "\(route)"
        == "fetch todos where (name eq ? and not done isnull) by id descending limit 10 [mine]")
    for route in try Self.routes() + [route] {
      var text = ""
      dump(route, to: &text)
      #expect(!text.contains("secret") && !text.contains("Milk"))
    }
  }

  @Test func `whose parts can be read`() throws {
    let route = try DatabaseRoute.update(
      id: 3, in: "todos", with: ["name": "x", "completedOn": nil] as Record)
    #expect(route.method == .update)
    #expect(route.table == "todos")
    #expect(route.filter == .equals(column: .id, value: 3))
    #expect(route.values.first?["name"] == "x")
    #expect(route.values.first?["completedOn"] == .some(.null))
    #expect(route.values.first?["id"] == nil)
    #expect(!route.isReadOnly)
  }

  enum Priority: Int, SQLiteConvertible, RouteValue { case low, high }

  @Test func `with the same values that SQLiteCore binds`() throws {
    let connection = try Connection.inMemory()
    func bound(_ value: some RouteValue) throws -> Bool {
      let filter = Filter.equals(column: .id, value: value)
      guard case .comparison(let comparison) = filter.form,
        case .value(let compared) = comparison.operand
      else { return false }
      return try connection.value(SQLiteValue.self, "SELECT ?", value) == compared
    }
    #expect(try bound(UUID()))
    #expect(try bound(Date()))
    #expect(try bound(Data([1, 2])))
    #expect(try bound(Decimal(string: "1.25") ?? 0))
    #expect(try bound(URL(string: "https://example.com/a") ?? URL(fileURLWithPath: "/")))
    #expect(try bound(true))
    #expect(try bound(Float(1.5)))
    #expect(try bound(UInt8(7)))
    #expect(try bound("x"))
    #expect(try bound(Priority.high))
    #expect(Filter.id(Priority.high) == Filter.id(1))
    #expect(Filter.id(UInt64.max) == Filter.id(SQLiteValue.null))
  }
}
