public import SQLiteCore

extension Connection {
  /// Registers the function for `text REGEXP pattern`, which SQLite does not implement itself.
  ///
  /// Patterns have the syntax of Swift's `Regex`. A string matches if a part of it does; with NULL,
  /// the result is NULL.
  func registerRegularExpressions() throws {
    var last: (pattern: String, expression: Regex<AnyRegexOutput>)?
    try register("regexp", argumentCount: 2, options: [.deterministic, .innocuous]) { arguments in
      guard let pattern = arguments[0].asText, let text = arguments[1].asText else { return .null }
      let expression: Regex<AnyRegexOutput>
      if let last, last.pattern.utf8.elementsEqual(pattern.utf8) {
        expression = last.expression
      } else {
        do {
          expression = try Regex(pattern)
        } catch {
          throw SQLiteError(code: .error, message: "invalid regular expression")
        }
        last = (pattern, expression)
      }
      return .integer(try expression.firstMatch(in: text) == nil ? 0 : 1)
    }
  }
}

extension SQLiteValue {
  /// The value as SQLite converts it to a string; `nil` for NULL.
  fileprivate var asText: String? {
    switch self {
    case .null: nil
    case .text(let text): text
    case .integer, .real: description
    case .blob(let bytes): String(decoding: bytes, as: UTF8.self)
    }
  }
}

extension Configuration {
  /// The configuration for connections with `REGEXP`, as providers use it, unless
  /// ``/SQLiteCore/Configuration/prepare`` registers another function.
  public var withRegularExpressions: Configuration {
    var configuration = self
    let prepare = prepare
    configuration.prepare = { connection in
      try connection.registerRegularExpressions()
      try prepare?(connection)
    }
    return configuration
  }
}
