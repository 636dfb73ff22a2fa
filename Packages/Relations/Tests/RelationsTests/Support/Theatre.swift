import Foundation
import Relations
import SQLiteCore

/// A key of a text column and an integer column.
struct SeatKey: CompositeKey {
  var hall = ""
  var number = 0
}

struct Seat: Table {
  var hall = ""
  var number = 0
  var price = 0.0
  var id: SeatKey {
    get { SeatKey(hall: hall, number: number) }
    set { (hall, number) = (newValue.hall, newValue.number) }
  }
  var tickets = ManyRelation<Ticket>(\.seat, initial: 2, limit: 2)
  var tags = ManyRelation<TextTag>()
}

struct Ticket: Table {
  var id = 0
  var name = ""
  var seat = OneRelation<Seat>(onDelete: .cascade)
}

/// A list of rows with composite keys.
final class Box: Model, @unchecked Sendable {
  struct Value: Table {
    static let tableName = "Box"
    var id: AutoId = 0
    var best = OneRelation<Seat>()
    var seats = ManyRelation<Seat>()
  }
  var value: Value
  init(_ value: Value) { self.value = value }
}

struct TextTag: Table {
  var id = ""
  var weight = 0
}

struct UUIDTag: Table {
  var id = UUID()
  var weight = 0
}

struct BlobTag: Table {
  var id: [UInt8] = []
  var weight = 0
}

/// Owners with lists and relations of all kinds of keys.
struct Tagged: Table {
  var id: [UInt8] = []
  var text = OneRelation<TextTag>()
  var uuid = OneRelation<UUIDTag>()
  var blob = OneRelation<BlobTag>()
  var texts = ManyRelation<TextTag>()
  var uuids = ManyRelation<UUIDTag>()
  var blobs = ManyRelation<BlobTag>()
}
