internal import Primitives

// The contents of a value as Swift types. A property is `nil` if the value has another type, or
// can't be converted without loss. A text without a type is converted to the requested type
// (FORMAT.md, S13).

extension SPONValue {
  /// A Boolean value that indicates whether the value is null.
  public var isNull: Bool {
    if case .null = self { true } else { false }
  }

  /// The text of a ``string(_:)`` or ``opaque(_:)``.
  public var string: String? {
    switch self {
    case .string(let text), .opaque(let text): text
    default: nil
    }
  }

  /// The boolean of a ``bool(_:)``, or of an untyped text `true` or `false`.
  public var bool: Bool? {
    switch self {
    case .bool(let value): value
    case .opaque("true"): true
    case .opaque("false"): false
    default: nil
    }
  }

  /// The number as an `Int`, if it can be represented. See ``integer(as:)``.
  public var int: Int? { integer() }

  /// Returns the number as an integer of a type, if it can be represented: from integers, from
  /// whole numbers of other types, and from the digits of an untyped text.
  ///
  /// ```swift
  /// let port = SPONValue.integer(8080).integer(as: UInt16.self)  // 8080
  /// let small = SPONValue.integer(8080).integer(as: UInt8.self)  // nil
  /// ```
  public func integer<Integer: FixedWidthInteger>(
    as type: Integer.Type = Integer.self
  ) -> Integer? {
    switch self {
    case .integer(let value): Integer(exactly: value)
    case .unsigned(let value): Integer(exactly: value)
    case .float(let value): Integer(exactly: value)
    case .double(let value): Integer(exactly: value)
    case .decimal(let value): value.integer()
    case .opaque(let text): Integer.isWritten(text) ? Integer(text) : nil
    default: nil
    }
  }

  /// The number as a `Double`: of a ``double(_:)`` or ``float(_:)``, of an integer that a `Double`
  /// represents exactly, of a decimal number that is the shortest text of a `Double`, and of an
  /// untyped text that is a number.
  public var double: Double? {
    switch self {
    case .double(let value): value
    case .float(let value): Double(value)
    case .integer(let value): Double(exactly: value)
    case .unsigned(let value): Double(exactly: value)
    case .decimal(let value): value.double
    case .opaque(let text): Self.number(text) { Numbers.doubleOrNil($0, $1) }
    default: nil
    }
  }

  /// The number as a `Float`: of a ``float(_:)``, of another number that a `Float` represents
  /// exactly, and of an untyped text that is a number.
  public var float: Float? {
    switch self {
    case .float(let value): value
    case .double(let value): value.isNaN ? .nan : Float(exactly: value)
    case .integer(let value): Float(exactly: value)
    case .unsigned(let value): Float(exactly: value)
    case .decimal(let value): value.float
    case .opaque(let text): Self.number(text) { Numbers.floatOrNil($0, $1) }
    default: nil
    }
  }

  /// The number as a decimal number: of any number that is not infinite. For a ``double(_:)`` or
  /// ``float(_:)``, it is the number in its shortest text.
  public var decimal: SPONDecimal? {
    switch self {
    case .decimal(let value): value
    case .integer(let value): SPONDecimal(value)
    case .unsigned(let value): SPONDecimal(value)
    case .double(let value): value.isNaN ? .notANumber : SPONDecimal(value.description)
    case .float(let value): value.isNaN ? .notANumber : SPONDecimal(value.description)
    case .opaque(let text): SPONDecimal(text)
    default: nil
    }
  }

  /// The bytes of a ``bytes(_:)``, or of an untyped text in Base64.
  public var bytes: [UInt8]? {
    switch self {
    case .bytes(let bytes): return bytes
    case .opaque(let text):
      let text = Array(text.utf8)
      return try? Base64.decoded(text.elementSpan)
    default: return nil
    }
  }

  /// The instant of an ``instant(_:)``, or of an untyped date and time according to RFC 3339 or in
  /// the format of the original implementation.
  public var instant: SPONInstant? {
    switch self {
    case .instant(let value): value
    case .opaque(let text): SPONInstant(text)
    default: nil
    }
  }

  /// Parses a text as a number.
  private static func number<Number>(
    _ text: String, _ read: (Span<UInt8>, Range<Int>) -> Number?
  ) -> Number? {
    let bytes = Array(text.utf8)
    return read(bytes.elementSpan, 0..<bytes.count)
  }
}

extension Numbers {
  fileprivate static func doubleOrNil(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Double? {
    try? double(bytes, range)
  }

  fileprivate static func floatOrNil(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Float? {
    try? float(bytes, range)
  }
}

extension FixedWidthInteger {
  /// Returns whether a text is an integer in the syntax of SPON. Unlike `Int`, it does not allow a
  /// `+`.
  fileprivate static func isWritten(_ text: String) -> Bool { text.utf8.first != 0x2B }
}
