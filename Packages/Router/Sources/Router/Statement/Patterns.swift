/// Patterns of `LIKE`.
enum Patterns {
  /// - Throws: ``RouterError`` where a backslash has nothing after it, or there is a NUL.
  static func check(_ pattern: String) throws(RouterError) {
    var isEscaped = false
    for byte in pattern.utf8 {
      if byte == 0 { throw .invalid("a pattern has a NUL in it, at which SQLite would end it") }
      isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
    }
    if isEscaped { throw .invalid("a pattern ends with a backslash") }
  }

  /// The pattern of `GLOB` that means the same: its case matters, as that of SQLite's `LIKE` does not.
  static func glob(_ pattern: String) throws(RouterError) -> String {
    try check(pattern)
    var glob = ""
    var isEscaped = false
    for scalar in pattern.unicodeScalars {
      if !isEscaped {
        switch scalar {
        case "\\":
          isEscaped = true
          continue
        case "%":
          glob.unicodeScalars.append("*")
          continue
        case "_":
          glob.unicodeScalars.append("?")
          continue
        default: break
        }
      }
      isEscaped = false
      switch scalar {
      case "*", "?", "[":
        glob.unicodeScalars.append("[")
        glob.unicodeScalars.append(scalar)
        glob.unicodeScalars.append("]")
      default: glob.unicodeScalars.append(scalar)
      }
    }
    return glob
  }
}
