public import Foundation

extension SPONDecoder {
  /// How a `Date` is read.
  public enum DateDecodingStrategy: Sendable {
    /// From an instant, a text as RFC 3339 or the original wrote it, or a number of seconds since the
    /// beginning of 2001.
    case instant
    /// As `Date` decodes itself: from seconds since the beginning of 2001.
    case deferredToDate
    /// From seconds since the beginning of 1970.
    case secondsSince1970
    /// From milliseconds since the beginning of 1970.
    case millisecondsSince1970
    /// From a text as RFC 3339 has it, or an instant.
    case iso8601
    /// From a text of the formatter's.
    case formatted(DateFormatter)
    /// What the closure decodes.
    case custom(@Sendable (_ decoder: any Decoder) throws -> Date)
  }

  /// How a `Data` is read.
  public enum DataDecodingStrategy: Sendable {
    /// From `*`, or a text in Base64.
    case base64
    /// As `Data` decodes itself: from an array of integers.
    case deferredToData
    /// What the closure decodes.
    case custom(@Sendable (_ decoder: any Decoder) throws -> Data)
  }

  /// Reads a value from a text in UTF-8.
  ///
  /// - Throws: As ``decode(_:from:)`` of a text does.
  public func decode<Value: Decodable>(
    _ type: Value.Type = Value.self, from data: Data
  ) throws -> Value {
    try decode(type, from: Array(data))
  }
}

extension DecodingSession {
  /// The value of an entry, as a type.
  func decode<Value: Decodable>(_ type: Value.Type, at index: Int) throws -> Value {
    if Self.isKnown(type), let value = try known(type, at: index) as? Value { return value }
    return try Value(from: ValueDecoder(session: self, index: index, type: type))
  }

  /// Whether a type is not read as it decodes itself.
  @inline(__always)
  private static func isKnown(_ type: Any.Type) -> Bool {
    type == Date.self || type == Data.self || type == URL.self || type == Decimal.self
      || type == SPONValue.self
  }

  /// A value of such a type. It is a function of its own so that what it keeps on the stack is not there
  /// once for each level of nested types.
  @inline(never)
  private func known(_ type: Any.Type, at index: Int) throws -> Any {
    if type == Date.self { return try date(at: index) }
    if type == Data.self { return try data(at: index) }
    if type == URL.self { return try url(at: index) }
    if type == Decimal.self { return try decimal(at: index) }
    return value(at: index)
  }

  /// An entry and all that it holds, as a tree.
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
        throw corrupted("expected a date of the form of the formatter", at: index)
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
          throw corrupted("expected data, or a text in Base64", at: index)
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
