import Relations
import SQLiteCore
import Testing

@testable import Relations

@Suite struct `Sessions` {
  // MARK: Cancellation

  @Test func `A cancelled save is both written and recorded, or neither`() async throws {
    try await withFile { session, file in
      let album = try await Album.createWith(name: "0")
      let other = try file.connect()
      for number in 1...60 {
        album.value.name = "\(number)"
        let task = Task { @MainActor in try await album.save() }
        if number % 3 > 0 { await Task.yield() }
        if number % 3 > 1 { await Task.yield() }
        task.cancel()
        let isSaved: Bool
        switch await task.result {
        case .success: isSaved = true
        case .failure(let error):
          #expect(error is CancellationError)
          isSaved = false
        }
        let stored = try other.value(String.self, "SELECT name FROM Album")
        #expect((stored == "\(number)") == isSaved)
        #expect(session.isChanged(album) == !isSaved)
      }
      album.value.name = "last"
      try await album.save()
      #expect(try other.value(String.self, "SELECT name FROM Album") == "last")
    }
  }

  @Test func `Cancelling a fetch or a load leaves everything usable`() async throws {
    try await withFile { session, file in
      let album = try await Album.createWith(name: "Faith")
      for _ in 0..<20 { album.tracks.append([try await Track.create()]) }
      try await album.save()
      let other = ModelSession(try file.open())
      for number in 0..<30 {
        let task = Task { @MainActor in
          let albums = try await other.fetchAll(Album.self)
          try await albums.fetchAll(\.tracks)
          return albums[0].tracks.items.count
        }
        for _ in 0..<(number % 5) { await Task.yield() }
        task.cancel()
        do {
          #expect(try await task.value == 20)
        } catch {
          #expect(error is CancellationError)
        }
      }
      let found = try await other.fetch(Album.self, album.id)
      try await found.tracks.fetch()
      #expect(found.tracks.items.count == 20)
    }
  }

  @Test func `A cancelled deletion is recorded with all its effects, or not at all`()
    async throws
  {
    try await withFile { session, file in
      let other = try file.connect()
      for number in 0..<30 {
        let album = try await Album.createWith(name: "Faith")
        let track = try await Track.create()
        album.tracks.append([track])
        try await album.save()
        let task = Task { @MainActor in try await album.delete() }
        for _ in 0..<(number % 4) { await Task.yield() }
        task.cancel()
        _ = await task.result
        let isThere =
          try other.value(Bool.self, "SELECT count(*) FROM Album WHERE id = ?", album.id) == true
        #expect(session.isRowDeleted(album) != isThere)
        track.value.title = "\(number)"
        if isThere {
          try await track.save()
        } else {
          let error = await #expect(throws: RelationError.self) { try await track.save() }
          #expect(error?.code == .missingRow)
        }
      }
    }
  }

  // MARK: One instance for a row

  @Test
  func `Two tasks that create or fetch the row with the same key have one instance`() async throws {
    try await withFile { session, file in
      try await session.prepare(Album.Value.self)
      async let one = Album.create(5)
      async let two = Album.create(5)
      let made = try await (one, two)
      #expect(made.0 === made.1)
      try await made.0.save()
      let other = ModelSession(try file.open())
      async let first = other.fetch(Album.self, 5)
      async let second = other.fetch(Album.self, 5)
      let found = try await (first, second)
      #expect(found.0 === found.1)
      #expect(found.0 !== made.0)
    }
  }

