import Primitives
import SQLiteCore

/// Parses an expression of either database, and checks that it means the same in the other one.
struct PortableExpressionParser {
  /// An expression without an equivalent.
  struct Untranslatable: Error {}

  /// The kind of a part's values.
  private enum Kind: Equatable {
    case boolean, number, null
    case text(comparesBytes: Bool)
    case literalText
    case other(ColumnType.Family)
  }

  private typealias Part = (expression: PortableExpression, kind: Kind)

  private let tokens: SQLTokens
  private let columns: [PortableTable.Column]
  private let isPostgreSQL: Bool
  private var position = 0

  private init(_ sql: String, _ columns: [PortableTable.Column], isPostgreSQL: Bool) {
    tokens = SQLTokens(isPostgreSQL ? Self.withoutArrays(sql) : sql)
    self.columns = columns
    self.isPostgreSQL = isPostgreSQL
  }

  /// Returns the condition with the same meaning; `nil` if there is none.
  static func condition(
    _ sql: String, columns: [PortableTable.Column], isPostgreSQL: Bool
  ) -> PortableExpression? {
    guard let part = parse(sql, columns, isPostgreSQL), part.kind == .boolean else { return nil }
    return part.expression
  }

  /// Returns the value with the same meaning and the type of a column; `nil` if there is none.
  static func value(
    _ sql: String, type: ColumnType? = nil, columns: [PortableTable.Column], isPostgreSQL: Bool
  ) -> PortableExpression? {
    guard let part = parse(sql, columns, isPostgreSQL) else { return nil }
    switch (part.kind, type?.family) {
    case (_, nil), (.number, .number), (.boolean, .boolean), (.text, .text): break
    case (.other(let family), let wanted?) where family == wanted: break
    default: return nil
    }
    return part.expression
  }

  /// Returns the literal that an expression consists of; `nil` if it is another one.
  static func literal(_ sql: String, isPostgreSQL: Bool) -> LiteralValue? {
    guard let part = parse(sql, [], isPostgreSQL), case .literal(let value) = part.expression else {
      return nil
    }
    return value
  }

  private static func parse(
    _ sql: String, _ columns: [PortableTable.Column], _ isPostgreSQL: Bool
  ) -> Part? {
    var parser = PortableExpressionParser(sql, columns, isPostgreSQL: isPostgreSQL)
    guard !parser.tokens.isOpen, let part = try? parser.disjunction(),
      parser.position == parser.tokens.count
    else { return nil }
    return part
  }

  // MARK: Grammar

  private func isNext(_ word: String) -> Bool { tokens.is(position, word) }

  private mutating func take(_ word: String) -> Bool {
    guard isNext(word) else { return false }
    position += 1
    return true
  }

  private mutating func require(_ word: String) throws(Untranslatable) {
    guard take(word) else { throw Untranslatable() }
  }

  private mutating func disjunction() throws(Untranslatable) -> Part {
    var left = try conjunction()
    while take("OR") { left = try logical("OR", left, conjunction()) }
    return left
  }

  private mutating func conjunction() throws(Untranslatable) -> Part {
    var left = try negation()
    while take("AND") { left = try logical("AND", left, negation()) }
    return left
  }

  private func logical(_ word: String, _ a: Part, _ b: Part) throws(Untranslatable) -> Part {
    guard a.kind == .boolean, b.kind == .boolean else { throw Untranslatable() }
    return (.binary(word, a.expression, b.expression), .boolean)
  }

  private mutating func negation() throws(Untranslatable) -> Part {
    guard take("NOT") else { return try comparison() }
    let part = try negation()
    guard part.kind == .boolean else { throw Untranslatable() }
    return (.not(part.expression), .boolean)
  }

