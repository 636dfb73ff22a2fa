import Foundation
@_spi(Observing) import SQLiteCore
import Testing

@testable import Observe

/// The file that notifies other processes of commits follows the permissions of the database.
@Suite(
  .timeLimit(.minutes(10)),
  .enabled(if: geteuid() == 0, "switching to another user requires privileges"))
struct `Other users` {
  /// The user and group of the database's owner, and another user.
  static let owner = 4_321
  static let stranger = 5_432

  /// Runs `body` with a database in a folder, both owned by ``owner``.
  private func withOwnedFile(
    _ permissions: Int, _ body: (String) async throws -> Void
  ) async throws {
    try await withFolder { folder in
      let files = FileManager.default
      let path = "\(folder)/test.sqlite"
      let schema = "CREATE TABLE player (name TEXT, score INTEGER); CREATE TABLE team (id)"
      try Connection(path: path).execute(SQL(unsafe: schema))
      for item in [folder, path] {
        try files.setAttributes(
          [.ownerAccountID: Self.owner, .groupOwnerAccountID: Self.owner], ofItemAtPath: item)
      }
      try files.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder)
      try files.setAttributes([.posixPermissions: permissions], ofItemAtPath: path)
      try await body(path)
    }
  }

  private struct Access: Equatable {
    var owner: Int?
    var group: Int?
    var permissions: Int?
  }

  private func access(_ path: String) throws -> Access {
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    return Access(
      owner: attributes[.ownerAccountID] as? Int, group: attributes[.groupOwnerAccountID] as? Int,
      permissions: attributes[.posixPermissions] as? Int)
  }

  @Test func `with read-only access observe commits, with their columns`() async throws {
    try await withOwnedFile(0o644) { path in
      let database = try Database(path: path)
      defer { database.close() }
      try await database.startObserving(.exchanged)
      try await database.run("INSERT INTO player VALUES ('Ada', 1)")
      let child = try await ChildProcess(path, "reading", user: Self.stranger)
      try await expect("player: updated rows (score)", from: child) {
        try await database.run("UPDATE player SET score = score + 1")
      }
      try await expect("team: inserted rows", from: child) {
        try await database.run("INSERT INTO team VALUES (1)")
      }
    }
  }

  /// Commits until `child` is notified of the changes.
  ///
  /// A process waits only briefly for the details of a commit that it has seen. Without them, anything may have
  /// changed.
  private func expect(
    _ expected: String, from child: ChildProcess, _ commit: () async throws -> Void
  ) async throws {
    for _ in 0..<50 {
      try await commit()
      let notified = try await child.nextCommit()
      if notified == expected { return }
      #expect(notified == "anything may have changed")
    }
    Issue.record("no commit was reported as \(expected)")
  }

  @Test func `observe a database whose processes begin to exchange changes later`() async throws {
    try await withOwnedFile(0o644) { path in
      let database = try Database(path: path)
      defer { database.close() }
      try await database.run("INSERT INTO player VALUES ('Ada', 1)")
      let child = try await ChildProcess(path, "reading", user: Self.stranger)
      #expect(!FileManager.default.fileExists(atPath: path + "-changes"))
      try await database.startObserving(.exchanged)
      try await database.run("UPDATE player SET score = 2")
      // The notification arrives with fewer details even if the file is found late.
      let reported = try await child.nextCommit()
      #expect(["player: updated rows (score)", "anything may have changed"].contains(reported))
    }
  }

  @Test func `that own the database exchange changes with others`() async throws {
    try await withOwnedFile(0o644) { path in
      let database = try Database(path: path)
      defer { database.close() }
      try await database.startObserving(.exchanged)
      try await database.run("INSERT INTO player VALUES ('Ada', 1)")
      let owner = try await ChildProcess(path, "exchanged", user: Self.owner)
      let stranger = try await ChildProcess(path, "reading", user: Self.stranger)
      try await expect("team: inserted rows", from: stranger) {
        try await owner.run("INSERT INTO team VALUES (1)")
      }
    }
  }

  @Test(arguments: [0o600, 0o640, 0o644, 0o660, 0o664, 0o666])
  func `have the same access to the changes as to the database`(_ permissions: Int) async throws {
    try await withOwnedFile(permissions) { path in
      let database = try Database(path: path)
      try await database.startObserving(.exchanged)
      #expect(try access(path + "-changes") == access(path))
      database.close()
    }
  }

  @Test func `have the database's current access when the file is next opened`() async throws {
    try await withOwnedFile(0o666) { path in
      for permissions in [0o666, 0o600, 0o644] {
        try FileManager.default.setAttributes(
          [.posixPermissions: permissions, .groupOwnerAccountID: permissions], ofItemAtPath: path)
        let changes = try AppendOnlyFile(path: path + "-changes", like: path)
        #expect(changes.append("line"))
        #expect(try access(path + "-changes") == access(path))
      }
    }
  }
}
