import Foundation
import Testing

/// A PostgreSQL server in a temporary folder, reached by a Unix socket, for the tests of one suite.
struct PrivateServer: Sendable {
  let folder: String

  @TaskLocal static var current: PrivateServer?

  /// The folder of the server's programs; `nil` if they are not installed.
  static let programs: String? = {
    let names = ["/usr/lib/postgresql/15/bin", "/usr/lib/postgresql/16/bin", "/usr/local/bin"]
    return names.first { FileManager.default.isExecutableFile(atPath: "\($0)/initdb") }
  }()

  /// Runs `body` with a server, and stops it afterwards.
  static func run(_ body: () async throws -> Void) async throws {
    guard let programs else { return try await body() }
    let folder = FileManager.default.temporaryDirectory.path + "/holt-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    _ = try asServer(["chown", "postgres", folder], isRoot: true)
    _ = try asServer([
      "\(programs)/initdb", "-D", "\(folder)/data", "-U", "postgres", "-A", "trust", "-E", "UTF8",
      "--locale=C", "--no-sync",
    ])
    _ = try asServer([
      "\(programs)/pg_ctl", "-D", "\(folder)/data", "-w", "-l", "\(folder)/log", "-o",
      "-k \(folder) -c listen_addresses='' -c fsync=off", "start",
    ])
    defer {
      _ = try? asServer(["\(programs)/pg_ctl", "-D", "\(folder)/data", "-m", "immediate", "stop"])
    }
    try await $current.withValue(PrivateServer(folder: folder), operation: body)
  }

  /// Runs a program as the user `postgres`, because the server refuses to run as root.
  private static func asServer(_ command: [String], isRoot: Bool = false) throws -> String {
    guard geteuid() == 0 else { return isRoot ? "" : try output(command) }
    return try output(isRoot ? command : ["runuser", "-u", "postgres", "--"] + command)
  }

  /// Runs statements on one connection, and returns the output of the last ones.
  ///
  /// - Throws: `Failure` with the server's message if a statement fails.
  func psql(_ statements: [String]) throws -> String {
    let programs = try #require(Self.programs)
    return try Self.output(
      ["\(programs)/psql", "-h", folder, "-U", "postgres", "-X", "-q", "-v", "ON_ERROR_STOP=1"]
        + ["-A", "-t", "-F", "\u{1F}", "-R", "\u{1E}", "-P", "null=\u{18}"]
        + statements.flatMap { ["-c", $0] })
  }

  /// Runs statements, and returns the rows of the last one.
  func rows(_ statements: String...) throws -> [[String?]] { try rows(statements) }

  func rows(_ statements: [String]) throws -> [[String?]] {
    var text = try psql(statements)
    if text.last == "\n" { text.removeLast() }
    if text.isEmpty { return [] }
    return text.split(separator: "\u{1E}", omittingEmptySubsequences: false).map { row in
      row.split(separator: "\u{1F}", omittingEmptySubsequences: false)
        .map { $0 == "\u{18}" ? nil : String($0) }
    }
  }

  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  private static func output(_ command: [String]) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = command
    process.currentDirectoryURL = URL(fileURLWithPath: "/")
    let (output, errors) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = command.contains("start") ? FileHandle.nullDevice : errors
    if command.contains("start") { process.standardOutput = FileHandle.nullDevice }
    process.standardInput = FileHandle.nullDevice
    try process.run()
    if command.contains("start") {
      process.waitUntilExit()
      guard process.terminationStatus == 0 else {
        throw Failure(description: "the server did not start")
      }
      return ""
    }
    let text = output.fileHandleForReading.readDataToEndOfFile()
    let message = errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Failure(description: String(decoding: message, as: UTF8.self))
    }
    return String(decoding: text, as: UTF8.self)
  }
}

/// Runs a suite with a server.
struct PrivateServerTrait: SuiteTrait, TestScoping {
  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await PrivateServer.run { try await function() }
  }
}

extension Trait where Self == PrivateServerTrait {
  static var privateServer: PrivateServerTrait { PrivateServerTrait() }
}
