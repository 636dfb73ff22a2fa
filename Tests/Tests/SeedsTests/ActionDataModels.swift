import Foundation
import Providers

/// Substitutes for the UIKit types in the seed's models.
private struct UIColor {
  static let white = UIColor()
  func toHex() -> String { "#FFFFFF" }
}

private struct UIImage {
  init(named name: String) {}
  func toData() -> Data { Data([0x89, 0x50, 0x4E, 0x47]) }
}

/// The seed's models.
enum ActionDataModels {
  class Category: ADDataTable {

    enum CategoryType: String, Codable {
      case local
      case web
    }

    static let tableName = "Categories"
    static let primaryKey = "id"
    static let primaryKeyType: ADDataTableKeyType = .computedInt

    var id = 0
    var added = Date()
    var name = ""
    var description = ""
    var enabled = true
    var highlightColor = UIColor.white.toHex()
    var type: CategoryType = .local
    var icon: Data = UIImage(named: "Avatar.png").toData()

    required init() {

    }
  }

  struct Address: Codable {
    var addr1 = ""
    var addr2 = ""
    var city = ""
    var state = ""
    var zip = ""
  }

  class Person: ADDataTable {

    static let tableName = "People"
    static let primaryKey = "id"
    static let primaryKeyType = ADDataTableKeyType.autoUUIDString

    var id = UUID().uuidString
    var firstName = ""
    var lastName = ""
    var addresses: [String: Address] = [:]

    required init() {

    }

    init(firstName: String, lastName: String, addresses: [String: Address] = [:]) {
      self.firstName = firstName
      self.lastName = lastName
      self.addresses = addresses
    }
  }

  class Group: ADDataTable {

    static let tableName = "Groups"
    static let primaryKey = "id"
    static let primaryKeyType = ADDataTableKeyType.autoUUIDString

    var id = UUID().uuidString
    var name = ""
    var people = ADCrossReference<Person>(
      name: "PeopleInGroup", leftKeyName: "groupID", rightKeyName: "personID")

    required init() {

    }

    init(name: String, people: [Person] = []) {
      self.name = name
      self.people.storage = people
    }
  }
}
