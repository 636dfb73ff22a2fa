/// An SQL token, as delimited by SQLite's tokenizer (`tokenize.c`, with the number syntax of SQLite 3.46: digits can be
/// separated by `_`, and a hexadecimal number can't be followed by letters).
///
/// Keywords and names are not distinguished: a `word` is either, since SQLite's grammar decides. Code that reads SQL at
/// run time uses these tokens; QueryGen's compiler has a separate lexer, which classifies keywords and reports errors.
public struct SQLToken: Hashable, Sendable {
  /// The kind of a token.
  public enum Kind: Hashable, Sendable {
    /// A name or a keyword.
    case word
    /// A name in double quotes, backticks or brackets.
    case quotedName
    /// A text in `'…'`.
    case string
    /// `x'…'`.
    case blob
    case number
    /// `?`, `?7`, `:name`, `@name`, `#name`, `$name` or `$space::name(suffix)`.
    case parameter
    /// An operator or a punctuation mark: one to three bytes.
    case symbol
    /// White space, or a byte order mark.
    case space
    /// `-- …`, without the following line break, or `/* … */`, which the end of the text also ends.
    case comment
    /// A token that SQLite refuses in every context.
    case illegal
  }

  public let kind: Kind
  /// The token's bytes.
  public let range: Range<Int>
  /// Indicates whether the text ends within the token: in a comment or in quotes.
  public let isOpen: Bool

  /// Reads the token at an offset, or returns `nil` at the end of the text, which a NUL also marks.
  public init?(in bytes: Span<UInt8>, at start: Int) {
    var scan = SQLTokenScan(start: start)
    guard let kind = scan.kind(bytes) else { return nil }
    self.kind = kind
    range = start..<scan.end
    isOpen = scan.isOpen
  }

  /// Returns the first token from an offset that is neither white space nor a comment, or `nil` if there is none.
  public static func next(in bytes: Span<UInt8>, from start: Int) -> SQLToken? {
    var start = start
    while let token = SQLToken(in: bytes, at: start) {
      guard token.kind == .space || token.kind == .comment else { return token }
      start = token.range.upperBound
    }
    return nil
  }
}

/// Finds the end of one token.
private struct SQLTokenScan {
  let start: Int
  private(set) var end: Int
  private(set) var isOpen = false

  init(start: Int) { (self.start, end) = (start, start) }

  /// Returns the byte at an offset from the token's start, or 0 beyond the text.
  private func byte(_ distance: Int, _ bytes: Span<UInt8>) -> UInt8 {
    start + distance < bytes.count ? bytes[start + distance] : 0
  }

  private func next(_ bytes: Span<UInt8>) -> UInt8 { byte(end - start, bytes) }

  @inline(__always)
  private mutating func skip(_ bytes: Span<UInt8>, while test: (UInt8) -> Bool) {
    var at = end
    while at < bytes.count, bytes[at] != 0, test(bytes[at]) { at &+= 1 }
    end = at
  }

  private mutating func take(_ count: Int, _ kind: SQLToken.Kind) -> SQLToken.Kind {
    end = start + count
    return kind
  }

