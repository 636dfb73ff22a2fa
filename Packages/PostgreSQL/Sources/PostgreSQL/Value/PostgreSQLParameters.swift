internal import Primitives

/// The parameters of a statement, or the columns of a row of `COPY`, to which values are written in the binary format of
/// their types.
///
/// A ``PostgreSQLRowEncodable`` type calls ``bind(_:)`` for each value. The other methods write to the current parameter,
/// for implementations of ``PostgreSQLBindable``.
public struct PostgreSQLParameters: ~Copyable {
  /// The bytes of all parameters so far. Each begins with its length in four bytes, which is -1 for NULL, as in the
  /// format of `COPY`.
  @usableFromInline var bytes: ByteBuffer
  /// The number of complete parameters.
  @usableFromInline var count = 0
  @usableFromInline var types: ParameterTypes
  private let catalog: TypeCatalog
  /// The type that the server expects.
  public var type: PostgreSQLType { currentType }
  @usableFromInline var currentType = PostgreSQLType(0)
  @usableFromInline var kind = TypeKind.other
  @usableFromInline var isNull = false

  init(types: ParameterTypes, catalog: TypeCatalog, bytes: consuming ByteBuffer = ByteBuffer()) {
    self.types = types
    self.catalog = catalog
    self.bytes = bytes
  }

  /// Returns the bytes, whose memory can be used again.
  consuming func takeBytes() -> ByteBuffer { bytes }

  /// Begins another row of parameters, also of another statement.
  mutating func beginRow(of types: ParameterTypes? = nil) {
    count = 0
    if let types { self.types = types }
  }

  /// Begins a row of `COPY`, which its number of columns precedes.
  @inlinable
  mutating func beginCopiedRow() {
    count = 0
    bytes.append(bigEndian: Int16(truncatingIfNeeded: types.parameters.count))
  }

  /// Throws if values are missing.
  @inlinable
  func checkComplete() throws(PostgreSQLError) {
    if count != types.parameters.count { throw types.countError(given: count) }
  }

  /// Writes a value to the next parameter.
  ///
  /// - Throws: ``PostgreSQLError`` if the value does not fit the parameter's type, or if the statement has fewer
  ///   parameters.
  @inlinable
  public mutating func bind(_ value: some PostgreSQLBindable) throws(PostgreSQLError) {
    guard count < types.parameters.count else { throw types.countError(given: count + 1) }
    (currentType, kind) = types.parameters[count]
    isNull = false
    let start = bytes.count
    bytes.append(bigEndian: Int32(0))
    do throws(PostgreSQLError) {
      try value.bind(to: &self)
    } catch {
      throw failure(error)
    }
    bytes.store(
      bigEndian: isNull ? -1 : Int32(truncatingIfNeeded: bytes.count &- start &- 4), at: start)
    count &+= 1
  }

  @usableFromInline @inline(never)
  func failure(_ error: PostgreSQLError) -> PostgreSQLError {
    let number = count + 1
    return error.changed { $0.message = "parameter \(number): \($0.message)" }
  }

  /// Indicates whether bytes can be written.
  @usableFromInline var isBlob: Bool {
    switch kind {
    case .bytea, .other: true
    default: false
    }
  }

  /// Writes NULL.
  @inlinable
  public mutating func writeNull() { isNull = true }

  /// Writes a Boolean.
  @inlinable
  public mutating func write(bool value: Bool) throws(PostgreSQLError) {
    guard case .bool = kind else { throw mismatch("a Boolean") }
    bytes.append(bigEndian: value ? 1 as UInt8 : 0)
  }

  /// Writes an integer, to a parameter of any numeric type that represents it exactly.
  @inlinable
  public mutating func write(integer value: Int64) throws(PostgreSQLError) {
    switch kind {
    case .int8: bytes.append(bigEndian: value)
    case .int4:
      guard let value = Int32(exactly: value) else { throw outOfRange() }
      bytes.append(bigEndian: value)
    default: try write(converted: value)
    }
  }

