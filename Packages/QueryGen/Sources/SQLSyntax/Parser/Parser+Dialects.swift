internal import Primitives

extension Diagnostic.Identity {
  /// Syntax of another database that SQLite doesn't support.
  public static let otherDialect = Self(rawValue: "other-dialect")
}

/// Syntax of other databases, for which a message with the SQLite equivalent is more helpful than a
/// list of expected tokens.
extension Parser {
  /// Returns a diagnostic if the unexpected token belongs to syntax of another database.
  func dialectDiagnostic() -> Diagnostic? {
    castDiagnostic ?? escapedQuoteDiagnostic ?? operatorDiagnostic ?? clauseDiagnostic
      ?? literalDiagnostic ?? definitionDiagnostic
  }

  private func other(
    _ message: String, at span: ByteSpan, replacement: String? = nil
  ) -> Diagnostic {
    Diagnostic(
      .otherDialect, at: span, message,
      fixIt: replacement.map { Diagnostic.FixIt(replace: span, with: $0) })
  }

  /// Returns the text of the bare word at a position in lowercase; empty for any other token.
  private func word(_ place: Int) -> String {
    guard tokens.indices.contains(place),
      tokens[place].kind == .identifier || tokens[place].kind.isKeyword
    else { return "" }
    let text = source[tokens[place].span]
    return text.utf8.first.map(Lexer.isIdentifierByte) == true ? text.asciiLowercased : ""
  }

  private func isKind(_ place: Int, _ kinds: TokenKind...) -> Bool {
    tokens.indices.contains(place) && kinds.contains(tokens[place].kind)
  }

  /// Returns whether nothing separates the token at a position from the next one.
  private func isAdjacentToNext(_ place: Int) -> Bool {
    tokens.indices.contains(place) && tokens.indices.contains(place + 1)
      && tokens[place].span.end == tokens[place + 1].span.start
  }

  private func span(_ first: Int, _ last: Int) -> ByteSpan {
    tokens[first].span.union(tokens[last].span)
  }

  // MARK: Expressions

  /// `id::int`
  private var castDiagnostic: Diagnostic? {
    guard kind == .illegal, isKind(index + 1, .parameter), isAdjacentToNext(index),
      source[tokens[index].span] == ":", let first = operandStart
    else { return nil }
    let written = source[tokens[index + 1].span].dropFirst()
    var last = index + 1
    if written.asciiLowercased == "double", word(index + 2) == "precision" { last += 1 }
    let message = "SQLite has no :: operator; use CAST"
    guard let type = Self.castType(written) else { return other(message, at: span(index, last)) }
    let operand = source[span(first, index - 1)]
    let replacement = "CAST(\(operand) AS \(type))"
    var diagnostic = other("\(message): \(replacement)", at: span(index, last))
    diagnostic.fixIt = Diagnostic.FixIt(replace: span(first, last), with: replacement)
    return diagnostic
  }

  /// Returns the warning for the parameter `:id::int`, of whose name SQLite considers `::int` a part.
  func castDiagnostic(of parameter: ByteSpan) -> Diagnostic? {
    let text = source[parameter]
    guard let range = text.dropFirst().firstRange(of: "::"),
      let type = Self.castType(text[range.upperBound...])
    else { return nil }
    let replacement = "CAST(\(text[..<range.lowerBound]) AS \(type))"
    return Diagnostic(
      .otherDialect, severity: .warning, at: parameter,
      "SQLite has no :: operator, so this is a part of the parameter's name; use \(replacement)",
      fixIt: Diagnostic.FixIt(replace: parameter, with: replacement))
  }

  /// The type in a `CAST` that corresponds to a type of PostgreSQL; `nil` if SQLite has no such type.
  private static func castType(_ written: Substring) -> String? {
    switch String(written.prefix { $0 != "(" }).asciiLowercased {
    case "int", "integer", "bigint", "smallint", "int2", "int4", "int8", "bool", "boolean":
      "INTEGER"
    case "real", "float", "float4", "float8", "double": "REAL"
    case "numeric", "decimal": "NUMERIC"
    case "text", "varchar", "char", "bpchar", "citext": "TEXT"
    case "bytea": "BLOB"
    default: nil
    }
  }

  /// The first token of the operand that ends before the current token: a literal, a qualified name,
  /// a call or an expression in parentheses.
  private var operandStart: Int? {
    var place = index - 1
    guard place >= 0 else { return nil }
    if tokens[place].kind == .rightParenthesis {
      var depth = 0
      while place >= 0 {
        if tokens[place].kind == .rightParenthesis { depth += 1 }
        if tokens[place].kind == .leftParenthesis { depth -= 1 }
        if depth == 0 { break }
        place -= 1
      }
      guard place >= 0 else { return nil }
      if !word(place - 1).isEmpty, isAdjacentToNext(place - 1) { place -= 1 }
    } else if isKind(place, .integer, .real, .string, .blob, .parameter) {
      return place
    } else if word(place).isEmpty, tokens[place].kind != .identifier {
      return nil
    }
    while place >= 2, tokens[place - 1].kind == .dot { place -= 2 }
    return place
  }

  /// `'it\'s'`: the literal ends at the escaped quote, and the next token follows it directly.
  private var escapedQuoteDiagnostic: Diagnostic? {
    for place in [index - 1, index - 2] where isKind(place, .string) && isAdjacentToNext(place) {
      let end = tokens[place].span.end
      let quote = ByteSpan(end.value - 2..<end.value)
      guard tokens[place].span.count > 2, source[quote] == "\\'", end.value < source.byteCount,
        Lexer.isIdentifierByte(source.bytes[end.value])
      else { continue }
      return other(
        "a backslash doesn't escape a quote; double the quote instead", at: quote,
        replacement: "''")
    }
    return nil
  }

