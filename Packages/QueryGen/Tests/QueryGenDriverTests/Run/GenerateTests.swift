import Foundation
import QueryGenTestSupport
import Testing

@testable import QueryGenDriver

@Suite struct `Generating` {
  @Test func `writes the database and a file for each file of queries`() throws {
    let workspace = try Workspace.todo()
    let outcome = workspace.driver.generate()
    #expect(outcome.report == "")
    #expect(outcome.exitCode == 0)
    #expect(workspace.generated == ["DB.generated.swift", "Todo.queries.swift"])
    #expect(outcome.written == workspace.generated)
    #expect(try workspace.read("Generated/Todo.queries.swift").contains("[Todo]"))
  }

  @Test func `gives the same bytes again, and leaves the files alone`() throws {
    let workspace = try Workspace.todo()
    _ = workspace.driver.generate()
    let before = try modificationDates(workspace)
    let again = workspace.driver.generate()
    #expect(again.written.isEmpty)
    #expect(again.unchanged == ["DB.generated.swift", "Todo.queries.swift"])
    #expect(try modificationDates(workspace) == before)
  }

  @Test func `writes again what has changed, and only that`() throws {
    let workspace = try Workspace.todo()
    _ = workspace.driver.generate()
    try workspace.write("DEFINE QUERY other AS SELECT 1;\n", to: "Queries/Todo.sql")
    let outcome = workspace.driver.generate()
    #expect(outcome.written == ["Todo.queries.swift"], "\(outcome.report)")
    #expect(try workspace.read("Generated/Todo.queries.swift").contains("OtherQuery"))
    #expect(workspace.generated == ["DB.generated.swift", "Todo.queries.swift"])
  }

  @Test func `gives the same for Windows's line ends`() throws {
    let workspace = try Workspace.todo()
    _ = workspace.driver.generate()
    for name in ["Migrations/1.sql", "Queries/Todo.sql"] {
      try workspace.write(workspace.read(name).replacing("\n", with: "\r\n"), to: name)
    }
    let outcome = workspace.driver.generate()
    #expect(outcome.report == "")
    #expect(outcome.written.isEmpty)
  }

  @Test func `names no folder of this machine`() throws {
    let workspace = try Workspace.todo()
    _ = workspace.driver.generate()
    for name in workspace.generated {
      #expect(try !workspace.read("Generated/\(name)").contains(workspace.path))
    }
  }

  @Test func `leaves what was generated when there is an error`() throws {
    let workspace = try Workspace.todo()
    _ = workspace.driver.generate()
    let before = try workspace.read("Generated/Todo.queries.swift")
    try workspace.write("DEFINE QUERY a AS SELECT FROM;\n", to: "Queries/Todo.sql")
    let outcome = workspace.driver.generate()
    #expect(outcome.exitCode == 1)
    #expect(outcome.written.isEmpty)
    #expect(try workspace.read("Generated/Todo.queries.swift") == before)
  }

  @Test func `removes what was made of a file that is gone, and nothing else`() throws {
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

  @Test func `says where it can't write`() throws {
    let workspace = try Workspace.todo()
    try workspace.write("a file, no folder", to: "Generated")
    let outcome = workspace.driver.generate()
    #expect(outcome.exitCode == 1)
    #expect(workspace.report(outcome).hasPrefix("Generated: error: the folder can't be made"))
  }

  @Test func `is not done by checking`() throws {
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