  @Test func `Many tasks that create the row with the same key have one instance with its lists`()
    async throws
  {
    try await withFile { session, _ in
      try await session.prepare(Album.Value.self)
      for id in 1...60 {
        let made = try await withThrowingTaskGroup { group in
          for _ in 0..<8 {
            group.addTask {
              let album = try await session.create(Album.self, AutoId(rawValue: Int64(id)))
              // The session has the instance before any task can access it.
              return (album, try await album.tracks.totalCount())
            }
          }
          return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(made.count == 8)
        #expect(Set(made.map { ObjectIdentifier($0.0) }).count == 1)
        #expect(made.allSatisfy { $0.1 == 0 && $0.0.tracks.isLoaded })
      }
    }
  }

  @Test func `A second instance for a row is refused, and the first is unchanged`() async throws {
    try await withFile { _, file in
      let album = try await Album.createWith(name: "Faith")
      let second = Album(Album.Value(id: album.id, name: "Other"))
      let error = await #expect(throws: RelationError.self) { try await second.save() }
      #expect(error?.code == .foreignModel)
      album.value.name = "mine"
      try await album.save()
      #expect(try file.connect().values(String.self, "SELECT name FROM Album") == ["mine"])
    }
  }

  @Test
  func `An instance created without a session is saved as the instance of its row`() async throws {
    try await withFile { _, _ in
      let album = Album(Album.Value(name: "Faith"))
      try await album.save()
      #expect(album.id != 0)
      #expect(try await Album.fetchId(album.id) === album)
      let track = Track(Track.Value(title: "Primary", album: OneRelation(album.id)))
      try await track.save()
      #expect(try await Track.fetchId(track.id) === track)
      #expect(try await track.album.object === album)
    }
  }

  // MARK: Changed keys

  @Test func `A changed key is changed in the table, and references follow`()
    async throws
  {
    try await withFile { session, file in
      let album = try await Album.createWith(name: "Faith")
      let track = try await Track.create()
      album.tracks.append([track])
      try await album.save()
      let review = try await Review.create()
      review.album.key = album.id
      try await review.save()

      album.value.id = 42
      #expect(session.isChanged(album))
      #expect(try await Album.fetchQuery().map { $0 === album } == [true])
      #expect(album.id == 42)
      track.value.title = "changed too"
      try await session.saveChanges()
      let other = try file.connect()
      #expect(try other.values(Int.self, "SELECT id FROM Album") == [42])
      #expect(try other.values(Int.self, "SELECT album FROM Track") == [42])
      #expect(try other.values(Int.self, "SELECT album FROM Review") == [42])
      #expect(track.album.key == 42)
      #expect(review.album.key == 42)
      #expect(try await review.album.object === album)
      #expect(!session.isChanged(track))
      #expect(!session.isChanged(review))
      #expect(try await Album.fetchId(42) === album)
      album.value.name = "again"
      try await album.save()
      #expect(try other.values(String.self, "SELECT name FROM Album WHERE id = 42") == ["again"])
      try await album.delete()
      #expect(try other.value(Int.self, "SELECT count(*) FROM Track") == 0)
    }
  }

  @Test func `The key of another row is refused, and the instance keeps its row`() async throws {
    try await withFile { _, file in
      let (one, two) = (
        try await Album.createWith(name: "1"), try await Album.createWith(name: "2")
      )
      let former = one.id
      one.value.id = two.id
      let error = await #expect(throws: SQLiteError.self) { try await one.save() }
      #expect(error?.code == .constraintPrimaryKey)
      #expect(try await Album.fetchId(two.id) === two)
      one.value.id = former
      one.value.name = "one"
      try await one.save()
      #expect(
        try file.connect().values(String.self, "SELECT name FROM Album ORDER BY id") == [
          "one", "2",
        ])
    }
  }

  @Test func `Removing a key is an error`() async throws {
    try await withFile { _, _ in
      let album = try await Album.createWith(name: "1")
      album.value.id = 0
      let error = await #expect(throws: RelationError.self) { try await album.save() }
      #expect(error?.code == .invalidKey)
    }
  }

  // MARK: Deleted rows

  @Test func `Saving a row that another connection has deleted is an error and inserts no row`()
    async throws
  {
    try await withFile { _, file in
      let album = try await Album.createWith(name: "1")
      try file.connect().run("DELETE FROM Album")
      album.value.name = "2"
      let error = await #expect(throws: RelationError.self) { try await album.save() }
      #expect(error?.code == .missingRow)
      await #expect(throws: RelationError.self) { try await Album.saveChanges() }
      #expect(try file.connect().value(Int.self, "SELECT count(*) FROM Album") == 0)
      // After its deletion, the instance can be saved as a new one.
      try await album.delete()
      try await Album.saveChanges()
      #expect(try file.connect().value(Int.self, "SELECT count(*) FROM Album") == 0)
      try await album.save()
      #expect(try await Album.fetchId(album.id) === album)
    }
  }

