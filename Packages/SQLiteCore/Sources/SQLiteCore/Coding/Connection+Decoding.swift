/// Reading rows as values that are `Decodable`, with a decoder of the caller's.
///
/// A type that is ``RowDecodable`` needs none of these: ``Connection/fetchAll(_:_:_:)`` reads it.
extension Connection {
  /// Reads every row as a value, a column for each key.
  ///
  /// ```swift
  /// var decoder = RowDecoder()
  /// decoder.keyDecodingStrategy = .convertFromSnakeCase
  /// let players = try connection.fetchAll(
  ///   decoding: Player.self, with: decoder, "SELECT * FROM player WHERE score > ?", values: [100])
  /// ```
  ///
  /// - Parameters:
  ///   - type: The type of the values.
  ///   - decoder: How rows become values: see ``RowDecoder`` for the rules.
  ///   - sql: One statement.
  ///   - values: The values of its parameters, in their order.
  /// - Throws: ``SQLiteError`` if the statement does not compile or fails; with code
  ///   ``SQLiteError/Code/parameterCount`` if the numbers of values and parameters differ, with
  ///   ``SQLiteError/Code/unknownColumn``, ``SQLiteError/Code/columnTypeMismatch`` or
  ///   ``SQLiteError/Code/unexpectedNull`` if the columns do not suit the type; what `Value` itself
  ///   throws. No row is not an error.
  public func fetchAll<Value: Decodable>(
    decoding type: Value.Type, with decoder: RowDecoder = RowDecoder(), _ sql: SQL,
    values: [any SQLiteBindable]
  ) throws -> [Value] {
    let statement = try takeStatement(sql, values: values)
    defer { putBack(statement) }
    return try statement.remainingRows(decoding: type, with: decoder)
  }

  /// Passes each row to `body` as a value, together with the row, which may have further columns.
  ///
  /// ```swift
  /// try connection.forEachRow(
  ///   decoding: Player.self, "SELECT team, player.* FROM player", values: []
  /// ) { player, row in
  ///   teams[try row.read(Int.self, at: 0), default: []].append(player)
  /// }
  /// ```
  ///
  /// - Throws: What `body` throws, which ends the iteration; as ``fetchAll(decoding:with:_:values:)``.
  public func forEachRow<Value: Decodable>(
    decoding type: Value.Type, with decoder: RowDecoder = RowDecoder(), _ sql: SQL,
    values: [any SQLiteBindable], body: (Value, borrowing Row) throws -> Void
  ) throws {
    let statement = try takeStatement(sql, values: values)
    defer { putBack(statement) }
    try statement.forEachRow(decoding: type, with: decoder, body)
  }
}

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
