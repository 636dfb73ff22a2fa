import Foundation
import SPON

/// The open corpora of SPON, if they exist next to the repository.
enum Corpus {
  /// The folder of the corpora: in `HOLT_SHARED`, or `shared` next to a folder that contains this
  /// file.
  static let folder: URL? = {
    var candidates: [URL] = []
    if let path = ProcessInfo.processInfo.environment["HOLT_SHARED"] {
      candidates.append(URL(fileURLWithPath: path))
    }
    var folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    while folder.path != "/" {
      candidates.append(folder.appendingPathComponent("shared"))
      folder.deleteLastPathComponent()
    }
    return candidates.map { $0.appendingPathComponent("corpora/spon") }
      .first { FileManager.default.fileExists(atPath: $0.path) }
  }()

  /// Returns the lines of a corpus; empty, with a message, if it does not exist.
  static func lines<Line: Decodable>(_ name: String, as type: Line.Type) throws -> [Line] {
    guard let folder else {
      print("skipped: \(name) is not there")
      return []
    }
    let data = try Data(contentsOf: folder.appendingPathComponent(name))
    let decoder = JSONDecoder()
    return try data.split(separator: UInt8(ascii: "\n")).map {
      try decoder.decode(type, from: Data($0))
    }
  }
}

/// A typed value in the notation of the corpora, or an expected error.
enum TypedValue: Decodable {
  case value(SPONValue)
  case error

  private enum Kind: String, CodingKey {
    case int, str, bool, float, double, data, null, opaque, array, obj, error
  }

  private struct Object: Decodable {
    let type: String
    let fields: [String: TypedValue]
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Kind.self)
    func text(_ kind: Kind) throws -> String { try container.decode(String.self, forKey: kind) }
    func corrupted(_ kind: Kind) -> DecodingError {
      .dataCorruptedError(forKey: kind, in: container, debugDescription: "not a \(kind)")
    }
    switch container.allKeys.first {
    case .int: self = .value(.integer(try container.decode(Int64.self, forKey: .int)))
    case .str: self = .value(.string(try text(.str)))
    case .bool: self = .value(.bool(try container.decode(Bool.self, forKey: .bool)))
    case .float:
      guard let value = Float(try text(.float)) else { throw corrupted(.float) }
      self = .value(.float(value))
    case .double:
      guard let value = Double(try text(.double)) else { throw corrupted(.double) }
      self = .value(.double(value))
    case .data:
      guard let value = Data(base64Encoded: try text(.data)) else { throw corrupted(.data) }
      self = .value(.bytes(Array(value)))
    case .null: self = .value(.null)
    case .opaque: self = .value(.opaque(try text(.opaque)))
    case .array:
      let elements = try container.decode([TypedValue].self, forKey: .array)
      self = .value(.array(elements.compactMap(\.value)))
    case .obj:
      let fields = try container.decode(Object.self, forKey: .obj)
      var object = SPONObject(typeName: fields.type)
      for (key, field) in fields.fields { object[key] = field.value }
      self = .value(.object(object))
    case .error: self = .error
    case nil: throw corrupted(.error)
    }
  }

  var value: SPONValue? {
    guard case .value(let value) = self else { return nil }
    return value
  }
}
