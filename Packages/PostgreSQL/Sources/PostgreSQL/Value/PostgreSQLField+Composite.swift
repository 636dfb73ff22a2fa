/// Reading of values that contain others, and of values with special formats.
extension PostgreSQLField {
  /// Reads the position of a part that its length precedes, or `nil` for NULL.
  func nextPart(_ offset: inout Int) throws(PostgreSQLError) -> Range<Int>? {
    guard let length = bytes.integer(Int32.self, at: offset) else { throw invalidBytes() }
    offset += 4
    guard length >= 0 else { return nil }
    guard offset + Int(length) <= count else { throw invalidBytes() }
    defer { offset += Int(length) }
    return offset..<offset + Int(length)
  }

  /// Passes each element of an array to `body`.
  ///
  /// - Returns: The number of elements in each dimension.
  /// - Throws: ``PostgreSQLError`` if the value is NULL or not an array; the error of `body`.
  @discardableResult
  public func forEachElement(
    _ body: (borrowing PostgreSQLField) throws(PostgreSQLError) -> Void
  ) throws(PostgreSQLError) -> [Int] {
    guard case .array = kind, !isNull else { throw mismatch(for: "an array") }
    guard let dimensionCount = bytes.integer(Int32.self, at: 0), (0...6).contains(dimensionCount),
      let element = bytes.integer(UInt32.self, at: 8)
    else { throw invalidBytes() }
    guard dimensionCount > 0 else { return [] }
    let type = PostgreSQLType(element)
    let kind = catalog.kind(of: type)
    var dimensions: [Int] = []
    var total = 1
    for index in 0..<Int(dimensionCount) {
      guard let length = bytes.integer(Int32.self, at: 12 + 8 * index), length >= 0 else {
        throw invalidBytes()
      }
      dimensions.append(Int(length))
      let (product, overflow) = total.multipliedReportingOverflow(by: Int(length))
      // Each element has at least a length.
      guard !overflow, product <= count / 4 else { throw invalidBytes() }
      total = product
    }
    var offset = 12 + 8 * Int(dimensionCount)
    for _ in 0..<total {
      let part = try nextPart(&offset)
      try withPart(part, type: type, kind: kind, body)
    }
    return dimensions
  }

  /// Passes each attribute of a composite value, or column of an anonymous row, to `body`.
  ///
  /// - Returns: The number of attributes.
  /// - Throws: ``PostgreSQLError`` if the value is NULL or not composite; the error of `body`.
  @discardableResult
  public func forEachAttribute(
    _ body: (borrowing PostgreSQLField) throws(PostgreSQLError) -> Void
  ) throws(PostgreSQLError) -> Int {
    guard kind == .record, !isNull else { throw mismatch(for: "a row") }
    guard let attributeCount = bytes.integer(Int32.self, at: 0) else { throw invalidBytes() }
    var offset = 4
    for _ in 0..<max(attributeCount, 0) {
      guard let oid = bytes.integer(UInt32.self, at: offset) else { throw invalidBytes() }
      offset += 4
      let type = PostgreSQLType(oid)
      let part = try nextPart(&offset)
      try withPart(part, type: type, kind: catalog.kind(of: type), body)
    }
    return Int(attributeCount)
  }

  /// Reads a range, whose bounds `bound` reads.
  func range<Bound>(
    of type: PostgreSQLType, _ bound: (borrowing PostgreSQLField) throws(PostgreSQLError) -> Bound
  ) throws(PostgreSQLError) -> PostgreSQLRange<Bound> {
    guard let byte = bytes.integer(UInt8.self, at: 0) else { throw invalidBytes() }
    let flags = RangeFlags(rawValue: byte)
    if flags.contains(.empty) { return .empty }
    let kind = catalog.kind(of: type)
    var offset = 1
    var (lower, upper): (Bound?, Bound?) = (nil, nil)
    if !flags.contains(.lowerInfinite) {
      lower = try withPart(nextPart(&offset), type: type, kind: kind, bound)
    }
    if !flags.contains(.upperInfinite) {
      upper = try withPart(nextPart(&offset), type: type, kind: kind, bound)
    }
    return PostgreSQLRange(
      lower: lower, upper: upper, includesLower: flags.contains(.lowerIncluded),
      includesUpper: flags.contains(.upperIncluded))
  }

  /// Reads a range, or throws if the value is NULL or has another type.
  func range<Bound: PostgreSQLReadable>() throws(PostgreSQLError) -> PostgreSQLRange<Bound> {
    guard case .range(let subtype) = kind, !isNull else { throw mismatch(for: "a range") }
    return try range(of: subtype) { bound throws(PostgreSQLError) in try Bound(from: bound) }
  }

