/// Writing values that are `Encodable`.
extension Connection {
  /// Inserts a value as a row of a table, a column for each key.
  ///
  /// ```swift
  /// let player = Player(id: nil, name: "Ada", score: 0.5)
  /// let id = try connection.insert(encoding: player, into: "player").lastInsertedRowID
  /// ```
  ///
  /// A property that is `nil` writes a NULL: SQLite takes the next number for an
  /// `INTEGER PRIMARY KEY`, and does not take the column's default.
  ///
  /// - Parameters:
  ///   - value: The row.
  ///   - table: The table's name alone, unquoted.
  ///   - encoder: How the value becomes columns: see ``RowEncoder`` for the rules.
  /// - Throws: What ``RowEncoder/encode(_:)`` throws; ``SQLiteError`` where the table has no such
  ///   column, or refuses the row.
  @discardableResult
  public func insert(
    encoding value: some Encodable, into table: String, with encoder: RowEncoder = RowEncoder()
  ) throws -> Statement.Changes {
    let row = try encoder.encodedRow(value)
    let statement = try takeStatement(
      SQL(unsafe: insertTexts.sql(for: row.map(\.name), into: table)))
    defer { putBack(statement) }
    try statement.bindAll(row.map(\.content))
    return try finish(statement)
  }

  /// Inserts values as rows of a table, one after another.
  ///
  /// Run it in a transaction: without one, each row is a transaction by itself, and those before a
  /// failure stay.
  ///
  /// - Throws: As ``insert(encoding:into:with:)``, of the first row that fails.
  public func insert(
    encodingEach values: some Sequence<some Encodable>, into table: String,
    with encoder: RowEncoder = RowEncoder()
  ) throws {
    for value in values { try insert(encoding: value, into: table, with: encoder) }
  }
}

extension Statement {
  /// Binds the columns of a value to the parameters of their names.
  ///
  /// A parameter `:name`, `@name` or `$name` gets the column `name`. Columns that the statement has no
  /// parameter for are ignored.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/unknownParameter`` if a parameter has no
  ///   name, or the value no such column; what ``RowEncoder/encode(_:)`` throws.
  public func bindAll(
    encoding value: some Encodable, with encoder: RowEncoder = RowEncoder()
  ) throws {
    try bindAll(contents(encoding: value, with: encoder))
  }

  /// The values of the columns that the parameters name, in the order of the parameters.
  fileprivate func contents(
    encoding value: some Encodable, with encoder: RowEncoder
  ) throws -> [any SQLiteBindable] {
    let row = try encoder.encodedRow(value)
    return try parameterNames.enumerated().map { offset, parameter in
      guard let parameter else {
        throw SQLiteError(
          code: .unknownParameter,
          message: "parameter \(offset + 1) has no name to find a column by", sql: sql)
      }
      guard let column = row.first(where: { $0.name == parameter.dropFirst() }) else {
        throw SQLiteError(
          code: .unknownParameter,
          message: "the value has no column for the parameter \(parameter)", sql: sql)
      }
      return column.content
    }
  }
}

extension RowEncodable where Self: Encodable {
  /// Binds the value's columns to the parameters of their names.
  ///
  /// - Throws: As ``Statement/bindAll(encoding:with:)``.
  public borrowing func bind(to statement: Statement) throws {
    let contents = try statement.contents(encoding: copy self, with: RowEncoder())
    for (offset, content) in contents.enumerated() {
      try content.bind(to: statement, at: ParameterIndex(offset + 1))
    }
  }
}
