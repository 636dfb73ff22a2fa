/// Arranges boxes in columns, with referenced boxes to the left of the boxes that reference them, few
/// crossings, and lines that avoid boxes.
///
/// The layout follows Sugiyama's method: it breaks cycles, assigns nodes to layers, adds lanes for
/// edges that span several layers, orders each layer by medians and swaps, and computes positions as
/// weighted means that preserve the order.
struct LayeredLayout {
  struct Node {
    var width: Double
    var height: Double
  }

  /// A line between two nodes, with the offsets of its ends from the nodes' tops.
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
    /// The upper left corners of the boxes.
    var origins: [Point]
    /// The points of each edge's line, from start to end.
    var routes: [[Point]]
    var width: Double
    var height: Double
  }

  static let rowGap = 36.0
  static let trackGap = 11.0
  /// The horizontal space for the ends of lines, on each side of the gap between two layers.
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

  /// The connected components, the largest first, with their nodes in ascending order.
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

  /// Places groups in rows; a row is as high as its highest group.
  private func pack(_ parts: [(nodes: [Int], layout: Result)], _ result: inout Result) {
    let area = parts.reduce(0) { $0 + ($1.layout.width + 80) * ($1.layout.height + 60) }
    let limit = max(parts.map(\.layout.width).max() ?? 0, (area * 1.6).squareRoot())
    var (x, y, rowHeight) = (0.0, 0.0, 0.0)
    for part in parts {
      if x > 0, x + part.layout.width > limit {
        (x, y, rowHeight) = (0, y + rowHeight + 60, 0)
      }
      for node in part.nodes {
        result.origins[node] = Point(
          x: part.layout.origins[node].x + x, y: part.layout.origins[node].y + y)
      }
      for (index, edge) in edges.enumerated() where part.nodes.contains(edge.from) {
        result.routes[index] = part.layout.routes[index].map { Point(x: $0.x + x, y: $0.y + y) }
      }
      result.width = max(result.width, x + part.layout.width)
      rowHeight = max(rowHeight, part.layout.height)
      result.height = max(result.height, y + rowHeight)
      x += part.layout.width + 80
    }
  }

  // MARK: Boxes without lines

  /// Places boxes without lines in rows below the others, with about the same total width.
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

  private func layoutConnected(_ connected: [Int]) -> (nodes: [Int], layout: Result) {
    var result = Result(
      origins: Array(repeating: Point(x: 0, y: 0), count: nodes.count),
      routes: Array(repeating: [], count: edges.count), width: 0, height: 0)
    let order = acyclicOrder(connected)
    let layers = layered(connected, order)
    var graph = LayerGraph(
      nodes: nodes, edges: edges, layers: layers,
      isLeft: { order[$0, default: 0] < order[$1, default: 0] })
    graph.order()
    graph.assignCoordinates()
    graph.write(to: &result)
    return (connected, result)
  }

  /// Numbers the nodes so that each edge, except edges that close a cycle, points from a lower to a
  /// higher number.
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
      // Takes a node without incoming edges, or in a cycle the node with the most outgoing edges
      // compared with incoming ones.
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

  /// Assigns each node to a layer after its predecessors, limiting the height of each layer.
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
    // Moves nodes without predecessors to the layer just before their first successor.
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
