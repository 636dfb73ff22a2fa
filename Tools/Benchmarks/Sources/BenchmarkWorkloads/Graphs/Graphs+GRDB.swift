internal import GRDB

private struct Label: Codable, FetchableRecord, PersistableRecord, TableRecord {
  static let databaseTableName = "Label"
  var id: Int64
  var name: String
}

private struct Album: Codable, FetchableRecord, PersistableRecord, TableRecord {
  static let databaseTableName = "Album"
  static let tracks = hasMany(Track.self)
  static let label = belongsTo(Label.self)
  var id: Int64
  var name: String
  var year: Int
  var price: Double
  var label: Int64?
}

private struct Track: Codable, FetchableRecord, PersistableRecord, TableRecord {
  static let databaseTableName = "Track"
  var id: Int64
  var title: String
  var seconds: Double
  var album: Int64?
}

private struct AlbumInfo: Decodable, FetchableRecord {
  var album: Album
  var tracks: [Track]
  var publisher: Label?
}

enum GRDBGraphs {
  static func load(_ path: String) throws -> Work {
    let queue = try Peer.queue(path)
    let watch = Stopwatch()
    let albums = try queue.read { db in
      try Album.including(all: Album.tracks.order(Column("id")).forKey("tracks"))
        .including(optional: Album.label.forKey("publisher"))
        .order(Column("id")).asRequest(of: AlbumInfo.self).fetchAll(db)
    }
    let time = watch.time
    let labels = Set(albums.compactMap(\.publisher?.id)).count
    let sum = albums.reduce(0) { $0 &+ $1.album.year &+ $1.tracks.count } &+ labels
    return Work(checksum: UInt64(sum), time: time)
  }

  static func save(_ path: String) throws -> Work {
    let queue = try Peer.queue(path)
    let albums = try queue.read { try Album.fetchAll($0) }
    let changed = albums.map { album in
      var album = album
      album.year += 1
      album.price += 0.5
      return album
    }
    let watch = Stopwatch()
    try queue.write { db in
      for (album, former) in zip(changed, albums) { try album.updateChanges(db, from: former) }
    }
    // Measures the time before the objects are deallocated.
    let time = watch.time
    return Work(checksum: UInt64(albums.count), time: time)
  }
}
