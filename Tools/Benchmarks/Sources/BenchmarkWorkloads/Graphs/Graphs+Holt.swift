internal import Relations
internal import SQLiteCore

/// A table's values, read without loops, as in generated code.
struct LabelRow: Table {
  static let tableName = "Label"
  var id = 0
  var name = ""
  static var properties: [RowProperty<LabelRow>] {
    [.init(column: "id") { $0.id }, .init(column: "name") { $0.name }]
  }

  init() {}
  init(row: borrowing Row) throws(SQLiteError) {
    id = try row.read(at: 0)
    name = try row.read(at: 1)
  }
}

struct AlbumRow: Table {
  static let tableName = "Album"
  var id = 0
  var name = ""
  var year = 0
  var price = 0.0
  var label: OneRelation<LabelRow>
  var tracks = ManyRelation<TrackRow>(\.album)
  static var properties: [RowProperty<AlbumRow>] {
    [
      .init(column: "id") { $0.id }, .init(column: "name") { $0.name },
      .init(column: "year") { $0.year }, .init(column: "price") { $0.price },
      .init(column: "label") { $0.label },
      .init(relation: "tracks") { $0.tracks },
    ]
  }

  init() { label = OneRelation() }
  init(row: borrowing Row) throws(SQLiteError) {
    id = try row.read(at: 0)
    name = try row.read(at: 1)
    year = try row.read(at: 2)
    price = try row.read(at: 3)
    label = try row.read(at: 4)
  }
}

struct TrackRow: Table {
  static let tableName = "Track"
  var id = 0
  var title = ""
  var seconds = 0.0
  var album: OneRelation<AlbumRow>
  static var properties: [RowProperty<TrackRow>] {
    [
      .init(column: "id") { $0.id }, .init(column: "title") { $0.title },
      .init(column: "seconds") { $0.seconds }, .init(column: "album") { $0.album },
    ]
  }

  init() { album = OneRelation() }
  init(row: borrowing Row) throws(SQLiteError) {
    id = try row.read(at: 0)
    title = try row.read(at: 1)
    seconds = try row.read(at: 2)
    album = try row.read(at: 3)
  }
}

/// The same tables with `Codable`.
struct CodableLabel: Table {
  static let tableName = "Label"
  var id = 0
  var name = ""
}

struct CodableAlbum: Table {
  static let tableName = "Album"
  var id = 0
  var name = ""
  var year = 0
  var price = 0.0
  var label = OneRelation<CodableLabel>()
  var tracks = ManyRelation<CodableTrack>(\.album)
}

struct CodableTrack: Table {
  static let tableName = "Track"
  var id = 0
  var title = ""
  var seconds = 0.0
  var album = OneRelation<CodableAlbum>()
}

final class LabelModel: Model, @unchecked Sendable {
  typealias Value = LabelRow
  var value: Value
  init(_ value: Value) { self.value = value }
}

final class AlbumModel: Model, @unchecked Sendable {
  struct Value: Table {
    static let tableName = "Album"
    var id = 0
    var name = ""
    var year = 0
    var price = 0.0
    var label: OneRelation<LabelModel>
    var tracks = ManyRelation<TrackModel>(\.album)
    static var properties: [RowProperty<Value>] {
      [
        .init(column: "id") { $0.id }, .init(column: "name") { $0.name },
        .init(column: "year") { $0.year }, .init(column: "price") { $0.price },
        .init(column: "label") { $0.label }, .init(relation: "tracks") { $0.tracks },
      ]
    }

    init() { label = OneRelation() }
    init(row: borrowing SQLiteCore.Row) throws(SQLiteError) {
      id = try row.read(at: 0)
      name = try row.read(at: 1)
      year = try row.read(at: 2)
      price = try row.read(at: 3)
      label = try row.read(at: 4)
    }
  }
  var value: Value
  init(_ value: Value) { self.value = value }
  var label: OneRelation<LabelModel> { value.label }
  var tracks: ManyRelation<TrackModel> { value.tracks }
}

final class TrackModel: Model, @unchecked Sendable {
  struct Value: Table {
    static let tableName = "Track"
    var id = 0
    var title = ""
    var seconds = 0.0
    var album: OneRelation<AlbumModel>
    static var properties: [RowProperty<Value>] {
      [
        .init(column: "id") { $0.id }, .init(column: "title") { $0.title },
        .init(column: "seconds") { $0.seconds }, .init(column: "album") { $0.album },
      ]
    }

    init() { album = OneRelation() }
    init(row: borrowing SQLiteCore.Row) throws(SQLiteError) {
      id = try row.read(at: 0)
      title = try row.read(at: 1)
      seconds = try row.read(at: 2)
      album = try row.read(at: 3)
    }
  }
  var value: Value
  init(_ value: Value) { self.value = value }
}

enum HoltGraphs {
  static func make(_ path: String, _ albums: Int) throws {
    let connection = try Connection(path: path)
    try connection.transaction {
      try connection.execute(SQL(unsafe: Graphs.createSQL))
      try connection.execute(SQL(unsafe: Graphs.fillSQL(albums)))
    }
  }

