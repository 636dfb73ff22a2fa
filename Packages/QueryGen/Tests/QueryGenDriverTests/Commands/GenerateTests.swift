import Foundation
import QueryGenTestSupport
import Testing

@testable import QueryGenDriver

@Suite struct `Generating` {
  @Test func `writes the database file and a file for each query file`() throws {
    let workspace = try Workspace.todo()
    let outcome = workspace.driver.generate()
    #expect(outcome.report == "")
    #expect(outcome.exitCode == 0)
    #expect(workspace.generated == ["DB.generated.swift", "Todo.queries.swift"])
    #expect(outcome.written == workspace.generated)
    #expect(try workspace.read("Generated/Todo.queries.swift").contains("[Todo]"))
  }

  @Test func `produces the same bytes again, and does not write the files`() throws {
    let workspace = try Workspace.todo()
    _ = workspace.driver.generate()
    let before = try modificationDates(workspace)
    let again = workspace.driver.generate()
    #expect(again.written.isEmpty)
    #expect(again.unchanged == ["DB.generated.swift", "Todo.queries.swift"])
    #expect(try modificationDates(workspace) == before)
  }

  @Test func `writes only the files that have changed`() throws {
    let workspace = try Workspace.todo()
    _ = workspace.driver.generate()
    try workspace.write("DEFINE QUERY other AS SELECT 1;\n", to: "Queries/Todo.sql")
    let outcome = workspace.driver.generate()
    #expect(outcome.written == ["Todo.queries.swift"], "\(outcome.report)")
    #expect(try workspace.read("Generated/Todo.queries.swift").contains("OtherQuery"))
    #expect(workspace.generated == ["DB.generated.swift", "Todo.queries.swift"])
  }

  @Test func `produces the same code for Windows line endings`() throws {
    let workspace = try Workspace.todo()
    _ = workspace.driver.generate()
    for name in ["Migrations/1.sql", "Queries/Todo.sql"] {
      try workspace.write(workspace.read(name).replacing("\n", with: "\r\n"), to: name)
    }
    let outcome = workspace.driver.generate()
    #expect(outcome.report == "")
    #expect(outcome.written.isEmpty)
  }

  @Test func `includes no path of the machine`() throws {
    let workspace = try Workspace.todo()
    _ = workspace.driver.generate()
    for name in workspace.generated {
      #expect(try !workspace.read("Generated/\(name)").contains(workspace.path))
    }
  }

  @Test func `keeps generated files if there is an error`() throws {
    let workspace = try Workspace.todo()
    _ = workspace.driver.generate()
    let before = try workspace.read("Generated/Todo.queries.swift")
    try workspace.write("DEFINE QUERY a AS SELECT FROM;\n", to: "Queries/Todo.sql")
    let outcome = workspace.driver.generate()
    #expect(outcome.exitCode == 1)
    #expect(outcome.written.isEmpty)
    #expect(try workspace.read("Generated/Todo.queries.swift") == before)
  }

  @Test func `removes only the code of a deleted query file`() throws {
    let workspace = try Workspace.todo()
    try workspace.write("-- name: one :one\nSELECT 1;\n", to: "Queries/Other.sql")
    _ = workspace.driver.generate()
    try workspace.write("// mine\n", to: "Generated/Mine.queries.swift")
    try workspace.remove("Queries/Other.sql")
    let outcome = workspace.driver.generate()
    #expect(outcome.removed == ["Other.queries.swift"])
    #expect(
      workspace.generated == ["DB.generated.swift", "Mine.queries.swift", "Todo.queries.swift"])
  }

  @Test func `reports a folder that can't be written`() throws {
    let workspace = try Workspace.todo()
    try workspace.write("a file, no folder", to: "Generated")
    let outcome = workspace.driver.generate()
    #expect(outcome.exitCode == 1)
    #expect(workspace.report(outcome).hasPrefix("Generated: error: the folder can't be created"))
  }

  @Test func `is not a part of checking`() throws {
    let workspace = try Workspace.todo()
    let outcome = workspace.driver.check()
    #expect(outcome.exitCode == 0)
    #expect((outcome.tableCount, outcome.queryCount) == (1, 1))
    #expect(workspace.generated.isEmpty)
  }

  private func modificationDates(_ workspace: Workspace) throws -> [Date?] {
    try workspace.generated.map { name in
      try FileManager.default.attributesOfItem(atPath: "\(workspace.path)/Generated/\(name)")[
        .modificationDate] as? Date
    }
  }
}
