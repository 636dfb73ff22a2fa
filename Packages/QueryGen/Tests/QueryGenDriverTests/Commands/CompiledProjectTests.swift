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

  /// `Storage` is a target with two databases.
  private static let projects = ["Roster", "Archive", "Storage"]

  /// The paths of a project's files, apart from the generated ones.
  private static func files(of project: String) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(
      atPath: folder(project).path(percentEncoded: false)
    ).filter { $0.hasSuffix(".sql") || $0.hasSuffix(".yaml") }
  }

  @Test(arguments: projects)
  func `have generated code that equals the compiled code`(_ project: String) throws {
    let workspace = try Workspace(folders: false)
    for name in try Self.files(of: project) {
      try workspace.write(try Self.text(name, of: project), to: name)
    }
    let outcome = Driver(DriverOptions(path: workspace.path)).generate()
    #expect(outcome.report == "")
    for name in outcome.written {
      let text = try workspace.read("Generated/\(name)")
      if ProcessInfo.processInfo.environment["HOLT_REWRITE_GOLDENS"] == "1" {
        let folder = Self.folder(project).appending(path: "Generated")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: folder.appending(path: name))
      }
      #expect(try Self.text("Generated/\(name)", of: project) == text)
    }
  }

  @Test(arguments: projects)
  func `are formatted`(_ project: String) throws {
    let workspace = try Workspace(folders: false)
    let names = try Self.files(of: project)
    for name in names { try workspace.write(try Self.text(name, of: project), to: name) }
    let outcome = Driver(DriverOptions(path: workspace.path)).format(files: nil, writes: true)
    #expect(outcome.report == "")
    for name in names where name.contains("Queries/") {
      #expect(try workspace.read(name) == Self.text(name, of: project))
    }
  }
}
