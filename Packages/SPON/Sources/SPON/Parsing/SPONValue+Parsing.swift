extension SPONValue {
  /// Parses a SPON text.
  ///
  /// ```swift
  /// let value = try SPONValue(parsing: "@array[1!, 2.5&, `three`]")
  /// ```
  ///
  /// - Throws: ``SPONError`` with a position if the text is not SPON or exceeds a limit. A
  ///   duplicate key is not an error, unless `rules` reject it: the last value is kept.
  /// - Complexity: O(*n*) in the length of the text.
  public init(
    parsing text: some StringProtocol, rules: Rules = .standard, limits: Limits = .init()
  ) throws(SPONError) {
    try self.init(parsing: Array(text.utf8), rules: rules, limits: limits)
  }

  /// Parses a SPON text from UTF-8 bytes.
  ///
  /// - Throws: ``SPONError``, as ``init(parsing:rules:limits:)`` does for a string.
  public init(
    parsing bytes: [UInt8], rules: Rules = .standard, limits: Limits = .init()
  ) throws(SPONError) {
    let tape = try TapeBuilder.tape(of: bytes, rules: rules, limits: limits)
    var builder = ValueBuilder(tape)
    self = builder.value(at: 0)
  }
}

/// Builds a tree of values from a tape.
struct ValueBuilder {
  private let tape: Tape
  /// The keys of the last object with each number of keys. The next object of the same size often
  /// has equal keys, and then shares them.
  private var shapes: [Int: (numbers: [Int32], keys: [String])] = [:]

  init(_ tape: Tape) { self.tape = tape }

  mutating func value(at index: Int) -> SPONValue {
    let entry = tape.entries[index]
    switch entry.kind {
    case .array: return .array(elements(of: entry, at: index))
    case .object: return .object(object(entry, at: index))
    default:
      return entry.kind.scalar(
        bits: entry.bits, entry.content, in: tape.bytes, mayHaveEscapes: entry.mayHaveEscapes,
        level: tape.level)
    }
  }

  private mutating func elements(of entry: Tape.Entry, at index: Int) -> [SPONValue] {
    var values: [SPONValue] = []
    values.reserveCapacity(entry.count)
    var at = index + 1
    while at < entry.end {
      values.append(value(at: at))
      at = tape.end(of: at)
    }
    return values
  }

  private mutating func object(_ entry: Tape.Entry, at index: Int) -> SPONObject {
    var values: [SPONValue] = []
    values.reserveCapacity(entry.count)
    var numbers: [Int32] = []
    var shape = shapes[entry.count]
    var isKnown = shape != nil
    var at = index + 1
    while at < entry.end {
      let child = tape.entries[at]
      if !child.isSuperseded {
        if isKnown, let shape, shape.numbers.count > values.count,
          shape.numbers[values.count] == child.key
        {
          // The same key as in the last object.
        } else {
          if isKnown, let shape { numbers.append(contentsOf: shape.numbers[..<values.count]) }
          isKnown = false
          numbers.append(child.key)
        }
        values.append(value(at: at))
      }
      at = tape.end(of: at)
    }
    if !isKnown || shape?.numbers.count != values.count {
      if isKnown, let shape { numbers.append(contentsOf: shape.numbers[..<values.count]) }
      shape = (numbers, numbers.map { tape.keys[Int($0)] })
      shapes[entry.count] = shape
    }
    return SPONObject(
      typeName: tape.typeName(entry), distinctKeys: shape?.keys ?? [], values: values)
  }
}
