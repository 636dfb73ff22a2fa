extension SPONValue {
  /// Reads a text in SPON.
  ///
  /// ```swift
  /// let value = try SPONValue(parsing: "@array[1!, 2.5&, `three`]")
  /// ```
  ///
  /// - Throws: ``SPONError`` with the place where the text is not SPON or passes a limit. A key that an
  ///   object has twice is not an error, unless `rules` say so: the last value holds.
  /// - Complexity: O(*n*) in the length of the text.
  public init(
    parsing text: some StringProtocol, rules: Rules = .standard, limits: Limits = .init()
  ) throws(SPONError) {
    try self.init(parsing: Array(text.utf8), rules: rules, limits: limits)
  }

  /// Reads a text in SPON from its bytes in UTF-8.
  ///
  /// - Throws: ``SPONError``, as ``init(parsing:rules:limits:)`` of a text does.
  public init(
    parsing bytes: [UInt8], rules: Rules = .standard, limits: Limits = .init()
  ) throws(SPONError) {
    let tape = try TapeBuilder.tape(of: bytes, rules: rules, limits: limits)
    var builder = ValueBuilder(tape)
    self = builder.value(at: 0)
  }
}

/// A tape to a tree of values.
struct ValueBuilder {
  private let tape: Tape
  /// By how many keys an object has, the keys of the last such object: the next one often has the
  /// same ones, and then shares them.
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
          // As the last object.
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
