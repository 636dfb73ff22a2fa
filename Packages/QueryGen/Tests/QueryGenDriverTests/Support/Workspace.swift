import Foundation
import QueryGenDriver

/// A project in a folder of its own, which is gone with this object.
final class Workspace: Sendable {
  let path: String

  init(_ files: [String: String] = [:]) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "querygen \(UUID())")
    path = folder.path(percentEncoded: false)
    for name in ["Migrations", "Queries"] {
      try FileManager.default.createDirectory(
        atPath: "\(path)/\(name)", withIntermediateDirectories: true)
    }
    for (name, text) in files { try write(text, to: name) }
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func write(_ text: String, to name: String) throws { try write([UInt8](text.utf8), to: name) }

  func write(_ bytes: [UInt8], to name: String) throws {
    let url = URL(filePath: "\(path)/\(name)")
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: url)
  }

  func remove(_ name: String) throws {
    try FileManager.default.removeItem(atPath: "\(path)/\(name)")
  }

  func read(_ name: String) throws -> String {
    try String(contentsOf: URL(filePath: "\(path)/\(name)"), encoding: .utf8)
  }

  /// The names of the generated files; sorted.
  var generated: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: "\(path)/Generated")) ?? []).sorted()
  }

  var driver: Driver { Driver(DriverOptions(path: path)) }

  /// A report with this folder's path taken out of it.
  func report(_ outcome: Driver.Outcome) -> String {
    outcome.report.replacing(path + "/", with: "")
  }
}

extension Workspace {
  /// A project without faults.
  static func todo() throws -> Workspace {
    try Workspace([
      "Migrations/1.sql": """
      CREATE TABLE todo (
        id INTEGER,
        name TEXT NOT NULL,
        completedOn INTEGER
      )
      """,
      "Queries/Todo.sql": "DEFINE QUERY selectTodos AS\nSELECT * FROM todo;\n",
    ])
  }
}
