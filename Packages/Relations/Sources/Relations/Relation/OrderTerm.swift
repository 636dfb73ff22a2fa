internal import SQLiteCore

/// A term of an `ORDER BY` clause.
struct OrderTerm: Sendable {
  let expression: String
  var isDescending = false
  /// A Boolean value that indicates whether NULL precedes all other values.
  var hasNullsFirst: Bool

  init(_ expression: String, isDescending: Bool = false, hasNullsFirst: Bool? = nil) {
    self.expression = expression
    self.isDescending = isDescending
    // SQLite's default: NULL is smaller than any other value.
    self.hasNullsFirst = hasNullsFirst ?? !isDescending
  }

  /// Returns the text after `ORDER BY`.
  static func sql(_ terms: [OrderTerm]) -> String {
    terms.map { term in
      let isUsual = term.hasNullsFirst != term.isDescending
      return term.expression + (term.isDescending ? " DESC" : "")
        + (isUsual ? "" : term.hasNullsFirst ? " NULLS FIRST" : " NULLS LAST")
    }
    .joined(separator: ", ")
  }

  // MARK: Parsing

  /// Parses the text after `ORDER BY`.
  static func parse(_ text: String) -> [OrderTerm] {
    split(Array(text.utf8)).compactMap { piece in
      var words = Words(piece)
      var nullsFirst: Bool?
      if words.drop("FIRST", after: "NULLS") { nullsFirst = true }
      if nullsFirst == nil, words.drop("LAST", after: "NULLS") { nullsFirst = false }
      let isDescending = words.drop("DESC")
      if !isDescending { _ = words.drop("ASC") }
      let expression = words.text
      return expression.isEmpty
        ? nil : OrderTerm(expression, isDescending: isDescending, hasNullsFirst: nullsFirst)
    }
  }

  /// Splits the text at commas outside of quotes and parentheses.
  private static func split(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] {
    var pieces: [ArraySlice<UInt8>] = []
    var start = 0
    var depth = 0
    var quote: UInt8?
    for (place, byte) in bytes.enumerated() {
      if let end = quote {
        if byte == end { quote = nil }
        continue
      }
      switch byte {
      case UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "`"): quote = byte
      case UInt8(ascii: "["): quote = UInt8(ascii: "]")
      case UInt8(ascii: "("): depth += 1
      case UInt8(ascii: ")"): depth -= 1
      case UInt8(ascii: ",") where depth == 0:
        pieces.append(bytes[start..<place])
        start = place + 1
      default: break
      }
    }
    return pieces + [bytes[start...]]
  }

  /// A text whose trailing words can be removed.
  private struct Words {
    private var bytes: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) {
      self.bytes = bytes
      trim()
      while let first = self.bytes.first, Self.isSpace(first) { self.bytes.removeFirst() }
    }

    var text: String { String(decoding: bytes, as: UTF8.self) }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (9...13).contains(byte) }

    private mutating func trim() {
      while let last = bytes.last, Self.isSpace(last) { bytes.removeLast() }
    }

    /// Removes the last word if it is `word`, and if another word precedes it.
    mutating func drop(_ word: String, after other: String? = nil) -> Bool {
      let former = bytes
      guard removeLast(word), other.map({ removeLast($0) }) ?? true else {
        bytes = former
        return false
      }
      return true
    }

    private mutating func removeLast(_ word: String) -> Bool {
      let count = word.utf8.count
      guard bytes.count > count,
        SQLName.isSame(String(decoding: bytes.suffix(count), as: UTF8.self), word)
      else { return false }
      let before = bytes[bytes.endIndex - count - 1]
      guard Self.isSpace(before) || before == UInt8(ascii: ")") || before == UInt8(ascii: "\"")
      else { return false }
      bytes.removeLast(count)
      trim()
      return true
    }
  }

  // MARK: Pagination

  /// Returns a condition, and its arguments, that holds for rows ordered after a row with the given
  /// values.
  static func condition(
    after values: [SQLiteValue], _ terms: [OrderTerm]
  ) -> (sql: String, arguments: [SQLiteValue]) {
    var arguments: [SQLiteValue] = []
    var sql = ""
    for (place, (term, value)) in zip(terms, values).enumerated() {
      let (conditionAfter, isBound) = term.conditionAfter(value)
      if isBound { arguments.append(value) }
      if place == terms.count - 1 {
        sql += conditionAfter
      } else {
        sql += "(\(conditionAfter) OR (\(term.expression) IS ? AND "
        arguments.append(value)
      }
    }
    return (sql + String(repeating: "))", count: Swift.max(0, terms.count - 1)), arguments)
  }

  private func conditionAfter(_ value: SQLiteValue) -> (sql: String, isBound: Bool) {
    if value.isNull { return (hasNullsFirst ? "\(expression) IS NOT NULL" : "0", false) }
    let compared = "\(expression) \(isDescending ? "<" : ">") ?"
    return (hasNullsFirst ? compared : "(\(compared) OR \(expression) IS NULL)", true)
  }
}
