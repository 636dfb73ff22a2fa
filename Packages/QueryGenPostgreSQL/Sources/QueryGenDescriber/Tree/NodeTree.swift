/// A value of PostgreSQL's analyzed statements, as the server prints them: `{VAR :varno 1 :varattno 2 …}`.
///
/// Only structure is read. The code that uses the fields determines their meaning, since their names and order differ
/// between releases.
indirect enum NodeTree {
  case null
  /// A number, a word, or a string without its quotes and escapes.
  case token(String)
  case node(Node)
  case list([NodeTree])

  /// A node with its fields.
  final class Node {
    let label: String
    fileprivate(set) var fields: [String: NodeTree] = [:]

    fileprivate init(label: String) { self.label = label }
  }

  /// The maximum depth of nested nodes.
  static let maximumDepth = 1_000

  /// Reads a printed value; `nil` if the text is malformed or nested too deeply.
  init?(_ text: String) {
    var reader = NodeReader(bytes: Array(text.utf8))
    guard let value = reader.value(depth: 0), reader.isAtEnd else { return nil }
    self = value
  }
}

extension NodeTree {
  var node: Node? { if case .node(let node) = self { node } else { nil } }

  /// The elements of a list; none if the value is not a list.
  var elements: [NodeTree] { if case .list(let elements) = self { elements } else { [] } }

  /// The nodes of a list.
  var nodes: [Node] { elements.compactMap(\.node) }

  var text: String? { if case .token(let text) = self { text } else { nil } }

  var isNone: Bool { if case .null = self { true } else { false } }
}

extension NodeTree.Node {
  subscript(field: String) -> NodeTree { fields[field] ?? .null }

  func integer(_ field: String) -> Int? { self[field].text.flatMap { Int($0) } }

  func identifier(_ field: String) -> UInt32 { self[field].text.flatMap { UInt32($0) } ?? 0 }

  func flag(_ field: String) -> Bool { self[field].text == "true" }

  func child(_ field: String) -> NodeTree.Node? { self[field].node }

  func children(_ field: String) -> [NodeTree.Node] { self[field].nodes }

  /// Passes this node and all nodes in it to `body`.
  func forEachNode(_ body: (NodeTree.Node) -> Void) {
    body(self)
    for value in fields.values { value.forEachNode(body) }
  }
}

extension NodeTree {
  fileprivate func forEachNode(_ body: (Node) -> Void) {
    switch self {
    case .node(let node): node.forEachNode(body)
    case .list(let elements): for element in elements { element.forEachNode(body) }
    case .null, .token: break
    }
  }
}

/// Reads printed nodes.
private struct NodeReader {
  let bytes: [UInt8]
  var position = 0

  var isAtEnd: Bool {
    mutating get {
      skipSpace()
      return position == bytes.count
    }
  }

  private mutating func skipSpace() {
    while position < bytes.count, [0x20, 0x0A, 0x09, 0x0D].contains(bytes[position]) {
      position += 1
    }
  }

  private func isDelimiter(_ byte: UInt8) -> Bool {
    [0x20, 0x0A, 0x09, 0x0D].contains(byte) || "(){}".utf8.contains(byte)
  }

  mutating func value(depth: Int) -> NodeTree? {
    skipSpace()
    guard position < bytes.count, depth < NodeTree.maximumDepth else { return nil }
    switch bytes[position] {
    case UInt8(ascii: "{"): return node(depth: depth)
    case UInt8(ascii: "("): return list(depth: depth)
    default: return token()
    }
  }

  private mutating func token() -> NodeTree? {
    guard position < bytes.count else { return nil }
    if bytes[position] == UInt8(ascii: "\"") { return quoted() }
    var text: [UInt8] = []
    var isEscaped = false
    while position < bytes.count, !isDelimiter(bytes[position]) {
      if bytes[position] == UInt8(ascii: "\\"), position + 1 < bytes.count {
        position += 1
        isEscaped = true
      }
      text.append(bytes[position])
      position += 1
    }
    guard !text.isEmpty else { return nil }
    let token = String(decoding: text, as: UTF8.self)
    return token == "<>" && !isEscaped ? NodeTree.null : .token(token)
  }

  private mutating func quoted() -> NodeTree? {
    position += 1
    var text: [UInt8] = []
    while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
      if bytes[position] == UInt8(ascii: "\\"), position + 1 < bytes.count { position += 1 }
      text.append(bytes[position])
      position += 1
    }
    guard position < bytes.count else { return nil }
    position += 1
    return .token(String(decoding: text, as: UTF8.self))
  }

  private mutating func list(depth: Int) -> NodeTree? {
    position += 1
    var elements: [NodeTree] = []
    while true {
      skipSpace()
      guard position < bytes.count else { return nil }
      if bytes[position] == UInt8(ascii: ")") {
        position += 1
        return .list(elements)
      }
      guard let element = value(depth: depth + 1) else { return nil }
      elements.append(element)
    }
  }

  private mutating func node(depth: Int) -> NodeTree? {
    position += 1
    guard case .token(let label)? = token() else { return nil }
    let node = NodeTree.Node(label: label)
    while true {
      skipSpace()
      guard position < bytes.count else { return nil }
      if bytes[position] == UInt8(ascii: "}") {
        position += 1
        return .node(node)
      }
      guard bytes[position] == UInt8(ascii: ":"), case .token(let name)? = token() else {
        return nil
      }
      guard let value = value(depth: depth + 1) else { return nil }
      node.fields[String(name.dropFirst())] = datum() ?? value
    }
  }

  /// Reads the bytes of a constant, which follow their number: `4 [ 1 0 0 0 ]`.
  private mutating func datum() -> NodeTree? {
    skipSpace()
    guard position < bytes.count, bytes[position] == UInt8(ascii: "[") else { return nil }
    position += 1
    var elements: [NodeTree] = []
    while true {
      skipSpace()
      guard position < bytes.count else { return .list(elements) }
      if bytes[position] == UInt8(ascii: "]") {
        position += 1
        return .list(elements)
      }
      guard let byte = token() else { return .list(elements) }
      elements.append(byte)
    }
  }
}
