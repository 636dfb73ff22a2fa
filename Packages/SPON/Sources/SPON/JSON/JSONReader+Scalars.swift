internal import Primitives

// Numbers, and wrapped values.

extension JSONReader {
  /// Returns the value of a number's event: the type that its wrapper names, or else a type that
  /// represents it exactly.
  mutating func number(_ event: JSONEvent) throws(ScanFailure) -> SPONValue {
    let range = events.range
    let text = bytes.elementSpan
    // The events apply length limits to long numbers only.
    guard range.count <= limits.length else { throw tooLong(range.lowerBound) }
    switch (special, event) {
    case (.wrapper(.float), _): return .float(try Numbers.float(text, range))
    case (.wrapper(.double), _): return .double(try Numbers.double(text, range))
    case (.wrapper(.decimal), _): return .decimal(try decimal(text, range))
    case (_, .integer): return .integer(events.integer)
    case (_, .double): return .double(events.double)
    default: break
    }
    // The events have no value for the number: it is an unsigned integer, a number that only a
    // decimal represents exactly, or a `Double` that is written without a fraction.
    if let (bits, isUnsigned) = try? Numbers.integer(text, range) {
      return isUnsigned ? .unsigned(bits) : .integer(Int64(bitPattern: bits))
    }
    let decimal = try decimal(text, range)
    guard let value = try? Numbers.double(text, range),
      SPONDecimal(value.description) == decimal
    else { return .decimal(decimal) }
    return .double(value)
  }

  private func decimal(
    _ text: Span<UInt8>, _ range: Range<Int>
  ) throws(ScanFailure) -> SPONDecimal {
    try Numbers.checkDecimal(text, range)
    return SPONDecimal(checked: text, range)
  }

  func tooLong(_ offset: Int) -> ScanFailure {
    ScanFailure(.tooLong, "the value is longer than \(limits.length) bytes", at: offset)
  }
}

// MARK: Wrapped values

extension JSONReader {
  /// Returns the value that a wrapped value represents. `start` is the offset of the wrapped value.
  func unwrapped(
    _ value: SPONValue, _ wrapper: JSONWrapper, _ start: Int
  ) throws(ScanFailure) -> SPONValue {
    switch (wrapper, value) {
    case (.float, .float), (.double, .double), (.decimal, .decimal): return value
    case (.opaque, .string(let text)): return .opaque(text)
    case (_, .string(let text)):
      if let value = Self.read(text, as: wrapper) { return value }
    default: break
    }
    throw invalid("the value is invalid for \"\(wrapper.rawValue)\"", at: start)
  }

  private static func read(_ text: String, as wrapper: JSONWrapper) -> SPONValue? {
    switch (wrapper, text) {
    case (.float, "nan"): return .float(.nan)
    case (.float, "inf"): return .float(.infinity)
    case (.float, "-inf"): return .float(-.infinity)
    case (.double, "nan"): return .double(.nan)
    case (.double, "inf"): return .double(.infinity)
    case (.double, "-inf"): return .double(-.infinity)
    case (.decimal, _): return SPONDecimal(text).map { .decimal($0) }
    case (.data, _): return SPONValue.opaque(text).bytes.map { .bytes($0) }
    case (.instant, _):
      let bytes = Array(text.utf8)
      return InstantText.parse(bytes.elementSpan, 0..<bytes.count).map { .instant($0) }
    default: return nil
    }
  }
}
