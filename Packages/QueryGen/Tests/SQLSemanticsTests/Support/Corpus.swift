import Foundation
import SQLSemantics
import SQLSyntax

/// The open corpora, where they lie beside the repository.
enum Corpus {
  /// One case: a statement, the schema that it meets, and what SQLite says of it.
  struct Case: Decodable {
    let id: String
    let schema_id: String?
    let schema_sql: String?
    let query_sql: String
    let expect: String
    let columns: [Column]?
    let params: Parameters?
    let readonly: Bool?
    let needs_dqs: Bool?
    let names_unstable: Bool?
    /// Set where a newer SQLite says otherwise, to `nil` or to what it says.
    let isDisputed: Bool

    struct Column: Decodable {
      let name: String
    }

    struct Parameters: Decodable {
      let count: Int
    }

    private enum Key: String, CodingKey {
      case id, schema_id, schema_sql, query_sql, expect, columns, params, readonly, needs_dqs
      case names_unstable, expect_newest
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Key.self)
      id = try container.decode(String.self, forKey: .id)
      schema_id = try container.decodeIfPresent(String.self, forKey: .schema_id)
      schema_sql = try container.decodeIfPresent(String.self, forKey: .schema_sql)
      query_sql = try container.decode(String.self, forKey: .query_sql)
      expect = try container.decode(String.self, forKey: .expect)
      columns = try container.decodeIfPresent([Column].self, forKey: .columns)
      params = try container.decodeIfPresent(Parameters.self, forKey: .params)
      readonly = try container.decodeIfPresent(Bool.self, forKey: .readonly)
      needs_dqs = try container.decodeIfPresent(Bool.self, forKey: .needs_dqs)
      names_unstable = try container.decodeIfPresent(Bool.self, forKey: .names_unstable)
      isDisputed = container.contains(.expect_newest)
    }

    /// Whether the case counts: it does not where only a string in double quotes makes it valid.
    var counts: Bool { needs_dqs != true && !isDisputed }
  }

  /// A schema that several cases share.
  struct Schema: Decodable {
    let schema_id: String
    let sql: String
  }

  /// A case with the rows that SQLite gives.
  struct Result: Decodable {
    let id: String
    let setup_id: String?
    let setup_sql: String?
    let query: String
    let expect: String?
    let phase: String?
    let expected_rows: [[Value]]?
  }

  struct Setup: Decodable {
    let setup_id: String
    let sql: String
  }

  /// A value of a result, by what SQLite stores.
  enum Value: Decodable {
    case null, integer, real, text, blob

    private enum Key: String, CodingKey { case blob, real }

    init(from decoder: any Decoder) throws {
      if let container = try? decoder.container(keyedBy: Key.self) {
        self = container.contains(.blob) ? .blob : .real
        return
      }
      let container = try decoder.singleValueContainer()
      if container.decodeNil() {
        self = .null
      } else if (try? container.decode(Int64.self)) != nil {
        self = .integer
      } else if (try? container.decode(Double.self)) != nil {
        self = .real
      } else {
        self = .text
      }
    }
  }

  /// The folder of the corpora: `HOLT_SHARED`, or `shared` beside a folder above this file.
  static let folder: URL? = {
    var candidates: [URL] = []
    if let path = ProcessInfo.processInfo.environment["HOLT_SHARED"] {
      candidates.append(URL(filePath: path))
    }
    var folder = URL(filePath: #filePath).deletingLastPathComponent()
    while folder.path != "/" {
      candidates.append(folder.appending(path: "shared"))
      folder.deleteLastPathComponent()
    }
    return candidates.map { $0.appending(path: "corpora/sql") }
      .first { FileManager.default.fileExists(atPath: $0.path) }
  }()

  /// The lines of a corpus; `nil` where it is not there, which is printed.
  static func lines<Line: Decodable>(_ name: String, as type: Line.Type) throws -> [Line]? {
    guard let file = folder?.appending(path: name),
      FileManager.default.fileExists(atPath: file.path), let data = try read(file)
    else {
      print("skipped: \(name) is not there")
      return nil
    }
    let decoder = JSONDecoder()
    return try data.split(separator: UInt8(ascii: "\n")).map {
      try decoder.decode(type, from: Data($0))
    }
  }

  private static func read(_ file: URL) throws -> Data? {
    guard file.pathExtension == "gz" else { return try Data(contentsOf: file) }
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["gzip", "-dc", file.path]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return process.terminationStatus == 0 ? data : nil
  }

  /// The schema that a script leaves, replayed.
  static func catalog(_ sql: String) -> Catalog { Database(sql).catalog }
}
