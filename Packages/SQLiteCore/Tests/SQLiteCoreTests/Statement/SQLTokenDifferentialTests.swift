import Primitives
import SQLiteCore
import Testing

@Suite struct `Tokens of SQL, beside SQLite's` {
  /// What the tokenizer distinguishes. Underscores in numbers depend on SQLite's version, and a semicolon is a whole statement.
  static let alphabet = [
    " ", "\n", "\u{B}", "-", "/", "*", "'", "\"", "`", "[", "]", "x", "X", "0", "1", "e", "E", ".",
    "+", "a", "$", ":", "@", "#", "?", "(", ")", "<", ">", "=", "!", "|", "&", "~", "%", ",", "é",
    "\u{FEFF}", "{", "\\", "^",
  ]

  /// SQLite's message names the token at which a text stops to be SQL; with no keywords, that is the first one.
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
      // Before SQLite 3.46, letters after a hexadecimal number are a token of their own.
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
