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