  mutating func kind(_ bytes: Span<UInt8>) -> SQLToken.Kind? {
    switch byte(0, bytes) {
    case 0: return nil
    // A vertical tab is white space only after other white space.
    case 0x20, 0x09, 0x0A, 0x0C, 0x0D:
      skip(bytes) { $0.isSQLSpace }
      return .space
    case UInt8(ascii: "-"):
      if byte(1, bytes) == UInt8(ascii: "-") { return lineComment(bytes) }
      guard byte(1, bytes) == UInt8(ascii: ">") else { return take(1, .symbol) }
      return take(byte(2, bytes) == UInt8(ascii: ">") ? 3 : 2, .symbol)
    case UInt8(ascii: "/"):
      // `/*` at the end of the text does not begin a comment.
      guard byte(1, bytes) == UInt8(ascii: "*"), byte(2, bytes) != 0 else {
        return take(1, .symbol)
      }
      return blockComment(bytes)
    case UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: ";"), UInt8(ascii: "+"),
      UInt8(ascii: "*"), UInt8(ascii: "%"), UInt8(ascii: ","), UInt8(ascii: "&"),
      UInt8(ascii: "~"):
      return take(1, .symbol)
    case UInt8(ascii: "="): return take(byte(1, bytes) == UInt8(ascii: "=") ? 2 : 1, .symbol)
    case UInt8(ascii: "<"):
      let next = byte(1, bytes)
      return take((UInt8(ascii: "<")...UInt8(ascii: ">")).contains(next) ? 2 : 1, .symbol)
    case UInt8(ascii: ">"):
      let next = byte(1, bytes)
      return take(next == UInt8(ascii: "=") || next == UInt8(ascii: ">") ? 2 : 1, .symbol)
    case UInt8(ascii: "!"):
      return byte(1, bytes) == UInt8(ascii: "=") ? take(2, .symbol) : take(1, .illegal)
    case UInt8(ascii: "|"): return take(byte(1, bytes) == UInt8(ascii: "|") ? 2 : 1, .symbol)
    case UInt8(ascii: "'"): return quoted(.string, bytes)
    case UInt8(ascii: "\""), UInt8(ascii: "`"): return quoted(.quotedName, bytes)
    case UInt8(ascii: "["): return bracketed(bytes)
    case UInt8(ascii: "."): return byte(1, bytes).isDigit ? number(bytes) : take(1, .symbol)
    case UInt8(ascii: "0")...UInt8(ascii: "9"): return number(bytes)
    case UInt8(ascii: "?"):
      end += 1
      skip(bytes) { $0.isDigit }
      return .parameter
    case UInt8(ascii: "$"), UInt8(ascii: "@"), UInt8(ascii: "#"), UInt8(ascii: ":"):
      return namedParameter(bytes)
    case UInt8(ascii: "x"), UInt8(ascii: "X"):
      if byte(1, bytes) == UInt8(ascii: "'") { return blob(bytes) }
      skip(bytes) { $0.isSQLNamePart }
      return .word
    case 0xEF where byte(1, bytes) == 0xBB && byte(2, bytes) == 0xBF: return take(3, .space)
    case let byte where byte.isSQLNamePart:
      skip(bytes) { $0.isSQLNamePart }
      return .word
    default: return take(1, .illegal)
    }
  }

  private mutating func lineComment(_ bytes: Span<UInt8>) -> SQLToken.Kind {
    skip(bytes) { $0 != UInt8(ascii: "\n") }
    isOpen = next(bytes) == 0
    return .comment
  }

  private mutating func blockComment(_ bytes: Span<UInt8>) -> SQLToken.Kind {
    end += 3
    // The star of `/*` does not end the comment.
    while next(bytes) != 0, next(bytes) != UInt8(ascii: "/") || bytes[end - 1] != UInt8(ascii: "*")
    { end += 1 }
    isOpen = next(bytes) == 0
    if !isOpen { end += 1 }
    return .comment
  }

  /// Reads a quoted token, in which a quote is doubled.
  private mutating func quoted(_ kind: SQLToken.Kind, _ bytes: Span<UInt8>) -> SQLToken.Kind {
    let quote = byte(0, bytes)
    end += 1
    while next(bytes) != 0 {
      guard next(bytes) == quote else {
        end += 1
        continue
      }
      end += 1
      guard next(bytes) == quote else { return kind }
      end += 1
    }
    isOpen = true
    return .illegal
  }

  private mutating func bracketed(_ bytes: Span<UInt8>) -> SQLToken.Kind {
    skip(bytes) { $0 != UInt8(ascii: "]") }
    guard next(bytes) != 0 else {
      isOpen = true
      return .illegal
    }
    end += 1
    return .quotedName
  }

  private mutating func blob(_ bytes: Span<UInt8>) -> SQLToken.Kind {
    end += 2
    skip(bytes) { $0.isHexDigit }
    let isBlob = next(bytes) == UInt8(ascii: "'") && (end - start) % 2 == 0
    skip(bytes) { $0 != UInt8(ascii: "'") }
    isOpen = next(bytes) == 0
    if !isOpen { end += 1 }
    return isBlob ? .blob : .illegal
  }

  private mutating func number(_ bytes: Span<UInt8>) -> SQLToken.Kind {
    let isSeparator = { (byte: UInt8) in byte == UInt8(ascii: "_") }
    if byte(0, bytes) == UInt8(ascii: "0"), byte(1, bytes) | 0x20 == UInt8(ascii: "x"),
      byte(2, bytes).isHexDigit
    {
      end += 3
      skip(bytes) { $0.isHexDigit || isSeparator($0) }
    } else {
      skip(bytes) { $0.isDigit || isSeparator($0) }
      if next(bytes) == UInt8(ascii: ".") {
        end += 1
        skip(bytes) { $0.isDigit || isSeparator($0) }
      }
      let distance = end - start
      let sign = byte(distance + 1, bytes)
      let isSigned = sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-")
      if next(bytes) | 0x20 == UInt8(ascii: "e"),
        sign.isDigit || isSigned && byte(distance + 2, bytes).isDigit
      {
        end += 2
        skip(bytes) { $0.isDigit || isSeparator($0) }
      }
    }
    guard next(bytes).isSQLNamePart else { return .number }
    skip(bytes) { $0.isSQLNamePart }
    return .illegal
  }

  private mutating func namedParameter(_ bytes: Span<UInt8>) -> SQLToken.Kind {
    end += 1
    var hasName = false
    while next(bytes) != 0 {
      if next(bytes).isSQLNamePart {
        hasName = true
        end += 1
      } else if next(bytes) == UInt8(ascii: "("), hasName {
        end += 1
        skip(bytes) { !$0.isSQLSpace && $0 != UInt8(ascii: ")") }
        guard next(bytes) == UInt8(ascii: ")") else {
          isOpen = next(bytes) == 0
          return .illegal
        }
        end += 1
        break
      } else if next(bytes) == UInt8(ascii: ":"), byte(end - start + 1, bytes) == UInt8(ascii: ":")
      {
        end += 2
      } else {
        break
      }
    }
    return hasName ? .parameter : .illegal
  }
}

extension UInt8 {
  /// Indicates whether SQLite treats the byte as part of a name: a letter, a digit, `_`, `$`, or a byte beyond ASCII.
  public var isSQLNamePart: Bool {
    // A bit set of ASCII: `$` and the digits, and the letters and `_`.
    let bits: UInt64 = self < 64 ? 0x03FF_0010_0000_0000 : 0x07FF_FFFE_87FF_FFFE
    return self >= 0x80 || bits &>> UInt64(self & 63) & 1 != 0
  }

  fileprivate var isSQLSpace: Bool { self == 0x20 || self &- 0x09 < 5 }
  fileprivate var isDigit: Bool { self &- 0x30 < 10 }
  fileprivate var isHexDigit: Bool { isDigit || (self | 0x20) &- 0x61 < 6 }
}
