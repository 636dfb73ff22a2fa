/// The state that one encoding call shares among all its output.
final class EncodingSession {
  let options: SPONEncoder
  /// Indicates whether keys are written unchanged.
  let keysAreUnconverted: Bool
  /// Indicates whether unordered elements are written in a fixed order.
  let sortsElements: Bool
  private var heads: [ObjectIdentifier: [UInt8]] = [:]
  private let namelessHead = Array("@obj<".utf8)
  /// The requirements of the heads that were created.
  private(set) var headRequirements: Output
  /// The first failure that can't be thrown immediately.
  private(set) var failure: SPONError?
  /// Indicates whether an object may contain a key twice.
  var hasDuplicateKeys = false

  init(_ options: SPONEncoder) {
    self.options = options
    keysAreUnconverted =
      if case .useDefaultKeys = options.keyEncodingStrategy { true } else { false }
    sortsElements = options.outputFormatting.contains(.sortedKeys)
    headRequirements = Output(version: options.version)
  }

  func fail(_ error: SPONError) {
    if failure == nil { failure = error }
  }

  /// Returns the head of an object of a type: `@obj:Name<`.
  ///
  /// Angle brackets of generic types become parentheses, and every dictionary is named
  /// `Dictionary`, as in the original implementation.
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
    // The wrapped value of an optional is written, so its type determines the name.
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

/// Collections whose elements have a different order each time, even if they are equal.
private protocol UnorderedCollection {
  /// Encodes the elements sorted by their encoded text.
  ///
  /// - Returns: Whether they were encoded; otherwise they are encoded as keys, which are sorted
  ///   anyway.
  func encodeSorted(to encoder: ValueEncoder) throws -> Bool
}

extension ValueEncoder {
  /// Encodes a value with unordered elements so that equal values have the same text.
  ///
  /// - Returns: Whether the value has such a type.
  @inline(never)
  func encodeSorted<Value: Encodable>(_ value: Value) throws -> Bool {
    guard Value.self is any UnorderedCollection.Type, let value = value as? any UnorderedCollection
    else { return false }
    return try value.encodeSorted(to: self)
  }

  /// Returns the text by which an element is sorted.
  fileprivate func text(of element: some Encodable) throws -> [UInt8] {
    var encoder = node.session.options
    encoder.outputFormatting = .canonical
    return try encoder.bytes(of: element)
  }
}

extension Set: UnorderedCollection where Element: Encodable {
  fileprivate func encodeSorted(to encoder: ValueEncoder) throws -> Bool {
    let elements = try map { (text: try encoder.text(of: $0), element: $0) }
    var container = encoder.unkeyedContainer()
    for (_, element) in elements.sorted(by: { $0.text.lexicographicallyPrecedes($1.text) }) {
      try container.encode(element)
    }
    return true
  }
}

extension Dictionary: UnorderedCollection where Key: Encodable, Value: Encodable {
  fileprivate func encodeSorted(to encoder: ValueEncoder) throws -> Bool {
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
