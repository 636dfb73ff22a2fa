import Foundation
import Testing

@testable import HoltChecks

@Suite struct `The test script` {
  static let script = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../test.sh").standardizedFileURL.path(percentEncoded: false)

  static let two = "<testsuite>\n<testcase name='a' />\n<testcase name='b' />\n</testsuite>"

  /// Runs the script with a replacement for the command `swift`, whose builds succeed.
  ///
  /// - Parameters:
  ///   - results: The text that the command writes to the file of the option `--xunit-output`.
  ///   - body: The other commands to run.
  private func run(results: String?, _ body: String) throws -> Command {
    let write = results.map { "for file; do :; done; echo \"\($0)\" > \"$file\"\n" } ?? ""
    let tree = try TemporaryTree([
      "bin/swift": "#!/bin/bash\nif [ \"$1\" = build ]; then exit 0; fi\n\(write)\(body)\n"
    ])
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755], ofItemAtPath: tree.repository.fullPath("bin/swift"))
    let path = tree.repository.fullPath("bin") + ":/usr/bin:/bin"
    return try Command.run(
      ["/bin/bash", Self.script, "a"], in: tree.repository.root, environment: ["PATH": path])
  }

  @Test func `prints the number of tests, and no output of passed tests`() throws {
    let command = try run(
      results: Self.two,
      """
      echo '◇ Test "a" started.'
      echo '✔ Test "a" passed.'
      echo '✔ Test b() passed.'
      echo '✔ Test run with 2 tests passed.'
      """)
    #expect(command.status == 0)
    #expect(
      command.output == "swift test --skip-build\n✔ Test run with 2 tests passed.\nran 2 tests\n")
  }

  @Test func `fails if the build fails`() throws {
    let tree = try TemporaryTree([
      "bin/swift": "#!/bin/bash\necho 'error: x'; [ \"$1\" != build ]\n"
    ])
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755], ofItemAtPath: tree.repository.fullPath("bin/swift"))
    let path = tree.repository.fullPath("bin") + ":/usr/bin:/bin"
    let command = try Command.run(
      ["/bin/bash", Self.script, "a", "--traits", "T", "--filter", "F"], in: tree.repository.root,
      environment: ["PATH": path])
    #expect(command.status == 1)
    #expect(command.output == "error: x\n")
  }

  @Test(arguments: ["<testsuite>\n</testsuite>", nil])
  func `rejects a run without a test`(results: String?) throws {
    let command = try run(results: results, "")
    #expect(command.status != 0)
    #expect(command.output.contains("ran 0 tests"))
  }

  @Test func `fails if the tests fail`() throws {
    let command = try run(results: Self.two, "echo '✘ Test \"a\" failed.'\nexit 3")
    #expect(command.status == 3)
    #expect(command.output.contains("✘ Test \"a\" failed."))
    #expect(command.errors.contains(".build/a.log"))
  }

  @Test func `lists the tests that started last if the process was killed`() throws {
    let command = try run(
      results: nil, "echo '◇ Test \"a\" started.'\necho 'error: unexpected signal code 11'\nexit 1")
    #expect(command.status == 1)
    #expect(command.errors.contains("◇ Test \"a\" started."))
  }
}
