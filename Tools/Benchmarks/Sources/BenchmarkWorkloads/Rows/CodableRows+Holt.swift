internal import SQLiteCore

enum HoltRows {
  static func fetch<Row: ColumnRow>(_ type: Row.Type, _ path: String) throws -> Work {
    let rows = try Connection(path: path).fetchAll(
      Row.self, SQL(unsafe: Row.selectSQL))
    return Work(checksum: UInt64(rows.reduce(0) { $0 &+ $1.weight }))
  }

  /// Looks up the columns only once.
  static func insert<Row: ColumnRow>(_ rows: [Row], _ path: String) throws -> Work {
    let connection = try table(Row.self, path)
    try connection.transaction {
      let binding = RowEncoder.Binding(columns: Row.columns.map(\.name))
      let insert = try connection.prepare(SQL(unsafe: Row.insertSQL))
      for row in rows {
        try binding.bind(row, to: insert)
        try insert.run()
      }
    }
    return work(connection)
  }

  static func insertEach<Row: ColumnRow>(_ rows: [Row], _ path: String) throws -> Work {
    let connection = try table(Row.self, path)
    try connection.transaction { try connection.insert(encodingEach: rows, into: Row.table) }
    return work(connection)
  }

  private static func table<Row: ColumnRow>(
    _ type: Row.Type, _ path: String
  ) throws -> Connection {
    let connection = try Connection(path: path)
    try connection.execute("DROP TABLE IF EXISTS \(identifier: Row.table)")
    try connection.execute(SQL(unsafe: Row.createSQL))
    return connection
  }

  private static func work(_ connection: Connection) -> Work {
    Work(checksum: UInt64(connection.lastInsertedRowID.rawValue))
  }
}
