/// The layers of a drawing, which contain boxes and the lanes of lines that pass by them.
struct LayerGraph {
  /// A box or a lane.
  private struct Vertex {
    var node: Int?
    var height: Double
    var layer: Int
    var y = 0.0
  }

  /// A line segment from a vertex to one in the next layer.
  private struct Segment {
    var left: Int
    var leftPort: Double
    var right: Int
    var rightPort: Double
  }

  private let nodes: [LayeredLayout.Node]
  private let edges: [LayeredLayout.Edge]
  private var vertices: [Vertex] = []
  private var segments: [Segment] = []
  /// The vertices of each layer, from top to bottom.
  private var layers: [[Int]]
  /// The segments of each edge, from left to right, and whether the edge points from right to left.
  private var chains: [(segments: [Int], isReversed: Bool)]
  private var position: [Int] = []
  private var after: [[Int]] = []
  private var before: [[Int]] = []

  init(
    nodes: [LayeredLayout.Node], edges: [LayeredLayout.Edge], layers layerOf: [Int: Int],
    isLeft: (Int, Int) -> Bool
  ) {
    self.nodes = nodes
    self.edges = edges
    layers = Array(repeating: [], count: (layerOf.values.max() ?? 0) + 1)
    chains = Array(repeating: ([], false), count: edges.count)
    var vertexOf: [Int: Int] = [:]
    for node in layerOf.keys.sorted() {
      let layer = layerOf[node, default: 0]
      vertexOf[node] = add(Vertex(node: node, height: nodes[node].height, layer: layer))
    }
    // Lines with a common end share their lanes.
    var lanes: [[Double]: Int] = [:]
    var known: [[Double]: Int] = [:]
    for (index, edge) in edges.enumerated() where edge.from != edge.to {
      let isReversed = !isLeft(edge.from, edge.to)
      let (left, right) = isReversed ? (edge.to, edge.from) : (edge.from, edge.to)
      let (leftPort, rightPort) =
        isReversed ? (edge.toPort, edge.fromPort) : (edge.fromPort, edge.toPort)
      guard var current = vertexOf[left], let end = vertexOf[right] else { continue }
      var port = leftPort
      var chain: [Int] = []
      func segment(to next: Int, _ nextPort: Double) -> Int {
        let key = [Double(current), port, Double(next), nextPort]
        if let existing = known[key] { return existing }
        segments.append(Segment(left: current, leftPort: port, right: next, rightPort: nextPort))
        known[key] = segments.count - 1
        return segments.count - 1
      }
      let (first, last) = (vertices[current].layer, vertices[end].layer)
      for layer in stride(from: first + 1, to: last, by: 1) {
        let key = [Double(left), leftPort, Double(layer)]
        let half = LayeredLayout.laneHeight / 2
        let lane =
          lanes[key] ?? add(Vertex(node: nil, height: LayeredLayout.laneHeight, layer: layer))
        lanes[key] = lane
        chain.append(segment(to: lane, half))
        (current, port) = (lane, half)
      }
      chain.append(segment(to: end, rightPort))
      chains[index] = (chain, isReversed)
    }
    after = Array(repeating: [], count: vertices.count)
    before = after
    for (index, segment) in segments.enumerated() {
      after[segment.left].append(index)
      before[segment.right].append(index)
    }
    position = Array(repeating: 0, count: vertices.count)
  }

  private mutating func add(_ vertex: Vertex) -> Int {
    vertices.append(vertex)
    layers[vertex.layer].append(vertices.count - 1)
    return vertices.count - 1
  }

  // MARK: The order in each layer

  mutating func order() {
    numberAll()
    var best = layers
    var fewest = crossings()
    for sweep in 0..<24 where fewest > 0 {
      let isRightward = sweep.isMultiple(of: 2)
      let indices = isRightward ? Array(layers.indices) : layers.indices.reversed()
      for layer in indices { sort(layer, isRightward: isRightward) }
      transpose()
      let count = crossings()
      if count < fewest { (best, fewest) = (layers, count) }
    }
    layers = best
    numberAll()
  }

  private mutating func numberAll() { for layer in layers.indices { number(layer) } }

  private mutating func number(_ layer: Int) {
    for (index, vertex) in layers[layer].enumerated() { position[vertex] = index }
  }

  private func leftPosition(_ segment: Segment) -> Double {
    Double(position[segment.left]) + segment.leftPort / (vertices[segment.left].height + 1)
  }

  private func rightPosition(_ segment: Segment) -> Double {
    Double(position[segment.right]) + segment.rightPort / (vertices[segment.right].height + 1)
  }

