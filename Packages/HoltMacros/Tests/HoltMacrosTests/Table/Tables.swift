import Foundation
public import HoltMacros

enum Mood: String, Codable, Sendable { case calm, wild }

/// Not convertible to SQLite by itself, so a column stores it as JSON.
struct Credits: Codable, Hashable, Sendable {
  var producer = ""
  var years: [Int] = []
}

@Table
struct Song {
  var id: AutoId = 0
  var title = ""
  var seconds: Double?
  var tags: [String] = []
  var credits: Credits?
  var mood = Mood.calm
  @UnixDate var released = Date(timeIntervalSince1970: 0)
  private var plays = 0
  var record: OneRelation<Record>
  var artist = OneRelation<Artist>()
  var isLong: Bool { (seconds ?? 0) > 300 }
  static let limit = 5
  var note: String? { willSet {} }

  enum CodingKeys: String, CodingKey {
    case id, title, seconds, tags, credits, mood, released, plays
    case record, artist
    case note = "remark"
  }

  mutating func play() { plays += 1 }
  var playCount: Int { plays }
}

@Table
final class Record: Model {
  @Table
  struct Value {
    static let tableName = "Record"
    var id: AutoId = 0
    var name = ""
    var year: Int = 0
    var isLive = false
    var price: Double?
    var shelf = Shelf(rawValue: 1)
    var songs = ManyRelation<Song>(\.record)
  }

  struct Shelf: RawRepresentable, Codable, Hashable, Sendable { var rawValue: Int }

  var year: Int { value.year * 1 }
}

@Table
struct Artist: Table {
  var id = ""
  var records = RelationQuery<Record>("ORDER BY name")
}

/// The same columns as ``Song``, decoded with `Codable`.
struct CodedSong: Table {
  static let tableName = "Song"
  var id: AutoId = 0
  var title = ""
  var seconds: Double?
  var tags: [String] = []
  var credits: Credits?
  var mood = Mood.calm
  @UnixDate var released = Date(timeIntervalSince1970: 0)
  var plays = 0
  var record = OneRelation<Record>()
  var artist = OneRelation<Artist>()
  var remark: String?
}

@Table
public struct Label {
  public var id: Int64
  public var name: String
  public init() { (id, name) = (0, "") }
}
