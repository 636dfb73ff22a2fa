import Foundation
import Testing

@testable import HoltChecks

@Suite struct `The mutation script` {
  static let tools = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../..").standardizedFileURL

  /// A replacement for the command `swift`, whose output depends on the words in the copied source.
  static let swift = """
    #!/bin/bash
    [[ $* != *--help-hidden* ]] || exit 0
    source=$(cat Packages/A/Sources/a.txt)
    [[ $source != *broken* ]] || exit 1
    count=2
    for argument; do
      [ "$argument" != --filter=Nothing ] || { count=0; source=; }
      [ "$argument" != --filter=Other ] || source=
      file=$argument
    done
    { echo '<testsuite>'; for ((i = 0; i < count; i++)); do echo '<testcase />'; done; } >"$file"
    echo '◇ Test run started.'
    echo '◇ Test "counts" started.'
    case $source in
      *wrong*)
        echo '✘ Test "counts" recorded an issue at A.swift:1:1: Expectation failed'
        echo '✘ Test "counts" failed after 0.1 seconds with 1 issue.'
        echo '✘ Test run with 2 tests in 1 suite failed after 0.1 seconds with 1 issue.'
        exit 1 ;;
      *crash*) echo 'error: Exited with unexpected signal code 5'; exit 1 ;;
      *endless*) sleep 100 & echo $! >"$PROBE"; wait ;;
    esac
    """

  /// A repository with a package whose source is one word.
  private let tree: TemporaryTree