  private var operatorDiagnostic: Diagnostic? {
    // A word after an expression without an operator may have been parsed as an alias.
    for place in [index, index - 1] {
      switch word(place) {
      case "ilike":
        return other(
          "SQLite has no ILIKE; LIKE ignores the case of ASCII letters", at: tokens[place].span,
          replacement: "LIKE")
      case "rlike", "similar":
        return other(
          "SQLite has no regular expressions by default; use LIKE or GLOB",
          at: tokens[place].span)
      default: break
      }
    }
    if kind == .tilde {
      return other(
        "SQLite has no regular expressions by default; use LIKE or GLOB", at: current.span)
    }
    if kind == .greater, isKind(index - 1, .lessOrEqual), isAdjacentToNext(index - 1) {
      return other(
        "SQLite has no <=> operator; use IS", at: span(index - 1, index), replacement: "IS")
    }
    return nil
  }

  private var literalDiagnostic: Diagnostic? {
    if kind == .string {
      switch word(index - 1) {
      case "interval":
        return other(
          "SQLite has no intervals; use a modifier such as datetime(x, '+1 day')",
          at: span(index - 1, index))
      case "comment":
        return other(
          "SQLite has no COMMENT; use an SQL comment such as -- text", at: span(index - 1, index))
      case "date", "time", "timestamp":
        let text = source[current.span]
        return other(
          "SQLite has no literals for dates; use the text itself", at: span(index - 1, index),
          replacement: text)
      default: break
      }
    }
    if kind == .from, isKind(index - 2, .leftParenthesis), word(index - 3) == "extract" {
      return other(
        "SQLite has no EXTRACT; use strftime, such as strftime('%Y', x)", at: tokens[index - 3].span
      )
    }
    if kind == .leftParenthesis, ["left", "right"].contains(word(index - 1)) {
      return other(
        "SQLite has no function \(source[tokens[index - 1].span])(); use substr(x, start, length)",
        at: tokens[index - 1].span)
    }
    return nil
  }

  // MARK: Statements

  private var clauseDiagnostic: Diagnostic? {
    let previous = word(index - 1)
    if kind == .integer || kind == .parameter, previous == "top",
      isKind(index - 2, .select, .distinct)
    {
      return other(
        "SQLite has no TOP; add LIMIT \(source[current.span]) at the end of the query",
        at: span(index - 1, index))
    }
    if previous == "for", kind == .update {
      return other(
        "SQLite has no FOR UPDATE: a transaction that writes locks the whole database",
        at: span(index - 1, index), replacement: "")
    }
    if previous == "insert", kind == .ignore {
      return other(
        "SQLite has no INSERT IGNORE; use INSERT OR IGNORE", at: current.span,
        replacement: "OR IGNORE")
    }
    if previous == "on", word(index) == "duplicate" {
      return other(
        "SQLite has no ON DUPLICATE KEY UPDATE; use ON CONFLICT (column) DO UPDATE SET",
        at: span(index - 1, index))
    }
    if previous == "create", kind == .or {
      return other(
        "SQLite has no CREATE OR REPLACE; drop the object first, with DROP … IF EXISTS",
        at: current.span)
    }
    if word(index) == "truncate", index == 0 || isKind(index - 1, .semicolon, .colon, .as) {
      let last = isKind(index + 1, .table) ? index + 1 : index
      return other(
        "SQLite has no TRUNCATE; use DELETE FROM", at: span(index, last),
        replacement: "DELETE FROM")
    }
    return fetchDiagnostic
  }

  /// `FETCH FIRST 10 ROWS ONLY`, whose `FETCH` may have been parsed as an alias.
  private var fetchDiagnostic: Diagnostic? {
    guard
      let start = [index, index - 1].first(where: {
        word($0) == "fetch" && ["first", "next"].contains(word($0 + 1))
      })
    else { return nil }
    var last = start + 1
    var count = "1"
    if isKind(last + 1, .integer, .parameter) {
      last += 1
      count = source[tokens[last].span]
    }
    guard ["row", "rows"].contains(word(last + 1)), word(last + 2) == "only" else {
      return other("SQLite has no FETCH; use LIMIT", at: span(start, last))
    }
    return other(
      "SQLite has no FETCH; use LIMIT \(count)", at: span(start, last + 2),
      replacement: "LIMIT \(count)")
  }

  private var definitionDiagnostic: Diagnostic? {
    switch word(index) {
    case "auto_increment", "autoincrement":
      let isAfterKey = isKind(index - 1, .key)
      guard !isAfterKey || kind != .autoincrement else { return nil }
      return other(
        isAfterKey
          ? "SQLite has no AUTO_INCREMENT; use AUTOINCREMENT"
          : "AUTOINCREMENT is only valid directly after PRIMARY KEY; an INTEGER PRIMARY KEY gets its "
            + "values from SQLite without it",
        at: current.span, replacement: isAfterKey ? "AUTOINCREMENT" : nil)
    case "comment" where isKind(index + 1, .string):
      return other(
        "SQLite has no COMMENT; use an SQL comment such as -- text", at: span(index, index + 1))
    default: break
    }
    if kind == .string, isKind(index - 1, .leftParenthesis), word(index - 2) == "enum" {
      return other(
        "SQLite has no ENUM; use TEXT and CHECK (column IN ('a', 'b'))", at: tokens[index - 2].span)
    }
    return nil
  }
}
