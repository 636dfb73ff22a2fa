import Foundation
import QueryGenDriver
import QueryGenTestSupport
import Testing

/// A project whose generated code is part of `QueryGenTests`, where it is compiled and run.
@Suite struct `The roster` {
  private static let queries = ["Queries/Changes.sql", "Queries/Players.sql", "Queries/Trees.sql"]
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "QueryGenTests/Roster")

  @Test func `has generated code that equals the compiled code`() throws {
    let workspace = try Workspace()
    for name in ["querygen.yaml", "Migrations/1.sql"] + Self.queries {
      let text = try String(contentsOf: Self.folder.appending(path: name), encoding: .utf8)
      try workspace.write(text, to: name)
    }
    let outcome = Driver(DriverOptions(path: workspace.path)).generate()
    #expect(outcome.report == "")
    for name in outcome.written {
      let file = Self.folder.appending(path: "Generated/\(name)")
      let text = try workspace.read("Generated/\(name)")
      if ProcessInfo.processInfo.environment["HOLT_REWRITE_GOLDENS"] == "1" {
        try Data(text.utf8).write(to: file)
      }
      #expect(try String(contentsOf: file, encoding: .utf8) == text)
    }
  }

  @Test(arguments: queries)
  func `is formatted`(_ name: String) throws {
    let workspace = try Workspace()
    let text = try String(contentsOf: Self.folder.appending(path: name), encoding: .utf8)
    try workspace.write(text, to: name)
    _ = Driver(DriverOptions(path: workspace.path)).format(files: nil, writes: true)
    #expect(try workspace.read(name) == text)
  }
}
