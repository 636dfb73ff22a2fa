public import Foundation

extension SPONEncoder {
  /// The format in which a `Date` is written.
  public enum DateEncodingStrategy: Sendable {
    /// An instant, `+`, exactly; in `SPONValue.Version.one`, the date format of the original
    /// implementation if there is no fraction of a second. A date outside the years 0000 to 9999,
    /// or one that 18 fractional digits can't represent exactly, is written as by
    /// ``deferredToDate``.
    case instant
    /// The format of `Date` itself: a `Double` of seconds since 2001-01-01.
    case deferredToDate
    /// A `Double` of seconds since 1970-01-01.
    case secondsSince1970
    /// A `Double` of milliseconds since 1970-01-01.
    case millisecondsSince1970
    /// A text according to RFC 3339, without the fraction of a second. A date outside the years
    /// 0000 to 9999 is an error.
    case iso8601
    /// A text in the formatter's format.
    case formatted(DateFormatter)
    /// Encoded by the closure.
    case custom(@Sendable (_ date: Date, _ encoder: any Encoder) throws -> Void)
  }

  /// The format in which a `Data` is written.
  public enum DataEncodingStrategy: Sendable {
    /// `*`.
    case base64
    /// The format of `Data` itself: an array of integers.
    case deferredToData
    /// Encoded by the closure.
    case custom(@Sendable (_ data: Data, _ encoder: any Encoder) throws -> Void)
  }

  /// Encodes a value as UTF-8 text.
  ///
  /// - Throws: The same errors as ``encode(_:)``.
  public func data(of value: some Encodable) throws -> Data { Data(try bytes(of: value)) }
}

extension ValueEncoder {
  /// Encodes a value of a type that this package encodes itself.
  ///
  /// - Returns: Whether the value has such a type.
  func encodeFoundationType<Value: Encodable>(_ value: Value, to encoder: ValueEncoder) throws
    -> Bool
  {
    if Value.self == Date.self, let date = value as? Date {
      try encode(date)
    } else if Value.self == Data.self, let data = value as? Data {
      try encode(data)
    } else if Value.self == URL.self, let url = value as? URL {
      try encode(url)
    } else if Value.self == Decimal.self, let decimal = value as? Decimal {
      try encode(decimal)
    } else if Value.self == SPONValue.self, let value = value as? SPONValue {
      try node.value(value)
    } else {
      return false
    }
    return true
  }

  // Not inlined, so that nested values need less of the stack.

  @inline(never)
  private func encode(_ url: URL) throws {
    let content = url.absoluteString
    try node.scalar { $0.string(content, isPair: $1) }
  }

  @inline(never)
  private func encode(_ decimal: Decimal) throws {
    let content = SPONDecimal(decimal)
    try node.scalar { $0.decimal(content, isPair: $1) }
  }

  @inline(never)
  private func encode(_ date: Date) throws {
    switch node.session.options.dateEncodingStrategy {
    case .instant:
      guard let instant = SPONInstant(date) else { return try encodeItself(date) }
      let content = instant
      try node.scalar { $0.instant(content, isPair: $1) }
    case .deferredToDate: try encodeItself(date)
    case .secondsSince1970:
      let content = date.timeIntervalSince1970
      try node.scalar { $0.double(content, isPair: $1) }
    case .millisecondsSince1970:
      let content = 1_000 * date.timeIntervalSince1970
      try node.scalar { $0.double(content, isPair: $1) }
    case .iso8601:
      let content = try iso8601(date)
      try node.scalar { $0.string(content, isPair: $1) }
    case .formatted(let formatter):
      let content = formatter.string(from: date)
      try node.scalar { $0.string(content, isPair: $1) }
    case .custom(let encode):
      try encode(date, self)
      node.end(at: depth, type: nil)
    }
  }

  /// Returns the second that contains a date. Foundation would use the Julian calendar before 1582,
  /// and unspecified text outside its range of years.
  private func iso8601(_ date: Date) throws(SPONError) -> String {
    let seconds = date.timeIntervalSince1970.rounded(.down)
    guard let instant = Int64(exactly: seconds).flatMap({ SPONInstant(secondsSince1970: $0) })
    else {
      throw SPONError(
        .notRepresentable, "RFC 3339 supports only the years 0000 to 9999",
        codingPath: node.path)
    }
    return instant.description
  }

  @inline(never)
  private func encode(_ data: Data) throws {
    switch node.session.options.dataEncodingStrategy {
    case .base64:
      let content = Array(data)
      try node.scalar { $0.data(content, isPair: $1) }
    case .deferredToData: try encodeItself(data)
    case .custom(let encode):
      try encode(data, self)
      node.end(at: depth, type: nil)
    }
  }

  private func encodeItself(_ value: some Encodable) throws {
    try value.encode(to: self)
    node.end(at: depth, type: nil)
  }
}
