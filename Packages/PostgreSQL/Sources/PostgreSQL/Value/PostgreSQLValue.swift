@_exported public import enum Primitives.DataValue

/// A value of any type.
///
/// Most values are a `DataValue`, which other engines share. The other cases are types that only PostgreSQL has.
public enum PostgreSQLValue: Hashable, Sendable {
  /// NULL, a number, text, bytes, a date or time, a UUID, or JSON.
  ///
  /// A `timetz` is a `DataValue.time` with its zone at the end. `NaN` and infinity of `numeric` are a
  /// `DataValue.decimal` with these names, and `infinity` is a date and a timestamp.
  case scalar(DataValue)
  case interval(PostgreSQLInterval)
  /// An array. Each further dimension is an array of arrays. Lower bounds other than 1 are not kept.
  case array([PostgreSQLValue])
  /// A composite value, or an anonymous row.
  case record([PostgreSQLValue])
  indirect case range(PostgreSQLRange<PostgreSQLValue>)
  case multirange([PostgreSQLRange<PostgreSQLValue>])
  /// The bytes of a type that this package does not know, in the type's binary format.
  case other(PostgreSQLType, [UInt8])

  public static var null: Self { .scalar(.null) }
  public static func bool(_ value: Bool) -> Self { .scalar(.bool(value)) }
  public static func integer(_ value: Int64) -> Self { .scalar(.integer(value)) }
  public static func real(_ value: Double) -> Self { .scalar(.real(value)) }
  public static func decimal(_ text: String) -> Self { .scalar(.decimal(text)) }
  public static func text(_ value: String) -> Self { .scalar(.text(value)) }
  public static func blob(_ bytes: [UInt8]) -> Self { .scalar(.blob(bytes)) }

  /// The value in the form that all engines share.
  ///
  /// An interval is text in the format of ISO 8601, a range is text as PostgreSQL writes it, a row is an array of its
  /// columns, and the bytes of an unknown type are a blob.
  public var dataValue: DataValue {
    switch self {
    case .scalar(let value): value
    case .interval(let interval): .text(interval.description)
    case .array(let elements), .record(let elements): .array(elements.map(\.dataValue))
    case .range(let range): .text(range.text)
    case .multirange(let ranges): .text("{" + ranges.map(\.text).joined(separator: ",") + "}")
    case .other(_, let bytes): .blob(bytes)
    }
  }
}

extension PostgreSQLRange<PostgreSQLValue> {
  /// The range as PostgreSQL writes it: `[1,10)`.
  fileprivate var text: String {
    if isEmpty { return "empty" }
    func bound(_ value: PostgreSQLValue?) -> String {
      switch value?.dataValue {
      case nil: return ""
      case .integer(let value): return String(value)
      case .real(let value): return String(value)
      case .decimal(let text), .date(let text), .time(let text), .uuid(let text): return text
      case .timestamp(let text), .timestampWithZone(let text), .text(let text):
        let escaped = text.flatMap { $0 == "\"" || $0 == "\\" ? ["\\", $0] : [$0] }
        return "\"" + String(escaped) + "\""
      default: return ""
      }
    }
    return (includesLower && lower != nil ? "[" : "(") + bound(lower) + "," + bound(upper)
      + (includesUpper && upper != nil ? "]" : ")")
  }
}

extension PostgreSQLValue: PostgreSQLConvertible {
  public init(from field: borrowing PostgreSQLField) throws(PostgreSQLError) {
    self = try field.value(depth: 0)
  }

  /// The value itself.
  public var postgreSQLValue: PostgreSQLValue { self }
}

extension DataValue: PostgreSQLConvertible {
  public init(from field: borrowing PostgreSQLField) throws(PostgreSQLError) {
    self = try field.value(depth: 0).dataValue
  }

  /// The same value. An array is one of `DataValue`s.
  public var postgreSQLValue: PostgreSQLValue {
    if case .array(let elements) = self {
      .array(elements.map(\.postgreSQLValue))
    } else {
      .scalar(self)
    }
  }
}