  /// Writes an integer to a parameter of a less common type.
  @usableFromInline @inline(never)
  mutating func write(converted value: Int64) throws(PostgreSQLError) {
    switch kind {
    case .int2: bytes.append(bigEndian: try checked(Int16(exactly: value)))
    case .oid: bytes.append(bigEndian: try checked(UInt32(exactly: value)))
    case .float8: bytes.append(bigEndian: try checked(Double(exactly: value)).bitPattern)
    case .float4: bytes.append(bigEndian: try checked(Float(exactly: value)).bitPattern)
    case .numeric: try write(decimal: String(value))
    default: throw mismatch("an integer")
    }
  }

  /// Writes a floating-point number. Only a parameter of type `float4` rounds it.
  @inlinable
  public mutating func write(real value: Double) throws(PostgreSQLError) {
    if case .float8 = kind {
      bytes.append(bigEndian: value.bitPattern)
    } else {
      try write(converted: value)
    }
  }

  /// Writes a floating-point number to a parameter of a less common type.
  @usableFromInline @inline(never)
  mutating func write(converted value: Double) throws(PostgreSQLError) {
    switch kind {
    case .float4:
      let rounded = Float(value)
      guard rounded.isFinite || !value.isFinite else { throw outOfRange() }
      bytes.append(bigEndian: rounded.bitPattern)
    case .numeric: try write(decimal: "\(value)")
    case .int2, .int4, .int8, .oid: try write(integer: checked(Int64(exactly: value)))
    default: throw mismatch("a floating-point number")
    }
  }

  /// Writes a decimal number.
  public mutating func write(decimal text: String) throws(PostgreSQLError) {
    switch kind {
    case .numeric:
      var number: [UInt8] = []
      guard NumericFormat.append(text, to: &number) else { throw invalid("a decimal number") }
      bytes.append(number)
    case .int2, .int4, .int8, .oid:
      var number: [UInt8] = []
      guard NumericFormat.append(text, to: &number) else { throw invalid("a decimal number") }
      try write(integer: checked(NumericFormat.integer(number.elementSpan)))
    default: throw mismatch("a decimal number")
    }
  }

  /// Writes text.
  ///
  /// - Throws: ``PostgreSQLError`` with code ``PostgreSQLError/Code/containsNUL`` if the text contains NUL, or
  ///   ``PostgreSQLError/Code/typeMismatch`` if the parameter's type is not a text type.
  public mutating func write(text value: String) throws(PostgreSQLError) {
    switch kind {
    case .text, .json: break
    case .jsonb: bytes.append(bigEndian: 1 as UInt8)
    default: throw mismatch("text")
    }
    if !bytes.append(text: value) {
      throw PostgreSQLError(
        code: .containsNUL, message: "the text contains NUL, which PostgreSQL can't store")
    }
  }

  /// Writes bytes, also in the binary format of a type that this package does not know.
  public mutating func write(blob value: [UInt8]) throws(PostgreSQLError) {
    guard isBlob else { throw mismatch("bytes") }
    bytes.append(value)
  }

  /// Writes an array of one dimension.
  public mutating func write(
    array elements: some Collection<some PostgreSQLBindable>
  ) throws(PostgreSQLError) {
    let element = try beginArray(dimensions: elements.isEmpty ? [] : [elements.count])
    for value in elements {
      try writePart(as: element) { (part) throws(PostgreSQLError) in try value.bind(to: &part) }
    }
  }

  /// Writes a value of any type.
  public mutating func write(_ value: PostgreSQLValue) throws(PostgreSQLError) {
    switch value {
    case .scalar(let value): try write(value)
    case .interval(let interval):
      guard kind == .interval else { throw mismatch("an interval") }
      bytes.append(bigEndian: interval.microseconds)
      bytes.append(bigEndian: interval.days)
      bytes.append(bigEndian: interval.months)
    case .array(let elements): try write(elements)
    case .record(let values): try write(record: values)
    case .range(let range): try write(range)
    case .multirange(let ranges):
      guard case .multirange(let rangeType) = kind else { throw mismatch("a multirange") }
      bytes.append(bigEndian: Int32(ranges.count))
      for range in ranges {
        try writePart(as: rangeType) { (part) throws(PostgreSQLError) in try part.write(range) }
      }
    case .other(let type, let bytes):
      guard type == self.type else { throw mismatch("a value of another type") }
      self.bytes.append(bytes)
    }
  }
}

