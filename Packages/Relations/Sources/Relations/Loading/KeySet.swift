internal import SQLiteCore

/// Conditions that hold for the rows of many keys, however many: the keys are one parameter, a list in JSON.
///
/// The statement is the same for any number of them. JSON has no place for BLOBs: keys with these are parameters of their
/// own, some hundred to a statement.
struct KeySet {
  struct Part {
    let condition: String
    let arguments: [SQLiteValue]
  }

  /// The columns, as SQL has them.
  private let columns: [String]

  /// - Parameter columns: The columns that hold the key.
  init(columns: [String]) { self.columns = columns.map { SQLName.quoted($0) } }

  /// - Parameter expressions: What the key is compared with, in SQL.
  init(expressions: [String]) { columns = expressions }

  func conditions(for keys: [[SQLiteValue]]) -> [Part] {
    if keys.isEmpty { return [] }
    var json = "["
    for (place, key) in keys.enumerated() {
      if place > 0 { json += "," }
      if columns.count > 1 { json += "[" }
      for (index, value) in key.enumerated() {
        if index > 0 { json += "," }
        guard Self.append(value, to: &json) else { return parameters(for: keys) }
      }
      if columns.count > 1 { json += "]" }
    }
    json += "]"
    return [Part(condition: jsonCondition, arguments: [.text(json)])]
  }

  private var jsonCondition: String {
    guard columns.count > 1 else { return "\(columns[0]) IN (SELECT value FROM json_each(?))" }
    let values = columns.indices.map { "value ->> \($0)" }.joined(separator: ", ")
    return "(\(columns.joined(separator: ", "))) IN (SELECT \(values) FROM json_each(?))"
  }

  /// - Returns: Whether JSON has a form for the value.
  private static func append(_ value: SQLiteValue, to json: inout String) -> Bool {
    switch value {
    case .integer(let value): json += "\(value)"
    case .text(let value):
      // The text ends at a NUL for SQLite's functions of JSON.
      if value.utf8.contains(0) { return false }
      appendQuoted(value, to: &json)
    case .null: json += "null"
    case .real(let value):
      guard value.isFinite else { return false }
      json += "\(value)"
    case .blob: return false
    }
    return true
  }

  private static func appendQuoted(_ text: String, to json: inout String) {
    json.unicodeScalars.append("\"")
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\":
        json.unicodeScalars.append("\\")
        json.unicodeScalars.append(scalar)
      case "\u{0}"..<" ":
        let digits = String(scalar.value, radix: 16)
        json += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: json.unicodeScalars.append(scalar)
      }
    }
    json.unicodeScalars.append("\"")
  }

  private func parameters(for keys: [[SQLiteValue]]) -> [Part] {
    let marks =
      columns.count > 1
      ? "(\(columns.map { _ in "?" }.joined(separator: ", ")))" : "(?)"
    let left = columns.count > 1 ? "(\(columns.joined(separator: ", ")))" : columns[0]
    var parts: [Part] = []
    var start = 0
    while start < keys.count {
      let some = keys[start..<Swift.min(start + Self.keysAtOnce / columns.count, keys.count)]
      let list = some.map { _ in marks }.joined(separator: ", ")
      parts.append(
        Part(condition: "\(left) IN (VALUES \(list))", arguments: some.flatMap { $0 }))
      start += some.count
    }
    return parts
  }

  private static let keysAtOnce = 480
}