  private mutating func comparison() throws(Untranslatable) -> Part {
    var left = try sum()
    while true {
      if take("IS") {
        let isNegated = take("NOT")
        try require("NULL")
        left = (.null(left.expression, isNegated: isNegated), .boolean)
      } else if take("NOTNULL") {
        left = (.null(left.expression, isNegated: true), .boolean)
      } else if take("ISNULL") {
        left = (.null(left.expression, isNegated: false), .boolean)
      } else if isNext("IN") || isNext("NOT") && tokens.is(position + 1, "IN") {
        let isNegated = take("NOT")
        try require("IN")
        try require("(")
        left = try membership(left, list(until: ")"), isNegated: isNegated)
      } else if isNext("BETWEEN") || isNext("NOT") && tokens.is(position + 1, "BETWEEN") {
        let isNegated = take("NOT")
        try require("BETWEEN")
        let lower = try sum()
        try require("AND")
        let range = try logical(
          "AND", compared(">=", left, lower), compared("<=", left, sum()))
        left = isNegated ? (.not(range.expression), .boolean) : range
      } else if let symbol = comparisonSymbol() {
        if let quantified = try quantified(symbol, left) {
          left = quantified
        } else {
          left = try compared(symbol, left, sum())
        }
      } else {
        return left
      }
    }
  }

  private mutating func comparisonSymbol() -> String? {
    let symbols = [
      "=": "=", "==": "=", "<>": "<>", "!=": "<>", "<": "<", "<=": "<=", ">": ">", ">=": ">=",
    ]
    guard tokens.kind(position) == .symbol, let symbol = symbols[tokens.text(position)] else {
      return nil
    }
    position += 1
    return symbol
  }

  /// Reads `ANY (ARRAY[…])` and `ALL (ARRAY[…])`, as PostgreSQL writes `IN` and `NOT IN`.
  private mutating func quantified(
    _ symbol: String, _ left: Part
  ) throws(Untranslatable) -> Part? {
    let isAny = symbol == "=" && isNext("ANY")
    guard isPostgreSQL, isAny || symbol == "<>" && isNext("ALL") else { return nil }
    position += 1
    try require("(")
    let hasParenthesis = take("(")
    try require("ARRAY")
    try require("(")
    let elements = try list(until: ")")
    if hasParenthesis { try require(")") }
    while try takeCast() != nil {}
    try require(")")
    return try membership(left, elements, isNegated: !isAny)
  }

