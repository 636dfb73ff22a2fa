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
