public import Primitives
public import SQLiteCore

extension DataValue {
  /// Creates the value that SQLite stores, without loss.
  public init(_ value: SQLiteValue) {
    self =
      switch value {
      case .null: .null
      case .integer(let integer): .integer(integer)
      case .real(let real): .real(real)
      case .text(let text): .text(text)
      case .blob(let bytes): .blob(bytes)
      }
  }
}

extension SQLiteValue {
  /// Creates the value as SQLite stores it, which is also how `RowDecoder` reads it.
  ///
  /// | value | stored as | Swift types that read it, among others |
  /// |---|---|---|
  /// | null, integer, real, text, blob | itself | as a column of SQLite |
  /// | bool | INTEGER 0 or 1 | `Bool`, `Int` |
  /// | decimal | TEXT | `Decimal`, `String` |
  /// | uuid | TEXT | `UUID`, `String` |
  /// | timestamp with or without zone, date | TEXT | `Date`, `String` |
  /// | time | TEXT | `String` |
  /// | json | TEXT | `String`, `Codable` types |
  /// | array | TEXT, a JSON array | arrays of `Codable` types |
  ///
  /// A timestamp without a zone and a date are read in UTC. Within an array, a blob is Base64, dates and
  /// UUIDs are strings, and a decimal number is a number with all its digits.
  public init(_ value: DataValue) {
    self =
      switch value {
      case .null: .null
      case .bool(let bool): .integer(bool ? 1 : 0)
      case .integer(let integer): .integer(integer)
      case .real(let real): .real(real)
      case .blob(let bytes): .blob(bytes)
      case .decimal(let text), .text(let text), .uuid(let text), .timestampWithZone(let text),
        .timestamp(let text), .date(let text), .time(let text), .json(let text):
        .text(text)
      case .array: .text(value.json)
      }
  }
}

extension DataValue {
  /// The value as JSON.
  fileprivate var json: String {
    switch self {
    case .null: "null"
    case .bool(let bool): String(bool)
    case .integer(let integer): String(integer)
    case .real(let real): real.isFinite ? String(real) : JSONText.quoted(String(real))
    case .decimal(let text): text.isJSONNumber ? text : JSONText.quoted(text)
    case .blob(let bytes):
      JSONText.quoted(String(decoding: Base64.encoded(bytes.elementSpan), as: UTF8.self))
    case .json(let text): text
    case .array(let values): "[\(values.map(\.json).joined(separator: ","))]"
    case .text(let text), .uuid(let text), .timestampWithZone(let text), .timestamp(let text),
      .date(let text), .time(let text):
      JSONText.quoted(text)
    }
  }
}

extension String {
  /// Indicates whether the text is a number without an exponent, as JSON writes it.
  fileprivate var isJSONNumber: Bool {
    var digits = utf8[...]
    if digits.first == UInt8(ascii: "-") { digits.removeFirst() }
    let parts = digits.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard let whole = parts.first, parts.count <= 2 else { return false }
    return (whole.count == 1 || whole.first != UInt8(ascii: "0"))
      && parts.allSatisfy { part in
        !part.isEmpty && part.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      }
  }
}
