#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension RowReader {
  /// Returns the keyed container of a column's JSON.
  func jsonContainer<Key: CodingKey>(
    keyedBy type: Key.Type, at column: Int
  ) throws -> KeyedDecodingContainer<Key> {
    try openJSON(KeyedJSON<Key>.self, at: column).container
  }

  /// Returns the unkeyed container of a column's JSON.
  func unkeyedJSONContainer(at column: Int) throws -> any UnkeyedDecodingContainer {
    try openJSON(UnkeyedJSON.self, at: column).container
  }

  private func openJSON<Opened: Decodable>(_ type: Opened.Type, at column: Int) throws -> Opened {
    let index = ColumnIndex(column)
    let bytes: Data
    switch try row.value(at: index) {
    case .text(let text): bytes = Data(text.utf8)
    case .blob(let blob): bytes = Data(blob)
    case .null: throw row.unexpectedNull("JSON", at: index)
    case let other: throw row.mismatch(other.storageClass, for: "JSON", at: index)
    }
    hasOpenedJSON = true
    do {
      return try makeDecoder().decode(type, from: bytes)
    } catch DecodingError.dataCorrupted {
      throw row.unreadable("the value is not valid JSON", code: .invalidJSON, at: index)
    }
  }

  private func makeDecoder() -> JSONDecoder {
    let decoder = JSONDecoder()
    decoder.userInfo = settings.userInfo
    let strategy = settings.dateDecodingStrategy
    if !strategy.isDeferred {
      decoder.dateDecodingStrategy = .custom { decoder in
        let container = try decoder.singleValueContainer()
        guard let date = try strategy.date(inJSON: Self.scalar(container)) else {
          throw DecodingError.dataCorruptedError(in: container, debugDescription: "no date")
        }
        return date
      }
    }
    return decoder
  }

  private static func scalar(_ container: any SingleValueDecodingContainer) throws -> SQLiteValue {
    if let integer = try? container.decode(Int64.self) { return .integer(integer) }
    if let real = try? container.decode(Double.self) { return .real(real) }
    return .text(try container.decode(String.self))
  }
}

/// Extracts a decoder's container: unlike the decoder, it can be read after the decoding call.
private struct KeyedJSON<Key: CodingKey>: Decodable {
  let container: KeyedDecodingContainer<Key>

  init(from decoder: any Decoder) throws { container = try decoder.container(keyedBy: Key.self) }
}

private struct UnkeyedJSON: Decodable {
  let container: any UnkeyedDecodingContainer

  init(from decoder: any Decoder) throws { container = try decoder.unkeyedContainer() }
}

extension RowEncoder {
  /// Returns the JSON of a value. Keys are sorted, so that equal values have the same JSON.
  func json(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.userInfo = userInfo
    let strategy = dateEncodingStrategy
    if case .deferredToDate = strategy {
    } else {
      encoder.dateEncodingStrategy = .custom { date, encoder in
        var container = encoder.singleValueContainer()
        switch try strategy.value(inJSON: date) ?? .null {
        case .null: try container.encodeNil()
        case .integer(let value): try container.encode(value)
        case .real(let value): try container.encode(value)
        case .text(let value): try container.encode(value)
        case .blob(let value): try container.encode(value)
        }
      }
    }
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }
}
