import Testing

@testable import QueryGenDatabase

@Suite struct `A step of a plan` {
  struct Case: CustomTestStringConvertible, Sendable {
    var detail: String
    var label: String
    var isSearch = true
    var path = PlanNode.Access.Path.table
    var columns: [String] = []
    var isVirtual = false
    var testDescription: String { detail }
  }

  @Test(arguments: [
    Case(detail: "SCAN book", label: "book", isSearch: false),
    Case(detail: "SCAN TABLE book", label: "book", isSearch: false),
    Case(detail: "SCAN TABLE book AS b", label: "b", isSearch: false),
    Case(detail: "SCAN SUBQUERY 2 AS x", label: "x", isSearch: false),
    Case(detail: "SCAN b LEFT-JOIN", label: "b", isSearch: false),
    Case(detail: "SCAN (subquery-2)", label: "(subquery-2)", isSearch: false),
    Case(detail: "SCAN CONSTANT ROW", label: "constant row", isSearch: false, isVirtual: true),
    Case(
      detail: "SCAN 2 CONSTANT ROWS", label: "2 constant rows", isSearch: false, isVirtual: true),
    Case(
      detail: "SCAN json_each VIRTUAL TABLE INDEX 1:", label: "json_each", isSearch: false,
      isVirtual: true),
    Case(
      detail: "SCAN book USING COVERING INDEX book_title", label: "book", isSearch: false,
      path: .index("book_title")),
    Case(
      detail: "SEARCH b USING INTEGER PRIMARY KEY (rowid=?)", label: "b", path: .key,
      columns: ["rowid"]),
    Case(
      detail: "SEARCH TABLE book AS b USING INDEX i (a=? AND b>?)", label: "b", path: .index("i"),
      columns: ["a", "b"]),
    Case(
      detail: "SEARCH t USING PRIMARY KEY (a=?) LEFT-JOIN", label: "t", path: .key, columns: ["a"]),
    Case(
      detail: "SEARCH t USING AUTOMATIC PARTIAL COVERING INDEX (a=?)", label: "t",
      path: .automatic, columns: ["a"]),
    Case(detail: "SEARCH t USING INDEX i (<expr>=?)", label: "t", path: .index("i")),
    Case(detail: "SEARCH book", label: "book"),
  ])
  func `is read as all releases of SQLite write it`(_ expected: Case) throws {
    let access = try #require(PlanNode.Access(expected.detail))
    #expect(access.label == expected.label)
    #expect(access.isSearch == expected.isSearch)
    #expect(access.path == expected.path)
    #expect(access.columns == expected.columns)
    #expect(access.isVirtual == expected.isVirtual)
  }

  @Test(arguments: ["USE TEMP B-TREE FOR ORDER BY", "COMPOUND QUERY", "MERGE (UNION)", "LEFT"])
  func `may be no access`(_ detail: String) {
    #expect(PlanNode.Access(detail) == nil)
  }
}
