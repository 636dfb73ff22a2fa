/// Learns what values bind, by having them bound to a statement of a database of its own: an application's
/// types say no more of themselves than that.
enum ValueCapture {
  static func values(of elements: [some SQLiteBindable]) throws(SQLiteError) -> [SQLiteValue] {
    guard !elements.isEmpty else { return [] }
    let database = try ConnectionHandle(
      path: ":memory:", flags: OpenFlags.readWriteCreate, virtualFileSystem: nil,
      showsValuesInErrors: false)
    let text = try SQLText("SELECT ?")
    var prepared = try database.prepare(text, persistent: true)
    guard let handle = prepared.statement.take() else { return [] }
    let statement = Statement(
      sql: text.sql, handle: handle, access: prepared.access, connection: database)
    var values: [SQLiteValue] = []
    values.reserveCapacity(elements.count)
    for element in elements {
      try element.bind(to: statement, at: 1)
      guard try statement.step() else { break }
      values.append(try statement.row.value(at: 0))
      statement.reset()
    }
    return values
  }
}
