public import SQLiteCore

extension DatabaseRoute.CustomStatement.Argument: SQLiteBindable {
  public var sqliteValue: SQLiteValue {
    get throws(SQLiteError) {
      switch self {
      case .value(let value): value
      case .list(let values): try SQLiteArray(values).sqliteValue
      }
    }
  }

  public func bind(to statement: Statement, at index: ParameterIndex) throws(SQLiteError) {
    switch self {
    case .value(let value): try value.bind(to: statement, at: index)
    case .list(let values): try SQLiteArray(values).bind(to: statement, at: index)
    }
  }
}
