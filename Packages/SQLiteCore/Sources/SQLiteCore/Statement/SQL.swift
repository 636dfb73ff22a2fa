/// A statement's text with its values: what is interpolated is bound, and never becomes a part of the text.
///
/// ```swift
/// let name = "Robert'); DROP TABLE student; --"
/// let teams = [3, 5, 8]
/// let ids = try connection.values(
///   Int.self, sql: "SELECT id FROM player WHERE name = \(name) AND team IN \(teams)")
/// ```
///
/// An interpolated value is a parameter, an interpolated array one parameter that holds the whole list
/// (see ``SQLiteArray``), and another `SQL` a part of this one, with its values. Names are
/// interpolated as `\(identifier: column)` and `\(table: table)`, in quotes; text that is to be SQL
/// as it stands, as `\(raw: text)`.
///
/// Only a literal can be written as `SQL`: text made at run time has to go through ``init(raw:)``.
/// The functions that take it have the label `sql:`, since Swift would read an interpolated literal
/// without one as a `String`.
///
/// The text is the same for the same shape, whatever the values: it is compiled once.
///
/// An interpolation inside quotes or a comment can't be bound, and a parameter of the text's own
/// (`?`, `:name`) has no value: such a statement fails with
/// ``SQLiteError/Code/misplacedInterpolation`` or ``SQLiteError/Code/parameterInText`` as it is used.
public struct SQL: Sendable {
  /// The text, with a `?` for each value.
  public private(set) var text = ""
  /// The values, in the order of their parameters.
  public private(set) var values: [any SQLiteBindable & Sendable] = []
  private var scanner = SQLScanner()
  /// The first reason not to run it.
  private var fault: SQLFault?
  /// Whether what was added last is a token of its own, which what follows must not lengthen.
  private var endsWithToken = false

  init() {}

  /// Takes text as SQL, as it stands.
  ///
  /// Whoever can choose the text can do anything with the database.
  public init(raw text: String) { appendText(text) }

  /// The text, where the statement can be run.
  func checkedText() throws(SQLiteError) -> String {
    if let fault { throw fault.error(in: text) }
    return text
  }

  /// Joins two texts, with their values. A space comes between them where they would run together.
  public static func + (a: SQL, b: SQL) -> SQL {
    var sum = a
    sum += b
    return sum
  }

  /// Adds to the end, as `+` does.
  ///
  /// ```swift
  /// var query: SQL = "SELECT id FROM player WHERE team = \(team)"
  /// if let name { query += "AND name = \(name)" }
  /// ```
  public static func += (a: inout SQL, b: SQL) { a.append(b) }
}

/// The parts, as they are added.
extension SQL {
  /// Adds text as it stands.
  mutating func appendText(_ added: String) {
    guard !added.isEmpty else { return }
    if endsWithToken { separate(from: added.utf8.first) }
    endsWithToken = false
    if let offset = scanner.scan(added, from: text.utf8.count) {
      note(SQLFault(kind: .parameterInText, offset: offset))
    }
    text += added
  }

  mutating func append(value: some SQLiteBindable & Sendable) { append(token: "?", value) }

  mutating func append(list: SQLiteArray<some SQLiteBindable & Sendable>) {
    append(token: "holt_array(?)", list)
  }

  mutating func append(name: String) {
    beginToken(with: name.utf8.first)
    text += name
    endsWithToken = true
  }

  mutating func append(_ part: SQL) {
    guard !part.text.isEmpty else { return }
    beginToken(with: part.text.utf8.first)
    if let fault = part.fault { note(fault.shifted(by: text.utf8.count)) }
    text += part.text
    values += part.values
    scanner = part.scanner
    endsWithToken = true
  }

  private mutating func append(token: String, _ value: some SQLiteBindable & Sendable) {
    append(name: token)
    values.append(value)
  }

  private mutating func beginToken(with byte: UInt8?) {
    if !scanner.isInCode {
      note(SQLFault(kind: .misplacedInterpolation, offset: text.utf8.count))
    }
    separate(from: byte)
    scanner.beginToken()
  }

  /// What comes next must not make one token with what is there: `?` and `5`, or two quotes.
  private mutating func separate(from next: UInt8?) {
    guard scanner.isInCode, let last = text.utf8.last, let next else { return }
    if !last.standsAlone && !next.standsAlone { text += " " }
  }

  private mutating func note(_ found: SQLFault) { if fault == nil { fault = found } }
}

extension SQL: CustomStringConvertible, CustomReflectable {
  /// The text, without the values.
  public var description: String { text }

  /// Shows the text alone, so that no value gets into a log.
  public var customMirror: Mirror { Mirror(self, children: ["text": text]) }
}

extension Sequence<SQL> {
  /// Joins texts, with their values, by one that stands between each two.
  ///
  /// ```swift
  /// let conditions: [SQL] = ["team = \(team)", "score > \(score)"]
  /// let query: SQL = "SELECT id FROM player WHERE \(conditions.joined(separator: " AND "))"
  /// ```
  public func joined(separator: SQL) -> SQL {
    var result = SQL()
    for (index, part) in enumerated() {
      if index > 0 { result += separator }
      result += part
    }
    return result
  }
}

extension UInt8 {
  /// Whether a byte is a token, or none, whatever stands beside it.
  fileprivate var standsAlone: Bool {
    switch self {
    case 9...13, UInt8(ascii: " "), UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: ","),
      UInt8(ascii: ";"):
      true
    default: false
    }
  }
}