  @Test
  func `The key of a row that was deleted elsewhere can be used by a new instance`() async throws {
    try await withFile { _, file in
      let album = try await Album.createWith(name: "1")
      try file.connect().run("DELETE FROM Album")
      let again = try await Album.create(album.id)
      #expect(again !== album)
      try await again.save()
      let error = await #expect(throws: RelationError.self) { try await album.save() }
      #expect(error?.code == .missingRow)
      #expect(try await Album.fetchId(again.id) === again)
    }
  }

  @Test
  func `Instances of rows that are deleted by a cascade are recorded as deleted`() async throws {
    try await withFile { session, _ in
      let album = try await Album.createWith(name: "1")
      let (one, two) = (try await Track.create(), try await Track.create())
      album.tracks.append([one, two])
      try await album.save()
      let review = try await Review.create()
      await review.album.setObject(album)
      try await review.save()
      try await two.delete()
      #expect(album.tracks.items.map(\.id) == [one.id])
      one.value.title = "dirty"
      try await album.delete()
      #expect(review.album.key == nil)
      #expect(review.album._object == nil)
      try await session.saveChanges()
      #expect(try await Track.fetchQuery().isEmpty)
      await #expect(throws: RelationError.self) { try await one.save() }
    }
  }

  @Test func `A deleted row is not inserted again by saving a row that referred to it`()
    async throws
  {
    try await withFile { session, file in
      let album = try await Album.createWith(name: "1")
      let review = try await Review.create()
      await review.album.setObject(album)
      try await review.save()
      try await Album.session.delete(Album.self, [album.id])
      review.didChange()
      try await session.saveChanges()
      #expect(try file.connect().value(Int.self, "SELECT count(*) FROM Album") == 0)
      let second = try await Album.createWith(name: "2")
      await review.album.setObject(second)
      try await second.delete()
      await #expect(throws: SQLiteError.self) { try await review.save() }
      #expect(try file.connect().value(Int.self, "SELECT count(*) FROM Album") == 0)
    }
  }

  @Test func `A new instance that is deleted is not saved`() async throws {
    try await withFile { session, _ in
      try await Album.create().delete()
      try await Track.create().delete()
      try await session.saveChanges()
      #expect(try await Album.fetchQuery().isEmpty)
      #expect(try await Track.fetchQuery().isEmpty)
    }
  }

  // MARK: Two sessions

  @Test func `Two sessions of a file have separate instances, and merge their changes`()
    async throws
  {
    try await withFile { session, file in
      let mine = try await Album.createWith(artist: "a", name: "n")
      let other = ModelSession(try file.open())
      let theirs = try await other.fetch(Album.self, mine.id)
      #expect(theirs !== mine)
      mine.value.name = "mine"
      theirs.value.artist = "theirs"
      try await mine.save()
      try await other.save(theirs)
      #expect(try await other.fetch(Album.self, mine.id).name == "mine")
      #expect(try await Album.fetchId(mine.id).value.artist == "theirs")
    }
  }

  /// On one actor, as required for instances.
  @Test @MainActor
  func `Changes made while a save waits are saved by the next save`() async throws {
    try await withFile { session, file in
      let note = try await Note.create()
      for number in 0..<30 {
        note.value.text = "\(number)"
        let saving = Task { @MainActor in try await note.save() }
        await Task.yield()
        note.value.text = "\(number) later"
        try await saving.value
        try await Note.saveChanges()
        #expect(
          try file.connect().values(String.self, "SELECT text FROM Note") == ["\(number) later"])
      }
    }
  }

  @Test func `Rows are inserted in the order of their creation`() async throws {
    try await withFile { session, file in
      var tracks: [Track] = []
      for number in 0..<50 {
        tracks.append(try await Track.create())
        tracks[number].value.title = "\(number)"
      }
      try await session.saveChanges()
      #expect(tracks.map(\.id) == Array(1...50))
    }
  }
}

extension ModelSession {
  /// Returns whether the row of an instance is known to be deleted.
  func isRowDeleted<M: Model>(_ model: M) -> Bool {
    identities(of: M.self).entry(of: model)?.isRowDeleted ?? false
  }

  /// Returns whether an instance has unsaved changes.
  func isChanged<M: Model>(_ model: M) -> Bool {
    let map = identities(of: M.self)
    return map.entry(of: model).map { map.isChanged(model, $0) } ?? true
  }
}
