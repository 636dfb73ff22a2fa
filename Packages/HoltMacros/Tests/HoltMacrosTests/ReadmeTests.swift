import HoltMacros
import Testing

enum Readme {
  @Table
  struct Track {
    var id: AutoId = 0
    var title = ""
    var seconds: Double?
    var moods: [String] = []
    var album: OneRelation<Album>
  }

  @Table
  final class Album: Model {
    @Table
    struct Value {
      static let tableName = "Album"
      var id: AutoId = 0
      var name = ""
      var tracks = ManyRelation<Track>(\.album)
    }
  }
}

@Suite struct `The samples of the README` {
  @Test func `save and find rows of tables`() async throws {
    typealias Album = Readme.Album
    typealias Track = Readme.Track
    let session = ModelSession(try Database(.memory))
    try await session.use {
      let album = Album(.init())
      album.name = "Faith"
      try await album.save()
      var track = Track()
      track.title = "Primary"
      track.seconds = 215
      track.album = OneRelation(album.id)
      track = try await track.save()
      let long = try await Track.fetchQuery(
        "WHERE \(Track.columns.seconds > 180) ORDER BY \(Track.columns.title)")
      #expect(long.map(\.title) == ["Primary"])
      #expect(try await long[0].album.fetch() === album)
    }
  }

  @CasePathable
  enum TodoRoute: Equatable {
    case fetch(filteredBy: [DatabaseRoute.Filter] = [])
    case fetchOne(id: Int)
  }

  @CasePathable
  enum Routes {
    case todos(TodoRoute)
  }

  @Test func `behaves as described`() {
    let path: CaseKeyPath<Routes, Int> = \.todos.fetchOne
    let fetchOne = TodoRoute.allCasePaths.fetchOne
    let route = fetchOne.embed(1)  // TodoRoute.fetchOne(id: 1)
    let id = fetchOne.extract(from: route)  // 1
    let name = TodoRoute.fetch().currentCase.name  // "fetch"

    #expect(path == \.todos.fetchOne)
    #expect(route == .fetchOne(id: 1) && id == 1 && name == "fetch")
  }
}