extension PostgreSQLParameters {
  private mutating func write(_ value: DataValue) throws(PostgreSQLError) {
    switch value {
    case .null: writeNull()
    case .bool(let value): try write(bool: value)
    case .integer(let value): try write(integer: value)
    case .real(let value): try write(real: value)
    case .decimal(let text): try write(decimal: text)
    case .text(let text): try write(text: text)
    case .json(let text):
      guard kind == .json || kind == .jsonb || kind == .text else { throw mismatch("JSON") }
      try write(text: text)
    case .blob(let bytes): try write(blob: bytes)
    case .uuid(let text): try write(uuid: text)
    case .timestampWithZone(let text):
      try write(TimeFormat.timestampWithZone(text), to: .timestamptz, "a timestamp with time zone")
    case .timestamp(let text): try write(TimeFormat.timestamp(text), to: .timestamp, "a timestamp")
    case .date(let text): try write(TimeFormat.date(text), to: .date, "a date")
    case .time(let text):
      if kind == .timetz {
        guard let (time, west) = TimeFormat.timeWithZone(text) else { throw invalid("a time") }
        bytes.append(bigEndian: time)
        bytes.append(bigEndian: west)
      } else {
        try write(TimeFormat.time(text), to: .time, "a time")
      }
    case .array(let elements): try write(elements.map(\.postgreSQLValue))
    }
  }

  private mutating func write(
    _ number: (some FixedWidthInteger)?, to wanted: TypeKind, _ name: String
  ) throws(PostgreSQLError) {
    guard kind == wanted else { throw mismatch(name) }
    guard let number else { throw invalid(name) }
    bytes.append(bigEndian: number)
  }

  /// Writes an instant, as microseconds since 2000-01-01, to a timestamp, which is in UTC if it has no zone.
  mutating func write(instant microseconds: Int64) throws(PostgreSQLError) {
    guard kind == .timestamptz || kind == .timestamp else { throw mismatch("a date") }
    bytes.append(bigEndian: microseconds)
  }

  /// Writes the bytes of a UUID.
  mutating func write(uuid value: [UInt8]) throws(PostgreSQLError) {
    guard kind == .uuid else { throw mismatch("a UUID") }
    bytes.append(value)
  }