  private mutating func sort(_ layer: Int, isRightward: Bool) {
    let keyed = layers[layer].map { vertex -> (key: Double, vertex: Int) in
      let neighborPositions =
        isRightward
        ? before[vertex].map { leftPosition(segments[$0]) }
        : after[vertex].map { rightPosition(segments[$0]) }
      guard !neighborPositions.isEmpty else { return (Double(position[vertex]), vertex) }
      return (neighborPositions.reduce(0, +) / Double(neighborPositions.count), vertex)
    }
    layers[layer] = keyed.enumerated().sorted {
      ($0.element.key, $0.offset) < ($1.element.key, $1.offset)
    }.map(\.element.vertex)
    number(layer)
  }

  /// Swaps neighbors as long as that reduces the number of crossings.
  private mutating func transpose() {
    for _ in 0..<10 {
      var hasImproved = false
      for layer in layers.indices where layers[layer].count > 1 {
        for index in 0..<(layers[layer].count - 1) {
          let (a, b) = (layers[layer][index], layers[layer][index + 1])
          let kept = crossings(of: a, b)
          swap(layer, index)
          if crossings(of: b, a) < kept {
            hasImproved = true
          } else {
            swap(layer, index)
          }
        }
      }
      if !hasImproved { return }
    }
  }

  private mutating func swap(_ layer: Int, _ index: Int) {
    layers[layer].swapAt(index, index + 1)
    position[layers[layer][index]] = index
    position[layers[layer][index + 1]] = index + 1
  }

  /// The number of crossings between the lines of two vertices, with `upper` above `lower`.
  private func crossings(of upper: Int, _ lower: Int) -> Int {
    func count(_ upper: [Double], _ lower: [Double]) -> Int {
      upper.reduce(0) { sum, position in sum + lower.count { $0 < position } }
    }
    return count(
      before[upper].map { leftPosition(segments[$0]) },
      before[lower].map { leftPosition(segments[$0]) })
      + count(
        after[upper].map { rightPosition(segments[$0]) },
        after[lower].map { rightPosition(segments[$0]) }
      )
  }

  private func crossings() -> Int {
    var count = 0
    for layer in layers.indices {
      let lines = layers[layer].flatMap { after[$0] }.map {
        (leftPosition(segments[$0]), rightPosition(segments[$0]))
      }
      for (index, a) in lines.enumerated() {
        for b in lines[..<index] where (a.0 - b.0) * (a.1 - b.1) < 0 { count += 1 }
      }
    }
    return count
  }

  // MARK: Coordinates

  mutating func assignCoordinates() {
    for layer in layers {
      var y = 0.0
      for vertex in layer {
        vertices[vertex].y = y
        y += vertices[vertex].height + gap(vertex)
      }
    }
    for pass in 0..<40 {
      let isRightward = pass.isMultiple(of: 2)
      for layer in isRightward ? Array(layers.indices) : layers.indices.reversed() {
        align(layer, isLast: pass >= 32, isRightward: isRightward)
      }
    }
    let top = vertices.map(\.y).min() ?? 0
    for index in vertices.indices { vertices[index].y -= top }
  }

  private func gap(_ vertex: Int) -> Double {
    vertices[vertex].node == nil ? 8 : LayeredLayout.rowGap
  }

  private func gap(_ upper: Int, _ lower: Int) -> Double {
    let isLane = vertices[upper].node == nil && vertices[lower].node == nil
    return isLane
      ? 4 : vertices[upper].node == nil || vertices[lower].node == nil ? 16 : LayeredLayout.rowGap
  }

  /// Moves each vertex to the position that straightens its lines. Neighbors that would overlap are
  /// merged into a block, which is moved to their mean position, so the order is preserved.
  private mutating func align(_ layer: Int, isLast: Bool, isRightward: Bool) {
    struct Block {
      var sum: Double
      var weight: Double
      var count: Int
      var mean: Double { sum / weight }
    }
    var blocks: [Block] = []
    var offsets: [Double] = []
    var offset = 0.0
    for (index, vertex) in layers[layer].enumerated() {
      if index > 0 {
        let upper = layers[layer][index - 1]
        offset += vertices[upper].height + gap(upper, vertex)
      }
      offsets.append(offset)
      let preferred = preferredY(of: vertex, isLast: isLast, isRightward: isRightward)
      blocks.append(
        Block(sum: (preferred.y - offset) * preferred.weight, weight: preferred.weight, count: 1))
      while blocks.count > 1, blocks[blocks.count - 2].mean > blocks[blocks.count - 1].mean {
        let last = blocks.removeLast()
        blocks[blocks.count - 1].sum += last.sum
        blocks[blocks.count - 1].weight += last.weight
        blocks[blocks.count - 1].count += last.count
      }
    }
    var index = 0
    for block in blocks {
      for _ in 0..<block.count {
        vertices[layers[layer][index]].y = block.mean + offsets[index]
        index += 1
      }
    }
  }

