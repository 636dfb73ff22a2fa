/// SQL text with the values that are bound to its parameters.
///
/// A string literal is SQL. An interpolated value is bound, and never becomes a part of the text.
///
/// ```swift
/// let name = "Robert'); DROP TABLE student; --"
/// let teams = [3, 5, 8]
/// let ids = try await database.values(
///   Int.self, "SELECT id FROM player WHERE name = \(name) AND team = ANY (\(teams))")
/// ```
///
/// | interpolation | becomes |
/// |---|---|
/// | `\(value)` | a parameter bound to the value; an array is one parameter |
/// | `\(sql: fragment)` | the fragment's text and values |
/// | `\(identifier: name)` | a quoted name |
/// | `\(unsafe: text)` | the text itself |
///
/// Parameters can also be written as `$1`, `$2` and so on; their values are passed to the call:
///
/// ```swift
/// try await database.run("UPDATE player SET score = $1 WHERE id = $2", 10, 42)
/// ```
///
/// Only literals convert to SQL implicitly. A `String` created at run time must be passed to ``init(unsafe:values:)``,
/// because its author gains full access to the database.
///
/// Creating SQL never fails. Invalid SQL throws when it is used, before anything is run: with code
/// ``PostgreSQLError/Code/misplacedInterpolation`` for an interpolation inside quotes or a comment, or next to a `$1`.
public struct PostgreSQLQuery: Sendable {
  /// The storage of the text.
  enum Storage: Sendable {
    /// A literal without interpolations, which the statement cache finds by its address.
    case literal(StaticString)
    /// Text created at run time, with the values of its numbered parameters.
    case text(String, [any PostgreSQLBindable & Sendable])
    indirect case composed(QueryComposition)
  }

  private(set) var storage: Storage

  /// Uses text as SQL without any check.
  ///
  /// The text's author gains full access to the database. Interpolate values, and names with `\(identifier: name)`,
  /// instead.
  ///
  /// - Parameters:
  ///   - text: The text, with parameters such as `$1`.
  ///   - values: The values of the parameters, if they are not passed to the call.
  public init(unsafe text: String, values: [any PostgreSQLBindable & Sendable] = []) {
    storage = .text(text, values)
  }

  /// Uses text with parameters such as `?` or `?2` as SQL without any check.
  ///
  /// A question mark outside of quotes and comments becomes `$1`, `$2` and so on, so that operators with question marks
  /// can't be used: write `jsonb_exists(a, b)` for `a ? b`. The text's author gains full access to the database.
  public init(unsafeWithQuestionMarks text: String) {
    var (scanner, count) = (QueryScanner(), 0)
    var result: [UInt8] = []
    let bytes = Array(text.utf8)
    for (index, byte) in bytes.enumerated() {
      guard byte == UInt8(ascii: "?"), scanner.isInCode else {
        scanner.scan(byte)
        result.append(byte)
        continue
      }
      scanner.scan(UInt8(ascii: " "))
      result.append(UInt8(ascii: "$"))
      if index + 1 < bytes.count, (48...57).contains(bytes[index + 1]) { continue }
      count += 1
      result += Array("\(count)".utf8)
    }
    self.init(unsafe: String(decoding: result, as: UTF8.self))
  }

  fileprivate init(_ composition: QueryComposition) { storage = .composed(composition) }

  /// The text, with a parameter for each bound value.
  public var text: String {
    switch storage {
    case .literal(let literal): literal.description
    case .text(let text, _): text
    case .composed(let composition): composition.text
    }
  }

  /// The bound values, in the order of their parameters.
  public var values: [any PostgreSQLBindable & Sendable] {
    switch storage {
    case .literal: []
    case .text(_, let values): values
    case .composed(let composition): composition.values
    }
  }

  /// Returns the values of all parameters, or throws if the SQL can't run.
  func allValues(
    with arguments: [any PostgreSQLBindable & Sendable]
  ) throws(PostgreSQLError) -> [any PostgreSQLBindable & Sendable] {
    if case .composed(let composition) = storage, let problem = composition.problem {
      throw PostgreSQLError(
        code: .misplacedInterpolation, message: problem, sql: composition.text)
    }
    let values = values
    if values.isEmpty { return arguments }
    guard arguments.isEmpty else {
      throw PostgreSQLError(
        code: .parameterCount,
        message: "the query has values, so that no further values can be passed", sql: text)
    }
    return values
  }

