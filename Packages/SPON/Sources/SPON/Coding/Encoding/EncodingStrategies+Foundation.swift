public import Foundation

extension SPONEncoder {
  /// How a `Date` is written.
  public enum DateEncodingStrategy: Sendable {
    /// An instant, `+`, exactly; under ``SPONVersion/one`` as the original wrote dates, where there is
    /// no fraction of a second. A date of no year from 0000 to 9999, or one that no 18 digits of a
    /// second name exactly, is written as by ``deferredToDate``.
    case instant
    /// As `Date` encodes itself: a `Double` of seconds since the beginning of 2001.
    case deferredToDate
    /// A `Double` of seconds since the beginning of 1970.
    case secondsSince1970
    /// A `Double` of milliseconds since the beginning of 1970.
    case millisecondsSince1970
    /// A text as RFC 3339 has it, without a fraction of a second, which is lost.
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
      try piece.string(url.absoluteString)
    } else if Value.self == Decimal.self, let decimal = value as? Decimal {
      try piece.decimal(SPONDecimal(decimal))
    } else if Value.self == SPONValue.self, let value = value as? SPONValue {
      try piece.value(value)
    } else {
      return false
    }
    return true
  }

  private func encode(_ date: Date) throws {
    switch piece.session.options.dateEncodingStrategy {
    case .instant:
      guard let instant = SPONInstant(date) else { return try encodeItself(date) }
      try piece.instant(instant)
    case .deferredToDate: try encodeItself(date)
    case .secondsSince1970: try piece.double(date.timeIntervalSince1970)
    case .millisecondsSince1970: try piece.double(1_000 * date.timeIntervalSince1970)
    case .iso8601: try piece.string(date.formatted(.iso8601))
    case .formatted(let formatter): try piece.string(formatter.string(from: date))
    case .custom(let encode):
      try encode(date, self)
      piece.end(at: depth, type: nil)
    }
  }

  private func encode(_ data: Data) throws {
    switch piece.session.options.dataEncodingStrategy {
    case .base64: try piece.data(Array(data))
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