  private mutating func write(uuid text: String) throws(PostgreSQLError) {
    guard kind == .uuid else { throw mismatch("a UUID") }
    var digits: [UInt8] = []
    for (index, byte) in text.utf8.enumerated() {
      if [8, 13, 18, 23].contains(index) {
        guard byte == UInt8(ascii: "-") else { throw invalid("a UUID") }
        continue
      }
      guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
        throw invalid("a UUID")
      }
      digits.append(UInt8(digit))
    }
    guard digits.count == 32, text.utf8.count == 36 else { throw invalid("a UUID") }
    for index in stride(from: 0, to: 32, by: 2) {
      bytes.append(bigEndian: digits[index] << 4 | digits[index + 1])
    }
  }

  // MARK: Values that contain others

  /// Writes the start of an array, and returns the type of its elements.
  private mutating func beginArray(dimensions: [Int]) throws(PostgreSQLError) -> PostgreSQLType {
    guard case .array(let element) = kind else { throw mismatch("an array") }
    bytes.append(bigEndian: Int32(dimensions.count))
    // The server does not need the flag for NULLs, and reads the elements' lengths.
    bytes.append(bigEndian: Int32(1))
    bytes.append(bigEndian: element.rawValue)
    for count in dimensions {
      guard let count = Int32(exactly: count) else { throw outOfRange() }
      bytes.append(bigEndian: count)
      bytes.append(bigEndian: Int32(1))
    }
    return element
  }

  /// Writes a part of a value, which its length precedes.
  private mutating func writePart(
    as type: PostgreSQLType,
    _ body: (inout PostgreSQLParameters) throws(PostgreSQLError) -> Void
  ) throws(PostgreSQLError) {
    let whole = (currentType, kind)
    currentType = type
    kind = catalog.kind(of: type)
    let start = bytes.count
    bytes.append(bigEndian: Int32(0))
    isNull = false
    try body(&self)
    bytes.store(bigEndian: isNull ? -1 : Int32(bytes.count - start - 4), at: start)
    isNull = false
    (currentType, kind) = whole
  }

  private mutating func write(_ elements: [PostgreSQLValue]) throws(PostgreSQLError) {
    var dimensions: [Int] = []
    var leaves = elements
    while !leaves.isEmpty {
      dimensions.append(leaves.count / max(dimensions.reduce(1, *), 1))
      guard case .array = leaves[0], dimensions.count < 6 else { break }
      var next: [PostgreSQLValue] = []
      var count: Int?
      for case .array(let inner) in leaves {
        guard inner.count == count ?? inner.count, !inner.isEmpty else {
          throw invalid("an array whose dimensions have equal lengths")
        }
        count = inner.count
        next += inner
      }
      guard next.count == leaves.count * (count ?? 0) else {
        throw invalid("an array whose dimensions have equal lengths")
      }
      leaves = next
    }
    let element = try beginArray(dimensions: dimensions)
    for leaf in leaves {
      try writePart(as: element) { (part) throws(PostgreSQLError) in try part.write(leaf) }
    }
  }

  private mutating func write(
    _ range: PostgreSQLRange<PostgreSQLValue>
  ) throws(PostgreSQLError) {
    guard case .range(let subtype) = kind else { throw mismatch("a range") }
    var flags = RangeFlags()
    if range.isEmpty { flags.insert(.empty) }
    if range.includesLower, range.lower != nil { flags.insert(.lowerIncluded) }
    if range.includesUpper, range.upper != nil { flags.insert(.upperIncluded) }
    if range.lower == nil, !range.isEmpty { flags.insert(.lowerInfinite) }
    if range.upper == nil, !range.isEmpty { flags.insert(.upperInfinite) }
    bytes.append(bigEndian: flags.rawValue)
    guard !range.isEmpty else { return }
    for bound in [range.lower, range.upper] {
      guard let bound else { continue }
      try writePart(as: subtype) { (part) throws(PostgreSQLError) in
        try part.write(bound)
        if part.isNull { throw part.invalid("a bound of a range") }
      }
    }
  }

  private mutating func write(record values: [PostgreSQLValue]) throws(PostgreSQLError) {
    guard kind == .record, let attributes = catalog.attributes(of: type) else {
      throw mismatch("a row")
    }
    guard attributes.count == values.count else {
      throw PostgreSQLError(
        code: .parameterCount,
        message:
          "the composite type has \(attributes.count) attributes, but the row has \(values.count)")
    }
    bytes.append(bigEndian: Int32(values.count))
    for (value, attribute) in zip(values, attributes) {
      bytes.append(bigEndian: attribute.rawValue)
      try writePart(as: attribute) { (part) throws(PostgreSQLError) in try part.write(value) }
    }
  }

  // MARK: Errors

  private func checked<Value>(_ value: Value?) throws(PostgreSQLError) -> Value {
    guard let value else { throw outOfRange() }
    return value
  }

  /// The error for a value that the parameter's type can't represent, for use in implementations of
  /// ``PostgreSQLBindable``.
  public func outOfRange() -> PostgreSQLError {
    PostgreSQLError(
      code: .valueOutOfRange, message: "the value can't be represented as \(kind.name)")
  }

  /// The error for a value of another type than the parameter's.
  public func mismatch(_ found: String) -> PostgreSQLError {
    let hint = kind == .other ? " (type \(type.rawValue))" : ""
    return PostgreSQLError(
      code: .typeMismatch, message: "the statement expects \(kind.name)\(hint), not \(found)")
  }

  private func invalid(_ wanted: String) -> PostgreSQLError {
    PostgreSQLError(code: .invalidText, message: "the value is not \(wanted)")
  }
}

/// The types of a statement's parameters, cached with the statement.
@usableFromInline final class ParameterTypes: Sendable {
  @usableFromInline let parameters: [(type: PostgreSQLType, kind: TypeKind)]

  init(_ types: [PostgreSQLType], catalog: TypeCatalog) {
    parameters = types.map { ($0, catalog.kind(of: $0)) }
  }

  var types: [PostgreSQLType] { parameters.map(\.type) }

  var count: Int { parameters.count }

  @usableFromInline
  func countError(given: Int) -> PostgreSQLError {
    PostgreSQLError(
      code: .parameterCount,
      message: "the statement has \(count) parameters, but \(given) values were passed")
  }
}
