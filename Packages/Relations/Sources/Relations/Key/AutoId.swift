public import SQLiteCore
internal import Primitives

/// A key that is generated when a row is created, before anything is written.
///
/// ```swift
/// struct Track: Table {
///   var id: AutoId = 0
///   var title = ""
/// }
/// let track = try await Track.create()  // track.id has a unique key
/// ```
///
/// The upper bits hold the time, so that new rows are at the end of their table; the lower bits are
/// random. If two devices each create a thousand rows in the same millisecond, they generate a
/// common key with a probability of about one half. Zero means that no key is set yet.
public struct AutoId: RawRepresentable, Hashable, Comparable, Sendable {
  public let rawValue: Int64

  public init(rawValue: Int64) { self.rawValue = rawValue }

  public static func < (a: AutoId, b: AutoId) -> Bool { a.rawValue < b.rawValue }

  /// Returns a key that is greater than all keys that this process has generated before, and that
  /// no other process is likely to generate.
  public static func generate() -> AutoId {
    let now = millisecondsSince2020()
    let random = Int64.random(in: 0..<(1 << randomBits))
    return last.withLock { last in
      let candidate = now << randomBits | random
      last = candidate > last ? candidate : last &+ Int64.random(in: 1...64)
      return AutoId(rawValue: last)
    }
  }

  private static let randomBits: Int64 = 21
  private static let last = Mutex<Int64>(0)
}

extension AutoId: ExpressibleByIntegerLiteral {
  public init(integerLiteral value: Int64) { self.init(rawValue: value) }
}

extension AutoId: CustomStringConvertible {
  public var description: String { "\(rawValue)" }
}

extension AutoId: Codable {
  public init(from decoder: any Decoder) throws {
    self.init(rawValue: try decoder.singleValueContainer().decode(Int64.self))
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(rawValue)
  }
}

extension AutoId: SQLiteReadable, SQLiteBindable {
  public init(from row: borrowing Row, at index: ColumnIndex) throws(SQLiteError) {
    self.init(rawValue: try Int64(from: row, at: index))
  }

  public static func optional(
    from row: borrowing Row, at index: ColumnIndex
  ) throws(SQLiteError) -> AutoId? {
    try row.optionalInteger(at: index).map { AutoId(rawValue: $0) }
  }

  public var sqliteValue: SQLiteValue { .integer(rawValue) }

  public func bind(to statement: Statement, at index: ParameterIndex) throws(SQLiteError) {
    try statement.bindInteger(rawValue, at: index)
  }
}

extension AutoId: TableKey {
  public var keyValues: [SQLiteValue] { [.integer(rawValue)] }
  @inlinable public var integerKey: Int64? { rawValue }
  public init?(integerKey: Int64) { self.init(rawValue: integerKey) }
  public var isUnset: Bool { rawValue == 0 }
  public static func make() -> AutoId? { generate() }
  public static var columnTypes: [String] { ["INTEGER"] }
}
