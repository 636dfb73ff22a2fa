/// The words and punctuation of a Swift source, without comments and string literals.
struct SwiftTokens {
  private(set) var all: [String] = []
  private let bytes: [UInt8]
  private var place = 0

  init(_ source: String) {
    bytes = Array(source.utf8)
    while let byte = current {
      if Self.isWord(byte) || byte == UInt8(ascii: "`") {
        addWord()
      } else if byte == UInt8(ascii: "/"), next == UInt8(ascii: "/") {
        while let byte = current, byte != 10 { place += 1 }
      } else if byte == UInt8(ascii: "/"), next == UInt8(ascii: "*") {
        skipComment()
      } else if byte == UInt8(ascii: "\"") || (byte == UInt8(ascii: "#") && beginsText) {
        skipText()
        all.append("\"\"")
      } else if byte == UInt8(ascii: "-"), next == UInt8(ascii: ">") {
        place += 2
        all.append("->")
      } else {
        if byte > 32 { all.append(String(decoding: [byte], as: UTF8.self)) }
        place += 1
      }
    }
  }

  static func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case 48...57, 65...90, 97...122, UInt8(ascii: "_"), 128...: true
    default: false
    }
  }

  private var current: UInt8? { place < bytes.count ? bytes[place] : nil }
  private var next: UInt8? { place + 1 < bytes.count ? bytes[place + 1] : nil }

  private mutating func addWord() {
    let isQuoted = current == UInt8(ascii: "`")
    if isQuoted { place += 1 }
    let start = place
    while let byte = current, isQuoted ? byte != UInt8(ascii: "`") : Self.isWord(byte) {
      place += 1
    }
    all.append(String(decoding: bytes[start..<place], as: UTF8.self))
    if isQuoted { place += 1 }
  }

  private mutating func skipComment() {
    var depth = 0
    repeat {
      if current == UInt8(ascii: "/"), next == UInt8(ascii: "*") {
        depth += 1
        place += 2
      } else if current == UInt8(ascii: "*"), next == UInt8(ascii: "/") {
        depth -= 1
        place += 2
      } else {
        place += 1
      }
    } while depth > 0 && place < bytes.count
  }

  /// Returns whether a `#` starts a raw string literal.
  private var beginsText: Bool {
    bytes[place...].first { $0 != UInt8(ascii: "#") } == UInt8(ascii: "\"")
  }

  private mutating func skipText() {
    var hashes = 0
    while current == UInt8(ascii: "#") {
      hashes += 1
      place += 1
    }
    var quotes = 0
    while quotes < 3, current == UInt8(ascii: "\"") {
      quotes += 1
      place += 1
    }
    // Two quotes are an empty string.
    if quotes == 2 { return skip(hashes, UInt8(ascii: "#")) }
    while place < bytes.count {
      if current == UInt8(ascii: "\\"), has(hashes, UInt8(ascii: "#"), from: place + 1) {
        place += 1 + hashes
        if current == UInt8(ascii: "(") { skipInterpolation() } else { place += 1 }
      } else if has(quotes, UInt8(ascii: "\""), from: place),
        has(hashes, UInt8(ascii: "#"), from: place + quotes)
      {
        place += quotes + hashes
        return
      } else {
        place += 1
      }
    }
  }

  private mutating func skipInterpolation() {
    var depth = 0
    repeat {
      switch current {
      case UInt8(ascii: "("): depth += 1
      case UInt8(ascii: ")"): depth -= 1
      case UInt8(ascii: "\""):
        skipText()
        continue
      default: break
      }
      place += 1
    } while depth > 0 && place < bytes.count
  }

  private func has(_ count: Int, _ byte: UInt8, from start: Int) -> Bool {
    start + count <= bytes.count && bytes[start..<(start + count)].allSatisfy { $0 == byte }
  }

  private mutating func skip(_ count: Int, _ byte: UInt8) {
    var left = count
    while left > 0, current == byte {
      place += 1
      left -= 1
    }
  }
}
