internal import Primitives

/// Writes a tree of values as JSON, without recursion.
struct JSONWriter {
  /// An open container.
  private struct Frame {
    let values: [SPONValue]
    /// The keys of an object.
    let keys: [String]?
    /// The order in which the values are written; `nil` for their own order.
    let order: [Int]?
    /// The number of values whose writing has begun.
    var count = 0
    /// Indicates whether no value has been written.
    var isEmpty = true

    /// Advances to the next value, and returns its index.
    mutating func next() -> Int? {
      guard count < values.count else { return nil }
      count += 1
      return place
    }

    /// The index of the current value.
    var place: Int? {
      guard count > 0 else { return nil }
      return order?[count - 1] ?? count - 1
    }
  }

  private var bytes: [UInt8] = []
  private let isTyped: Bool
  private let isPretty: Bool
  private let isSorted: Bool
  private let depthLimit = SPONValue.Limits().depth
  private var frames: [Frame] = []

  static func bytes(
    of value: SPONValue, style: SPONValue.JSONStyle, formatting: SPONValue.Formatting
  ) throws(SPONError) -> [UInt8] {
    var writer = JSONWriter(style, formatting)
    try writer.write(value)
    return writer.bytes
  }

  private init(_ style: SPONValue.JSONStyle, _ formatting: SPONValue.Formatting) {
    isTyped = style == .typed
    isPretty = formatting.contains(.prettyPrinted)
    isSorted = formatting.contains(.sortedKeys)
  }

  private mutating func write(_ root: SPONValue) throws(SPONError) {
    try value(root)
    while let top = frames.indices.last {
      guard let place = frames[top].next() else {
        close()
        continue
      }
      beginMember()
      if let key = frames[top].keys?[place] {
        self.key(isTyped && key.utf8.first == Byte.at ? "@" + key : key)
      }
      try value(frames[top].values[place])
    }
  }

  private mutating func value(_ value: SPONValue) throws(SPONError) {
    switch value {
    case .null: append("null")
    case .bool(let value): append(value ? "true" : "false")
    case .integer(let value): append(value.description)
    case .unsigned(let value): append(value.description)
    case .string(let value): string(value)
    case .double(let value):
      try number(value.description, isFinite: value.isFinite, isNaN: value.isNaN, .double)
    case .float(let value):
      try number(value.description, isFinite: value.isFinite, isNaN: value.isNaN, .float)
    case .decimal(let value) where isTyped:
      if Self.isNumber(value) {
        append(value.description)
      } else {
        wrap(.decimal) { $0.string(value.description) }
      }
    case .decimal(let value):
      try number(value.description, isFinite: !value.isNaN, isNaN: value.isNaN, .decimal)
    case .bytes(let value):
      wrap(.data) { writer in
        writer.bytes.append(Self.quote)
        Base64.append(value.elementSpan, to: &writer.bytes)
        writer.bytes.append(Self.quote)
      }
    case .instant(let value): wrap(.instant) { $0.string(value.description) }
    case .opaque(let value): wrap(.opaque) { $0.string(value) }
    case .array(let elements):
      try open(Frame(values: elements, keys: nil, order: nil), Byte.openBracket)
    case .object(let object):
      let order =
        isSorted
        ? object.keys.indices.sorted { object.keys[$0].precedes(object.keys[$1]) } : nil
      try open(Frame(values: object.values, keys: object.keys, order: order), Self.openBrace)
      if isTyped, !object.typeName.isEmpty {
        beginMember()
        key(JSONWrapper.typeName)
        string(object.typeName)
      }
    }
  }

  /// Returns whether a JSON number with these digits is read as the same decimal number, because no
  /// other type represents it.
  private static func isNumber(_ value: SPONDecimal) -> Bool {
    !value.isNaN && (try? SPONValue(json: value.description, style: .plain)) == .decimal(value)
  }

  /// Writes a number with a fraction or an exponent.
  private mutating func number(
    _ text: String, isFinite: Bool, isNaN: Bool, _ wrapper: JSONWrapper
  ) throws(SPONError) {
    switch (isTyped, isFinite) {
    // The text of a `Double` always has a point or an exponent, so it is read as a `Double`.
    case (true, true) where wrapper == .double, (false, true): append(text)
    case (true, true): wrap(wrapper) { $0.append(text) }
    case (true, false): wrap(wrapper) { $0.string(isNaN ? "nan" : text) }
    case (false, false):
      throw SPONError(.notRepresentable, "JSON has no number \(isNaN ? "nan" : text)", in: path)
    }
  }

  /// Writes a value in a wrapper that names its type, if the style is typed.
  private mutating func wrap(_ wrapper: JSONWrapper, _ content: (inout JSONWriter) -> Void) {
    guard isTyped else { return content(&self) }
    bytes.append(Self.openBrace)
    key(wrapper.rawValue)
    content(&self)
    bytes.append(Self.closeBrace)
  }
}

// MARK: Containers

extension JSONWriter {
  private mutating func open(_ frame: Frame, _ bracket: UInt8) throws(SPONError) {
    guard frames.count < depthLimit else {
      throw SPONError(.tooDeep, "containers are nested more than \(depthLimit) deep", in: path)
    }
    frames.append(frame)
    bytes.append(bracket)
  }

  /// Writes the separator before a member or an element.
  private mutating func beginMember() {
    guard let top = frames.indices.last else { return }
    if !frames[top].isEmpty { bytes.append(Byte.comma) }
    frames[top].isEmpty = false
    if isPretty { newLine() }
  }

  private mutating func close() {
    guard let frame = frames.popLast() else { return }
    if isPretty, !frame.isEmpty { newLine() }
    bytes.append(frame.keys == nil ? Byte.closeBracket : Self.closeBrace)
  }

  private mutating func newLine() {
    bytes.append(Byte.lineFeed)
    for _ in frames { append("  ") }
  }

  /// The path to the value that is being written.
  private var path: [SPONPath.Key] {
    frames.compactMap { frame in
      frame.place.map { place in frame.keys.map { .key($0[place]) } ?? .index(place) }
    }
  }
}

// MARK: Texts

extension JSONWriter {
  private static let quote: UInt8 = 0x22
  private static let openBrace: UInt8 = 0x7B
  private static let closeBrace: UInt8 = 0x7D

  private mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

  private mutating func key(_ key: String) {
    string(key)
    bytes.append(Byte.colon)
    if isPretty { bytes.append(Byte.space) }
  }

  private mutating func string(_ text: String) {
    let text = Array(text.utf8)
    JSONText.append(quoted: text.elementSpan, to: &bytes)
  }
}
