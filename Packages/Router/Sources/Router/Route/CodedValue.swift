internal import Primitives
internal import SQLiteCore

/// An SQLite value in an encoded route, in the form of a ``DataValue``, so that it is decoded without loss.
struct CodedValue: Codable {
  let value: SQLiteValue

  init(_ value: SQLiteValue) { self.value = value }

  init(from decoder: any Decoder) throws {
    value =
      switch try DataValue(from: decoder) {
      case .null: .null
      case .integer(let integer): .integer(integer)
      case .real(let real): .real(real)
      case .text(let text): .text(text)
      case .blob(let bytes): .blob(bytes)
      case .bool, .decimal, .uuid, .timestampWithZone, .timestamp, .date, .time, .json, .array:
        throw DecodingError.dataCorrupted(
          .init(
            codingPath: decoder.codingPath,
            debugDescription: "expected a value that SQLite stores"))
      }
  }

  func encode(to encoder: any Encoder) throws { try DataValue(value).encode(to: encoder) }
}
