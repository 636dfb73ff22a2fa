/// What stands behind `SELECT … FROM table`, as far as one must know it in order to add to it.
struct QueryText: Hashable, Sendable {
  let sql: String
  /// Whether it says an order, or how many rows there are: outside of parentheses, texts and comments.
  let hasOrder: Bool
  let hasLimit: Bool

  init(_ sql: String) {
    self.sql = sql
    let words = Self.outerWords(sql)
    hasOrder = words.contains("ORDER")
    hasLimit = words.contains("LIMIT")
  }

  /// The words outside of parentheses, in capitals.
  private static func outerWords(_ sql: String) -> [String] {
    var words: [String] = []
    var word: [UInt8] = []
    var depth = 0
    var rest = Array(sql.utf8)[...]
    func isPart(_ byte: UInt8) -> Bool {
      byte >= 0x80 || byte == 0x5F || byte == 0x24 || (0x30...0x39).contains(byte)
        || (0x61...0x7A).contains(byte | 0x20)
    }
    while let byte = rest.first {
      if isPart(byte) {
        if depth == 0 { word.append((0x61...0x7A).contains(byte) ? byte & 0xDF : byte) }
        rest.removeFirst()
        continue
      }
      if !word.isEmpty { words.append(String(decoding: word, as: UTF8.self)) }
      word = []
      rest.removeFirst()
      switch byte {
      case 0x28: depth += 1
      case 0x29: depth -= 1
      case 0x27, 0x22, 0x60: skip(to: byte, &rest)
      case 0x5B: skip(to: 0x5D, &rest)
      case 0x2D where rest.first == 0x2D: skip(to: 0x0A, &rest)
      case 0x2F where rest.first == 0x2A: skipComment(&rest)
      default: break
      }
    }
    if !word.isEmpty { words.append(String(decoding: word, as: UTF8.self)) }
    return words
  }

  private static func skip(to end: UInt8, _ rest: inout ArraySlice<UInt8>) {
    rest = rest[(rest.firstIndex(of: end).map { $0 + 1 } ?? rest.endIndex)...]
  }

  private static func skipComment(_ rest: inout ArraySlice<UInt8>) {
    rest.removeFirst()
    while let byte = rest.popFirst() {
      if byte == 0x2A, rest.first == 0x2F { return }
    }
  }
}
