import Foundation
import QueryGen
import Testing

@Suite struct `A predicate of bound values` {
  private enum Suit: String, SQLiteEnumeration { case hearts }
  private struct Unbindable: SQLiteBindable {
    var sqliteValue: SQLiteValue {
      get throws(SQLiteError) { throw SQLiteError(code: .valueOutOfRange, message: "none") }
    }
  }

  @Test func `compares with the value that SQLite receives`() throws {
    let id = try #require(UUID(uuidString: "00000000-0000-0000-0000-0000000000FF"))
    let cases: [(any SQLiteBindable, SQLiteValue)] = [
      (7, .integer(7)), ("a", .text("a")), (0.5, .real(0.5)), (true, .integer(1)),
      ([1, 2] as [UInt8], .blob([1, 2])), (SQLiteValue.null, .null), (Int?.none, .null),
      (Int?.some(3), .integer(3)), (Suit.hearts, .text("hearts")), (id, .text(id.uuidString)),
      (
        Queries.Formatted<ColumnFormats.UUIDBytes>(id),
        .blob(Array(repeating: 0, count: 15) + [255])
      ),
      (Queries.Formatted<Queries.JSONFormat<[Int]>>([1]), .text("[1]")), (Double.nan, .null),
    ]
    for (bound, value) in cases {
      #expect(Region.RowPredicate.column("x", .less, bound: bound) == .column("x", .less, value))
      #expect(
        Region.RowPredicate.column("x", inBound: bound, 9)
          == .column("x", in: [value, .integer(9)]))
    }
  }

  @Test func `holds for every row if the value can't be bound`() {
    let all = Region.RowPredicate.isNull("x") || .isNotNull("x")
    #expect(Region.RowPredicate.column("x", .equal, bound: Unbindable()) == all)
    #expect(Region.RowPredicate.column("x", .equal, bound: Unbindable?.some(Unbindable())) == all)
    #expect(Region.RowPredicate.column("x", inBound: 1, Unbindable()) == all)
  }

  @Test func `of a list holds for every row if one element can't be bound`() {
    let all = Region.RowPredicate.isNull("x") || .isNotNull("x")
    #expect(Region.RowPredicate.column("x", inList: [1, 2]) == .column("x", in: [1, 2]))
    #expect(Region.RowPredicate.column("x", inList: [Int]()) == .column("x", in: []))
    #expect(Region.RowPredicate.column("x", inList: [Unbindable()]) == all)
    #expect(Region.RowPredicate.column("x", inList: [nil, Unbindable()]) == all)
  }
}
