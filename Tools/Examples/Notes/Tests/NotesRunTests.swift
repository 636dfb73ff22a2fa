import CommandTesting
import Foundation
import Testing

/// Tests the built command.
@Suite struct `The command notes` {
  private let run: CommandRun

  init() throws { run = try CommandRun("notes", products: ["Notes"]) }

  private func notes(_ arguments: String..., input: String? = nil) throws -> CommandRun.Result {
    try run.command(
      arguments, input: input, environment: ["NOTES_FILE": run.path("sub/notes.sqlite")])
  }

  @Test func `creates the file when the first note is added`() throws {
    #expect(try notes("list").output == "no notes\n")
    #expect(!run.exists("sub"))
    #expect(
      try notes("add", "Milk", "--body", "-", "--tag", "home", input: "Two\n").output
        == "added #1\n")
    #expect(try notes("show", "1").output.hasSuffix("\n\nTwo\n"))
    #expect(try notes("search", "mil").output == "#1  *Milk*\n    Two\n")
    #expect(try notes("search", "tea").status == 1)
    #expect(try notes("export", run.path("notes.spon")).status == 0)
    #expect(try notes("import", run.path("notes.spon")).output == "added 0 notes, skipped 1\n")
  }

  @Test(
    arguments: [
      (["show", "9"], "notes: no such note: 9\n", 2),
      (["add", " "], "notes: the title is empty\n", 2),
      (
        ["export", "a.txt"],
        "notes: a.txt: unknown extension; use one of .json, .spon, .xml, .csv\n", 2
      ),
      (["list", "--file", "/dev/null/x"], "", 0),
      (
        ["list", "--tag", "a b"],
        "notes: \"a b\" is not a valid tag: use letters, digits, - and _\n", 2
      ),
    ])
  func `reports an error on one line`(line: [String], errors: String, status: Int32) throws {
    let result = try run.command(line, environment: ["NOTES_FILE": run.path("notes.sqlite")])
    #expect(result.errors == errors)
    #expect(result.status == status)
  }

  @Test func `reports the position in a malformed file and adds no note`() throws {
    let path = try run.write("[{\"title\": \"A\"},\n {\"title\" \"B\"}]", to: "bad.json")
    let result = try notes("import", path)
    #expect(result.status == 2)
    #expect(result.errors.hasPrefix("notes: \(path):2:"), "\(result.errors)")
    #expect(result.errors.split(separator: "\n").count == 1)
    #expect(try notes("list").output == "no notes\n")
  }

  @Test func `rejects a file that is not a database`() throws {
    let path = try run.write(String(repeating: "no database ", count: 99), to: "x.sqlite")
    let result = try notes("list", "--file", path)
    #expect(result.status == 2)
    #expect(result.errors.hasPrefix("notes: "))
    #expect(try run.text(of: "x.sqlite").hasPrefix("no database"))
  }

  @Test func `observes commits of other processes`() throws {
    let result = try run.shell(
      """
      export NOTES_FILE=notes.sqlite
      notes add First >/dev/null
      notes watch --count 3 >lists &
      for i in $(seq 1 600); do grep -q First lists && break; sleep 0.05; done
      notes add Second
      for i in $(seq 1 600); do grep -q Second lists && break; sleep 0.05; done
      notes delete 1
      wait $!
      echo $?; sed 's/ *20[0-9].*//' lists
      """)
    #expect(
      result.output == """
        added #2
        deleted #1
        0
          #  Title  Tags  Edited
          ─  ─────  ────  ────────────────
          1  First

          #  Title   Tags  Edited
          ─  ──────  ────  ────────────────
          2  Second
          1  First

          #  Title   Tags  Edited
          ─  ──────  ────  ────────────────
          2  Second

        """, "\(result.errors)")
  }

  @Test func `ends without an error when interrupted`() throws {
    let result = try run.shell(
      """
      '\(run.executable)' watch --file notes.sqlite >lists &
      for i in $(seq 1 600); do [ -s lists ] && break; sleep 0.05; done
      kill -TERM $!; wait $!; echo $?
      """)
    #expect(result.output == "0\n", "\(result.errors)")
  }

  @Test func `exits silently when the output is closed`() throws {
    let result = try run.shell("set -o pipefail; notes tour | head -n 1 >/dev/null; echo $?")
    #expect(result.output == "141\n" || result.output == "0\n")
    #expect(result.errors == "")
  }

  /// Runs the commands of the README in order.
  @Test func `has the output shown in the README`() throws {
    let page = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../README.md").standardized
    let steps = try Transcript(page: page).steps
    #expect(steps.count > 5)
    for step in steps {
      let output = try run.output(
        of: step, environment: ["NOTES_FILE": run.path("notes.sqlite")])
      #expect(output == step.output, "\(step.command)")
    }
  }
}
