public import SQLiteCore

extension Connection {
  /// Gives SQL the function that `text REGEXP pattern` calls, which SQLite has no own one for.
  ///
  /// Patterns are those of Swift's `Regex`. A text matches where a part of it does; NULL is neither.
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
          throw SQLiteError(code: .error, message: "this is no regular expression")
        }
        last = (pattern, expression)
      }
      return .integer(try expression.firstMatch(in: text) == nil ? 0 : 1)
    }
  }
}

extension SQLiteValue {
  /// The value as SQLite has it where it takes a text; `nil` for NULL.
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
  /// The same for connections with `REGEXP`, as those of providers have it, unless ``prepare`` gives them another.
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
