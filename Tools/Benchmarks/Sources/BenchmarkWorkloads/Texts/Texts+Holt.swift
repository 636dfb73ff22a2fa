internal import SQLiteCore

extension Page: RowDecodable {
  init(row: borrowing Row) throws(SQLiteError) {
    id = try row.read(Int64.self, at: 0)
    body = try row.read(String.self, at: 1)
  }
}

enum HoltTexts {
  static func fetch(_ path: String) throws -> Work {
    let connection = try Connection(path: path)
    var sum: UInt64 = 0
    for page in try connection.fetchAll(Page.self, SQL(unsafe: Texts.selectSQL)) {
      sum &+= page.weight
    }
    return Work(checksum: sum)
  }

  static func insert(_ pages: [Page], _ path: String) throws -> Work {
    let connection = try Connection(path: path)
    try connection.execute(SQL(unsafe: Texts.createSQL))
    var sum: UInt64 = 0
    try connection.transaction {
      try connection.withStatement(SQL(unsafe: Texts.insertSQL)) { statement in
        for page in pages {
          try statement.bindAll(page.id, page.body)
          try statement.run()
          sum &+= UInt64(connection.lastInsertedRowID.rawValue)
        }
      }
    }
    return Work(checksum: sum)
  }
}
