internal import Primitives

// What a value is, asked by type. The answer is `nil` where the value is of another type, or can't be
// given as what is asked for without loss. A text without a type is read as what is asked for
// (FORMAT.md, S13).

extension SPONValue {
  /// Whether this is null.
  public var isNull: Bool {
    if case .null = self { true } else { false }
  }

  /// The text, of ``string(_:)`` and ``opaque(_:)``.
  public var string: String? {
    switch self {
    case .string(let text), .opaque(let text): text
    default: nil
    }
  }

  /// The boolean, of ``bool(_:)`` and of a text `true` or `false` without a type.
  public var bool: Bool? {
    switch self {
    case .bool(let value): value
    case .opaque("true"): true
    case .opaque("false"): false
    default: nil
    }
  }

  /// The number as an `Int`, where it is one. See ``integer(as:)``.
  public var int: Int? { integer() }

  /// The number as an integer of a type, where it is one: from integers, from other numbers that are
  /// whole, and from the digits of a text without a type.
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

  /// The number as a `Double`: of ``double(_:)`` and ``float(_:)``, of integers that a `Double` holds
  /// exactly, of decimal numbers that are the shortest text of a `Double`, and of a text without a type
  /// that is a number.
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

  /// The number as a `Float`: of ``float(_:)``, of other numbers that a `Float` holds exactly, and of a
  /// text without a type that is a number.
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

  /// The number as a decimal number: of every number that is not infinite. That of ``double(_:)`` and
  /// ``float(_:)`` is the one that their shortest text says.
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

  /// The bytes, of ``bytes(_:)`` and of a text in Base64 without a type.
  public var bytes: [UInt8]? {
    switch self {
    case .bytes(let bytes): return bytes
    case .opaque(let text):
      let text = Array(text.utf8)
      return try? Base64.decoded(text.elementSpan)
    default: return nil
    }
  }

  /// The instant, of ``instant(_:)`` and of a date and time without a type, as RFC 3339 or as the
  /// original wrote it.
  public var instant: SPONInstant? {
    switch self {
    case .instant(let value): value
    case .opaque(let text): SPONInstant(text)
    default: nil
    }
  }

  /// A text's number, read by a reader of `Numbers`.
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
  /// Whether a text is an integer as SPON writes one. `Int` itself also takes a `+`.
  fileprivate static func isWritten(_ text: String) -> Bool { text.utf8.first != 0x2B }
}
