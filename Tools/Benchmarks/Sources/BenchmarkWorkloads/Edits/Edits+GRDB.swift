internal import GRDB

private struct CustomerRecord: Codable, FetchableRecord, PersistableRecord, TableRecord, Customer {
  static let databaseTableName = "Customer"
  var id: Int64
  var name: String
  var email: String
  var city: String?
  var visits: Int
  var balance: Double
  var isActive: Bool
  var note: String?
}

enum GRDBEdits {
  /// Receives only the changed records.
  static func save(_ path: String) throws -> Work {
    let queue = try Peer.queue(path)
    var records = try queue.read { try CustomerRecord.order(Column("id")).fetchAll($0) }
    var times: [Time] = []
    for save in 0..<Edits.saves {
      let former = records
      let places = Edits.tenth(of: records.count, save: save)
      for place in places { records[place].change(place, save: save) }
      let watch = Stopwatch()
      try queue.write { db in
        for place in places { try records[place].updateChanges(db, from: former[place]) }
      }
      times.append(watch.time)
    }
    return Work(checksum: UInt64(records.count), time: times.sum)
  }
}
