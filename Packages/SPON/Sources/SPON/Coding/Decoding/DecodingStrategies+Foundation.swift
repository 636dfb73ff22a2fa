public import Foundation

extension SPONDecoder {
  /// The format in which a `Date` is read.
  public enum DateDecodingStrategy: Sendable {
    /// An instant, a text according to RFC 3339 or in the format of the original implementation, or
    /// a number of seconds since 2001-01-01.
    case instant
    /// The format of `Date` itself: seconds since 2001-01-01.
    case deferredToDate
    /// Seconds since 1970-01-01.
    case secondsSince1970
    /// Milliseconds since 1970-01-01.
    case millisecondsSince1970
    /// A text according to RFC 3339, or an instant.
    case iso8601
    /// A text in the formatter's format.
    case formatted(DateFormatter)
    /// Decoded by the closure.
    case custom(@Sendable (_ decoder: any Decoder) throws -> Date)
  }

  /// The format in which a `Data` is read.
  public enum DataDecodingStrategy: Sendable {
    /// `*`, or a text in Base64.
    case base64
    /// The format of `Data` itself: an array of integers.
    case deferredToData
    /// Decoded by the closure.
    case custom(@Sendable (_ decoder: any Decoder) throws -> Data)
  }

  /// Decodes a value from UTF-8 text.
  ///
  /// - Throws: The same errors as ``decode(_:from:)`` for a string.
  public func decode<Value: Decodable>(
    _ type: Value.Type = Value.self, from data: Data
  ) throws -> Value {
    try decode(type, from: Array(data))
  }
}

extension DecodingSession {
  /// Decodes the value of an entry as a type.
  func decode<Value: Decodable>(_ type: Value.Type, at index: Int) throws -> Value {
    if Self.isKnown(type), let value = try known(type, at: index) as? Value { return value }
    return try Value(from: ValueDecoder(session: self, index: index, type: type))
  }

  /// Returns whether a type is decoded by this package, rather than by its own `init(from:)`.
  @inline(__always)
  private static func isKnown(_ type: Any.Type) -> Bool {
    type == Date.self || type == Data.self || type == URL.self || type == Decimal.self
      || type == SPONValue.self
  }

  /// Decodes such a type. A separate function, so that its stack frame is not repeated for each
  /// level of nested types.
  @inline(never)
  private func known(_ type: Any.Type, at index: Int) throws -> Any {
    if type == Date.self { return try date(at: index) }
    if type == Data.self { return try data(at: index) }
    if type == URL.self { return try url(at: index) }
    if type == Decimal.self { return try decimal(at: index) }
    return value(at: index)
  }

  /// Returns an entry and its contents as a tree of values.
  func value(at index: Int) -> SPONValue {
    var builder = ValueBuilder(tape)
    return builder.value(at: index)
  }

  @inline(never)
  private func date(at index: Int) throws -> Date {
    let decoder = ValueDecoder(session: self, index: index, type: Date.self)
    switch options.dateDecodingStrategy {
    case .instant:
      switch entries[index].kind {
      case .double, .float, .integer, .unsigned: return try Date(from: decoder)
      default: return Date(try instant(at: index, as: Date.self))
      }
    case .deferredToDate: return try Date(from: decoder)
    case .secondsSince1970: return Date(timeIntervalSince1970: try double(at: index))
    case .millisecondsSince1970:
      return Date(timeIntervalSince1970: try double(at: index) / 1_000)
    case .iso8601: return Date(try instant(at: index, as: Date.self))
    case .formatted(let formatter):
      guard let date = formatter.date(from: try string(at: index)) else {
        throw corrupted("expected a date in the formatter's format", at: index)
      }
      return date
    case .custom(let decode): return try decode(decoder)
    }
  }

  @inline(never)
  private func data(at index: Int) throws -> Data {
    let decoder = ValueDecoder(session: self, index: index, type: Data.self)
    switch options.dataDecodingStrategy {
    case .base64:
      switch entries[index].kind {
      case .string, .opaque:
        guard let data = Data(base64Encoded: try string(at: index)) else {
          throw corrupted("expected data, or a string in Base64", at: index)
        }
        return data
      default: return Data(try data(at: index, as: Data.self))
      }
    case .deferredToData: return try Data(from: decoder)
    case .custom(let decode): return try decode(decoder)
    }
  }

  @inline(never)
  private func url(at index: Int) throws -> URL {
    guard let url = URL(string: try string(at: index)) else {
      throw corrupted("expected a URL", at: index)
    }
    return url
  }

  @inline(never)
  private func decimal(at index: Int) throws -> Decimal {
    guard let decimal = Decimal(try decimal(at: index, as: Decimal.self)) else {
      throw loss(index, Decimal.self)
    }
    return decimal
  }
}
