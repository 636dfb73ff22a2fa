// Prints: Faith: Primary
import Relations
import SQLiteCore

/// An app that only uses Relations.
enum RelationsConsumer {
  final class Album: Model, @unchecked Sendable {
    struct Value: Table {
      static let tableName = "Album"
      var id: AutoId = 0
      var name = ""
      var tracks = ManyRelation<Track>(\.album)
    }
    var value: Value
    init(_ value: Value) { self.value = value }
    var tracks: ManyRelation<Track> { value.tracks }
  }

  final class Track: Model, @unchecked Sendable {
    struct Value: Table {
      static let tableName = "Track"
      var id = 0
      var title = ""
      var album = OneRelation<Album>(onDelete: .cascade)
    }
    var value: Value
    init(_ value: Value) { self.value = value }
    var album: OneRelation<Album> { value.album }
  }

  static func run() async throws -> String {
    try await ModelSession(try Database.inMemory()).use {
      let faith = try await Album.createWith(name: "Faith")
      faith.tracks.append([try await Track.createWith(title: "Primary")])
      try await faith.save()
      let albums = try await Album.fetchQuery()
      try await albums.fetchAll(\.tracks)
      return albums.map { album in
        "\(album.value.name): \(album.tracks.items.map(\.value.title).joined(separator: ", "))"
      }.joined(separator: "; ")
    }
  }
}
