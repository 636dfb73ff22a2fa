import Foundation
import SQLSyntax
import Testing

/// The open corpora, where they lie beside the repository.
enum Corpus {
  /// One case: a statement, and what SQLite says of it.
  struct Case: Decodable {
    let id: String
    let query_sql: String?
    let query: String?
    let expect: String?
    let error_class: String?
    let error: String?
    let sqlite_error: String?

    var sql: String { query_sql ?? query ?? "" }
    var isAccepted: Bool { expect != "reject" && expect != "error" }

    /// Whether SQLite's own parser or lexer refuses it.
    var isSyntaxError: Bool {
      if let error_class { return error_class == "syntax" }
      let text = error ?? sqlite_error ?? ""
      return text.contains("syntax error") || text.contains("unrecognized token")
        || text.contains("incomplete input")
    }
  }

  /// A script that SQLite runs.
  struct Setup: Decodable {
    let sql: String?
    let setup_sql: String?
    let schema_sql: String?

    var text: String? { sql ?? setup_sql ?? schema_sql }
  }

  /// The folder of the corpora: `HOLT_SHARED`, or `shared` beside a folder above this file.
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
    return candidates.map { $0.appendingPathComponent("corpora/sql") }
      .first { FileManager.default.fileExists(atPath: $0.path) }
  }()

  /// Every how many cases one is tried: all of them take longer than a test run should, and are
  /// tried where `HOLT_CORPORA` is `all`, as by `make corpora`.
  static let step = ProcessInfo.processInfo.environment["HOLT_CORPORA"] == "all" ? 1 : 25

  /// One in ``step`` lines of a corpus; `nil` where it is not there or can't be unpacked, which is
  /// printed.
  static func lines<Line: Decodable>(_ name: String, as type: Line.Type) throws -> [Line]? {
    guard let folder else {
      print("skipped: \(name) is not there")
      return nil
    }
    let file = folder.appendingPathComponent(name)
    let data: Data
    if name.hasSuffix(".gz") {
      guard let unpacked = unpack(file) else {
        print("skipped: \(name) can't be unpacked")
        return nil
      }
      data = unpacked
    } else {
      data = try Data(contentsOf: file)
    }
    let decoder = JSONDecoder()
    let lines = data.split(separator: UInt8(ascii: "\n"))
    return try stride(from: 0, to: lines.count, by: step).map {
      try decoder.decode(type, from: Data(lines[$0]))
    }
  }

  private static func unpack(_ file: URL) -> Data? {
    let gunzip = ["/bin/gunzip", "/usr/bin/gunzip"].first {
      FileManager.default.isExecutableFile(atPath: $0)
    }
    guard let gunzip else { return nil }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: gunzip)
    process.arguments = ["-c", file.path]
    let pipe = Pipe()
    process.standardOutput = pipe
    guard (try? process.run()) != nil else { return nil }
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return process.terminationStatus == 0 ? data : nil
  }
}