  private func preferredY(of vertex: Int, isLast: Bool, isRightward: Bool) -> (
    y: Double, weight: Double
  ) {
    var (sum, weight) = (0.0, 0.0)
    func add(_ y: Double, _ isLane: Bool) {
      let share = isLane && vertices[vertex].node == nil ? 16.0 : 1.0
      sum += y * share
      weight += share
    }
    if isRightward || isLast {
      for index in before[vertex] {
        let segment = segments[index]
        let y = vertices[segment.left].y + segment.leftPort - segment.rightPort
        add(y, vertices[segment.left].node == nil)
      }
    }
    if !isRightward || isLast {
      for index in after[vertex] {
        let segment = segments[index]
        let y = vertices[segment.right].y + segment.rightPort - segment.leftPort
        add(y, vertices[segment.right].node == nil)
      }
    }
    return weight > 0 ? (sum / weight, weight) : (vertices[vertex].y, 0.05)
  }

  // MARK: Lines

  /// The lines between two layers that start at the same port, and the track of their vertical parts.
  private struct Net {
    var left: Double
    var rights: [Double]
    var segments: [Int]
    var track = 0

    var top: Double { min(left, rights.min() ?? left) }
    var bottom: Double { max(left, rights.max() ?? left) }
    var isStraight: Bool { bottom - top < 0.5 }
    var isDownward: Bool { rights.reduce(0, +) / Double(rights.count) >= left }
  }

  /// Assigns tracks to the lines between two layers, so that overlapping vertical parts have different
  /// tracks.
  private func nets(after layer: Int) -> (nets: [Net], trackCount: Int) {
    var groups: [[Double]: Net] = [:]
    for vertex in layers[layer] {
      for index in after[vertex] {
        let segment = segments[index]
        let left = vertices[vertex].y + segment.leftPort
        let right = vertices[segment.right].y + segment.rightPort
        groups[
          [Double(vertex), segment.leftPort], default: Net(left: left, rights: [], segments: [])
        ]
        .rights.append(right)
        groups[[Double(vertex), segment.leftPort]]?.segments.append(index)
      }
    }
    var nets = groups.values.sorted { ($0.left, $0.segments[0]) < ($1.left, $1.segments[0]) }
    // Downward lines cross the fewest others if the lowest is placed first, upward lines if the
    // highest is.
    let order =
      nets.indices.filter { nets[$0].isDownward }.reversed()
      + nets.indices.filter { !nets[$0].isDownward }
    var placed: [Int] = []
    var count = 0
    for index in order where !nets[index].isStraight {
      let net = nets[index]
      let others = placed.filter { nets[$0].top < net.bottom + 8 && nets[$0].bottom + 8 > net.top }
      nets[index].track = (others.map { nets[$0].track }.max() ?? -1) + 1
      placed.append(index)
      count = max(count, nets[index].track + 1)
    }
    return (nets, count)
  }

  func write(to result: inout LayeredLayout.Result) {
    var x = 0.0
    var lines: [Int: [LayeredLayout.Point]] = [:]
    for layer in layers.indices {
      let width = layers[layer].compactMap { vertices[$0].node.map { nodes[$0].width } }.max() ?? 0
      for vertex in layers[layer] {
        guard let node = vertices[vertex].node else { continue }
        result.origins[node] = .init(x: x, y: vertices[vertex].y)
        result.height = max(result.height, vertices[vertex].y + vertices[vertex].height)
      }
      x += width
      result.width = max(result.width, x)
      guard layer + 1 < layers.count else { continue }
      let (nets, count) = nets(after: layer)
      let start = x + LayeredLayout.margin
      for net in nets {
        let track = start + Double(net.track) * LayeredLayout.trackGap
        for (index, right) in zip(net.segments, net.rights) {
          lines[index] = [.init(x: track, y: net.left), .init(x: track, y: right)]
        }
      }
      x = start + Double(max(0, count - 1)) * LayeredLayout.trackGap + LayeredLayout.margin
    }
    for (index, edge) in edges.enumerated() {
      result.routes[index] = route(edge, chains[index], lines, result.origins)
    }
  }

  private func route(
    _ edge: LayeredLayout.Edge, _ chain: (segments: [Int], isReversed: Bool),
    _ lines: [Int: [LayeredLayout.Point]], _ origins: [LayeredLayout.Point]
  ) -> [LayeredLayout.Point] {
    guard let first = chain.segments.first, let last = chain.segments.last,
      let left = vertices[segments[first].left].node,
      let right = vertices[segments[last].right].node
    else { return [] }
    var points: [LayeredLayout.Point] = [
      .init(x: origins[left].x + nodes[left].width, y: origins[left].y + segments[first].leftPort)
    ]
    for index in chain.segments { points += lines[index] ?? [] }
    points.append(.init(x: origins[right].x, y: origins[right].y + segments[last].rightPort))
    return chain.isReversed ? points.reversed() : points
  }
}
