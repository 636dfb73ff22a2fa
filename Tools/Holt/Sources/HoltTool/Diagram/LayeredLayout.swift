/// Places boxes in columns, so that what is referred to stands left of what refers to it, with few crossings, and lines that go around
/// boxes.
///
/// The steps are those of Sugiyama's method: cycles are broken, nodes put in layers, long edges led through places of their own in the
/// layers between, each layer brought into an order by medians and swaps, and places found by weighted means that keep the order.
struct LayeredLayout {
  struct Node {
    var width: Double
    var height: Double
  }

  /// A line from a node to another, and how far below their tops it ends.
  struct Edge {
    var from: Int
    var to: Int
    var fromPort: Double
    var toPort: Double
  }

  struct Point: Hashable {
    var x: Double
    var y: Double
  }

  struct Result {
    /// The upper left corners.
    var origins: [Point]
    /// The corners of each edge's line, from its start to its end.
    var routes: [[Point]]
    var width: Double
    var height: Double
  }

  static let rowGap = 36.0
  static let trackGap = 11.0
  /// What each side of the room between two layers is wide for the ends of lines.
  static let margin = 40.0
  static let laneHeight = 10.0

  private let nodes: [Node]
  private let edges: [Edge]

  init(nodes: [Node], edges: [Edge]) {
    self.nodes = nodes
    self.edges = edges
  }

  func layout() -> Result {
    var result = Result(
      origins: Array(repeating: Point(x: 0, y: 0), count: nodes.count),
      routes: Array(repeating: [], count: edges.count), width: 0, height: 0)
    let connected = Set(edges.filter { $0.from != $0.to }.flatMap { [$0.from, $0.to] })
    pack(components(of: connected).map(layoutConnected), &result)
    placeIsolatedNodes(nodes.indices.filter { !connected.contains($0) }, &result)
    return result
  }

  /// The nodes that lines hold together, each group by its numbers; the largest first.
  private func components(of connected: Set<Int>) -> [[Int]] {
    var remaining = connected
    var groups: [[Int]] = []
    while let start = remaining.min() {
      var group: Set<Int> = [start]
      var front = [start]
      while let node = front.popLast() {
        for edge in edges where edge.from == node || edge.to == node {
          for next in [edge.from, edge.to] where group.insert(next).inserted { front.append(next) }
        }
      }
      remaining.subtract(group)
      groups.append(group.sorted())
    }
    return groups.sorted { ($1.count, $0[0]) < ($0.count, $1[0]) }
  }

  /// Places groups in rows, each as high as its highest.
  private func pack(_ parts: [Part], _ result: inout Result) {
    let area = parts.reduce(0) { $0 + ($1.size.width + 80) * ($1.size.height + 60) }
    let limit = max(parts.map(\.size.width).max() ?? 0, (area * 1.6).squareRoot())
    var (x, y, rowHeight) = (0.0, 0.0, 0.0)
    for part in parts {
      if x > 0, x + part.size.width > limit {
        (x, y, rowHeight) = (0, y + rowHeight + 60, 0)
      }
      for node in part.nodes {
        result.origins[node] = Point(
          x: part.size.origins[node].x + x, y: part.size.origins[node].y + y)
      }
      for (index, edge) in edges.enumerated() where part.nodes.contains(edge.from) {
        result.routes[index] = part.size.routes[index].map { Point(x: $0.x + x, y: $0.y + y) }
      }
      result.width = max(result.width, x + part.size.width)
      rowHeight = max(rowHeight, part.size.height)
      result.height = max(result.height, y + rowHeight)
      x += part.size.width + 80
    }
  }

  /// A group, laid out by itself.
  private struct Part {
    var nodes: [Int]
    var size: Result
  }

  // MARK: Boxes that nothing leads to

  /// In rows below the others, as wide as these.
  private func placeIsolatedNodes(_ alone: [Int], _ result: inout Result) {
    guard !alone.isEmpty else { return }
    let area = alone.reduce(0) { $0 + (nodes[$1].width + 40) * (nodes[$1].height + Self.rowGap) }
    let limit = max(result.width, (area * 1.5).squareRoot())
    var y = result.height > 0 ? result.height + Self.rowGap * 1.5 : 0
    var x = 0.0
    var rowHeight = 0.0
    for node in alone.sorted(by: { (nodes[$1].height, $0) < (nodes[$0].height, $1) }) {
      if x > 0, x + nodes[node].width > limit {
        (x, y, rowHeight) = (0, y + rowHeight + Self.rowGap, 0)
      }
      result.origins[node] = Point(x: x, y: y)
      result.width = max(result.width, x + nodes[node].width)
      rowHeight = max(rowHeight, nodes[node].height)
      x += nodes[node].width + 40
    }
    result.height = y + rowHeight
  }

