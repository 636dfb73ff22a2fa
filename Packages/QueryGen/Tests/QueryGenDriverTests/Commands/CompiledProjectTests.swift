import Foundation
import QueryGenDriver
import QueryGenTestSupport
import Testing

/// Projects whose generated code is part of `QueryGenTests`, where it is compiled and run.
@Suite struct `The compiled projects` {
  private static func text(_ name: String, of project: String) throws -> String {
    try String(contentsOf: folder(project).appending(path: name), encoding: .utf8)
  }

  private static func folder(_ project: String) -> URL {
    URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "QueryGenTests/\(project)")
  }

  private static let projects = [
    ("Roster", ["Queries/Changes.sql", "Queries/Players.sql", "Queries/Trees.sql"]),
    ("Archive", ["Queries/Pages.sql"]),
  ]

  @Test(arguments: projects)
  func `have generated code that equals the compiled code`(
    _ project: String, _ queries: [String]
  ) throws {
    let workspace = try Workspace()
    for name in ["querygen.yaml", "Migrations/1.sql"] + queries {
      try workspace.write(try Self.text(name, of: project), to: name)
    }
    let outcome = Driver(DriverOptions(path: workspace.path)).generate()
    #expect(outcome.report == "")
    for name in outcome.written {
      let text = try workspace.read("Generated/\(name)")
      if ProcessInfo.processInfo.environment["HOLT_REWRITE_GOLDENS"] == "1" {
        try Data(text.utf8).write(to: Self.folder(project).appending(path: "Generated/\(name)"))
      }
      #expect(try Self.text("Generated/\(name)", of: project) == text)
    }
  }

  @Test(arguments: projects)
  func `are formatted`(_ project: String, _ queries: [String]) throws {
    for name in queries {
      let workspace = try Workspace()
      let text = try Self.text(name, of: project)
      try workspace.write(text, to: name)
      _ = Driver(DriverOptions(path: workspace.path)).format(files: nil, writes: true)
      #expect(try workspace.read(name) == text)
    }
  }
}
