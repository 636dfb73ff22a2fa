internal import SQLiteCore

// The form of the initializers that `querygen` generates: a delegating initializer constructs the
// value in place.
extension Item: RowDecodable {
  init(row: borrowing Row) throws(SQLiteError) {
    self.init(
      id: try row.read(Int64.self, at: 0), a: try row.read(Int64.self, at: 1),
      b: try row.read(Int64.self, at: 2), x: try row.read(Double.self, at: 3),
      y: try row.read(Double?.self, at: 4), name: try row.read(String.self, at: 5),
      title: try row.read(String.self, at: 6), note: try row.read(String?.self, at: 7),
      flag: try row.read(Bool.self, at: 8), data: try row.read([UInt8].self, at: 9))
  }
}

extension Item: RowEncodable {
  func bind(to statement: Statement) throws(SQLiteError) {
    try statement.bind(id, at: 1)
    try statement.bind(a, at: 2)
    try statement.bind(b, at: 3)
    try statement.bind(x, at: 4)
    try statement.bind(y, at: 5)
    try statement.bind(name, at: 6)
    try statement.bind(title, at: 7)
    try statement.bind(note, at: 8)
    try statement.bind(flag, at: 9)
    try statement.bind(data, at: 10)
  }
}
