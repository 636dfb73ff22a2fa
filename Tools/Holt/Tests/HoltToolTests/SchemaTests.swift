import CommandTesting
import Foundation
import SQLiteCore
import Testing

@testable import HoltTool

@Suite struct `holt schema` {
  @Test func `shows a schema as SQL, Markdown and JSON`() throws {
    let run = try HoltRun()
    let connection = try Connection(path: run.path("a.db"))
    try connection.execute(SQL(unsafe: Samples.library))
    let sql = try run.holt("schema", "a.db").output
    #expect(try DatabaseSchema(sql: SQL(unsafe: sql)).isEquivalent(to: connection.databaseSchema()))
    let markdown = try run.holt("schema", "a.db", "--format", "markdown").output
    #expect(markdown.contains("## book\n\n2 rows\n"))
    #expect(markdown.contains("| author | INTEGER |  |  | → author(id) |\n"))
    #expect(markdown.contains("- `book_author`: index on author\n"))
    #expect(markdown.contains("| book_trim | book | after insert |\n"))
    let json = try run.holt("schema", "a.db", "--json").output
    let value = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
    let tables = value?["tables"] as? [[String: Any]]
    #expect(tables?.compactMap { $0["name"] as? String } == ["author", "book"])
    #expect((tables?[1]["references"] as? [[String: Any]])?.first?["table"] as? String == "author")
  }

  @Test func `shows the tables of a file in another format`() throws {
    let run = try HoltRun()
    try run.write(Samples.towns, to: "towns.json")
    let sql = try run.holt("schema", "towns.json").output
    #expect(sql.contains("\"at.lat\""))
    #expect(sql.hasPrefix("CREATE TABLE \"towns\""))
  }

  @Test func `draws tables and references as SVG deterministically`() throws {
    let run = try HoltRun()
    try Connection(path: run.path("a.db")).execute(
      SQL(unsafe: Samples.library + "CREATE TABLE \"a<b>&\" (x REFERENCES \"a<b>&\");"))
    let svg = try run.holt("schema", "a.db", "--format", "svg").output
    #expect(svg == (try run.holt("schema", "a.db", "--format", "svg").output))
    #expect(svg.contains("prefers-color-scheme:dark"))
    #expect(svg.contains(">a&lt;b&gt;&amp;</text>"))
    let parser = XMLParser(svg)
    #expect(parser.isBalanced)
    #expect(parser.count(of: "rect class=\"box\"") == 3)
    #expect(parser.count(of: "path class=\"link") == 2)
    #expect(svg.contains("<title>3 tables: "))
    try Connection(path: run.path("b.db")).execute("CREATE TABLE town (name)")
    #expect(
      try run.holt("schema", "b.db", "--format", "svg").output.contains("<title>1 table: town<"))
    let dark = try run.holt("schema", "a.db", "--format", "svg", "--theme", "dark").output
    #expect(!dark.contains("prefers-color-scheme"))
    let empty = try run.holt("schema", "none.db", "--format", "svg")
    #expect(empty.status == 2)
  }

  /// The tags of a document without comments.
  private struct XMLParser {
    let text: String
    init(_ text: String) { self.text = text }

    func count(of tag: String) -> Int { text.components(separatedBy: "<\(tag)").count - 1 }

    var isBalanced: Bool {
      var open: [Substring] = []
      for part in text.split(separator: "<").map({ $0.prefix { $0 != ">" } }) {
        if part.hasPrefix("/") {
          guard open.popLast() == part.dropFirst() else { return false }
        } else if !part.hasSuffix("/") {
          open.append(part.prefix { !$0.isWhitespace })
        }
      }
      return open.isEmpty
    }
  }
}

@Suite struct `The layout of a diagram` {
  struct Graph: CustomTestStringConvertible, Sendable {
    let name: String
    let count: Int
    let edges: [(Int, Int)]
    var testDescription: String { name }
  }

