/// Which time values SQLite is certain to understand.
///
/// See <https://www.sqlite.org/lang_datefunc.html>: what it does not understand gives `NULL`.
enum TimeValue {
  /// Whether the arguments from `position` on are a time value and modifiers that always work.
  static func isAlwaysUnderstood(_ arguments: [TypedExpression], from position: Int) -> Bool {
    // `strftime` without a format is NULL; the others without arguments are the present.
    guard arguments.count >= position else { return false }
    if position > 0, !(arguments[0].literalText.map(isFormat) ?? false) { return false }
    let rest = arguments.dropFirst(position)
    guard let time = rest.first else { return true }
    guard time.literalText?.lowercased() == "now" || time.isCurrentTime else { return false }
    // Each modifier moves by less than a thousand years; dates end with the year 9999.
    guard rest.count <= 5 else { return false }
    return rest.dropFirst().allSatisfy { $0.literalText.map(isModifier) ?? false }
  }

  /// Whether SQLite 3.40 knows every conversion of a format.
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
      // Four digits of years would leave the range of dates that SQLite knows.
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

/// What `format` makes of a format that is written out.
///
/// See <https://www.sqlite.org/printf.html>. SQLite gives an empty result as `NULL`.
enum FormatText {
  /// Whether the format leaves at least one character, whatever its arguments are.
  static func isNeverEmpty(_ format: TypedExpression) -> Bool {
    guard case .literal(.text(let text)) = format.kind else { return false }
    var rest = Substring(text)
    while let first = rest.first {
      guard first == "%" else { return true }
      rest = rest.dropFirst().drop { "-+ 0#!,.0123456789*".contains($0) }
      guard let conversion = rest.first else { return false }
      // Numbers have a digit at least; strings may be empty.
      if "diufeEgGxXo%".contains(conversion) { return true }
      rest = rest.dropFirst()
    }
    return false
  }
}
