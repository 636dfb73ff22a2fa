internal import SQLiteCore

/// The same work, written manually with only `SQLiteCore`.
extension ItemWork {
  public static let byHand = ItemWork(
    fetchAll: { path in
      let items = try Connection(path: path).fetchAll(
        ManuallyDecodedItem.self, "SELECT * FROM item")
      var sum: UInt64 = 0
      for index in items.indices { sum &+= items[index].weight }
      return sum
    },
    lookUp: { path, keys in
      let connection = try Connection(path: path)
      var sum: UInt64 = 0
      for key in keys {
        let item = try connection.fetchOne(
          ManuallyDecodedItem.self, "SELECT * FROM item WHERE id = ?", key)
        sum &+= item?.weight ?? 0
      }
      return sum
    },
    update: { path, keys in
      let connection = try Connection(path: path)
      let values = keys.map { (name: "name \($0)", note: String?.none, id: $0) }
      return try connection.transaction {
        var counts: [Int] = []
        for value in values {
          counts.append(
            try connection.run(
              "UPDATE item SET name = :name, note = :note WHERE id = :id", value.name, value.note,
              value.id
            ).count)
        }
        return UInt64(counts.reduce(0, +))
      }
    })
}

private struct ManuallyDecodedItem: RowDecodable {
  var id: Int
  var a: Int
  var b: Int
  var x: Double
  var y: Double?
  var name: String
  var title: String
  var note: String?
  var flag: Bool
  var data: [UInt8]

  init(
    id: Int, a: Int, b: Int, x: Double, y: Double?, name: String, title: String, note: String?,
    flag: Bool, data: [UInt8]
  ) {
    self.id = id
    self.a = a
    self.b = b
    self.x = x
    self.y = y
    self.name = name
    self.title = title
    self.note = note
    self.flag = flag
    self.data = data
  }

  init(row: borrowing Row) throws(SQLiteError) {
    self.init(
      id: try row.read(at: 0), a: try row.read(at: 1), b: try row.read(at: 2),
      x: try row.read(at: 3), y: try row.read(at: 4), name: try row.read(at: 5),
      title: try row.read(at: 6), note: try row.read(at: 7), flag: try row.read(at: 8),
      data: try row.read(at: 9))
  }

  var weight: UInt64 {
    UInt64(id + a + b + Int(x)) + UInt64(y ?? 1)
      + UInt64(name.utf8.count + title.utf8.count + (note?.utf8.count ?? 1) + data.count)
  }
}
