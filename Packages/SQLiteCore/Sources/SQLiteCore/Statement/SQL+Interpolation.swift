extension SQL: ExpressibleByStringInterpolation {
  /// Takes a literal. What is no literal is no `StaticString`: see ``init(raw:)``.
  public init(stringLiteral text: StaticString) { appendText(text.description) }

  public init(stringInterpolation parts: StringInterpolation) { self = parts.sql }

  /// What an interpolated literal is made into.
  public struct StringInterpolation: StringInterpolationProtocol, Sendable {
    var sql = SQL()

    public init(literalCapacity: Int, interpolationCount: Int) {}

    public mutating func appendLiteral(_ text: StaticString) { sql.appendText(text.description) }

    /// A value, which is bound.
    public mutating func appendInterpolation(_ value: some SQLiteBindable & Sendable) {
      sql.append(value: value)
    }

    /// A value that may be absent, which is bound as NULL then.
    public mutating func appendInterpolation(_ value: (some SQLiteBindable & Sendable)?) {
      sql.append(value: value)
    }

    /// A list, which is bound as one parameter: `team IN \(teams)`, `FROM \(teams)`.
    public mutating func appendInterpolation(_ values: [some SQLiteBindable & Sendable]) {
      sql.append(list: SQLiteArray(values))
    }

    /// A list, which is bound as one parameter.
    public mutating func appendInterpolation(
      _ values: SQLiteArray<some SQLiteBindable & Sendable>
    ) {
      sql.append(list: values)
    }

    /// A blob: bytes are one value, not a list of numbers. For that, interpolate an
    /// ``SQLiteArray`` of them.
    public mutating func appendInterpolation(_ bytes: [UInt8]) { sql.append(value: bytes) }

    /// A part of a statement, with its values.
    public mutating func appendInterpolation(_ part: SQL) { sql.append(part) }

    /// A name, in quotes: of a column, say. The statement fails where there is nothing of that name.
    public mutating func appendInterpolation(identifier name: String) {
      sql.append(name: SQLName.quoted(name))
    }

    /// The name of a table, with its schema's, in quotes.
    public mutating func appendInterpolation(table: TableName) {
      sql.append(name: "\(SQLName.quoted(table.schema)).\(SQLName.quoted(table.name))")
    }

    /// Text that is to be SQL as it stands.
    ///
    /// Whoever can choose the text can do anything with the database.
    public mutating func appendInterpolation(raw text: String) { sql.appendText(text) }
  }
}
