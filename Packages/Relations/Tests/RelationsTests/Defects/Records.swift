import Relations
import SQLiteCore

/// A model with every kind of constraint.
final class Account: Model, @unchecked Sendable {
  struct Value: Table {
    static let tableName = "Account"
    var id = 0
    var name = ""
    var age: Int? = 1
    var owner = OneRelation<Account>(onDelete: .restrict)
    static var uniqueIndexes: [[String]] { [["name"]] }
    static var checks: [String] { ["age > 0"] }
  }
  var value: Value
  init(_ value: Value) { self.value = value }
}

/// The former version of the table of ``Sheet2``, without its additional columns.
struct Sheet1: Table {
  static let tableName = "Sheet"
  var id = 0
  var title = ""
}

struct Sheet2: Table {
  static let tableName = "Sheet"
  var id = 0
  var title = ""
  var count = 7
  var state = "untitled"
  var rate = 0.5
  var note: String?
}

struct Sheet3: Table {
  static let tableName = "Sheet"
  var id = 0
  var title = ""
  static var uniqueIndexes: [[String]] { [["title"]] }
}

/// A model whose rows refer to an album that can be deleted without them.
final class Review: Model, @unchecked Sendable {
  struct Value: Table {
    static let tableName = "Review"
    var id: AutoId = 0
    var album = OneRelation<Album>()
  }
  var value: Value
  init(_ value: Value) { self.value = value }
  var album: OneRelation<Album> { value.album }
}

/// A model that reports each change.
final class Note: Model, @unchecked Sendable {
  struct Value: Table {
    static let tableName = "Note"
    var id: AutoId = 0
    var text = ""
  }
  var value: Value { didSet { didChange() } }
  init(_ value: Value) { self.value = value }
}
