internal import Foundation
internal import QueryGenDriver

/// The files of a large project, and the Swift files that `querygen generate` writes.
struct SQLFiles: Sendable {
  private let project: SQLProject
  private let folder: String

  /// - Parameter folder: The folder of the files, which are written on first use.
  init(_ project: SQLProject, in folder: String) {
    self.project = project
    self.folder = folder
  }

  /// Reads and checks all files, and writes the Swift files.
  ///
  /// - Parameter isFirst: Whether to remove previously generated files first. Otherwise they are
  ///   kept, since they do not change.
  func generate(isFirst: Bool) throws -> Work {
    try writeOnce()
    let output = "\(folder)/Generated"
    if isFirst { try? FileManager.default.removeItem(atPath: output) }
    let watch = Stopwatch()
    let outcome = Driver(DriverOptions(path: folder, output: output)).generate()
    let time = watch.time
    guard outcome.errorCount == 0 else { throw BaselineError(code: 1) }
    return Work(checksum: UInt64(outcome.written.count + outcome.unchanged.count), time: time)
  }

  private func writeOnce() throws {
    guard !FileManager.default.fileExists(atPath: folder) else { return }
    for name in ["Migrations", "Queries"] {
      try FileManager.default.createDirectory(
        atPath: "\(folder)/\(name)", withIntermediateDirectories: true)
    }
    try write(project.schema, to: "Migrations/1.sql")
    let queries = Array(project.queries.enumerated())
    for first in stride(from: 0, to: queries.count, by: 20) {
      let text = queries[first..<min(first + 20, queries.count)].map { number, query in
        "DEFINE QUERY query\(number) AS\n\(query)\n"
      }
      try write(text.joined(separator: "\n"), to: "Queries/File\(first).sql")
    }
  }

  private func write(_ text: String, to name: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
  }
}
