import Foundation
import Testing

@testable import HoltChecks

@Suite struct `make setup` {
  static let script = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../setup.sh").standardizedFileURL.path(percentEncoded: false)

  /// Creates a folder with the only commands on `PATH`.
  private func commands(_ scripts: [String: String]) throws -> TemporaryTree {
    let tree = try TemporaryTree([:])
    for (name, text) in scripts {
      try tree.write("#!/bin/sh\n\(text)\n", to: name)
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o755], ofItemAtPath: tree.repository.fullPath(name))
    }
    return tree
  }

  private func run(_ tree: TemporaryTree) throws -> Command {
    try Command.run(
      ["/bin/bash", Self.script], environment: ["PATH": tree.repository.fullPath()])
  }

  @Test func `lists the packages to install if there is no apt-get`() throws {
    let tree = try commands(["uname": "echo Linux"])
    let command = try run(tree)
    #expect(command.status == 1)
    #expect(command.errors.contains("pkg-config libsqlite3-dev libxml2-dev"))
    #expect(command.errors.contains("apt-get was not found."))
  }

  @Test func `installs only the missing packages`() throws {
    let tree = try commands([
      "uname": "echo Linux", "id": "echo 0", "env": "shift; echo \"$@\"",
      "pkg-config": "[ \"$2\" = sqlite3 ]", "apt-get": "exit 0", "mkdir": "exit 0", "tee": "exit 0",
    ])
    let command = try run(tree)
    #expect(command.status == 0)
    #expect(command.output.contains("libxml2-dev"))
    #expect(!command.output.contains("libsqlite3-dev"))
  }
}