  /// Returns an expression of PostgreSQL in tokens of SQLite: `ARRAY(…)` for `ARRAY[…]`, since brackets are quotes in
  /// SQLite, and `'\'` for `E'\\'`.
  private static func withoutArrays(_ sql: String) -> String {
    var output: [UInt8] = []
    var quote: UInt8?
    var (isEscaped, depth) = (false, 0)
    let bytes = Array(sql.utf8)
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      let next = index + 1 < bytes.count ? bytes[index + 1] : 0
      index += 1
      if let open = quote {
        if isEscaped, byte == UInt8(ascii: "\\") {
          output.append(next)
          index += 1
          continue
        }
        if byte == open, next == open {
          output += [byte, next]
          index += 1
          continue
        }
        if byte == open { quote = nil }
      } else {
        switch byte {
        case UInt8(ascii: "'"), UInt8(ascii: "\""): (quote, isEscaped) = (byte, false)
        case UInt8(ascii: "E") where next == UInt8(ascii: "'") && output.last != UInt8(ascii: "\""):
          (quote, isEscaped) = (next, true)
          output.append(next)
          index += 1
          continue
        case UInt8(ascii: "[") where next != UInt8(ascii: "]"):
          depth += 1
          output.append(UInt8(ascii: "("))
          continue
        case UInt8(ascii: "]") where depth > 0 && bytes[index - 2] != UInt8(ascii: "["):
          depth -= 1
          output.append(UInt8(ascii: ")"))
          continue
        default: break
        }
      }
      output.append(byte)
    }
    return String(decoding: output, as: UTF8.self)
  }

  private func membership(
    _ left: Part, _ elements: [Part], isNegated: Bool
  ) throws(Untranslatable) -> Part {
    var list: [PortableExpression] = []
    for element in elements {
      guard case .binary(_, _, let value) = try compared("=", left, element).expression else {
        throw Untranslatable()
      }
      list.append(value)
    }
    guard !list.isEmpty else { throw Untranslatable() }
    return (.list(left.expression, list, isNegated: isNegated), .boolean)
  }

  private mutating func list(until end: String) throws(Untranslatable) -> [Part] {
    var parts: [Part] = []
    repeat { parts.append(try sum()) } while take(",")
    try require(end)
    return parts
  }

  /// Returns a comparison, unless the databases compare the values in different ways.
  private func compared(
    _ symbol: String, _ a: Part, _ b: Part
  ) throws(Untranslatable) -> Part {
    let isOrder = symbol != "=" && symbol != "<>"
    func expression(_ a: PortableExpression, _ b: PortableExpression) -> Part {
      (.binary(symbol, a, b), .boolean)
    }
    switch (a.kind, b.kind) {
    case (.number, .number): return expression(a.expression, b.expression)
    case (.boolean, .boolean) where !isOrder: return expression(a.expression, b.expression)
    case (.boolean, .number) where !isOrder && !isPostgreSQL:
      return expression(a.expression, try boolean(b.expression))
    case (.number, .boolean) where !isOrder && !isPostgreSQL:
      return expression(try boolean(a.expression), b.expression)
    case (.text(let ordered), .literalText), (.literalText, .text(let ordered)):
      guard ordered || !isOrder else { throw Untranslatable() }
    case (.text(let first), .text(let second)):
      guard first && second || !isOrder else { throw Untranslatable() }
    case (.other(let family), .literalText): try check(b.expression, family)
    case (.literalText, .other(let family)): try check(a.expression, family)
    case (.other(let family), .other(let other)) where family == other: try check(nil, family)
    default: throw Untranslatable()
    }
    return expression(a.expression, b.expression)
  }

  private func boolean(_ value: PortableExpression) throws(Untranslatable) -> PortableExpression {
    switch value {
    case .literal(.number("0")): return .literal(.boolean(false))
    case .literal(.number("1")): return .literal(.boolean(true))
    default: throw Untranslatable()
    }
  }

  /// Checks that texts of a family compare as its values do.
  private func check(
    _ literal: PortableExpression?, _ family: ColumnType.Family
  ) throws(Untranslatable) {
    var text: String?
    if case .literal(.text(let value))? = literal { text = value }
    switch family {
    case .date where text.map { CalendarText.date($0) == $0 } ?? true: return
    case .timestamp where text.map { CalendarText.timestamp($0) == $0 } ?? false: return
    case .uuid where text.map { $0.asciiLowercased == $0 } ?? true: return
    default: throw Untranslatable()
    }
  }

  private mutating func sum() throws(Untranslatable) -> Part {
    var left = try product()
    while isNext("+") || isNext("-") {
      let symbol = tokens.text(position)
      position += 1
      left = try arithmetic(symbol, left, product())
    }
    return left
  }

  private mutating func product() throws(Untranslatable) -> Part {
    var left = try concatenation()
    while take("*") { left = try arithmetic("*", left, concatenation()) }
    return left
  }

  private mutating func concatenation() throws(Untranslatable) -> Part {
    var left = try primary()
    while take("||") {
      let right = try primary()
      guard Self.isText(left.kind), Self.isText(right.kind) else { throw Untranslatable() }
      left = (
        .binary("||", left.expression, right.expression),
        left.kind == .literalText ? right.kind : left.kind
      )
    }
    return left
  }

  private func arithmetic(_ symbol: String, _ a: Part, _ b: Part) throws(Untranslatable) -> Part {
    guard a.kind == .number, b.kind == .number else { throw Untranslatable() }
    return (.binary(symbol, a.expression, b.expression), .number)
  }

  private mutating func primary() throws(Untranslatable) -> Part {
    var part = try operand()
    while let name = try takeCast() { part = try cast(part, to: name) }
    return part
  }

  private mutating func operand() throws(Untranslatable) -> Part {
    if take("(") {
      let part = try disjunction()
      try require(")")
      return part
    }
    if take("-") {
      guard tokens.kind(position) == .number else { throw Untranslatable() }
      position += 1
      return (.literal(.number("-" + tokens.text(position - 1))), .number)
    }
    defer { position += 1 }
    switch tokens.kind(position) {
    case .number where !tokens.text(position).contains(where: { "xX_".contains($0) }):
      return (.literal(.number(tokens.text(position))), .number)
    case .string: return (.literal(.text(tokens.name(position))), .literalText)
    case .word where isNext("NULL"): return (.literal(.null), .null)
    case .word where isNext("TRUE"): return (.literal(.boolean(true)), .boolean)
    case .word where isNext("FALSE"): return (.literal(.boolean(false)), .boolean)
    case .word where tokens.is(position + 1, "("):
      let name = tokens.text(position).asciiLowercased
      position += 2
      let arguments = try list(until: ")")
      position -= 1
      return try call(name, arguments)
    case .word, .quotedName:
      let name = tokens.name(position)
      guard
        let column = columns.first(where: {
          isPostgreSQL ? $0.name == name : SQLName.isSame($0.name, name)
        })
      else { throw Untranslatable() }
      return (.column(column.name), Self.kind(of: column))
    default: throw Untranslatable()
    }
  }

  /// Returns a call of a function that both databases have.
  private func call(_ name: String, _ arguments: [Part]) throws(Untranslatable) -> Part {
    let call = PortableExpression.call(name, arguments.map(\.expression))
    let kinds = arguments.map(\.kind)
    switch (name, kinds.first) {
    case ("length", .text) where kinds.count == 1: return (call, .number)
    case ("abs", .number) where kinds.count == 1: return (call, .number)
    case ("coalesce", let kind?) where kinds.count > 1:
      if kinds.allSatisfy({ $0 == .number }) { return (call, .number) }
      guard case .text = kind, kinds.allSatisfy({ Self.isText($0) }) else { throw Untranslatable() }
      return (call, kind)
    case ("substr", .text) where kinds.count == 2 || kinds.count == 3:
      // The databases differ for positions before the text, and for negative lengths.
      guard case .literal(.number(let start)) = arguments[1].expression, (Int(start) ?? 0) > 0
      else { throw Untranslatable() }
      if kinds.count == 3 {
        guard case .literal(.number(let length)) = arguments[2].expression,
          (Int(length) ?? -1) >= 0
        else { throw Untranslatable() }
      }
      return (call, kinds[0])
    default: throw Untranslatable()
    }
  }

  private static func isText(_ kind: Kind) -> Bool {
    if case .text = kind { true } else { kind == .literalText }
  }

  private static func kind(of column: PortableTable.Column) -> Kind {
    switch column.type.family {
    case .boolean: .boolean
    case .number: .number
    case .text: .text(comparesBytes: column.comparesBytes)
    case let family: .other(family)
    }
  }

  // MARK: Casts of PostgreSQL

  /// Reads `::type`. The tokens of SQLite are a colon and a parameter such as `:type`.
  private mutating func takeCast() throws(Untranslatable) -> String? {
    guard isPostgreSQL, tokens.kind(position) == .illegal, tokens.text(position) == ":" else {
      return nil
    }
    position += 1
    guard tokens.kind(position) == .parameter, tokens.text(position).hasPrefix(":") else {
      throw Untranslatable()
    }
    var name = String(tokens.text(position).dropFirst())
    position += 1
    while ["varying", "without", "with", "time", "zone", "precision"].contains(
      where: { isNext($0) })
    {
      name += " " + tokens.text(position)
      position += 1
    }
    while isNext(".") {
      name += "." + tokens.name(position + 1)
      position += 2
    }
    if isNext("(") {
      let end = tokens.endOfParentheses(from: position)
      name += tokens.text(position..<end)
      position = end
    }
    if tokens.kind(position) == .quotedName, tokens.text(position) == "[]" {
      name += "[]"
      position += 1
    }
    return name
  }

  /// Returns a value of another type, unless the conversion changes it.
  private func cast(_ part: Part, to name: String) throws(Untranslatable) -> Part {
    let type = ColumnType(postgreSQL: name)
    switch (part.kind, type.family) {
    case (.number, .number), (.boolean, .boolean), (.null, _):
      if case .literal = part.expression { return part }
      guard type == .numeric(precision: nil, scale: 0) || type == .float8 || type == .bigint else {
        throw Untranslatable()
      }
      return part
    case (.number, .exactText):
      // An unlimited numeric keeps each number.
      guard type == .numeric(precision: nil, scale: 0) else { throw Untranslatable() }
      return part
    case (.text, .text) where type == .text: return part
    case (.literalText, .text): return part
    case (.literalText, .number), (.literalText, .exactText):
      guard case .literal(.text(let text)) = part.expression, DecimalText(text) != nil else {
        throw Untranslatable()
      }
      return (.literal(.number(text)), .number)
    case (.literalText, .boolean):
      guard case .literal(.text(let text)) = part.expression,
        text == "t" || text == "f" || text == "true" || text == "false"
      else { throw Untranslatable() }
      return (.literal(.boolean(text.hasPrefix("t"))), .boolean)
    // The comparison checks the literal.
    case (.literalText, _): return part
    default: throw Untranslatable()
    }
  }
}