extension PostgreSQLField {
  /// The number of nested values that are read, which bounds the use of the stack.
  static let maximumDepth = 128

  /// Reads the value of any type.
  func value(depth: Int) throws(PostgreSQLError) -> PostgreSQLValue {
    if isNull { return .null }
    switch kind {
    case .bool: return .bool(try bool())
    case .int2, .int4, .int8, .oid: return .integer(try integer())
    case .float4, .float8: return .real(try double())
    case .text: return .text(try text())
    case .json, .jsonb: return .scalar(.json(try text()))
    case .bytea: return .blob(try blob())
    case .uuid: return .scalar(.uuid(try uuidText()))
    case .numeric: return .decimal(try decimalText())
    case .date: return .scalar(.date(TimeFormat.date(try days())))
    case .timestamp: return .scalar(.timestamp(TimeFormat.timestamp(try microseconds())))
    case .timestamptz:
      return .scalar(.timestampWithZone(TimeFormat.timestampWithZone(try microseconds())))
    case .time: return .scalar(.time(TimeFormat.time(try microseconds())))
    case .timetz:
      guard bytes.count == 12, let time = bytes.integer(Int64.self, at: 0),
        let zone = bytes.integer(Int32.self, at: 8)
      else { throw invalidBytes() }
      return .scalar(.time(TimeFormat.time(time) + TimeFormat.zone(zone)))
    case .interval: return .interval(try interval())
    case .array: return try arrayValue(depth: depth)
    case .record: return .record(try attributes(depth: depth))
    case .range(let subtype):
      return .range(
        try range(of: subtype) { bound throws(PostgreSQLError) in
          try bound.value(depth: depth + 1)
        })
    case .multirange(let rangeType): return .multirange(try ranges(of: rangeType, depth: depth))
    case .other: return .other(type, try blob())
    }
  }

  private func checkDepth(_ depth: Int) throws(PostgreSQLError) {
    guard depth < Self.maximumDepth else {
      throw unreadable("the value is nested too deeply", code: .valueOutOfRange)
    }
  }

  /// Reads an array of any number of dimensions.
  private func arrayValue(depth: Int) throws(PostgreSQLError) -> PostgreSQLValue {
    try checkDepth(depth)
    var elements: [PostgreSQLValue] = []
    let dimensions = try forEachElement { element throws(PostgreSQLError) in
      elements.append(try element.value(depth: depth + 1))
    }
    // The last dimension varies fastest.
    for count in dimensions.dropFirst().reversed() where count > 0 {
      elements = stride(from: 0, to: elements.count, by: count).map { start in
        .array(Array(elements[start..<min(start + count, elements.count)]))
      }
    }
    return .array(elements)
  }

  /// Reads the attributes of a composite value.
  private func attributes(depth: Int) throws(PostgreSQLError) -> [PostgreSQLValue] {
    try checkDepth(depth)
    var values: [PostgreSQLValue] = []
    try forEachAttribute { attribute throws(PostgreSQLError) in
      values.append(try attribute.value(depth: depth + 1))
    }
    return values
  }

  private func ranges(
    of type: PostgreSQLType, depth: Int
  ) throws(PostgreSQLError) -> [PostgreSQLRange<PostgreSQLValue>] {
    try checkDepth(depth)
    guard case .range(let subtype) = catalog.kind(of: type),
      let count = bytes.integer(Int32.self, at: 0)
    else { throw invalidBytes() }
    var ranges: [PostgreSQLRange<PostgreSQLValue>] = []
    var offset = 4
    for _ in 0..<max(count, 0) {
      guard let part = try nextPart(&offset) else { throw invalidBytes() }
      ranges.append(
        try withPart(part, type: type, kind: .range(of: subtype)) { range throws(PostgreSQLError) in
          try range.range(of: subtype) { bound throws(PostgreSQLError) in
            try bound.value(depth: depth + 1)
          }
        })
    }
    return ranges
  }
}
