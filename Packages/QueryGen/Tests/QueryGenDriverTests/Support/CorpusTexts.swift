import Foundation

/// The texts of SQL in the open corpora, where they lie beside the repository.
enum CorpusTexts {
  /// The small ones; all of them where `HOLT_CORPORA` is `all`.
  static let files =
    ["probes.jsonl", "sqlc-sqlite.jsonl"]
    + (isWhole
      ? [
        "result-parity.setups.jsonl", "real-world.jsonl", "real-world.schemas.jsonl.gz",
        "result-parity-2.jsonl",
        "result-parity.jsonl", "sqlc-other-engines.jsonl", "sqlite-upstream.jsonl.gz",
        "sqlite-upstream.schemas.jsonl",
      ] : [])

  /// How often a text is made by chance.
  static let repetitions = isWhole ? 500 : 8

  private static let isWhole = ProcessInfo.processInfo.environment["HOLT_CORPORA"] == "all"

  /// The folder of the corpora: `HOLT_SHARED`, or `shared` beside a folder above this file.
  private static let folder: URL? = {
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

  /// Every how many lines one is tried.
  private static let step = isWhole ? 1 : 5

  /// The texts of a file, each once; `nil` where it is not there or can't be unpacked, which is printed.
  static func texts(of name: String) throws -> [String]? {
    guard let folder, let data = read(folder.appendingPathComponent(name)) else {
      print("skipped: \(name) is not there")
      return nil
    }
    var texts: Set<String> = []
    let lines = data.split(separator: UInt8(ascii: "\n"))
    for index in stride(from: 0, to: lines.count, by: step) {
      let object = try JSONSerialization.jsonObject(with: Data(lines[index])) as? [String: Any]
      for key in ["query_sql", "query", "raw", "schema_sql", "setup_sql", "sql"] {
        if let text = object?[key] as? String { texts.insert(text) }
      }
    }
    return texts.sorted()
  }

  private static func read(_ file: URL) -> Data? {
    guard file.pathExtension == "gz" else { return try? Data(contentsOf: file) }
    let gunzip = ["/bin/gunzip", "/usr/bin/gunzip"].first {
      FileManager.default.isExecutableFile(atPath: $0)
    }
    guard let gunzip, FileManager.default.fileExists(atPath: file.path) else { return nil }
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
