/// SQL text together with the values that are bound to its parameters.
///
/// A string literal is SQL, and an interpolated value is bound: it never becomes a part of the text.
///
/// ```swift
/// let name = "Robert'); DROP TABLE student; --"
/// let teams = [3, 5, 8]
/// let ids = try connection.values(
///   Int.self, "SELECT id FROM player WHERE name = \(name) AND team IN \(teams)")
/// ```
///
/// | interpolation | becomes |
/// |---|---|
/// | `\(value)` | a parameter that is bound to the value |
/// | `\(array)` | one parameter that is bound to the list: see ``SQLiteArray`` |
/// | `\(sql: fragment)` | the fragment's text and values |
/// | `\(identifier: name)`, `\(table: name)` | a quoted name |
/// | `\(unsafe: text)` | the text itself |
///
/// Text with parameters of its own takes its values from the call, from ``init(_:values:)`` or from
/// ``init(_:named:)``:
///
/// ```swift
/// try connection.run("UPDATE player SET score = ? WHERE id = ?", 10, 42)
/// ```
///
/// Only a literal becomes SQL by itself. A `String` that is made at run time has to pass through
/// ``init(unsafe:)``, because whoever chooses the text can do anything with the database.
///
/// The text depends on the literals alone, not on the values, so a statement is compiled once.
///
/// Creating SQL never fails. SQL that can't be run throws as it is used, before anything is run: with code
/// ``SQLiteError/Code/misplacedInterpolation`` for an interpolation inside quotes or a comment, and with
/// code ``SQLiteError/Code/parameterCount`` or ``SQLiteError/Code/unknownParameter`` if the values do not
/// match the parameters.
public struct SQL: Sendable {
  /// How the text is stored.
  @usableFromInline
  enum Storage: Sendable {
    /// A literal without interpolations, which the statement cache finds by its address.
    case literal(StaticString)
    /// Text that was made at run time and holds no bound value.
    case text(String)
    indirect case composed(SQLComposition)
  }

  @usableFromInline var storage: Storage

  @usableFromInline
  init(storage: Storage) { self.storage = storage }

  /// Uses text as SQL without any check.
  ///
  /// Whoever can choose the text can do anything with the database. Interpolate values, and names as
  /// `\(identifier: name)`, instead.
  public init(unsafe text: String) { storage = .text(text) }

  /// The text, with a `?` for each bound value.
  public var text: String {
    switch storage {
    case .literal(let literal): literal.description
    case .text(let text): text
    case .composed(let composition): composition.text
    }
  }

  /// The values that are bound, in the order of their parameters.
  ///
  /// Parameters of the text's own have none.
  public var values: [any SQLiteBindable & Sendable] {
    if case .composed(let composition) = storage { composition.values.map(\.value) } else { [] }
  }

  /// Whether a value is bound.
  var hasValues: Bool {
    if case .composed(let composition) = storage { !composition.values.isEmpty } else { false }
  }

  /// Whether the text is empty or consists of whitespace.
  public var isBlank: Bool { text.utf8.allSatisfy { $0 == 32 || (9...13).contains($0) } }

  /// Whether the text has all its values from the call that runs it, if any.
  @inlinable
  var isPlain: Bool {
    switch storage {
    case .literal, .text: true
    case .composed: false
    }
  }

  /// The text, if nothing is wrong with the interpolations.
  func checkedText() throws(SQLiteError) -> String {
    guard case .composed(let composition) = storage else { return text }
    if let fault = composition.fault { throw fault.error(in: composition.text) }
    return composition.text
  }

  /// The text, for a use that can't bind interpolated values.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/misplacedInterpolation`` if a value is interpolated.
  @usableFromInline
  func textWithoutValues() throws(SQLiteError) -> String {
    let text = try checkedText()
    guard !hasValues else {
      throw SQLiteError(
        code: .misplacedInterpolation, message: "no value can be interpolated here", sql: text)
    }
    return text
  }

  var composition: SQLComposition {
    if case .composed(let composition) = storage { return composition }
    var composition = SQLComposition()
    composition.append(text: text)
    return composition
  }

  /// Concatenates two fragments, with their values. A space separates tokens that would become one.
  public static func + (a: SQL, b: SQL) -> SQL {
    var sum = a
    sum += b
    return sum
  }

  /// Appends a fragment, as `+` does.
  ///
  /// ```swift
  /// var query: SQL = "SELECT id FROM player WHERE team = \(team)"
  /// if let name { query += "AND name = \(name)" }
  /// ```
  public static func += (a: inout SQL, b: SQL) {
    var composition = a.composition
    // Otherwise the text would have two owners, and would be copied.
    a.storage = .text("")
    composition.append(b)
    a.storage = .composed(composition)
  }
}

extension SQL: CustomStringConvertible, CustomReflectable {
  /// The text, without the values.
  public var description: String { text }

  /// Shows the text alone, so that no value is logged.
  public var customMirror: Mirror { Mirror(self, children: ["text": text]) }
}

extension Sequence<SQL> {
  /// Joins fragments, with their values.
  ///
  /// ```swift
  /// let conditions: [SQL] = ["team = \(team)", "score > \(score)"]
  /// let query: SQL = "SELECT id FROM player WHERE \(sql: conditions.joined(separator: " AND "))"
  /// ```
  ///
  /// - Parameter separator: The text between two fragments.
  public func joined(separator: SQL) -> SQL {
    var result = SQLComposition()
    for (index, part) in enumerated() {
      if index > 0 { result.append(separator) }
      result.append(part)
    }
    return SQL(storage: .composed(result))
  }
}
