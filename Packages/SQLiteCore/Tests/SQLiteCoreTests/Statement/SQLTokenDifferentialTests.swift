import Primitives
import SQLiteCore
import Testing

@Suite struct `SQL tokens compared with SQLite's` {
  /// The characters that the tokenizer distinguishes. Underscores in numbers depend on SQLite's
  /// version, and a semicolon is a whole statement.
  static let alphabet = [
    " ", "\n", "\u{B}", "-", "/", "*", "'", "\"", "`", "[", "]", "x", "X", "0", "1", "e", "E", ".",
    "+", "a", "$", ":", "@", "#", "?", "(", ")", "<", ">", "=", "!", "|", "&", "~", "%", ",", "é",
    "\u{FEFF}", "{", "\\", "^",
  ]

  /// SQLite's message contains the token at which a text stops being valid SQL. Without keywords,
  /// this is the first token.
  @Test func `end at the same bytes`() throws {
    let db = try Connection(path: ":memory:")
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<20_000 {
      let count = Int.random(in: 1...10, using: &generator)
      let sql = (0..<count).map { _ in Self.alphabet.randomElement(using: &generator) ?? "" }
        .joined()
      let bytes = Array(sql.utf8)
      guard let token = SQLToken.next(in: bytes.elementSpan, from: 0) else { continue }
      let text = String(decoding: bytes[token.range], as: UTF8.self)
      // Before SQLite 3.46, letters after a hexadecimal number are a separate token.
      if token.kind == .illegal, text.lowercased().hasPrefix("0x") { continue }
      let expected =
        token.kind == .illegal
        ? "unrecognized token: \"\(text)\"" : "near \"\(text)\": syntax error"
      let error = try #require(throws: SQLiteError.self) { try db.execute(SQL(unsafe: sql)) }
      guard error.message == expected else {
        Issue.record("\(sql.debugDescription): \(error.message), expected \(expected)")
        return
      }
    }
  }
}
