/// SQL text with the values that are bound to its parameters.
///
/// A string literal is SQL. An interpolated value is bound, and never becomes a part of the text.
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
/// | `\(value)` | a parameter bound to the value |
/// | `\(array)` | one parameter bound to the list: see ``SQLiteArray`` |
/// | `\(sql: fragment)` | the fragment's text and values |
/// | `\(identifier: name)`, `\(table: name)` | a quoted name |
/// | `\(unsafe: text)` | the text itself |
///
/// The values of parameters in the text are passed to the call, to ``init(_:values:)`` or to
/// ``init(_:named:)``:
///
/// ```swift
/// try connection.run("UPDATE player SET score = ? WHERE id = ?", 10, 42)
/// ```
///
/// Only literals convert to SQL implicitly. A `String` created at run time must be passed to
/// ``init(unsafe:)``, because its author gains full access to the database.
///
/// The text depends only on the literals, not on the values, so a statement is compiled once.
///
/// Creating SQL never fails. Invalid SQL throws when it is used, before anything is run: with code
/// ``SQLiteError/Code/misplacedInterpolation`` for an interpolation inside quotes or a comment, and
/// with code ``SQLiteError/Code/parameterCount`` or ``SQLiteError/Code/unknownParameter`` if the
/// values do not match the parameters.
public struct SQL: Sendable {
  /// The storage of the text.
  @usableFromInline
  enum Storage: Sendable {
    /// A literal without interpolations, which the statement cache finds by its address.
    case literal(StaticString)
    /// Text created at run time, without bound values.
    case text(String)
    indirect case composed(SQLComposition)
  }

  @usableFromInline var storage: Storage
  /// The number of columns that the result must have; `nil` if any number is accepted.
  @usableFromInline var columnCount: Int?

  @usableFromInline
  init(storage: Storage, columnCount: Int? = nil) {
    self.storage = storage
    self.columnCount = columnCount
  }

  /// Uses text as SQL without any check.
  ///
  /// The text's author gains full access to the database. Interpolate values, and names with
  /// `\(identifier: name)`, instead.
  public init(unsafe text: String) { self.init(storage: .text(text)) }

  /// Uses text as SQL without any check, and sets the number of columns that the result must have:
  /// see ``init(_:columnCount:)``.
  public init(unsafe text: String, columnCount: Int?) {
    self.init(storage: .text(text), columnCount: columnCount)
  }

  /// Creates SQL from a literal, for code that reads the columns of the result by number.
  ///
  /// ```swift
  /// let sql = SQL("SELECT id, name FROM player", columnCount: 2)
  /// ```
  ///
  /// Each use of the SQL compares the numbers of columns once, before the first row, and throws
  /// ``SQLiteError`` with code ``SQLiteError/Code/columnCount`` if they differ. SQL that is composed
  /// of several fragments accepts any number.
  @inlinable
  public init(_ text: StaticString, columnCount: Int) {
    self.init(stringLiteral: text)
    self.columnCount = columnCount
  }

  /// The text, with a `?` for each bound value.
  public var text: String {
    switch storage {
    case .literal(let literal): literal.description
    case .text(let text): text
    case .composed(let composition): composition.text
    }
  }

  /// The bound values, in the order of their parameters.
  ///
  /// Parameters in the text have no value here.
  public var values: [any SQLiteBindable & Sendable] {
    if case .composed(let composition) = storage { composition.values.map(\.value) } else { [] }
  }

  /// A Boolean value that indicates whether a value is bound.
  var hasValues: Bool {
    if case .composed(let composition) = storage { !composition.values.isEmpty } else { false }
  }

  /// A Boolean value that indicates whether the text is empty or consists of whitespace.
  public var isBlank: Bool { text.utf8.allSatisfy { $0 == 32 || (9...13).contains($0) } }

  /// A Boolean value that indicates whether the SQL is a single text, whose values are all passed to
  /// the call that runs it.
  @inlinable
  var isPlain: Bool {
    switch storage {
    case .literal, .text: true
    case .composed: false
    }
  }

  /// Returns the text, or throws if an interpolation is invalid.
  func checkedText() throws(SQLiteError) -> String {
    guard case .composed(let composition) = storage else { return text }
    if let error = composition.error { throw error.inStatement(composition.text) }
    return composition.text
  }

  /// Returns the text, for a context that can't bind interpolated values.
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
    // Releases the old storage, so that the text is uniquely referenced and not copied.
    a.storage = .text("")
    a.columnCount = nil
    composition.append(b)
    a.storage = .composed(composition)
  }
}

extension SQL: CustomStringConvertible, CustomReflectable {
  /// The text, without the values.
  public var description: String { text }

  /// Contains only the text, so that values are not logged.
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
    // A text without values needs no resolution when it runs. An error must be kept until then.
    let isText = result.values.isEmpty && result.error == nil
    return SQL(storage: isText ? .text(result.text) : .composed(result))
  }
}

extension SQL: ExpressibleByStringInterpolation {
  /// Creates SQL from a literal.
  ///
  /// A `String` created at run time is not a `StaticString`: see ``init(unsafe:)``.
  @inlinable
  public init(stringLiteral text: StaticString) {
    self.init(storage: text.hasPointerRepresentation ? .literal(text) : .text(text.description))
  }

  public init(stringInterpolation parts: StringInterpolation) {
    self.init(storage: .composed(parts.composition))
  }

  /// The pieces of an interpolated literal.
  public struct StringInterpolation: StringInterpolationProtocol, Sendable {
    var composition = SQLComposition()

    public init(literalCapacity: Int, interpolationCount: Int) {}

    public mutating func appendLiteral(_ text: StaticString) {
      composition.append(text: text.description)
    }

    /// Appends a value, which is bound.
    public mutating func appendInterpolation(_ value: some SQLiteBindable & Sendable) {
      composition.append(value: value)
    }

    /// Appends an optional value, which is bound. `nil` is bound as NULL.
    public mutating func appendInterpolation(_ value: (some SQLiteBindable & Sendable)?) {
      composition.append(value: value)
    }

    /// Appends a list, which is bound to one parameter: `team IN \(teams)`, `FROM \(teams)`.
    public mutating func appendInterpolation(_ values: [some SQLiteBindable & Sendable]) {
      composition.append(list: SQLiteArray(values))
    }

    /// Appends a list, which is bound to one parameter.
    public mutating func appendInterpolation(
      _ values: SQLiteArray<some SQLiteBindable & Sendable>
    ) {
      composition.append(list: values)
    }

    /// Appends a blob: bytes are one value, not a list of numbers. For a list, interpolate an
    /// ``SQLiteArray`` of them.
    public mutating func appendInterpolation(_ bytes: [UInt8]) { composition.append(value: bytes) }

    /// Appends a fragment, with its values.
    public mutating func appendInterpolation(sql fragment: SQL) { composition.append(fragment) }

    /// Appends a quoted name, for example a column's name.
    ///
    /// The statement fails if no object has this name.
    public mutating func appendInterpolation(identifier name: String) {
      composition.append(token: SQLName.quoted(name))
    }

    /// Appends a table's quoted name, qualified by its schema.
    public mutating func appendInterpolation(table: TableName) {
      composition.append(token: "\(SQLName.quoted(table.schema)).\(SQLName.quoted(table.name))")
    }

    /// Appends text as SQL without any check.
    ///
    /// The text's author gains full access to the database.
    public mutating func appendInterpolation(unsafe text: String) { composition.append(text: text) }
  }
}
