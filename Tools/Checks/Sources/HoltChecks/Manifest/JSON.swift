internal import Foundation

/// A JSON value with access by key and index.
///
/// `dump-package` encodes Swift enums as objects with one key, which a synthesized `Codable` type can't decode.
enum JSON: Decodable, Equatable {
  case null
  case bool(Bool)
  case number(Double)
  case string(String)
  case array([JSON])
  case object([String: JSON])

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Double.self) {
      self = .number(value)
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let value = try? container.decode([JSON].self) {
      self = .array(value)
    } else {
      self = .object(try container.decode([String: JSON].self))
    }
  }

  subscript(name: String) -> JSON {
    if case .object(let members) = self { members[name] ?? .null } else { .null }
  }

  subscript(index: Int) -> JSON {
    if case .array(let values) = self, values.indices.contains(index) {
      values[index]
    } else {
      .null
    }
  }

  var string: String? { if case .string(let value) = self { value } else { nil } }

  var array: [JSON] { if case .array(let values) = self { values } else { [] } }

  var strings: [String] { array.compactMap(\.string) }

  /// The single member of an object that represents an enum case.
  var enumCase: (name: String, value: JSON)? {
    guard case .object(let members) = self, members.count == 1, let member = members.first
    else { return nil }
    return (member.key, member.value)
  }
}
