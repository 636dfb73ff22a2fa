import Foundation
import Testing

/// The executable `OtherProcess`, next to the tests, with a database.
///
/// `@unchecked Sendable`: `lock` guards `rest`; a test runs one script at a time.
final class ChildProcess: @unchecked Sendable {
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private let lock = NSLock()
  private var rest = ""

  /// - Parameters:
  ///   - manner: Whether it notifies other processes of its commits: `silent`, `watched` or `exchanged`; or `reading`.
  ///   - user: The user to switch to.
  init(_ path: String, _ manner: String, user: Int? = nil) async throws {
    let tests = Bundle(for: ChildProcess.self).bundleURL
    let folders = [
      Bundle.main.bundleURL, tests.deletingLastPathComponent(),
      URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent(),
    ]
    let candidates: [URL] = folders.map { $0.appendingPathComponent("OtherProcess") }
    let found = candidates.first { FileManager.default.isExecutableFile(atPath: $0.path) }
    let url: URL = try #require(found, "no OtherProcess next to the tests")
    process.executableURL = url
    process.arguments = [path, manner] + (user.map { ["\($0)"] } ?? [])
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    try #require(await answer() == "ready")
  }

  deinit {
    try? input.fileHandleForWriting.close()
    process.terminate()
  }

  /// Runs a script in the process, and waits until it is done.
  func run(_ script: String) async throws {
    let line = script.split(separator: "\n").joined(separator: " ") + "\n"
    try input.fileHandleForWriting.write(contentsOf: Data(line.utf8))
    try #require(await answer() == "done")
  }

  /// Returns the next commit that a reading process observes.
  func nextCommit() async throws -> String {
    try input.fileHandleForWriting.write(contentsOf: Data("next\n".utf8))
    return await answer()
  }

  /// Kills the process at any point.
  func kill() {
    process.terminate()
    process.waitUntilExit()
  }

  private func answer() async -> String {
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async { continuation.resume(returning: self.nextLine()) }
    }
  }

  private func nextLine() -> String {
    lock.withLock {
      while true {
        if let end = rest.firstIndex(of: "\n") {
          defer { rest = String(rest[rest.index(after: end)...]) }
          return String(rest[..<end])
        }
        let data = output.fileHandleForReading.availableData
        if data.isEmpty { return rest }
        rest += String(decoding: data, as: UTF8.self)
      }
    }
  }
}