  fileprivate var composition: QueryComposition {
    if case .composed(let composition) = storage { return composition }
    var composition = QueryComposition()
    composition.append(text: text)
    if !values.isEmpty { composition.refuse("a query with numbered values is part of another one") }
    return composition
  }

  /// Concatenates two fragments, with their values. A space separates them.
  public static func + (a: PostgreSQLQuery, b: PostgreSQLQuery) -> PostgreSQLQuery {
    var composition = a.composition
    composition.append(text: " ")
    composition.append(b.composition)
    return PostgreSQLQuery(composition)
  }

  /// Appends a fragment, as `+` does.
  ///
  /// ```swift
  /// var query: PostgreSQLQuery = "SELECT id FROM player WHERE team = \(team)"
  /// if let name { query += "AND name = \(name)" }
  /// ```
  public static func += (a: inout PostgreSQLQuery, b: PostgreSQLQuery) { a = a + b }
}

extension PostgreSQLQuery: CustomStringConvertible, CustomReflectable {
  /// The text, without the values.
  public var description: String { text }

  /// Contains only the text, so that values are not logged.
  public var customMirror: Mirror { Mirror(self, children: ["text": text]) }
}

extension Sequence<PostgreSQLQuery> {
  /// Joins fragments, with their values.
  ///
  /// - Parameter separator: The text between two fragments.
  public func joined(separator: PostgreSQLQuery) -> PostgreSQLQuery {
    var composition = QueryComposition()
    for (index, part) in enumerated() {
      if index > 0 { composition.append(separator.composition) }
      composition.append(part.composition)
    }
    return PostgreSQLQuery(composition)
  }
}

extension PostgreSQLQuery: ExpressibleByStringInterpolation {
  /// Creates SQL from a literal.
  public init(stringLiteral text: StaticString) {
    storage = text.hasPointerRepresentation ? .literal(text) : .text(text.description, [])
  }

  public init(stringInterpolation parts: StringInterpolation) { self.init(parts.composition) }

  /// The pieces of an interpolated literal.
  public struct StringInterpolation: StringInterpolationProtocol, Sendable {
    fileprivate var composition = QueryComposition()

    public init(literalCapacity: Int, interpolationCount: Int) {}

    public mutating func appendLiteral(_ text: StaticString) {
      composition.append(text: text.description)
    }

    /// Appends a value, which is bound.
    public mutating func appendInterpolation(_ value: some PostgreSQLBindable & Sendable) {
      composition.append(value: value)
    }

    /// Appends a fragment, with its values.
    public mutating func appendInterpolation(sql fragment: PostgreSQLQuery) {
      composition.append(fragment.composition)
    }

    /// Appends a quoted name, for example a column's name.
    public mutating func appendInterpolation(identifier name: String) {
      composition.append(identifier: name)
    }

    /// Appends text as SQL without any check.
    ///
    /// The text's author gains full access to the database.
    public mutating func appendInterpolation(unsafe text: String) { composition.append(text: text) }
  }
}

/// SQL composed of literals, values and fragments.
struct QueryComposition: Sendable {
  private enum Piece: Sendable {
    case text(String)
    case value
  }

  private var pieces: [Piece] = []
  private(set) var values: [any PostgreSQLBindable & Sendable] = []
  private(set) var text = ""
  private(set) var problem: String?
  private var scanner = QueryScanner()

  init() {}

  mutating func append(text added: String) {
    guard !added.isEmpty else { return }
    pieces.append(.text(added))
    text += added
    scanner.scan(added)
    checkParameters()
  }

  mutating func append(value: some PostgreSQLBindable & Sendable) {
    checkCode()
    values.append(value)
    appendParameter()
    checkParameters()
  }

  mutating func append(identifier name: String) {
    checkCode()
    if name.utf8.contains(0) { refuse("a name contains NUL") }
    let quoted = "\"" + String(name.flatMap { $0 == "\"" ? [$0, $0] : [$0] }) + "\""
    pieces.append(.text(quoted))
    text += quoted
  }

  mutating func append(_ part: QueryComposition) {
    if !part.pieces.isEmpty { checkCode() }
    if let problem = part.problem { refuse(problem) }
    values += part.values
    var next = values.count - part.values.count
    for piece in part.pieces {
      switch piece {
      case .text(let added):
        pieces.append(piece)
        text += added
        scanner.scan(added)
      case .value:
        next += 1
        pieces.append(.value)
        text += "$\(next)"
      }
    }
    checkParameters()
  }