  init() throws {
    tree = try TemporaryTree([
      "bin/swift": Self.swift, "Packages/A/Sources/a.txt": "right\n", ".gitignore": ".build\n",
    ])
    for script in ["mutate.sh", "limit.sh", "test.sh"] {
      try tree.write(
        String(contentsOf: Self.tools.appending(path: script), encoding: .utf8),
        to: "Tools/\(script)")
    }
    for path in ["bin/swift", "Tools/mutate.sh", "Tools/limit.sh", "Tools/test.sh"] {
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o755], ofItemAtPath: tree.repository.fullPath(path))
    }
    _ = try Command.output(["git", "init", "-q"], in: tree.repository.root)
  }

  private func addMutant(_ name: String, _ word: String, header: String = "tests: A") throws {
    try tree.write(
      """
      # A bug.
      # \(header)
      diff --git a/Packages/A/Sources/a.txt b/Packages/A/Sources/a.txt
      --- a/Packages/A/Sources/a.txt
      +++ b/Packages/A/Sources/a.txt
      @@ -1 +1 @@
      -right
      +\(word)

      """, to: "Tools/Mutations/A/\(name).patch")
  }

  private func run(_ arguments: String..., limit: Int = 60) throws -> Command {
    let path = tree.repository.fullPath("bin") + ":/usr/bin:/bin"
    return try Command.run(
      ["/bin/bash", "Tools/mutate.sh"] + arguments, in: tree.repository.root,
      environment: [
        "PATH": path, "MUTATE_LIMIT": "\(limit)", "MUTATE_PREFIX": "",
        "PROBE": tree.repository.fullPath("probe"),
      ])
  }

  /// The verdicts by the mutants' names, without the paths of logs.
  private func verdicts(_ command: Command) -> [String: String] {
    var verdicts: [String: String] = [:]
    for line in command.output.split(separator: "\n") where line.hasPrefix("A  ") {
      let words = line.split(separator: " ", maxSplits: 2)
      let verdict = words[2].split(separator: " (.build").first ?? ""
      verdicts[String(words[1])] = verdict.trimmingCharacters(in: .whitespaces)
    }
    return verdicts
  }

  @Test func `reports the test that detected each mutant`() throws {
    try addMutant("a", "wrong")
    try addMutant("b", "crash")
    try addMutant("c", "same", header: "equivalent: nobody sees it")
    let command = try run()
    #expect(
      verdicts(command) == [
        "a": "killed by \"counts\"", "b": "killed by a crash during \"counts\"",
        "c": "equivalent: nobody sees it",
      ], "\(command.output)\(command.errors)")
    #expect(command.output.contains("3 mutants: 2 killed, 1 equivalent, 0 survived, 0 errors"))
    #expect(command.status == 0)
  }

  @Test func `fails if a mutant survives`() throws {
    try addMutant("a", "harmless")
    let command = try run()
    #expect(verdicts(command) == ["a": "SURVIVED"], "\(command.output)\(command.errors)")
    #expect(command.status == 1)
  }

  @Test func `reports a mutant that only tests other than the named ones detect`() throws {
    try addMutant("a", "wrong", header: "tests: Other")
    let command = try run()
    #expect(
      verdicts(command) == ["a": "killed by \"counts\", which '# tests:' does not match"],
      "\(command.output)\(command.errors)")
  }

  @Test func `reports mutants that cannot be tested as errors`() throws {
    try addMutant("a", "broken")
    try addMutant("b", "wrong", header: "tests: Nothing")
    try tree.write(
      "# A bug.\n# tests: A\n" + `The mutations check`.diff(of: "Packages/A/Sources/a.txt"),
      to: "Tools/Mutations/A/c.patch")
    let command = try run()
    #expect(
      verdicts(command) == [
        "a": "ERROR: the mutant does not build",
        "b": "ERROR: no test name matches \"# tests:\"",
        "c": "ERROR: the patch does not apply",
      ], "\(command.output)\(command.errors)")
    #expect(command.status == 1)
  }

  @Test func `kills tests that do not end, with the processes that they started`() throws {
    try addMutant("a", "endless")
    let command = try run(limit: 5)
    #expect(
      verdicts(command) == ["a": "killed by the time limit of 5 s"],
      "\(command.output)\(command.errors)")
    let child = try String(contentsOf: tree.repository.url("probe"), encoding: .utf8)
    let process = try #require(Int32(child.trimmingCharacters(in: .newlines)))
    // A process whose parent has ended may be a zombie for a moment.
    let state = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
    #expect(kill(process, 0) != 0 || state?.contains(") Z ") == true)
  }

  @Test func `tests uncommitted changes, and leaves them unchanged`() throws {
    try tree.write("right\nmore\n", to: "Packages/A/Sources/a.txt")
    try addMutant("a", "wrong")
    // The patch also applies to the second line, which is not committed.
    let patch = try tree.repository.text(of: "Tools/Mutations/A/a.patch")
    try tree.write(
      patch.replacing(
        "@@ -1 +1 @@\n-right\n+wrong\n", with: "@@ -1,2 +1,2 @@\n-right\n+wrong\n more\n"),
      to: "Tools/Mutations/A/a.patch")
    let before = try Command.output(
      ["git", "status", "--porcelain"], in: tree.repository.root)
    let command = try run("A/a")
    #expect(
      verdicts(command) == ["a": "killed by \"counts\""], "\(command.output)\(command.errors)")
    #expect(try tree.repository.text(of: "Packages/A/Sources/a.txt") == "right\nmore\n")
    #expect(
      try Command.output(["git", "status", "--porcelain"], in: tree.repository.root) == before)
  }

  @Test func `rejects a package whose tests fail without a mutant`() throws {
    try tree.write("wrong right\n", to: "Packages/A/Sources/a.txt")
    try addMutant("a", "wrong")
    let command = try run()
    #expect(command.status == 1)
    #expect(command.errors.contains("the tests of A fail without a mutant"))
  }

  @Test(arguments: ["B", "A/missing"])
  func `rejects the name of a mutant that does not exist`(name: String) throws {
    try addMutant("a", "wrong")
    let command = try run(name)
    #expect(command.status == 1)
    #expect(command.errors.contains("no patch Tools/Mutations/\(name)"))
  }
}
