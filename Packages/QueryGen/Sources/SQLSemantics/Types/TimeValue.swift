/// Arguments that are certainly valid. SQLite returns `NULL` for others.
extension Nullability {
  /// Returns whether the arguments from `position` on are a time value and modifiers that are
  /// always valid. See <https://www.sqlite.org/lang_datefunc.html>.
  static func isValidTime(_ arguments: [TypedExpression], from position: Int) -> Bool {
    // `strftime` without a format is NULL; the other functions without arguments return the current
    // time.
    guard arguments.count >= position else { return false }
    if position > 0, !(arguments[0].literalText.map(isFormat) ?? false) { return false }
    let rest = arguments.dropFirst(position)
    guard let time = rest.first else { return true }
    guard time.literalText?.lowercased() == "now" || time.isCurrentTime else { return false }
    // Each modifier shifts the time by less than a thousand years; dates end with the year 9999.
    guard rest.count <= 5 else { return false }
    return rest.dropFirst().allSatisfy { $0.literalText.map(isModifier) ?? false }
  }

  /// Returns whether SQLite 3.40 supports every conversion in a format.
  private static func isFormat(_ text: String) -> Bool {
    var rest = text.utf8[...]
    while let percent = rest.firstIndex(of: UInt8(ascii: "%")) {
      rest = rest[percent...].dropFirst()
      guard let conversion = rest.popFirst(), "dfHjJmMsSwWY%".utf8.contains(conversion) else {
        return false
      }
    }
    return true
  }

  private static func isModifier(_ text: String) -> Bool {
    let words = text.lowercased().split(separator: " ", omittingEmptySubsequences: false)
    switch words.count {
    case 1: return ["localtime", "utc"].contains(words[0])
    case 2:
      let units = ["second", "minute", "hour", "day", "month", "year"]
      let unit = words[1].hasSuffix("s") ? words[1].dropLast() : words[1]
      guard units.contains(String(unit)) else { return false }
      let digits = words[0].drop { $0 == "+" || $0 == "-" }
      // Four digits of years could leave SQLite's range of dates.
      return (1...3).contains(digits.count) && digits.utf8.allSatisfy { $0 >= 48 && $0 <= 57 }
        && words[0].count - digits.count <= 1
    case 3:
      return words[0] == "start" && words[1] == "of"
        && ["day", "month", "year"].contains(String(words[2]))
    default: return false
    }
  }
}

extension TypedExpression {
  fileprivate var isCurrentTime: Bool {
    if case .function(let function, _) = kind {
      function.name == "current_timestamp"
    } else {
      false
    }
  }
}

extension Nullability {
  /// Returns whether a literal format of `format` yields at least one character for any arguments. SQLite
  /// returns an empty result as `NULL`. See <https://www.sqlite.org/printf.html>.
  static func isNeverEmpty(_ format: TypedExpression) -> Bool {
    guard case .literal(.text(let text)) = format.kind else { return false }
    var rest = Substring(text)
    while let first = rest.first {
      guard first == "%" else { return true }
      rest = rest.dropFirst().drop { "-+ 0#!,.0123456789*".contains($0) }
      guard let conversion = rest.first else { return false }
      // Numbers have at least one digit; strings may be empty.
      if "diufeEgGxXo%".contains(conversion) { return true }
      rest = rest.dropFirst()
    }
    return false
  }
}
