import Foundation
import Testing

@testable import HoltChecks

@Suite struct `The commits check` {
  struct Case: CustomTestStringConvertible, Sendable {
    let subject: String, faults: [String]
    var testDescription: String { subject }
  }

  @Test(arguments: [
    Case(subject: "Add a check of commits", faults: []),
    Case(subject: "Router: add a route", faults: []),
    Case(subject: "Pass the process's address", faults: []),
    Case(subject: "Embed SQLite", faults: []),
    Case(subject: "All packages: embed SQLite", faults: []),
    Case(subject: "What a save does: nothing", faults: ["\"What\" is not an imperative"]),
    Case(subject: String(repeating: "a", count: 72), faults: []),
    Case(subject: String(repeating: "ä", count: 73), faults: ["a subject of 73 characters"]),
    Case(subject: "Added a check", faults: ["\"Added\" is not an imperative"]),
    Case(subject: "Router: adds a route", faults: ["\"adds\" is not an imperative"]),
    Case(subject: "Adding a check", faults: ["\"Adding\" is not an imperative"]),
    Case(subject: "Router: a route", faults: ["\"a\" is not an imperative"]),
    Case(subject: "What a save does", faults: ["\"What\" is not an imperative"]),
    Case(subject: "Words of two comments", faults: ["\"Words\" is not an imperative"]),
    Case(subject: "`Row` is a struct", faults: ["\"`Row`\" is not an imperative"]),
    Case(subject: "Fix it.", faults: ["a subject has no period"]),
  ])
  func `accepts an imperative of 72 characters`(_ expected: Case) {
    let faults = CommitsCheck.faults(of: expected.subject)
    #expect(faults.count == expected.faults.count)
    for (fault, start) in zip(faults, expected.faults) { #expect(fault.hasPrefix(start)) }
  }

  @discardableResult
  private func git(_ arguments: String..., in folder: URL) throws -> String {
    let user = ["-c", "user.name=holt", "-c", "user.email=holt@localhost"]
    return try Command.output(["git"] + user + arguments, in: folder)
  }

  /// Creates a repository with a commit of each subject.
  private func tree(_ subjects: String...) throws -> TemporaryTree {
    let tree = try TemporaryTree([:])
    let root = tree.repository.root
    try git("init", "--quiet", "--initial-branch", "main", in: root)
    for subject in subjects {
      try git("commit", "--quiet", "--allow-empty", "--message", subject, in: root)
    }
    return tree
  }

  @Test func `reads the commits of a range, oldest first`() throws {
    let tree = try tree("Start", "Added a", "Add b", "Added c", "Added d")
    let findings = try CommitsCheck(range: "HEAD~4..HEAD~1").findings(in: tree.repository)
    #expect(
      findings.map { $0.message.split(separator: ": ").last } == ["Added a", "Added c"])
    let name = try git("rev-parse", "--short", "HEAD~3", in: tree.repository.root)
    #expect(findings.first?.path == "commit \(name.dropLast())")
  }

  @Test func `reads the commits that origin does not contain`() throws {
    let origin = try tree("Added before")
    let folder = try TemporaryTree([:])
    let clone = Repository(root: folder.repository.url("clone"))
    try git(
      "clone", "--quiet", origin.repository.fullPath(), clone.fullPath(),
      in: folder.repository.root)
    #expect(try CommitsCheck().findings(in: clone) == [])
    try git("commit", "--quiet", "--allow-empty", "--message", "Added after", in: clone.root)
    #expect(try CommitsCheck().findings(in: clone).count == 1)
  }

  @Test func `passes without a branch of origin`() throws {
    let tree = try tree("Added a")
    #expect(try CommitsCheck().findings(in: tree.repository) == [])
    let empty = try TemporaryTree([:])
    #expect(try CommitsCheck().findings(in: empty.repository) == [])
  }

  @Test func `throws an error for a range that git can't resolve`() throws {
    let tree = try tree("Start")
    #expect(throws: CheckError.self) {
      try CommitsCheck(range: "nowhere..HEAD").findings(in: tree.repository)
    }
  }
}
