/// Methods that read rows as `Decodable` values, with a custom decoder.
///
/// For a type that is ``RowDecodable``, use ``Connection/fetchAll(_:_:_:)``.
extension Connection {
  /// Reads every row as a value, with a column for each key.
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
  ///   - decoder: The decoder: see ``RowDecoder`` for the rules.
  ///   - sql: A single statement.
  ///   - values: The values of the parameters, in order.
  /// - Throws: ``SQLiteError`` if the statement does not compile or fails; with code
  ///   ``SQLiteError/Code/parameterCount`` if the numbers of values and parameters differ, or
  ///   ``SQLiteError/Code/unknownColumn``, ``SQLiteError/Code/columnTypeMismatch`` or
  ///   ``SQLiteError/Code/unexpectedNull`` if the columns do not fit the type; any error that `Value` throws. An empty
  ///   result is not an error.
  public func fetchAll<Value: Decodable>(
    decoding type: Value.Type, with decoder: RowDecoder = RowDecoder(), _ sql: SQL,
    values: [any SQLiteBindable]
  ) throws -> [Value] {
    let statement = try checkoutStatement(sql, values: values)
    defer { checkinStatement(statement) }
    return try statement.remainingRows(decoding: type, with: decoder)
  }

  /// Passes each row to `body` as a value, together with the row itself, which may have other columns.
  ///
  /// ```swift
  /// try connection.forEachRow(
  ///   decoding: Player.self, "SELECT team, player.* FROM player", values: []
  /// ) { player, row in
  ///   teams[try row.read(Int.self, at: 0), default: []].append(player)
  /// }
  /// ```
  ///
  /// - Throws: Any error that `body` throws, which ends the iteration; the errors of
  ///   ``fetchAll(decoding:with:_:values:)``.
  public func forEachRow<Value: Decodable>(
    decoding type: Value.Type, with decoder: RowDecoder = RowDecoder(), _ sql: SQL,
    values: [any SQLiteBindable], body: (Value, borrowing Row) throws -> Void
  ) throws {
    let statement = try checkoutStatement(sql, values: values)
    defer { checkinStatement(statement) }
    try statement.forEachRow(decoding: type, with: decoder, body)
  }
}

/// Methods that write `Encodable` values.
extension Connection {
  /// Inserts a value as a table row, with a column for each key.
  ///
  /// ```swift
  /// let player = Player(id: nil, name: "Ada", score: 0.5)
  /// let id = try connection.insert(encoding: player, into: "player").lastInsertedRowID
  /// ```
  ///
  /// A property that is `nil` is written as NULL: for an `INTEGER PRIMARY KEY`, SQLite generates the next number. The
  /// column's default is not used.
  ///
  /// - Parameters:
  ///   - value: The row.
  ///   - table: The table's name, without schema and quotes.
  ///   - encoder: The encoder: see ``RowEncoder`` for the rules.
  /// - Throws: The errors of ``RowEncoder/encode(_:)``; ``SQLiteError`` if the table has no such column, or the insert
  ///   fails.
  @discardableResult
  public func insert(
    encoding value: some Encodable, into table: String, with encoder: RowEncoder = RowEncoder()
  ) throws -> Statement.Changes {
    let row = try encoder.encodedRow(value)
    let statement = try checkoutStatement(
      SQL(unsafe: insertSQL(for: row.map(\.name), into: table)))
    defer { checkinStatement(statement) }
    try statement.bindAll(row.map(\.content))
    return try finish(statement)
  }

  /// Inserts values as table rows, one after another.
  ///
  /// Call this method in a transaction. Otherwise each row is its own transaction, and the rows before a failure
  /// remain.
  ///
  /// - Throws: The errors of ``insert(encoding:into:with:)`` for the first row that fails.
  public func insert(
    encodingEach values: some Sequence<some Encodable>, into table: String,
    with encoder: RowEncoder = RowEncoder()
  ) throws {
    for value in values { try insert(encoding: value, into: table, with: encoder) }
  }
}

extension Statement {
  /// Binds a value's columns to the parameters with the same names.
  ///
  /// A parameter `:name`, `@name` or `$name` receives the column `name`. Columns without a parameter are ignored.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/unknownParameter`` if a parameter has no name or the value
  ///   has no column of that name; the errors of ``RowEncoder/encode(_:)``.
  public func bindAll(
    encoding value: some Encodable, with encoder: RowEncoder = RowEncoder()
  ) throws {
    try bindAll(contents(encoding: value, with: encoder))
  }

  /// Returns the values of the columns that the parameters name, in the parameters' order.
  fileprivate func contents(
    encoding value: some Encodable, with encoder: RowEncoder
  ) throws -> [any SQLiteBindable] {
    let row = try encoder.encodedRow(value)
    return try parameterNames.enumerated().map { offset, parameter in
      guard let parameter else {
        throw SQLiteError(
          code: .unknownParameter,
          message: "parameter \(offset + 1) has no name, so no column can be bound to it", sql: sql)
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
  /// Binds the value's columns to the parameters with the same names.
  ///
  /// - Throws: The same errors as ``Statement/bindAll(encoding:with:)``.
  public borrowing func bind(to statement: Statement) throws {
    let contents = try statement.contents(encoding: copy self, with: RowEncoder())
    for (offset, content) in contents.enumerated() {
      try content.bind(to: statement, at: ParameterIndex(offset + 1))
    }
  }
}
