extension SQL: ExpressibleByStringInterpolation {
  /// Creates SQL from a literal.
  ///
  /// A `String` that is made at run time is no `StaticString`: see ``init(unsafe:)``.
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

    /// Appends a value that may be `nil`, which is bound as NULL.
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

    /// Appends a quoted name, of a column for example.
    ///
    /// The statement fails if nothing has that name.
    public mutating func appendInterpolation(identifier name: String) {
      composition.append(token: SQLName.quoted(name))
    }

    /// Appends a table's quoted name, with its schema's.
    public mutating func appendInterpolation(table: TableName) {
      composition.append(token: "\(SQLName.quoted(table.schema)).\(SQLName.quoted(table.name))")
    }

    /// Appends text as SQL without any check.
    ///
    /// Whoever can choose the text can do anything with the database.
    public mutating func appendInterpolation(unsafe text: String) { composition.append(text: text) }
  }
}
