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
        case _ where isAtComment: skipComment()
        case _ where Self.isLetter(byte):
          let word = self.word()
          guard depth == 0 else { continue }
          if word == "WITH" { isInWith = true }
          return word
        default: at += 1
        }
      }
      return nil
    }

    /// The words of a statement that has nothing else, to its end; `nil` where there is something else.
    mutating func onlyWords() -> [String]? {
      var words: [String] = []
      var hasEnded = false
      while let byte = peek(0) {
        switch byte {
        case UInt8(ascii: ";"):
          hasEnded = !words.isEmpty
          at += 1
        case UInt8(ascii: " "), 0x09, 0x0A, 0x0C, 0x0D: at += 1
        case _ where isAtComment: skipComment()
        case _ where Self.isLetter(byte) && !hasEnded: words.append(word())
        default: return nil
        }
      }
      return words
    }

    /// The word that begins here, in capitals.
    private mutating func word() -> String {
      let start = at
      while at < bytes.count, Self.isLetter(bytes[at]) { at += 1 }
      return String(decoding: bytes[start..<at], as: UTF8.self).uppercased()
    }

    private var isAtComment: Bool {
      switch peek(0) {
      case UInt8(ascii: "-"): peek(1) == UInt8(ascii: "-")
      case UInt8(ascii: "/"): peek(1) == UInt8(ascii: "*")
      default: false
      }
    }

    /// Goes behind a comment, which the end of the text ends, too.
    private mutating func skipComment() {
      guard peek(0) == UInt8(ascii: "/") else {
        while at < bytes.count, bytes[at] != 0x0A { at += 1 }
        return
      }
      at += 2
      while at < bytes.count, !(bytes[at] == UInt8(ascii: "*") && peek(1) == 0x2F) { at += 1 }
      at += 2
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
    guard var words = scanner.onlyWords() else { return nil }
    if words.count > 1, words.last == "TRANSACTION" { words.removeLast() }
    switch words {
    case ["BEGIN"], ["BEGIN", "DEFERRED"], ["BEGIN", "IMMEDIATE"], ["BEGIN", "EXCLUSIVE"]:
      self = .begin
    case ["COMMIT"], ["END"]: self = .commit
    case ["ROLLBACK"]: self = .rollBack
    default: return nil
    }
  }
}
