import Foundation
import SQLiteCore
import Testing

/// The corpora of providers, if they are next to the repository.
enum ProviderCorpora {
  /// Returns the lines of a file; `nil` if the file does not exist, which is printed.
  static func lines<Line: Decodable>(_ name: String, as type: Line.Type) throws -> [Line]? {
    guard let text = text(name) else {
      print("skipped: shared/corpora/providers/\(name) does not exist next to the repository")
      return nil
    }
    return try text.split(separator: "\n").map {
      try JSONDecoder().decode(Line.self, from: Data($0.utf8))
    }
  }

  static func text(_ name: String) -> String? {
    var folder = URL(fileURLWithPath: #filePath)
    while folder.path != "/" {
      folder.deleteLastPathComponent()
      let file = folder.appending(path: "shared/corpora/providers/\(name)")
      if let text = try? String(contentsOf: file, encoding: .utf8) { return text }
    }
    return nil
  }

  /// SQLite's result of a statement.
  struct Answer: Decodable {
    var columns: [String]?
    var rows: [[TypedValue]]?
    var error: String?
    var changes: Int?
  }
}

/// A value with its type, as the corpora write it: `{"int": 1}`, `{"double": "1.5"}`.
struct TypedValue: Decodable, CustomStringConvertible {
  let value: SQLiteValue
  var description: String { value.description }

  private enum Keys: String, CodingKey, CaseIterable {
    case int, str, bool, float, double, data, null
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Keys.self)
    guard let key = Keys.allCases.first(where: container.contains) else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: container.codingPath, debugDescription: "a value of an unknown type"))
    }
    switch key {
    case .null: value = .null
    case .int: value = .integer(try container.decode(Int64.self, forKey: key))
    case .str: value = .text(try container.decode(String.self, forKey: key))
    case .bool: value = .integer(try container.decode(Bool.self, forKey: key) ? 1 : 0)
    case .data:
      value = .blob([UInt8](try container.decode(Data.self, forKey: key)))
    case .float, .double:
      if let text = try? container.decode(String.self, forKey: key) {
        value = .real(try #require(Double(text)))
      } else {
        value = .real(try container.decode(Double.self, forKey: key))
      }
    }
  }
}