  private mutating func appendParameter() {
    pieces.append(.value)
    // A digit that follows would extend the parameter's number, but can't: it would be a syntax error without the
    // parameter, too.
    text += "$\(values.count)"
  }

  private mutating func checkCode() {
    if !scanner.isInCode {
      refuse(
        "a value or name is interpolated inside quotes or a comment, where nothing can be bound")
    }
  }

  private mutating func checkParameters() {
    if scanner.hasParameter, !values.isEmpty {
      refuse("the text has parameters like $1 next to interpolated values: use one of both")
    }
  }

  /// Sets the problem, if there is none.
  fileprivate mutating func refuse(_ problem: String) {
    if self.problem == nil { self.problem = problem }
  }
}

/// Determines whether text ends inside quotes or a comment, and whether it has parameters.
///
/// https://www.postgresql.org/docs/current/sql-syntax-lexical.html
struct QueryScanner: Sendable {
  private enum State: Hashable, Sendable {
    case code
    /// In a string, with backslashes as escapes if it began with `E'`.
    case string(escapes: Bool)
    case quotedName
    case lineComment
    case blockComment(depth: Int)
    case dollarQuote(tag: [UInt8])
  }

  private var state = State.code
  /// The last bytes, since a token can span two pieces of text.
  private var last: UInt8 = 0
  private var beforeLast: UInt8 = 0
  /// The `$` and the tag that are being read.
  private var tag: [UInt8]?
  private(set) var hasParameter = false

  var isInCode: Bool { state == .code }

  mutating func scan(_ text: String) {
    for byte in text.utf8 { scan(byte) }
  }

  mutating func scan(_ byte: UInt8) {
    var remembered = byte
    switch state {
    case .code: scanCode(byte, &remembered)
    case .string(let escapes):
      if escapes, last == UInt8(ascii: "\\") {
        remembered = 0
      } else if byte == UInt8(ascii: "'") {
        // Two quotes end the string and begin another one, which has the same effect.
        state = .code
      }
    case .quotedName: if byte == UInt8(ascii: "\"") { state = .code }
    case .lineComment: if byte == UInt8(ascii: "\n") { state = .code }
    case .blockComment(let depth):
      if last == UInt8(ascii: "*"), byte == UInt8(ascii: "/") {
        state = depth == 1 ? .code : .blockComment(depth: depth - 1)
        remembered = 0
      } else if last == UInt8(ascii: "/"), byte == UInt8(ascii: "*") {
        state = .blockComment(depth: depth + 1)
        remembered = 0
      }
    case .dollarQuote(let opening):
      if byte == UInt8(ascii: "$"), let current = tag, current == opening {
        state = .code
        tag = nil
        remembered = 0
      } else if byte == UInt8(ascii: "$") {
        tag = []
      } else {
        tag?.append(byte)
      }
    }
    (beforeLast, last) = (last, remembered)
  }

  private mutating func scanCode(_ byte: UInt8, _ remembered: inout UInt8) {
    if let current = tag {
      if byte == UInt8(ascii: "$") {
        state = .dollarQuote(tag: current)
        tag = nil
        return
      }
      if current.isEmpty, (48...57).contains(byte) { hasParameter = true }
      tag =
        byte.isNameByte && !(current.isEmpty && (48...57).contains(byte)) ? current + [byte] : nil
      if tag != nil { return }
    }
    switch byte {
    case UInt8(ascii: "'"):
      let isEscape = (last | 0x20) == UInt8(ascii: "e") && !beforeLast.isNameByte
      state = .string(escapes: isEscape)
      remembered = 0
    case UInt8(ascii: "\""): state = .quotedName
    case UInt8(ascii: "-") where last == UInt8(ascii: "-"): state = .lineComment
    case UInt8(ascii: "*") where last == UInt8(ascii: "/"):
      state = .blockComment(depth: 1)
      remembered = 0
    // A dollar sign in a name does not begin a quote.
    case UInt8(ascii: "$") where !last.isNameByte: tag = []
    default: break
    }
  }
}

extension UInt8 {
  /// Indicates whether the byte can be a part of a name.
  var isNameByte: Bool {
    (48...57).contains(self) || (65...90).contains(self) || (97...122).contains(self) || self == 95
      || self >= 0x80
  }
}
