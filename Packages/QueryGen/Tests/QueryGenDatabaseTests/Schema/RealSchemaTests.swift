import Foundation
import QueryGenDriver
import QueryGenTestSupport
import SQLiteCore
import Testing

@testable import QueryGenDatabase

/// Schemas of real applications, if the open corpora exist next to the repository and
/// `HOLT_CORPORA` is `all`.
@Suite struct `The schemas of real applications` {
  @Test func `are analyzed as by SQLite`() throws {
    guard let texts = try Self.texts() else { return print("skipped: HOLT_CORPORA is not all") }
    let workspace = try Workspace()
    var (same, refused) = (0, 0)
    for text in texts {
      try workspace.write(text, to: "Migrations/1.sql")
      let schema = workspace.driver.projectSchema()
      guard schema.outcome.errorCount == 0 else {
        refused += 1
        continue
      }
      let report = MigrationReplay(schema).run()
      if report.faults.isEmpty { same += 1 } else { print(report.faults) }
    }
    print("\(same) of \(texts.count) schemas are the same, \(refused) were refused")
    // Some refer to columns that are not keys, which is an error only for rows.
    #expect(Double(same) >= 0.98 * Double(texts.count))
  }

  private static func texts() throws -> [String]? {
    let environment = ProcessInfo.processInfo.environment
    guard environment["HOLT_CORPORA"] == "all", let file = file(environment) else { return nil }
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["gunzip", "-c", file.path(percentEncoded: false)]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let lines = try data.split(separator: UInt8(ascii: "\n")).map { line in
      try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any]
    }
    return Set(lines.compactMap { $0?["sql"] as? String }).sorted()
  }

  private static func file(_ environment: [String: String]) -> URL? {
    var candidates = [environment["HOLT_SHARED"]].compactMap(\.self).map { URL(filePath: $0) }
    var folder = URL(filePath: #filePath).deletingLastPathComponent()
    while folder.path != "/" {
      candidates.append(folder.appending(path: "shared"))
      folder.deleteLastPathComponent()
    }
    return candidates.map { $0.appending(path: "corpora/sql/real-world.schemas.jsonl.gz") }
      .first { FileManager.default.fileExists(atPath: $0.path(percentEncoded: false)) }
  }
}
