/// What a column is written as.
enum EncodedContent {
  case value(SQLiteValue)
  /// A value that knows itself how it is bound.
  case bindable(any SQLiteBindable)

  func bind(to statement: Statement, at index: ParameterIndex) throws(SQLiteError) {
    switch self {
    case .value(let value): try value.bind(to: statement, at: index)
    case .bindable(let value): try value.bind(to: statement, at: index)
    }
  }

  /// The value that SQLite would store.
  ///
  /// What a type of the user's binds is known once it has bound it: to a statement of a database in
  /// memory, which is opened when it is first needed.
  func value(scratch: inout Connection?) throws -> SQLiteValue {
    switch self {
    case .value(let value): return value
    case .bindable(let value):
      if let known = Self.value(of: value) { return known }
      let connection = try scratch ?? Connection.inMemory()
      scratch = connection
      return try connection.value(SQLiteValue.self, "SELECT ?", values: [value]) ?? .null
    }
  }

  /// The values of the types that are encoded most.
  private static func value(of value: any SQLiteBindable) -> SQLiteValue? {
    switch value {
    case let value as String: .text(value)
    case let value as Bool: .integer(value ? 1 : 0)
    case let value as Double: .real(value)
    case let value as Float: .real(Double(value))
    case let value as [UInt8]: .blob(value)
    case let value as any FixedWidthInteger: Int64(exactly: value).map { .integer($0) }
    default: nil
    }
  }
}

extension RowEncoder {
  /// What a value in one column is written as.
  func content(_ value: some Encodable) throws -> EncodedContent {
    if let date = try content(date: value) { return date }
    if let bindable = value as? any SQLiteBindable { return .bindable(bindable) }
    let writer = ColumnWriter(settings: self)
    try value.encode(to: writer)
    return try writer.content()
  }
}
