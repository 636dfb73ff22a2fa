/// What a statement does, by its first word: that behind the tables of a `WITH`.
enum StatementVerb: Hashable {
  case insert, update, delete, other

  init(_ sql: String) {
    var scanner = Scanner(bytes: Array(sql.utf8))
    self = .other
    while let word = scanner.nextWord() {
      switch word {
      case "INSERT", "REPLACE": self = .insert
      case "UPDATE": self = .update
      case "DELETE": self = .delete
      case "WITH", "RECURSIVE", "AS", "NOT", "MATERIALIZED", "": continue
      default: if scanner.isInWith { continue }
      }
      return
    }
  }

  /// Finds the words outside of parentheses, quotes and comments.
  fileprivate struct Scanner {
    let bytes: [UInt8]
    var at = 0
    private(set) var isInWith = false

    init(bytes: [UInt8]) { self.bytes = bytes }

    /// The next word, in capitals; empty for a quoted name; `nil` at the end.
    mutating func nextWord() -> String? {
      var depth = 0
      while at < bytes.count {
        let byte = bytes[at]
        switch byte {
        case UInt8(ascii: "("):
          depth += 1
          at += 1
        case UInt8(ascii: ")"):
          depth -= 1
          at += 1
        case UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "`"):
          skip(past: byte)
          if depth == 0 { return "" }
        case UInt8(ascii: "["):
          skip(past: UInt8(ascii: "]"))
          if depth == 0 { return "" }
        case UInt8(ascii: "-") where peek(1) == UInt8(ascii: "-"):
          while at < bytes.count, bytes[at] != 0x0A { at += 1 }
        case UInt8(ascii: "/") where peek(1) == UInt8(ascii: "*"):
          at += 2
          while at < bytes.count, !(bytes[at] == UInt8(ascii: "*") && peek(1) == 0x2F) { at += 1 }
          at += 2
        case _ where Self.isLetter(byte):
          let start = at
          while at < bytes.count, Self.isLetter(bytes[at]) { at += 1 }
          guard depth == 0 else { continue }
          let word = String(decoding: bytes[start..<at], as: UTF8.self).uppercased()
          if word == "WITH" { isInWith = true }
          return word
        default: at += 1
        }
      }
      return nil
    }

    private func peek(_ distance: Int) -> UInt8? {
      at + distance < bytes.count ? bytes[at + distance] : nil
    }

    /// Goes behind what begins and ends with a quote, which stands twice where it is meant.
    private mutating func skip(past quote: UInt8) {
      at += 1
      while at < bytes.count {
        if bytes[at] == quote {
          at += 1
          guard at < bytes.count, bytes[at] == quote, quote != UInt8(ascii: "]") else { return }
        }
        at += 1
      }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...:
        true
      default: false
      }
    }
  }
}

/// A statement that begins or ends a transaction, where it is alone.
enum TransactionStatement: Hashable {
  case begin, commit, rollBack

  init?(_ sql: String) {
    // What is longer does more.
    guard sql.utf8.count < 1_000 else { return nil }
    var scanner = StatementVerb.Scanner(bytes: Array(sql.utf8))
    switch scanner.nextWord() {
    case "BEGIN": self = .begin
    case "COMMIT", "END": self = .commit
    case "ROLLBACK": self = .rollBack
    default: return nil
    }
    while let word = scanner.nextWord() {
      switch word {
      case "TRANSACTION": continue
      case "DEFERRED", "IMMEDIATE", "EXCLUSIVE": if self != .begin { return nil }
      default: return nil
      }
    }
  }
}
