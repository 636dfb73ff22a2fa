public import Foundation

extension SPONEncoder {
  /// How a `Date` is written.
  public enum DateEncodingStrategy: Sendable {
    /// An instant, `+`, exactly; under `SPONValue.Version.one` as the original wrote dates, where there is
    /// no fraction of a second. A date of no year from 0000 to 9999, or one that no 18 digits of a
    /// second name exactly, is written as by ``deferredToDate``.
    case instant
    /// As `Date` encodes itself: a `Double` of seconds since the beginning of 2001.
    case deferredToDate
    /// A `Double` of seconds since the beginning of 1970.
    case secondsSince1970
    /// A `Double` of milliseconds since the beginning of 1970.
    case millisecondsSince1970
    /// A text as RFC 3339 has it, without a fraction of a second, which is lost. A date of no year from
    /// 0000 to 9999 is refused.
    case iso8601
    /// A text of the formatter's.
    case formatted(DateFormatter)
    /// What the closure encodes.
    case custom(@Sendable (_ date: Date, _ encoder: any Encoder) throws -> Void)
  }

  /// How a `Data` is written.
  public enum DataEncodingStrategy: Sendable {
    /// As `*`.
    case base64
    /// As `Data` encodes itself: an array of integers.
    case deferredToData
    /// What the closure encodes.
    case custom(@Sendable (_ data: Data, _ encoder: any Encoder) throws -> Void)
  }

  /// Writes a value as UTF-8.
  ///
  /// - Throws: As ``encode(_:)`` does.
  public func data(of value: some Encodable) throws -> Data { Data(try bytes(of: value)) }
}

extension ValueEncoder {
  /// Writes a value of a type that is not written as it encodes itself.
  ///
  /// - Returns: Whether it is of such a type.
  func encodeAsKnown<Value: Encodable>(_ value: Value, to encoder: ValueEncoder) throws -> Bool {
    if Value.self == Date.self, let date = value as? Date {
      try encode(date)
    } else if Value.self == Data.self, let data = value as? Data {
      try encode(data)
    } else if Value.self == URL.self, let url = value as? URL {
      try encode(url)
    } else if Value.self == Decimal.self, let decimal = value as? Decimal {
      try encode(decimal)
    } else if Value.self == SPONValue.self, let value = value as? SPONValue {
      try piece.value(value)
    } else {
      return false
    }
    return true
  }

  // Each is out of line, so that what nested values need of the stack is little.

  @inline(never)
  private func encode(_ url: URL) throws {
    let content = url.absoluteString
    try piece.scalar { $0.string(content, isPair: $1) }
  }

  @inline(never)
  private func encode(_ decimal: Decimal) throws {
    let content = SPONDecimal(decimal)
    try piece.scalar { $0.decimal(content, isPair: $1) }
  }

  @inline(never)
  private func encode(_ date: Date) throws {
    switch piece.session.options.dateEncodingStrategy {
    case .instant:
      guard let instant = SPONInstant(date) else { return try encodeItself(date) }
      let content = instant
      try piece.scalar { $0.instant(content, isPair: $1) }
    case .deferredToDate: try encodeItself(date)
    case .secondsSince1970:
      let content = date.timeIntervalSince1970
      try piece.scalar { $0.double(content, isPair: $1) }
    case .millisecondsSince1970:
      let content = 1_000 * date.timeIntervalSince1970
      try piece.scalar { $0.double(content, isPair: $1) }
    case .iso8601:
      let content = try iso8601(date)
      try piece.scalar { $0.string(content, isPair: $1) }
    case .formatted(let formatter):
      let content = formatter.string(from: date)
      try piece.scalar { $0.string(content, isPair: $1) }
    case .custom(let encode):
      try encode(date, self)
      piece.end(at: depth, type: nil)
    }
  }

  /// The second in which a date is. Foundation would write it in the Julian calendar before 1582, and any
  /// text for what is beyond its years.
  private func iso8601(_ date: Date) throws(SPONError) -> String {
    let seconds = date.timeIntervalSince1970.rounded(.down)
    guard let instant = Int64(exactly: seconds).flatMap({ SPONInstant(secondsSince1970: $0) })
    else {
      throw SPONError(
        .notRepresentable, "RFC 3339 has only dates of the years 0000 to 9999",
        codingPath: piece.path)
    }
    return instant.description
  }

  @inline(never)
  private func encode(_ data: Data) throws {
    switch piece.session.options.dataEncodingStrategy {
    case .base64:
      let content = Array(data)
      try piece.scalar { $0.data(content, isPair: $1) }
    case .deferredToData: try encodeItself(data)
    case .custom(let encode):
      try encode(data, self)
      piece.end(at: depth, type: nil)
    }
  }

  private func encodeItself(_ value: some Encodable) throws {
    try value.encode(to: self)
    piece.end(at: depth, type: nil)
  }
}
