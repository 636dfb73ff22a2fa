internal import SQLiteCore

/// Values to bind to consecutive parameters, in order.
struct RowValues: RowEncodable {
  let values: [SQLiteValue]

  func bind(to statement: Statement) throws(SQLiteError) {
    for (index, value) in values.enumerated() {
      try statement.bind(value, at: ParameterIndex(index + 1))
    }
  }
}
