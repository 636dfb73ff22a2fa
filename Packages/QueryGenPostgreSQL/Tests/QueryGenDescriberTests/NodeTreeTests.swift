@testable import QueryGenDescriber
import Testing

@Suite struct `Printed nodes` {
  @Test func `are read with their fields`() throws {
    let text =
      #"({QUERY :commandType 1 :cteList <> :name a\ b\(c\) :colons :x :list (i 1 2) :names ("a" "b \"c\"") :constvalue 4 [ 1 0 -1 0 ] :child {VAR :varno 2}})"#
    let query = try #require(NodeTree(text)?.firstQuery)
    #expect(query.label == "QUERY")
    #expect(query.integer("commandType") == 1)
    #expect(query["cteList"].isNone)
    #expect(query["name"].text == "a b(c)")
    #expect(query["colons"].text == ":x")
    #expect(query["list"].elements.map(\.text) == ["i", "1", "2"])
    #expect(query["names"].elements.map(\.text) == ["a", "b \"c\""])
    #expect(query["constvalue"].elements.map(\.text) == ["1", "0", "-1", "0"])
    #expect(query.child("child")?.integer("varno") == 2)
    #expect(query["missing"].isNone)
  }

  @Test(arguments: [
    "", "{", "{QUERY", "{QUERY :a", "{QUERY :a 1", "({A}", "{A} {B}", "{A b}", ")", "\"a",
  ])
  func `that are malformed are refused`(_ text: String) {
    if let tree = NodeTree(text) { Issue.record("\(tree)") }
  }

  @Test func `are read up to a depth`() {
    func nested(_ depth: Int) -> String {
      String(repeating: "{A :a ", count: depth) + "1" + String(repeating: "}", count: depth)
    }
    #expect(NodeTree(nested(500))?.node != nil)
    #expect(NodeTree(nested(5_000))?.node == nil)
  }
}
