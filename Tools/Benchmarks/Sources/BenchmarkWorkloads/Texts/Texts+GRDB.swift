internal import GRDB

enum GRDBTexts {
  private struct PositionPage: FetchableRecord {
    let page: Page

    init(row: Row) throws { page = Page(id: row[0], body: row[1]) }
  }

  static func fetch(_ path: String) throws -> Work {
    try Peer.queue(path).read { db in
      var sum: UInt64 = 0
      for record in try PositionPage.fetchAll(db, sql: Texts.selectSQL) {
        sum &+= record.page.weight
      }
      return Work(checksum: sum)
    }
  }

  static func insert(_ pages: [Page], _ path: String) throws -> Work {
    let queue = try Peer.queue(path)
    try queue.write { try $0.execute(sql: Texts.createSQL) }
    return try queue.write { db in
      var sum: UInt64 = 0
      let statement = try db.makeStatement(sql: Texts.insertSQL)
      for page in pages {
        try statement.execute(arguments: [page.id, page.body])
        sum &+= UInt64(db.lastInsertedRowID)
      }
      return Work(checksum: sum)
    }
  }
}
