internal import Primitives
internal import SQLiteCore

/// An embedded row of another table.
struct EmbeddedRow {
  var names: [String] = []
  var values: [EmbeddedValue] = []
}

/// The value of a column of an embedded row.
enum EmbeddedValue {
  case value(SQLiteValue)
  case row(EmbeddedRow, text: String)
  case rows([EmbeddedRow], text: String)

  /// The value of the column as in SQLite. Rows are represented by their text.
  var sqliteValue: SQLiteValue {
    switch self {
    case .value(let value): value
    case .row(_, let text), .rows(_, let text): .text(text)
    }
  }
}

/// Parses the JSON that ``StatementWriter`` generates for embedded rows: JSON in which each value keeps its storage
/// class.
///
/// A row is an object, rows are an array of objects, a BLOB is an array with one text of hexadecimal digits. A number
/// with a point or an exponent is a real number. `true` and `false` are the values 1 and 0 of a column that is declared
/// as Boolean.
struct EmbeddedJSONReader {
  /// Reused for all rows, because their JSON has the same keys.
  private var events: JSONEventReader
  /// The keys so far, by index.
  private var keys: [String] = []

  init() {
    // A response from another source may be nested to any depth.
    events = JSONEventReader(JSONReadingOptions(duplicateKeys: .reported, depth: 200))
  }

  /// Parses the rows in a text; returns `nil` if the text does not contain rows.
  mutating func read(_ text: String) -> EmbeddedValue? {
    events.restart()
    let bytes = Array(text.utf8)
    guard let value = try? value(next(bytes), bytes), (try? next(bytes)) == .end else { return nil }
    if case .value = value { return nil }
    return value
  }

  private mutating func next(_ bytes: [UInt8]) throws(JSONFailure) -> JSONEvent {
    try events.next(in: bytes.elementSpan)
  }

  /// Returns the text of a container from its opening bracket to the current position.
  private func text(from start: Int, _ bytes: [UInt8]) -> String {
    String(decoding: bytes[start..<events.position], as: UTF8.self)
  }

  private mutating func value(
    _ event: JSONEvent, _ bytes: [UInt8]
  ) throws(JSONFailure) -> EmbeddedValue? {
    let start = events.range.lowerBound
    switch event {
    case .beginObject:
      guard let row = try row(bytes) else { return nil }
      return .row(row, text: text(from: start, bytes))
    case .beginArray: return try list(bytes)
    case .string: return .value(.text(events.text(in: bytes.elementSpan)))
    case .integer: return .value(.integer(events.integer))
    case .double: return .value(.real(events.double))
    case .number:
      // Real numbers are rounded as written, and infinity is written as a number beyond all others.
      let digits = events.text(in: bytes.elementSpan)
      guard digits.utf8.contains(where: { $0 == 0x2E || $0 | 0x20 == 0x65 }) else { return nil }
      return Double(digits).map { .value(.real($0)) }
    case .bool: return .value(.integer(events.bool ? 1 : 0))
    case .null: return .value(.null)
    case .endObject, .endArray, .end, .incomplete: return nil
    }
  }

  private mutating func row(_ bytes: [UInt8]) throws(JSONFailure) -> EmbeddedRow? {
    var row = EmbeddedRow()
    while true {
      let event = try next(bytes)
      if event == .endObject, events.key < 0 { return row }
      let name = key
      guard let value = try value(event, bytes) else { return nil }
      row.names.append(name)
      row.values.append(value)
    }
  }

  private var key: String {
    mutating get {
      while keys.count <= events.key { keys.append(events.keys[keys.count]) }
      return keys[events.key]
    }
  }

  private mutating func list(_ bytes: [UInt8]) throws(JSONFailure) -> EmbeddedValue? {
    let start = events.range.lowerBound
    var rows: [EmbeddedRow] = []
    while true {
      switch try next(bytes) {
      case .endArray: return .rows(rows, text: text(from: start, bytes))
      case .beginObject:
        guard let row = try row(bytes) else { return nil }
        rows.append(row)
      case .string where rows.isEmpty:
        let blob = events.withText(in: bytes.elementSpan) { Self.blob($0) }
        guard let blob, try next(bytes) == .endArray else { return nil }
        return .value(.blob(blob))
      default: return nil
      }
    }
  }

  /// Returns the bytes that pairs of hexadecimal digits denote.
  private static func blob(_ digits: Span<UInt8>) -> [UInt8]? {
    guard digits.count.isMultiple(of: 2) else { return nil }
    var blob: [UInt8] = []
    blob.reserveCapacity(digits.count / 2)
    for index in stride(from: 0, to: digits.count, by: 2) {
      guard let high = Character(Unicode.Scalar(digits[index])).hexDigitValue,
        let low = Character(Unicode.Scalar(digits[index + 1])).hexDigitValue
      else { return nil }
      blob.append(UInt8(high << 4 | low))
    }
    return blob
  }
}
