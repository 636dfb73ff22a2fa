import Foundation
import PostgreSQLTesting
import Testing

@Suite(.enabled(if: PostgreSQLTestServer.isInstalled, "no PostgreSQL server is installed"))
struct `The querygen-postgresql command` {
  private struct Result {
    var exitCode: Int32
    var output: String
    var errors: String
  }

  /// Runs `querygen-postgresql`, which is in the folder of the tests; `nil` if it was not built.
  private func run(
    _ arguments: [String], environment: [String: String] = [:]
  ) throws -> Result? {
    let tool = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
      .appending(path: "querygen-postgresql")
    guard FileManager.default.isExecutableFile(atPath: tool.path(percentEncoded: false)) else {
      print("skipped: querygen-postgresql was not built")
      return nil
    }
    let process = Process()
    let (output, errors) = (Pipe(), Pipe())
    process.executableURL = tool
    process.arguments = arguments
    process.environment = environment
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    let texts = try [output, errors].map {
      String(decoding: try $0.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    }
    process.waitUntilExit()
    return Result(exitCode: process.terminationStatus, output: texts[0], errors: texts[1])
  }

  @Test func `describes, generates and checks`() async throws {
    let server = try #require(PostgreSQLTestServer.shared)
    let url = "postgres://postgres@127.0.0.1:\(server.port)/postgres"
    let project = try TemporaryProject([
      "querygen.yaml": "engine: postgresql\n", "Migrations/1.sql": "CREATE TABLE t (id int);",
      "Queries/A.sql": "a: SELECT id FROM t;",
    ])
    guard let missing = try run(["check", "--path", project.path, "--server", url]) else { return }
    #expect(missing.exitCode == 1)
    #expect(missing.errors.contains("the description is missing or can't be read"))

    let generated = try #require(
      try run(["generate", "--path", project.path], environment: ["QUERYGEN_SERVER": url]))
    #expect((generated.exitCode, generated.errors) == (0, ""))
    #expect(
      generated.output.replacing(project.path, with: "") == """
        wrote /Queries/postgresql.json
        wrote /Generated/A.queries.swift
        wrote /Generated/DB.generated.swift

        """)
    let current = try #require(try run(["check", "--path", project.path, "--server", url]))
    #expect((current.exitCode, current.errors) == (0, ""))
    #expect(current.output.hasSuffix("Queries/postgresql.json is current: 1 query\n"))

    try project.write("a: SELECT id FROM t WHERE id = :id;", to: "Queries/A.sql")
    let stale = try #require(try run(["check", "--path", project.path, "--server", url]))
    #expect(stale.exitCode == 1)
    #expect(
      stale.errors.contains(
        "Queries/A.sql:1:1: error: the description of `a` is missing or differs"))

    try project.write("a: SELECT nmae FROM t;", to: "Queries/A.sql")
    let rejected = try #require(try run(["generate", "--path", project.path, "--server", url]))
    #expect(rejected.exitCode == 1)
    #expect(rejected.errors.contains("Queries/A.sql:1:11: error: column \"nmae\" does not exist"))
    #expect(rejected.errors.hasSuffix("1 error; nothing was written\n"))
  }

  @Test func `needs a server and a project for PostgreSQL`() async throws {
    let project = try TemporaryProject(["querygen.yaml": "database: DB\n"])
    guard let nothing = try run(["generate", "--path", project.path]) else { return }
    #expect(nothing.exitCode == 64)
    #expect(nothing.errors.contains("no server: use --server or the environment variable"))
    let url = "postgres://nobody@127.0.0.1:1/postgres"
    let sqlite = try #require(try run(["generate", "--path", project.path, "--server", url]))
    #expect(sqlite.exitCode == 64)
    #expect(sqlite.errors.contains("no database with \"engine: postgresql\""))
    try project.write("engine: postgresql\n", to: "querygen.yaml")
    try project.write("CREATE TABLE t (id int);", to: "Migrations/1.sql")
    try project.write("a: SELECT 1;", to: "Queries/A.sql")
    let unreachable = try #require(try run(["generate", "--path", project.path, "--server", url]))
    #expect(unreachable.exitCode == 1)
    #expect(unreachable.errors.hasPrefix("error: the server can't describe the project: "))
  }
}
