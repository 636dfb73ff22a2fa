import Foundation

/// Access to the corpora, if they exist next to the repository.
enum CorpusFiles {
  /// The folder of the corpora: in `HOLT_SHARED`, or in a folder `shared` next to this file or to
  /// one of its parent folders.
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
    return candidates.map { $0.appending(path: "corpora") }
      .first { FileManager.default.fileExists(atPath: $0.path) }
  }()

  /// Returns a file's decompressed content; `nil`, with a message, if the file is missing.
  static func data(_ path: String) throws -> Data? {
    guard let file = folder?.appending(path: path),
      FileManager.default.fileExists(atPath: file.path)
    else {
      print("skipped: \(path) does not exist")
      return nil
    }
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

  /// The stride between tested cases. All cases are only tested if `HOLT_CORPORA` is `all`, as in
  /// `make corpora`, since they take too long for a normal test run.
  static let step = ProcessInfo.processInfo.environment["HOLT_CORPORA"] == "all" ? 1 : 25

  /// Returns one in `step` lines of a corpus; `nil` if the corpus is missing.
  static func lines<Line: Decodable>(
    _ path: String, as type: Line.Type, every step: Int = 1
  ) throws -> [Line]? {
    guard let lines = try data(path)?.split(separator: UInt8(ascii: "\n")) else { return nil }
    let decoder = JSONDecoder()
    return try stride(from: 0, to: lines.count, by: step).map {
      try decoder.decode(type, from: Data(lines[$0]))
    }
  }

  /// Returns the text of a file; `nil` if the file is missing.
  static func text(_ path: String) throws -> String? {
    try data(path).map { String(decoding: $0, as: UTF8.self) }
  }

  /// One case of a corpus: a statement and its schema.
  struct Case: Decodable {
    let id: String
    let schemaID: String?
    let schema: String?
    let query: String
    let errorClass: String?
    /// A Boolean value that indicates whether the case is tested. It is `false` for statements that
    /// are only valid with strings in double quotes, and statements whose verdict depends on the
    /// SQLite release.
    let counts: Bool

    private enum Key: String, CodingKey {
      case id, schema_id, schema_sql, query_sql, error_class, needs_dqs, expect_newest
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Key.self)
      id = try container.decode(String.self, forKey: .id)
      schemaID = try container.decodeIfPresent(String.self, forKey: .schema_id)
      schema = try container.decodeIfPresent(String.self, forKey: .schema_sql)
      query = try container.decode(String.self, forKey: .query_sql)
      errorClass = try container.decodeIfPresent(String.self, forKey: .error_class)
      let needsStrings = try container.decodeIfPresent(Bool.self, forKey: .needs_dqs) ?? false
      counts = !needsStrings && !container.contains(.expect_newest)
    }
  }

  /// A schema that is shared by several cases.
  struct Schema: Decodable {
    let schema_id: String
    let sql: String
  }

  /// A case with expected rows. The rows are not decoded, since the engine computes them.
  struct Result: Decodable {
    let id: String
    let setup_id: String?
    let setup_sql: String?
    let query: String
    let expect: String?
  }

  struct Setup: Decodable {
    let setup_id: String
    let sql: String
  }
}