  static let graphs: [Graph] = [
    Graph(name: "nothing", count: 0, edges: []),
    Graph(name: "one", count: 1, edges: []),
    Graph(name: "alone", count: 7, edges: []),
    Graph(name: "chain", count: 5, edges: [(0, 1), (1, 2), (2, 3), (3, 4)]),
    Graph(name: "star", count: 40, edges: (1..<40).map { (0, $0) }),
    Graph(name: "circle", count: 4, edges: [(0, 1), (1, 2), (2, 3), (3, 0)]),
    Graph(name: "itself", count: 2, edges: [(0, 0), (0, 1)]),
    Graph(name: "two ways", count: 2, edges: [(0, 1), (1, 0), (0, 1)]),
    Graph(name: "long", count: 6, edges: [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (0, 5), (1, 5)]),
    Graph(name: "random 20", count: 20, edges: random(20, 30, seed: 1)),
    Graph(name: "random 60", count: 60, edges: random(60, 90, seed: 2)),
    Graph(
      name: "groups", count: 30,
      edges: random(10, 14, seed: 3) + random(10, 12, seed: 4).map { ($0.0 + 15, $0.1 + 15) }),
  ]

  private static func random(_ count: Int, _ edges: Int, seed: UInt64) -> [(Int, Int)] {
    var state = seed
    func next(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
    return (0..<edges).map { _ in (next(count), next(count)) }
  }

  private func layout(_ graph: Graph) -> (
    nodes: [LayeredLayout.Node], edges: [LayeredLayout.Edge], result: LayeredLayout.Result
  ) {
    let nodes = (0..<graph.count).map {
      LayeredLayout.Node(width: 120 + Double($0 % 5) * 20, height: 60 + Double($0 * 7 % 6) * 40)
    }
    let edges = graph.edges.map {
      LayeredLayout.Edge(from: $0.0, to: $0.1, fromPort: 40, toPort: nodes[$0.1].height - 14)
    }
    return (nodes, edges, LayeredLayout(nodes: nodes, edges: edges).layout())
  }

  @Test(arguments: graphs)
  func `has no overlapping boxes and no line through a box`(_ graph: Graph) {
    let (nodes, edges, result) = layout(graph)
    let boxes = zip(result.origins, nodes).map {
      (left: $0.x, top: $0.y, right: $0.x + $1.width, bottom: $0.y + $1.height)
    }
    for (index, a) in boxes.enumerated() {
      #expect(
        a.left >= 0 && a.top >= 0 && a.right <= result.width + 0.01
          && a.bottom <= result.height + 0.01)
      for b in boxes[..<index] {
        #expect(a.left >= b.right || b.left >= a.right || a.top >= b.bottom || b.top >= a.bottom)
      }
    }
    for (edge, route) in zip(edges, result.routes) where edge.from != edge.to {
      #expect(route.count >= 2)
      for (a, b) in zip(route, route.dropFirst()) {
        // Lines are parallel to one of the axes.
        #expect(abs(a.x - b.x) < 0.01 || abs(a.y - b.y) < 0.01)
        for box in boxes {
          let passes =
            max(a.x, b.x) > box.left + 0.5 && min(a.x, b.x) < box.right - 0.5
            && max(a.y, b.y) > box.top + 0.5 && min(a.y, b.y) < box.bottom - 0.5
          #expect(!passes)
        }
      }
    }
  }

  @Test(arguments: graphs)
  func `is deterministic`(_ graph: Graph) {
    let (first, second) = (layout(graph).result, layout(graph).result)
    #expect(first.origins == second.origins)
    #expect(first.routes == second.routes)
  }

  @Test func `places parents to the left of their children`() {
    let result = layout(Graph(name: "", count: 3, edges: [(2, 1), (1, 0)])).result
    #expect(result.origins[2].x < result.origins[1].x)
    #expect(result.origins[1].x < result.origins[0].x)
  }
}