  // MARK: Boxes with lines

  private func layoutConnected(_ connected: [Int]) -> Part {
    var result = Result(
      origins: Array(repeating: Point(x: 0, y: 0), count: nodes.count),
      routes: Array(repeating: [], count: edges.count), width: 0, height: 0)
    let order = acyclicOrder(connected)
    let layers = layered(connected, order)
    var graph = LayerGraph(
      nodes: nodes, edges: edges, layers: layers,
      isLeft: { order[$0, default: 0] < order[$1, default: 0] })
    graph.order()
    graph.setPlaces()
    graph.write(to: &result)
    return Part(nodes: connected, size: result)
  }

  /// Numbers of nodes, by which each edge but those that close a circle leads from a lower one to a higher one.
  private func acyclicOrder(_ connected: [Int]) -> [Int: Int] {
    var remaining = Set(connected)
    var front: [Int] = []
    let pairs = Set(edges.filter { $0.from != $0.to }.map { [$0.from, $0.to] })
    func count(_ node: Int, into: Bool) -> Int {
      pairs.count {
        remaining.contains($0[0]) && remaining.contains($0[1]) && $0[into ? 1 : 0] == node
      }
    }
    while !remaining.isEmpty {
      // What nothing leads to any more comes next; in a circle, what leads out most.
      let sorted = remaining.sorted()
      let next =
        sorted.first { count($0, into: true) == 0 }
        ?? sorted.max {
          let (a, b) = (
            count($0, into: false) - count($0, into: true),
            count($1, into: false) - count($1, into: true)
          )
          return a != b ? a < b : $0 > $1
        }
      guard let next else { break }
      front.append(next)
      remaining.remove(next)
    }
    return Dictionary(uniqueKeysWithValues: front.enumerated().map { ($1, $0) })
  }

  /// The layer of each node: behind those before it, and none much higher than the whole is to be.
  private func layered(_ connected: [Int], _ order: [Int: Int]) -> [Int: Int] {
    let sorted = connected.sorted { order[$0, default: 0] < order[$1, default: 0] }
    let total = connected.reduce(0) { $0 + nodes[$1].height + Self.rowGap }
    let width = connected.reduce(0) { $0 + nodes[$1].width } / Double(connected.count) + 130
    let tallest = connected.map { nodes[$0].height }.max() ?? 0
    let limit = max(tallest + Self.rowGap, (total * width / 1.5).squareRoot() * 1.1)
    var layers: [Int: Int] = [:]
    var heights: [Int: Double] = [:]
    func before(_ node: Int) -> [Int] { neighbors(node, order, before: true) }
    for node in sorted {
      let height = nodes[node].height + Self.rowGap
      var layer = before(node).map { layers[$0, default: 0] + 1 }.max() ?? 0
      while heights[layer, default: 0] > 0, heights[layer, default: 0] + height > limit {
        layer += 1
      }
      layers[node] = layer
      heights[layer, default: 0] += height
    }
    // What nothing leads to stands just before what it leads to.
    for node in sorted.reversed() where before(node).isEmpty {
      let after = neighbors(node, order, before: false).map { layers[$0, default: 0] }.min() ?? 1
      let height = nodes[node].height + Self.rowGap
      let current = layers[node, default: 0]
      for layer in stride(from: after - 1, to: current, by: -1)
      where heights[layer, default: 0] + height <= limit {
        heights[current, default: 0] -= height
        heights[layer, default: 0] += height
        layers[node] = layer
        break
      }
    }
    let used = Set(layers.values).sorted()
    return layers.mapValues { layer in used.firstIndex(of: layer) ?? 0 }
  }

  private func neighbors(_ node: Int, _ order: [Int: Int], before: Bool) -> [Int] {
    edges.compactMap { edge -> Int? in
      guard edge.from != edge.to, edge.from == node || edge.to == node else { return nil }
      let other = edge.from == node ? edge.to : edge.from
      return (order[other, default: 0] < order[node, default: 0]) == before ? other : nil
    }
  }
}
