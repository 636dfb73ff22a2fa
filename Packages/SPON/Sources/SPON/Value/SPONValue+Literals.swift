extension SPONValue: ExpressibleByNilLiteral {
  /// Null. Where an optional value is expected, `nil` is that optional's: write `.null` there.
  public init(nilLiteral: ()) { self = .null }
}

extension SPONValue: ExpressibleByBooleanLiteral {
  public init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension SPONValue: ExpressibleByIntegerLiteral {
  public init(integerLiteral value: Int64) { self = .integer(value) }
}

extension SPONValue: ExpressibleByFloatLiteral {
  /// A ``double(_:)``.
  public init(floatLiteral value: Double) { self = .double(value) }
}

extension SPONValue: ExpressibleByStringInterpolation {
  public init(stringLiteral value: String) { self = .string(value) }
}

extension SPONValue: ExpressibleByArrayLiteral {
  public init(arrayLiteral elements: SPONValue...) { self = .array(elements) }
}

extension SPONValue: ExpressibleByDictionaryLiteral {
  /// An object of the pairs in the order in which they are written. Of two with one key, the last holds.
  public init(dictionaryLiteral elements: (String, SPONValue)...) {
    var object = SPONObject()
    for (key, value) in elements { object[key] = value }
    self = .object(object)
  }
}
