import Relations
import SQLiteCore

final class AlbumArt: Model, @unchecked Sendable {
  struct Value: Table {
    static let tableName = "AlbumArt"
    var id: AutoId = 0
    var data: [UInt8]?
    var album = OneRelation<Album>()
    static var autoDBSettings: SettingsKey { .cache }
  }
  var value: Value
  init(_ value: Value) { self.value = value }
  var album: OneRelation<Album> { value.album }
}

final class Album: Model, @unchecked Sendable {
  struct Value: Table {
    var id: AutoId = 0
    var name = ""
    var artist = ""
    static let tableName = "Album"
    var tracks = ManyRelation<Track>(\.album)
  }
  var value: Value
  init(_ value: Value) { self.value = value }
  var name: String { value.name }
  var tracks: ManyRelation<Track> { value.tracks }
}

final class Track: Model, @unchecked Sendable {
  struct Value: Table {
    static let tableName = "Track"
    var id = 0
    var title = ""
    var seconds: Double?
    var album = OneRelation<Album>(onDelete: .cascade)
  }
  var value: Value
  init(_ value: Value) { self.value = value }
  var album: OneRelation<Album> { value.album }
}

final class Parent: Model, @unchecked Sendable {
  struct Value: Table {
    static let tableName = "Parent"
    var id: AutoId = 0
    var name = ""
    var children = ManyRelation<Child>(initial: 3, limit: 2)
  }
  var value: Value
  init(_ value: Value) { self.value = value }
  var children: ManyRelation<Child> { value.children }
}

final class Child: Model, @unchecked Sendable {
  struct Value: Table {
    static let tableName = "Child"
    var id: AutoId = 0
    var name = ""
  }
  var value: Value
  init(_ value: Value) { self.value = value }
}

/// Calls `body` with a separate in-memory session, which applies to all types.
func withSession<Result>(
  saveDelay: Duration = .milliseconds(10),
  _ body: (ModelSession) async throws -> Result
) async throws -> Result {
  let session = ModelSession(try Database(.memory), saveDelay: saveDelay)
  return try await session.use { try await body(session) }
}
