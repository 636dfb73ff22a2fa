import Foundation
import Observe
import Relations
import SQLiteCore
import Testing

// The seed's models, unchanged.

final class AlbumArt: Model, @unchecked Sendable {

  struct Value: Table {

    static let tableName = "AlbumArt"
    var id: AutoId = 0
    var data: Data? = nil

    // what album does this belong to?
    var album = OneRelation<Album>()

    static var autoDBSettings: SettingsKey {
      .cache
    }
  }

  var value: Value
  init(_ value: Value) {
    self.value = value
  }
  //shorthand
  var album: OneRelation<Album> { value.album }
}

final class Album: Model, @unchecked Sendable {

  struct Value: Table {

    var id: AutoId = 0
    var name = ""
    var artist = ""

    static let tableName = "Album"
  }

  var value: Value
  init(_ value: Value) {
    self.value = value
  }
  //shorthand
  var name: String { value.name }
}

// Declarations that the samples use but do not contain.

final class Parent: Model, @unchecked Sendable {
  struct Value: Table {
    static let tableName = "Parent"
    var id: AutoId = 0
    var children = ManyRelation<Child>()
  }
  var value: Value
  init(_ value: Value) { self.value = value }
  var children: ManyRelation<Child> { value.children }
}

final class Child: Model, @unchecked Sendable {
  struct Value: Table {
    static let tableName = "Child"
    var id: AutoId = 0
  }
  var value: Value
  init(_ value: Value) { self.value = value }
}

@Suite struct `Seed 004, relations of models` {
  private let session: ModelSession

  init() throws {
    session = ModelSession(try Database(.memory), saveDelay: .milliseconds(1))
  }

  private func saved() async throws {
    try await session.saveChanges()
    await session.database.waitUntilIdle(includingConsumers: true)
  }

  @Test func `query`() async throws {
    try await session.use {
      var cureAlbums = RelationQuery<Album>(
        "WHERE artist = ?", arguments: ["The Cure"], initial: 4, limit: 20)
      // we never fetch when created since there could be a lot of objects
      try await cureAlbums.fetchItems()

      // modifying DB should update the list
      #expect(!cureAlbums.hasMore)
      try await Album.createWith(artist: "The Cure", name: "Faith")
      try await saved()
      #expect(cureAlbums.hasMore)

      cureAlbums = RelationQuery<Album>("WHERE artist = ?", arguments: ["The Cure"])
      try await cureAlbums.fetchItems()
      #expect(cureAlbums.items.map(\.name) == ["Faith"])
    }
  }

  @Test func `one to many`() async throws {
    try await session.use {
      let someChild = try await Child.create()
      var parent: Parent = try await Parent.create(1)  // or fetchId(1)
      // we don't want the engine to auto-fetch any children, rather when the time is right we want to tell it to fetch:
      try await parent.children.fetch()
      // now you can loop through all children:
      for child in parent.children.items {
        Issue.record("\(child.id) has no parent")
      }

      // normally, a list will change. It will then call the owners didChange() method. In reality it is just a list of ids, so this enables the owner to save it.
      print(parent.children.hasMore)  //false
      #expect(!parent.children.hasMore)
      parent.children.append([someChild])
      print(parent.children.hasMore)  //true
      #expect(parent.children.hasMore)
      parent.saveChangesLater()  // save the new list
      try await saved()
      let count = try await parent.children.totalCount()
      #expect(count == 1)

      let created = parent
      parent = try await Parent.fetchId(1)
      #expect(parent === created)
    }
  }

  /// Creates an album with art, and releases both.
  private func makeArt() async throws -> AutoId {
    let art = try await AlbumArt.create()
    try await art.save()
    await #expect(throws: RelationError.self) { try await art.album.object }
    await art.album.setObject(try await Album.createWith(name: "Faith"))
    try await saved()
    return art.value.id
  }

  @Test func `one to one`() async throws {
    try await session.use {
      let art = try await AlbumArt.fetchId(try await makeArt())
      let someAlbum = try await Album.createWith(name: "Pornography")
      #expect(art.album._object == nil)

      // fetch the related object, will throw if no object has been set:
      let album = try await art.album.object
      // check if the object is already fetched
      #expect(art.album._object != nil)
      #expect(album.name == "Faith")
      // create a relation to a new object, if the owner (art in this case) is of a Model type, then it will automatically be marked as modified.
      await art.album.setObject(someAlbum)
      // art has now changes and needs to be saved
      AlbumArt.saveChangesLater()
      try await saved()
      // to speed up fetching, do all items in a list at once:
      let arts = try await AlbumArt.fetchQuery()
      try await arts.fetchAll(\.album)
      #expect(arts.map(\.album._object?.name) == ["Pornography"])
    }
  }
}
