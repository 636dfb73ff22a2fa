import Foundation
import QueryGenDriver
import QueryGenTestSupport
import SQLiteCore
import Testing

@Suite struct `The querygen command` {
  private struct Result {
    var exitCode: Int32
    var output: String
    var errors: String
  }

  /// Runs `querygen`, which is in the folder of the tests; `nil` if it was not built.
  private func run(_ arguments: String..., input: String = "") throws -> Result? {
    let folder = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
    let tool = ["querygen", "querygen-tool"].map { folder.appending(path: $0) }.first {
      FileManager.default.isExecutableFile(atPath: $0.path(percentEncoded: false))
    }
    guard let tool else {
      print("skipped: querygen was not built")
      return nil
    }
    let process = Process()
    let (standardInput, output, errors) = (Pipe(), Pipe(), Pipe())
    process.executableURL = tool
    process.arguments = arguments
    process.standardInput = standardInput
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    try standardInput.fileHandleForWriting.write(contentsOf: Data(input.utf8))
    try standardInput.fileHandleForWriting.close()
    let texts = try [output, errors].map {
      String(decoding: try $0.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    }
    process.waitUntilExit()
    return Result(exitCode: process.terminationStatus, output: texts[0], errors: texts[1])
  }

  @Test func `creates a sample project that compiles without errors`() throws {
    let workspace = try Workspace(folders: false)
    guard let begun = try run("init", workspace.path) else { return }
    #expect((begun.exitCode, begun.errors) == (0, ""))
    #expect(begun.output.contains(".plugin(name: \"QueryGenPlugin\", package: \"holt\")"))
    let generated = try #require(try run("generate", "--path", workspace.path))
    #expect((generated.exitCode, generated.errors) == (0, ""))
    #expect(
      workspace.short(generated.output) == """
        wrote Generated/DB.generated.swift
        wrote Generated/Todo.queries.swift

        """)
    #expect(try run("format", "--check", "--path", workspace.path)?.exitCode == 0)
    #expect(try run("migrations", "verify", "--path", workspace.path)?.exitCode == 0)
    let again = try #require(try run("init", workspace.path))
    #expect(again.exitCode == 1)
    #expect(
      workspace.short(again.errors).hasPrefix(
        "Migrations: error: the file or folder already exists"))
  }

  @Test func `prints diagnostics as lines of JSON`() throws {
    let workspace = try Workspace.library()
    try workspace.write("a: SELECT titel FROM book;\n", to: "Queries/A.sql")
    guard let result = try run("check", "--json", "--path", workspace.path) else { return }
    #expect((result.exitCode, result.errors) == (1, ""))
    let lines = result.output.split(separator: "\n")
    #expect(lines.count == 1)
    #expect(lines[0].contains("\"identity\":\"unknown-column\""))
    let fixed = try #require(try run("check", "--fix", "--path", workspace.path))
    #expect(fixed.exitCode == 0)
    #expect(try workspace.read("Queries/A.sql") == "a: SELECT title FROM book;\n")
  }

  @Test func `checks and locks plans`() throws {
    let workspace = try Workspace.planned("q: SELECT * FROM event WHERE kind = :kind;")
    guard let result = try run("check", "--plans", "--lock", "--path", workspace.path) else {
      return
    }
    #expect(
      workspace.short(result.output) == """
        3 tables, 1 query: no errors
        plans: 1
        wrote plans.lock

        """)
    #expect(result.exitCode == 0)
    #expect(result.errors.contains("CREATE INDEX event_kind ON event (kind)"))
    try workspace.write("SQLite 3.1.2\nq: SCAN TABLE event\n", to: "plans.lock")
    let again = try #require(try run("check", "--plans", "--json", "--path", workspace.path))
    #expect(again.output.contains("\"identity\":\"full-scan\""))
    #expect(again.errors.hasPrefix("note: plans.lock was written with SQLite 3.1.2"))
    #expect(try run("check", "--lock", "--path", workspace.path)?.exitCode == 64)
  }

  @Test func `explains diagnostics`() throws {
    guard let list = try run("explain") else { return }
    #expect((list.exitCode, list.errors) == (0, ""))
    #expect(list.output == DiagnosticExplanation.list)
    let known = try #require(try run("explain", "unknown-column"))
    #expect((known.exitCode, known.errors) == (0, ""))
    #expect(known.output == DiagnosticExplanation.find("unknown-column")?.text)
    let unknown = try #require(try run("explain", "unknown-colum"))
    #expect((unknown.exitCode, unknown.output) == (64, ""))
    #expect(
      unknown.errors.contains(
        "no diagnostic is named 'unknown-colum'; did you mean 'unknown-column'?"))
  }

  @Test func `formats the standard input`() throws {
    let workspace = try Workspace.library()
    guard
      let result = try run("format", "-", "--path", workspace.path, input: "select 1 ;")
    else { return }
    #expect((result.exitCode, result.output) == (0, "SELECT 1;\n"))
    #expect(
      try run("format", "-", "--check", "--path", workspace.path, input: "select 1")?.exitCode == 1)
    #expect(try run("format", "-", "--path", workspace.path, input: "select from")?.exitCode == 1)
    #expect(try run("format", "--width", "3")?.exitCode == 64)
  }

  @Test func `shows and compares schemas`() throws {
    let workspace = try Workspace.library()
    let database = try workspace.database()
    guard let shown = try run("schema", "--path", workspace.path) else { return }
    #expect(shown.exitCode == 0)
    #expect(shown.output == workspace.driver.projectSchema().sql)
    let same = try #require(try run("schema", "diff", database, "--path", workspace.path))
    #expect((same.exitCode, same.errors) == (0, ""))
    try workspace.execute("DROP VIEW titles", on: database)
    let other = try #require(try run("schema", "diff", database, "--path", workspace.path))
    #expect(other.exitCode == 1)
    #expect(other.output.contains("CREATE VIEW titles"))
  }

  @Test func `adds, locks and verifies migrations`() throws {
    let workspace = try Workspace.library()
    guard let added = try run("migrations", "add", "more books", "--path", workspace.path) else {
      return
    }
    #expect(
      workspace.short(added.output) == """
        locked 001_library
        locked 002_words
        wrote Migrations/003_more_books.sql

        """)
    #expect(
      try run("migrations", "lock", "--path", workspace.path)?.output == "locked 003_more_books\n")
    let verified = try #require(
      try run("migrations", "verify", workspace.database(), "--path", workspace.path))
    #expect(
      workspace.short(verified.output) == """
        app.sqlite has applied 3 of 3
        SQLite ran 0 migrations: no errors

        """)
    try workspace.write("DROP TABLE book;", to: "Migrations/002_words.sql")
    let edited = try #require(
      try run("migrations", "verify", "--path", workspace.path, "--no-color"))
    #expect(edited.exitCode == 1)
    #expect(
      workspace.short(edited.errors).contains(
        "Migrations/002_words.sql:1:1: error: this migration was released"))
  }

  @Test(arguments: [
    "--help", "generate --help", "check --help", "format --help", "schema --help", "init --help",
    "schema diff --help", "migrations --help", "migrations add --help", "migrations verify --help",
    "explain --help",
  ])
  func `prints help for each subcommand`(_ command: String) throws {
    let words = command.split(separator: " ").map(String.init)
    let result =
      words.count == 1
      ? try run(words[0])
      : words.count == 2 ? try run(words[0], words[1]) : try run(words[0], words[1], words[2])
    guard let result else { return }
    #expect(result.exitCode == 0)
    #expect(result.output.contains("OVERVIEW: "))
    #expect(result.output.contains("USAGE: querygen"))
  }
}
