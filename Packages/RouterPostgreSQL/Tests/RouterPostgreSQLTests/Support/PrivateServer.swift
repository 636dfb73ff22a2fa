import Foundation
import PostgreSQL
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
    if geteuid() == 0 { _ = try output(["chown", "postgres", folder]) }
    _ = try output(
      asServer + [
        "\(programs)/initdb", "-D", "\(folder)/data", "-U", "postgres", "-A", "trust", "-E", "UTF8",
        "--locale=C", "--no-sync",
      ])
    let server = PrivateServer(folder: folder)
    // Not by pg_ctl: a process that the server outlives is not seen to end.
    let process = process(
      asServer + [
        "\(programs)/postgres", "-D", "\(folder)/data", "-k", folder, "-c", "listen_addresses=",
        "-c", "fsync=off",
      ])
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    defer {
      // A fast shutdown.
      process.interrupt()
      process.waitUntilExit()
    }
    for _ in 0..<200 where (try? server.psql(["SELECT 1"])) == nil {
      try await Task.sleep(for: .milliseconds(50))
    }
    try await $current.withValue(server, operation: body)
  }

  /// The command that runs another one as the user `postgres`, because the server refuses to run as root.
  private static var asServer: [String] {
    geteuid() == 0
      ? ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups", "--"] : []
  }

  /// The options of `psql` for output that can be read.
  private static let options = [
    "-X", "-q", "-A", "-t", "-F", "\u{1F}", "-R", "\u{1E}", "-P", "null=\u{18}",
  ]

  /// Passes a new database with tables to `body`.
  func withDatabase(
    _ schema: String, _ body: (PostgreSQLDatabase) async throws -> Void
  ) async throws {
    let name = "test_\(UInt64.random(in: 0..<UInt64.max))"
    _ = try psql(["CREATE DATABASE \(name)"])
    var configuration = PostgreSQLConfiguration(
      host: folder, port: 5432, database: name, user: "postgres")
    configuration.maximumConnectionCount = 2
    let database = PostgreSQLDatabase(configuration)
    defer { database.close() }
    try await database.execute(PostgreSQLQuery(unsafe: schema))
    try await body(database)
  }

  /// Runs statements on one connection, and returns their output.
  ///
  /// - Throws: `Failure` with the server's message if a statement fails.
  func psql(_ statements: [String]) throws -> String {
    try Self.output(
      ["\(try #require(Self.programs))/psql", "-h", folder, "-U", "postgres"] + Self.options
        + ["-v", "ON_ERROR_STOP=1"] + statements.flatMap { ["-c", $0] })
  }

  /// Runs statements, and returns the rows of the only one that has rows.
  func rows(_ statements: String...) throws -> [[String?]] { try rows(statements) }

  func rows(_ statements: [String]) throws -> [[String?]] {
    var text = try psql(statements)
    if text.last == "\n" { text.removeLast() }
    return Self.rows(text)
  }

  /// Returns the rows in the output of a statement.
  static func rows(_ text: String) -> [[String?]] {
    if text.isEmpty { return [] }
    return text.split(separator: "\u{1E}", omittingEmptySubsequences: false).map { row in
      row.split(separator: "\u{1F}", omittingEmptySubsequences: false)
        .map { $0 == "\u{18}" ? nil : String($0) }
    }
  }

  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  private static func process(_ command: [String]) -> Process {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = command
    process.currentDirectoryURL = URL(fileURLWithPath: "/")
    process.standardInput = FileHandle.nullDevice
    return process
  }

  private static func output(_ command: [String]) throws -> String {
    let process = process(command)
    let (output, errors) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = errors
    try process.run()
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
  @concurrent func provideScope(
    for test: Test, testCase: Test.Case?,
    performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    try await PrivateServer.run { try await function() }
  }
}

extension Trait where Self == PrivateServerTrait {
  static var privateServer: PrivateServerTrait { PrivateServerTrait() }
}
