internal import Primitives

/// Reading of the types that most columns have.
extension PostgreSQLField {
  @inline(__always)
  private func load<Value: FixedWidthInteger>(_ type: Value.Type) throws(PostgreSQLError) -> Value {
    guard let start = unsafe start, count == Value.bitWidth / 8 else { throw invalidBytes() }
    return unsafe Value(bigEndian: start.loadUnaligned(as: Value.self))
  }

  /// Reads an integer: also a `numeric` without a fraction, the type of a sum of integers.
  ///
  /// - Throws: ``PostgreSQLError`` if the value is NULL, has another type, or does not fit 64 bits.
  @inlinable
  public func integer() throws(PostgreSQLError) -> Int64 {
    if case .int8 = kind, count == 8, let start = unsafe start {
      return unsafe Int64(bigEndian: start.loadUnaligned(as: Int64.self))
    }
    return try convertedInteger()
  }

  /// Reads an integer of any type.
  @usableFromInline
  func convertedInteger() throws(PostgreSQLError) -> Int64 {
    guard !isNull else { throw unexpectedNull("an integer") }
    switch kind {
    case .int4: return Int64(try load(Int32.self))
    case .int8: return try load(Int64.self)
    case .int2: return Int64(try load(Int16.self))
    case .oid: return Int64(try load(UInt32.self))
    case .numeric:
      guard let value = NumericFormat.integer(bytes) else { throw outOfRange(for: "Int64") }
      return value
    default: throw mismatch(for: "an integer")
    }
  }

  /// Reads a floating-point number, or an integer that a `Double` represents exactly.
  ///
  /// - Throws: ``PostgreSQLError`` if the value is NULL, has another type, or can't be represented. A `numeric` is not
  ///   read, since that would lose digits: read it as `Decimal`, or cast it in SQL.
  @inlinable
  public func double() throws(PostgreSQLError) -> Double {
    if case .float8 = kind, count == 8, let start = unsafe start {
      return unsafe Double(bitPattern: UInt64(bigEndian: start.loadUnaligned(as: UInt64.self)))
    }
    return try convertedDouble()
  }

  /// Reads a floating-point number of any type.
  @usableFromInline
  func convertedDouble() throws(PostgreSQLError) -> Double {
    guard !isNull else { throw unexpectedNull("a floating-point number") }
    switch kind {
    case .float8: return Double(bitPattern: try load(UInt64.self))
    case .float4: return Double(Float(bitPattern: try load(UInt32.self)))
    case .int2, .int4, .int8, .oid:
      guard let exact = Double(exactly: try integer()) else { throw outOfRange(for: "Double") }
      return exact
    default: throw mismatch(for: "a floating-point number")
    }
  }

  /// Reads a Boolean.
  ///
  /// - Throws: ``PostgreSQLError`` if the value is NULL or has another type.
  public func bool() throws(PostgreSQLError) -> Bool {
    guard !isNull else { throw unexpectedNull("a Boolean") }
    guard case .bool = kind else { throw mismatch(for: "a Boolean") }
    return try load(UInt8.self) != 0
  }

  /// Reads text: of a string type, an enumeration, JSON or XML.
  ///
  /// - Throws: ``PostgreSQLError`` if the value is NULL, has another type, or is not valid UTF-8.
  public func text() throws(PostgreSQLError) -> String {
    guard let start = unsafe start else { throw unexpectedNull("text") }
    var skipped = 0
    switch kind {
    case .text, .json: break
    case .jsonb:
      // A version number precedes the text.
      guard count > 0, unsafe start.load(as: UInt8.self) == 1 else { throw invalidBytes() }
      skipped = 1
    default: throw mismatch(for: "text")
    }
    let buffer = unsafe UnsafeRawBufferPointer(
      start: start.advanced(by: skipped), count: count - skipped
    ).assumingMemoryBound(to: UInt8.self)
    // `String(validating:as:)` looks up generic types for each text.
    guard unsafe buffer.isASCII || bytes.firstInvalidUTF8(in: skipped..<count) == nil else {
      throw invalidUTF8()
    }
    return unsafe String(decoding: buffer, as: UTF8.self)
  }

  /// Indicates whether the value can be read as bytes.
  @usableFromInline var isBlob: Bool {
    switch kind {
    case .bytea, .other: true
    default: false
    }
  }

  /// Reads `bytea`, or the binary format of a type that this package does not know.
  ///
  /// - Throws: ``PostgreSQLError`` if the value is NULL or has another type.
  public func blob() throws(PostgreSQLError) -> [UInt8] {
    guard let start = unsafe start else { throw unexpectedNull("bytes") }
    guard isBlob else { throw mismatch(for: "bytes") }
    return unsafe [UInt8](UnsafeRawBufferPointer(start: start, count: count))
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Indicates whether no byte has its highest bit set.
  fileprivate var isASCII: Bool {
    let bytes = UnsafeRawBufferPointer(self)
    var bits: UInt64 = 0
    var index = 0
    while index &+ 8 <= count {
      unsafe bits |= bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      index &+= 8
    }
    while index < count {
      unsafe bits |= UInt64(bytes[index])
      index &+= 1
    }
    return bits & 0x8080_8080_8080_8080 == 0
  }
}

/// The errors of reading a value.
extension PostgreSQLField {
  @inline(never)
  private func invalidUTF8() -> PostgreSQLError {
    unreadable("the text is not valid UTF-8", code: .invalidText)
  }

  /// The error for bytes that are not a value of their type.
  @inline(never)
  func invalidBytes() -> PostgreSQLError {
    unreadable("the bytes are not a value of the column's type", code: .invalidBytes)
  }

  /// The error for a NULL that was read as a non-optional type.
  @inline(never)
  public func unexpectedNull(_ wanted: String) -> PostgreSQLError {
    unreadable("the value is NULL, not \(wanted)", code: .unexpectedNull)
  }

  /// The error for a value of another type.
  @inline(never)
  public func mismatch(for wanted: String) -> PostgreSQLError {
    if isNull { return unexpectedNull(wanted) }
    let hint = kind == .other ? ": cast it to text in the statement" : ""
    return unreadable("the value is \(kind.name), not \(wanted)\(hint)", code: .typeMismatch)
  }

  /// The error for a value of the right type that `type` can't represent.
  @inline(never)
  public func outOfRange(for type: String) -> PostgreSQLError {
    unreadable("the value is not a valid \(type)", code: .valueOutOfRange)
  }
}
