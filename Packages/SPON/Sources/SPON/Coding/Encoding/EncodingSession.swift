/// What one call of an encoder shares among everything that it writes.
final class EncodingSession {
  let options: SPONEncoder
  /// Whether keys are written as they are.
  let keysArePlain: Bool
  /// Whether elements that have no order are written in one.
  let sortsElements: Bool
  private var heads: [ObjectIdentifier: [UInt8]] = [:]
  private let namelessHead = Array("@obj<".utf8)
  /// What the heads that were made require.
  private(set) var headRequirements: Output
  /// The first thing that can't be reported where it happened.
  private(set) var failure: SPONError?
  /// Whether an object may have a key twice.
  var hasDuplicateKeys = false

  init(_ options: SPONEncoder) {
    self.options = options
    keysArePlain = if case .useDefaultKeys = options.keyEncodingStrategy { true } else { false }
    sortsElements = options.outputFormatting.contains(.sortedKeys)
    headRequirements = Output(version: options.version)
  }

  func fail(_ error: SPONError) {
    if failure == nil { failure = error }
  }

  /// The head of an object of a type: `@obj:Name<`.
  ///
  /// Brackets of generic types are written as the original did; it called every dictionary so.
  func head(of type: Any.Type?) -> [UInt8] {
    guard let type, options.writesTypeNames else { return namelessHead }
    let id = ObjectIdentifier(type)
    if let head = heads[id] { return head }
    let head = newHead(of: type)
    heads[id] = head
    return head
  }

  private func newHead(of type: Any.Type) -> [UInt8] {
    var name = String(describing: type)
    // What an optional holds is written, so it is what has a name.
    while name.hasPrefix("Optional<") { name = String(name.dropFirst(9).dropLast()) }
    var head = Output(version: options.version)
    head.append("@obj:")
    head.typeName(name.hasPrefix("Dictionary<") ? "Dictionary" : Self.withoutBrackets(name))
    head.append(Byte.less)
    headRequirements.join(head)
    return head.takeBytes()
  }

  private static func withoutBrackets(_ name: String) -> String {
    var text = ""
    for scalar in name.unicodeScalars {
      text.unicodeScalars.append(scalar == "<" ? "(" : scalar == ">" ? ")" : scalar)
    }
    return text
  }
}

/// Collections whose elements come in another order each time, though they are equal.
private protocol UnorderedElements {
  /// Encodes the elements in the order of their texts.
  ///
  /// - Returns: Whether they were: otherwise they are encoded as keys, which have their own order.
  func encodeInOrder(to encoder: ValueEncoder) throws -> Bool
}

extension ValueEncoder {
  /// Encodes a value whose elements have no order, where equal values are to be equal texts.
  ///
  /// - Returns: Whether it is of such a type.
  @inline(never)
  func encodeInOrder<Value: Encodable>(_ value: Value) throws -> Bool {
    guard Value.self is any UnorderedElements.Type, let value = value as? any UnorderedElements
    else { return false }
    return try value.encodeInOrder(to: self)
  }

  /// The text by which an element has its place.
  fileprivate func text(of element: some Encodable) throws -> [UInt8] {
    var encoder = piece.session.options
    encoder.outputFormatting = .canonical
    return try encoder.bytes(of: element)
  }
}

extension Set: UnorderedElements where Element: Encodable {
  fileprivate func encodeInOrder(to encoder: ValueEncoder) throws -> Bool {
    let elements = try map { (text: try encoder.text(of: $0), element: $0) }
    var container = encoder.unkeyedContainer()
    for (_, element) in elements.sorted(by: { $0.text.lexicographicallyPrecedes($1.text) }) {
      try container.encode(element)
    }
    return true
  }
}

extension Dictionary: UnorderedElements where Key: Encodable, Value: Encodable {
  fileprivate func encodeInOrder(to encoder: ValueEncoder) throws -> Bool {
    if Key.self == String.self || Key.self == Int.self
      || Key.self is any CodingKeyRepresentable.Type
    {
      return false
    }
    let pairs = try map { (text: try encoder.text(of: $0.key), pair: $0) }
    var container = encoder.unkeyedContainer()
    for (_, pair) in pairs.sorted(by: { $0.text.lexicographicallyPrecedes($1.text) }) {
      try container.encode(pair.key)
      try container.encode(pair.value)
    }
    return true
  }
}