  /// Reads the days since 2000-01-01.
  func days() throws(PostgreSQLError) -> Int32 {
    guard kind == .date, !isNull else { throw mismatch(for: "a date") }
    guard count == 4, let days = bytes.integer(Int32.self, at: 0) else { throw invalidBytes() }
    return days
  }

  /// Reads the microseconds of a timestamp since 2000-01-01, or of a time since midnight.
  func microseconds() throws(PostgreSQLError) -> Int64 {
    guard count == 8, let value = bytes.integer(Int64.self, at: 0) else { throw invalidBytes() }
    return value
  }

  func interval() throws(PostgreSQLError) -> PostgreSQLInterval {
    guard kind == .interval, !isNull else { throw mismatch(for: "an interval") }
    guard count == 16, let microseconds = bytes.integer(Int64.self, at: 0),
      let days = bytes.integer(Int32.self, at: 8), let months = bytes.integer(Int32.self, at: 12)
    else { throw invalidBytes() }
    return PostgreSQLInterval(months: months, days: days, microseconds: microseconds)
  }

  /// Reads the digits of a `numeric` or of an integer.
  func decimalText() throws(PostgreSQLError) -> String {
    guard !isNull, kind == .numeric else {
      if case .int2 = kind, !isNull { return String(try integer()) }
      if case .int4 = kind, !isNull { return String(try integer()) }
      if case .int8 = kind, !isNull { return String(try integer()) }
      throw mismatch(for: "a decimal number")
    }
    guard let text = NumericFormat.text(bytes) else { throw invalidBytes() }
    return text
  }

  /// Reads a UUID as 32 hexadecimal digits in five groups.
  func uuidText() throws(PostgreSQLError) -> String {
    guard kind == .uuid, !isNull else { throw mismatch(for: "a UUID") }
    guard count == 16 else { throw invalidBytes() }
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    text.reserveCapacity(36)
    let bytes = bytes
    for index in 0..<16 {
      if [4, 6, 8, 10].contains(index) { text.append(UInt8(ascii: "-")) }
      text.append(digits[Int(bytes[index] >> 4)])
      text.append(digits[Int(bytes[index] & 15)])
    }
    return String(decoding: text, as: UTF8.self)
  }
}

extension PostgreSQLInterval: PostgreSQLConvertible {
  public init(from field: borrowing PostgreSQLField) throws(PostgreSQLError) {
    self = try field.interval()
  }

  public var postgreSQLValue: PostgreSQLValue { .interval(self) }
}

extension PostgreSQLRange: PostgreSQLReadable where Bound: PostgreSQLReadable {
  public init(from field: borrowing PostgreSQLField) throws(PostgreSQLError) {
    self = try field.range()
  }
}

extension PostgreSQLRange: PostgreSQLBindable where Bound: PostgreSQLBindable {
  public var postgreSQLValue: PostgreSQLValue {
    get throws(PostgreSQLError) {
      if isEmpty { return .range(.empty) }
      return .range(
        PostgreSQLRange<PostgreSQLValue>(
          lower: try lower?.postgreSQLValue, upper: try upper?.postgreSQLValue,
          includesLower: includesLower, includesUpper: includesUpper))
    }
  }
}

/// An array of one dimension. `[UInt8]` is also `bytea`.
extension Array: PostgreSQLReadable where Element: PostgreSQLReadable {
  @inlinable
  public init(from field: borrowing PostgreSQLField) throws(PostgreSQLError) {
    if Element.self == UInt8.self, field.isBlob {
      self = identityCast(try field.blob(), as: [Element].self)
      return
    }
    var elements: [Element] = []
    let dimensions = try field.forEachElement { element throws(PostgreSQLError) in
      elements.append(try Element(from: element))
    }
    guard dimensions.count <= 1 else {
      throw field.unreadable(
        "the array has \(dimensions.count) dimensions: read it as a PostgreSQLValue",
        code: .typeMismatch)
    }
    self = elements
  }
}

extension Array: PostgreSQLBindable where Element: PostgreSQLBindable {
  public var postgreSQLValue: PostgreSQLValue {
    get throws(PostgreSQLError) {
      if Element.self == UInt8.self { return .blob(identityCast(self, as: [UInt8].self)) }
      var elements: [PostgreSQLValue] = []
      for element in self { elements.append(try element.postgreSQLValue) }
      return .array(elements)
    }
  }

  @inlinable
  public func bind(to parameters: inout PostgreSQLParameters) throws(PostgreSQLError) {
    if Element.self == UInt8.self, parameters.isBlob {
      try parameters.write(blob: identityCast(self, as: [UInt8].self))
    } else {
      try parameters.write(array: self)
    }
  }
}
