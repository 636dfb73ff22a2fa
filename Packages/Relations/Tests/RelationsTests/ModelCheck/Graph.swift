import Relations
import SQLiteCore

final class Disc: Model, @unchecked Sendable {
  struct Value: Table {
    static let tableName = "Disc"
    var id: AutoId = 0
    var name = ""
    var songs = ManyRelation<Song>(\.disc)
    var labels = ManyRelation<Label>(initial: 4, limit: 3)
    static var uniqueIndexes: [[String]] { [["name"]] }

    init() {}
    init(row: borrowing SQLiteCore.Row) throws(SQLiteError) {
      id = try row.read(at: 0)
      name = try row.read(at: 1)
    }
    static var properties: [RowProperty<Value>] {
      [
        .init(column: "id") { $0.id }, .init(column: "name") { $0.name },
        .init(relation: "songs") { $0.songs }, .init(relation: "labels") { $0.labels },
      ]
    }
  }
  var value: Value
  init(_ value: Value) { self.value = value }
  var songs: ManyRelation<Song> { value.songs }
  var labels: ManyRelation<Label> { value.labels }
}

final class Song: Model, @unchecked Sendable {
  struct Value: Table {
    static let tableName = "Song"
    var id = 0
    var title = ""
    var disc = OneRelation<Disc>(onDelete: .cascade)
    var next = OneRelation<Song>()

    init() {}
    init(row: borrowing SQLiteCore.Row) throws(SQLiteError) {
      id = try row.read(at: 0)
      title = try row.read(at: 1)
      disc = OneRelation(try row.read(at: 2), onDelete: .cascade)
      next = OneRelation(try row.read(at: 3))
    }
    static var properties: [RowProperty<Value>] {
      [
        .init(column: "id") { $0.id }, .init(column: "title") { $0.title },
        .init(column: "disc") { $0.disc }, .init(column: "next") { $0.next },
      ]
    }
  }
  var value: Value
  init(_ value: Value) { self.value = value }
  var disc: OneRelation<Disc> { value.disc }
  var next: OneRelation<Song> { value.next }
}

final class Label: Model, @unchecked Sendable {
  struct Value: Table {
    static let tableName = "Label"
    var id: AutoId = 0
    var name = ""
    var parent = OneRelation<Label>(onDelete: .restrict)
  }
  var value: Value
  init(_ value: Value) { self.value = value }
  var parent: OneRelation<Label> { value.parent }
}

/// The graph as plain values.
struct Graph: Equatable {
  struct PlainDisc: Equatable {
    var name: String
    var labels: [AutoId] = []
  }
  struct PlainSong: Equatable {
    var title: String
    var disc: AutoId?
    var next: Int?
  }
  struct PlainLabel: Equatable {
    var name: String
    var parent: AutoId?
  }

  var discs: [AutoId: PlainDisc] = [:]
  var songs: [Int: PlainSong] = [:]
  var labels: [AutoId: PlainLabel] = [:]

  mutating func delete(song id: Int) {
    songs[id] = nil
    for (other, song) in songs where song.next == id { songs[other]?.next = nil }
  }

  mutating func delete(disc id: AutoId) {
    discs[id] = nil
    for song in songs.filter({ $0.value.disc == id }).keys { delete(song: song) }
  }

  mutating func delete(label id: AutoId) {
    labels[id] = nil
    for disc in discs.keys { discs[disc]?.labels.removeAll { $0 == id } }
  }

  /// Returns the contents of a file.
  init(_ connection: Connection) throws {
    try connection.forEach("SELECT id, name FROM Disc") { row in
      discs[try row.read(at: 0)] = PlainDisc(name: try row.read(at: 1))
    }
    try connection.forEach("SELECT owner, target FROM Disc_labels ORDER BY owner, position") {
      row in
      let owner: AutoId = try row.read(at: 0)
      discs[owner]?.labels.append(try row.read(at: 1))
    }
    try connection.forEach("SELECT id, title, disc, next FROM Song") { row in
      songs[try row.read(at: 0)] = PlainSong(
        title: try row.read(at: 1), disc: try row.read(at: 2), next: try row.read(at: 3))
    }
    try connection.forEach("SELECT id, name, parent FROM Label") { row in
      labels[try row.read(at: 0)] = PlainLabel(
        name: try row.read(at: 1), parent: try row.read(at: 2))
    }
  }

  init() {}

  /// Returns the differences from another graph.
  func difference(from other: Graph) -> String {
    func parts<Key: Hashable, Value: Equatable>(_ mine: [Key: Value], _ theirs: [Key: Value])
      -> [String]
    {
      Set(mine.keys).union(theirs.keys).filter { mine[$0] != theirs[$0] }.map { key in
        "\(key): \(mine[key].map { "\($0)" } ?? "none"), and not \(theirs[key].map { "\($0)" } ?? "none")"
      }
    }
    let all =
      parts(discs, other.discs) + parts(songs, other.songs) + parts(labels, other.labels)
    return all.joined(separator: "\n")
  }
}

/// A reproducible random number generator.
struct ModelRandom: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}
