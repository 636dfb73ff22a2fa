internal import Primitives

/// Writes a tree of values as text.
struct ValueWriter {
  private var output: Output
  private let isPretty: Bool
  private let isSorted: Bool
  private let depthLimit: Int
  private var depth = 0

  /// Returns the text of a value.
  static func bytes(
    of value: SPONValue, isPretty: Bool, isSorted: Bool, balancesBrackets: Bool = false,
    version: SPONValue.Version, depthLimit: Int
  ) throws(SPONError) -> [UInt8] {
    var writer = ValueWriter(
      output: Output(version: version, balancesBrackets: balancesBrackets), isPretty: isPretty,
      isSorted: isSorted, depthLimit: depthLimit)
    try writer.root(value)
    if let refusal = writer.output.refusal {
      throw SPONError(.notRepresentable, "version 1 of SPON does not support \(refusal)")
    }
    return writer.output.takeDocument(isPretty: isPretty)
  }

  /// Returns the text of a value after a key or as an element, without the key or the comma before
  /// it.
  static func fragment(
    of value: SPONValue, isPair: Bool, version: SPONValue.Version, depthLimit: Int
  ) throws(SPONError) -> Output {
    var writer = ValueWriter(
      output: Output(version: version), isPretty: false, isSorted: false, depthLimit: depthLimit)
    try writer.value(value, isPair: isPair)
    return writer.output
  }

  /// Writes a value into a document.
  ///
  /// - Parameters:
  ///   - output: The text written before. After an error, it may end with a part of the value.
  ///   - isPair: Whether the value follows a key, rather than being an element.
  ///   - depth: The number of containers around the value.
  static func append(
    _ value: SPONValue, to output: inout Output, isPair: Bool, isPretty: Bool, isSorted: Bool,
    depth: Int, depthLimit: Int
  ) throws(SPONError) {
    var writer = ValueWriter(
      output: Output(version: output.version, balancesBrackets: output.balancesBrackets),
      isPretty: isPretty, isSorted: isSorted, depthLimit: depthLimit)
    writer.depth = depth
    swap(&writer.output, &output)
    defer { swap(&writer.output, &output) }
    try writer.value(value, isPair: isPair)
  }

  private init(output: Output, isPretty: Bool, isSorted: Bool, depthLimit: Int) {
    self.output = output
    self.isPretty = isPretty
    self.isSorted = isSorted
    self.depthLimit = depthLimit
  }

  private mutating func root(_ value: SPONValue) throws(SPONError) {
    switch value {
    case .object, .array: break
    default: output.requireVersion2("a document that is a single value")
    }
    try self.value(value, isPair: false)
  }

  /// Writes a value: after a key if `isPair`, otherwise as an element.
  private mutating func value(_ value: SPONValue, isPair: Bool) throws(SPONError) {
    switch value {
    case .null: output.null(isPair: isPair)
    case .bool(let value): output.bool(value, isPair: isPair)
    case .integer(let value): output.integer(value, isPair: isPair)
    case .unsigned(let value): output.unsigned(value, isPair: isPair)
    case .float(let value): output.float(value, isPair: isPair)
    case .double(let value): output.double(value, isPair: isPair)
    case .decimal(let value): output.decimal(value, isPair: isPair)
    case .string(let value): output.string(value, isPair: isPair)
    case .opaque(let value): output.opaque(value, isPair: isPair)
    case .bytes(let value): output.data(value, isPair: isPair)
    case .instant(let value): output.instant(value, isPair: isPair)
    case .array(let elements):
      if isPair { output.append(Byte.equals) }
      output.append("@array[")
      try body(of: elements)
    case .object(let object):
      if isPair { output.append(Byte.equals) }
      head(of: object)
      try body(of: object)
    }
  }

  private mutating func head(of object: SPONObject) {
    output.append("@obj")
    if !object.typeName.isEmpty {
      output.append(Byte.colon)
      output.typeName(object.typeName)
    }
    output.append(Byte.less)
  }

  private mutating func body(of object: SPONObject) throws(SPONError) {
    try beginContainer()
    let indexes =
      isSorted
      ? object.keys.indices.sorted { object.keys[$0].precedes(object.keys[$1]) }
      : Array(object.keys.indices)
    for (count, index) in indexes.enumerated() {
      if isPretty { newLine() } else if count > 0 { output.append(Byte.space) }
      output.key(object.keys[index])
      try value(object.values[index], isPair: true)
    }
    endContainer(isEmpty: object.isEmpty)
    output.append(Byte.greater)
  }

  private mutating func body(of elements: [SPONValue]) throws(SPONError) {
    try beginContainer()
    for (count, element) in elements.enumerated() {
      if count > 0 { output.append(Byte.comma) }
      if isPretty { newLine() } else if count > 0 { output.append(Byte.space) }
      try value(element, isPair: false)
    }
    endContainer(isEmpty: elements.isEmpty)
    output.append(Byte.closeBracket)
  }

  private mutating func beginContainer() throws(SPONError) {
    depth += 1
    guard depth <= depthLimit else {
      throw SPONError(.tooDeep, "containers are nested more than \(depthLimit) deep")
    }
  }

  private mutating func endContainer(isEmpty: Bool) {
    depth -= 1
    if isPretty, !isEmpty { newLine() }
  }

  private mutating func newLine() {
    output.append(Byte.lineFeed)
    for _ in 0..<depth { output.append("  ") }
  }
}

extension String {
  /// Returns whether a key precedes another one in canonical form, which sorts by UTF-8 bytes.
  func precedes(_ other: String) -> Bool {
    StepCounter.step()
    return utf8.lexicographicallyPrecedes(other.utf8)
  }
}
