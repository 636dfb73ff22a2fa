import Foundation
import SQLiteCore

@testable import Providers

/// The seed's models, without UIKit types.
class Category: DataTable {
  enum CategoryType: String, Codable {
    case local
    case web
  }

  static let tableName = "Categories"
  static let primaryKey = "id"
  static let primaryKeyType: DataTableKeyType = .computedInt

  var id = 0
  var added = Date()
  var name = ""
  var description = ""
  var enabled = true
  var highlightColor = "#FFFFFF"
  var type: CategoryType = .local
  var icon: Data = Data([1, 2, 3])

  required init() {}
}

struct Address: Codable, Equatable {
  var addr1 = ""
  var addr2 = ""
  var city = ""
  var state = ""
  var zip = ""
}

class Person: DataTable {
  static let tableName = "People"
  static let primaryKey = "id"
  static let primaryKeyType = DataTableKeyType.autoUUIDString

  var id = UUID().uuidString
  var firstName = ""
  var lastName = ""
  var addresses: [String: Address] = [:]

  required init() {}

  init(firstName: String, lastName: String, addresses: [String: Address] = [:]) {
    self.firstName = firstName
    self.lastName = lastName
    self.addresses = addresses
  }
}

class Group: DataTable {
  static let tableName = "Groups"
  static let primaryKey = "id"
  static let primaryKeyType = DataTableKeyType.autoUUIDString

  var id = UUID().uuidString
  var name = ""
  var people = CrossReference<Person>(
    name: "PeopleInGroup", leftKeyName: "groupID", rightKeyName: "personID")

  required init() {}

  init(name: String, people: [Person] = []) {
    self.name = name
    self.people.storage = people
  }
}

struct Player: KeyedDataTable, Equatable {
  static let primaryKeyType = DataTableKeyType.autoIncrementingInt
  var id = -1
  var name = ""
  var score: Double?
  var primaryKeyValue: Int {
    get { id }
    set { id = newValue }
  }
}

/// A value of every kind of column.
struct Everything: DataTable, Equatable {
  enum Number: Int, Codable { case one = 1, two }
  enum Word: String, Codable { case yes, no }
  enum Shape: Codable, Equatable {
    case dot
    case circle(radius: Double)
  }
  struct Part: Codable, Equatable {
    var name = "part"
    var sizes = [1, 2]
  }

  var id = ""
  var flag = false
  var i = 0
  var i8 = Int8(0)
  var i16 = Int16(0)
  var i32 = Int32(0)
  var i64 = Int64(0)
  var u = UInt(0)
  var u8 = UInt8(0)
  var u16 = UInt16(0)
  var u32 = UInt32(0)
  var u64 = UInt64(0)
  var float = Float(0)
  var double = 0.0
  var text = ""
  var date = Date(timeIntervalSinceReferenceDate: 0)
  var data = Data()
  var bytes: [UInt8] = []
  var url = URL(string: "https://example.com")
  var uuid = UUID()
  var decimal = Decimal(0)
  var number = Number.one
  var word = Word.no
  var shape = Shape.dot
  var part = Part()
  var list = ["a"]
  var map = ["k": 1.5]
  var maybeInt: Int?
  var maybeText: String?
  var maybeDate: Date?
  var maybeData: Data?
  var maybeNumber: Number?
  var maybePart: Part?
  var maybeFlag: Bool?
}
