import SQLiteCore

/// A small JSON value, written on one line with its members in the given order.
indirect enum JSONText: CustomStringConvertible {
  case null
  case bool(Bool)
  case integer(Int)
  case number(Double)
  case text(String)
  case value(SQLiteValue)
  case array([JSONText])
  case object([(String, JSONText)])

  static func optional(_ text: String?) -> JSONText { text.map(JSONText.text) ?? .null }
  static func optional(_ number: Int?) -> JSONText { number.map(JSONText.integer) ?? .null }

  var description: String {
    switch self {
    case .null: "null"
    case .bool(let value): "\(value)"
    case .integer(let value): "\(value)"
    case .number(let value): "\(value)"
    case .text(let text): Self.literal(.text(text))
    case .value(let value): Self.literal(value)
    case .array(let elements): "[\(elements.map(\.description).joined(separator: ","))]"
    case .object(let members):
      "{\(members.map { "\(Self.literal(.text($0))):\($1)" }.joined(separator: ","))}"
    }
  }

  /// Returns the value's JSON literal, as in JSON rows.
  private static func literal(_ value: SQLiteValue) -> String { ResultFormat.jsonText(of: value) }
}

extension JSONText {
  /// Returns the value as an SQL literal on one line, with control characters escaped.
  static func oneLine(_ value: SQLiteValue) -> String {
    value.description.unicodeScalars.map {
      $0.value < 32 || (127..<160).contains($0.value) ? $0.escaped(asASCII: true) : String($0)
    }.joined()
  }
}