  private static func session(_ path: String) throws -> ModelSession {
    ModelSession(try Database(path: path), schema: .explicit)
  }

  // MARK: Loading

  private struct PlainLabel: RowDecodable {
    let id: Int
    let name: String
    init(row: borrowing Row) throws(SQLiteError) {
      id = try row.read(at: 0)
      name = try row.read(at: 1)
    }
  }

  private struct PlainAlbum: RowDecodable {
    let id: Int
    let name: String
    let year: Int
    let price: Double
    let label: Int?
    init(row: borrowing Row) throws(SQLiteError) {
      id = try row.read(at: 0)
      name = try row.read(at: 1)
      year = try row.read(at: 2)
      price = try row.read(at: 3)
      label = try row.read(at: 4)
    }
  }

  private struct PlainTrack: RowDecodable {
    let id: Int
    let title: String
    let seconds: Double
    let album: Int?
    init(row: borrowing Row) throws(SQLiteError) {
      id = try row.read(at: 0)
      title = try row.read(at: 1)
      seconds = try row.read(at: 2)
      album = try row.read(at: 3)
    }
  }

  /// Runs the three statements that Holt runs, decodes their rows with handwritten code, and connects the rows
  /// with their owners.
  static func straight(_ path: String) throws -> Work {
    let database = try Database(path: path)
    let watch = Stopwatch()
    let (albums, tracks, labels) = try database.read { connection in
      let albums = try connection.fetchAll(
        PlainAlbum.self, "SELECT id, name, year, price, label FROM Album ORDER BY id")
      let tracks = try connection.fetchAll(
        PlainTrack.self,
        "SELECT id, title, seconds, album FROM Track WHERE album BETWEEN ? AND ? ORDER BY album, id",
        albums.first?.id ?? 0, albums.last?.id ?? 0)
      let labels = try connection.fetchAll(
        PlainLabel.self, "SELECT id, name FROM Label WHERE id IN array_each(?)",
        SQLiteArray(Set(albums.compactMap(\.label))))
      return (albums, tracks, labels)
    }
    let lists = Dictionary(grouping: tracks) { $0.album ?? 0 }
    let found = Dictionary(uniqueKeysWithValues: labels.map { ($0.id, $0) })
    let time = watch.time
    let sum = albums.reduce(found.count) { $0 &+ $1.year &+ (lists[$1.id]?.count ?? 0) }
    return Work(checksum: UInt64(sum), time: time)
  }

  static func values(_ path: String) async throws -> Work {
    let session = try session(path)
    let watch = Stopwatch()
    let albums = try await session.fetchAll(AlbumRow.self, "ORDER BY id")
    try await albums.fetchAll(\.tracks)
    let labels = try await albums.fetchAll(\.label)
    let time = watch.time
    let sum = albums.reduce(0) { $0 &+ $1.year &+ $1.tracks.items.count } &+ labels.count
    return Work(checksum: UInt64(sum), time: time)
  }

  static func codable(_ path: String) async throws -> Work {
    let session = try session(path)
    let watch = Stopwatch()
    let albums = try await session.fetchAll(CodableAlbum.self, "ORDER BY id")
    try await albums.fetchAll(\.tracks)
    let labels = try await albums.fetchAll(\.label)
    let time = watch.time
    let sum = albums.reduce(0) { $0 &+ $1.year &+ $1.tracks.items.count } &+ labels.count
    return Work(checksum: UInt64(sum), time: time)
  }

  static func models(_ path: String) async throws -> Work {
    let session = try session(path)
    let watch = Stopwatch()
    let albums = try await session.fetchAll(AlbumModel.self, "ORDER BY id")
    try await albums.fetchAll(\.tracks)
    let labels = try await albums.fetchAll(\.label)
    let time = watch.time
    let sum = albums.reduce(0) { $0 &+ $1.value.year &+ $1.tracks.items.count } &+ labels.count
    return Work(checksum: UInt64(sum), time: time)
  }

  // MARK: Saving

  static func update(_ path: String) async throws -> Work {
    let database = try Database(path: path)
    let albums = try await database.read { try $0.values(Int.self, "SELECT id FROM Album") }
    let watch = Stopwatch()
    try await database.write { connection in
      let update = try connection.prepare("UPDATE Album SET year = ?, price = ? WHERE id = ?")
      for id in albums {
        try update.bind(1_900 + id % 100, at: 1)
        try update.bind(Double(id) / 3, at: 2)
        try update.bind(id, at: 3)
        try update.run()
      }
    }
    return Work(checksum: UInt64(albums.count), time: watch.time)
  }

  static func save(_ path: String) async throws -> Work {
    let session = try session(path)
    let albums = try await session.fetchAll(AlbumModel.self)
    for album in albums {
      // Ensures that each value changes.
      album.value.year += 1
      album.value.price += 0.5
    }
    let watch = Stopwatch()
    try await session.saveChanges()
    // Measures the time before the objects are deallocated.
    let time = watch.time
    return Work(checksum: UInt64(albums.count), time: time)
  }
}
