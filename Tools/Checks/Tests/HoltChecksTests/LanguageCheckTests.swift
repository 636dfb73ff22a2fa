import Testing

@testable import HoltChecks

@Suite struct `The language check` {
  /// Sentences that comments of this repository once contained.
  static let obscure = [
    "Changes it; what it is where nothing is there, is made.",
    "Leaves those out of which `isKept` is not so.",
    "Values by keys of whatever type: those of integers are found without what these "
      + "are wrapped in.",
    "A rollback that a statement in the midst of a step stands in the way of is made "
      + "when it is over.",
    "Has a row do what it does itself after it is written.",
    "Whose the relations of a row are that is being read by a session: none for a "
      + "SampleReading.",
    "What tells it from the others that live; `nil` outside of a task.",
    "Ends a reading early, since little was read in vain, or all of it otherwise than "
      + "it should have been.",
    "Who falls behind by hundreds of commits gets the oldest merged into one change",
    "Whether a folder is there, or a link to one: asked by what the answer is needed "
      + "for.",
    "Has the list be what was read, where nothing is known that speaks against it.",
    "It is there.",
    "Its turn has come, on any thread, once.",
    "A key of which rows have none, or twice the same, is none",
    "When it was found what is to be written: the mark of what that is, which no other "
      + "save has.",
    "What went wrong as a commit was followed, until that succeeds again",
    "For a value that may be NULL, `type` is an optional, and so is the answer twice.",
    "Whether it is made at once where it does not exist.",
    "Who waits for rows with given values in one column, by these values.",
    "Another number whenever wantsRows(of:) may have another answer",
    "Up to so many bytes behind `@obj`, it is asked whether they are the name of a "
      + "type.",
    "What it costs to hold and to evaluate, about: the number of comparisons.",
  ]

  /// The same statements in plain English.
  static let plain = [
    "Mutates the value in place, creating it first if it is absent.",
    "Removes the entries that do not satisfy `isKept`.",
    "A dictionary keyed by primary keys, with a fast path for integer keys.",
    "If a statement is mid-step, the rollback is deferred until the step returns.",
    "Schedules the row's `didSave` hook.",
    "Returns the owner to assign to the relations of the row being read, or "
      + "`.some(nil)` for a probe read.",
    "An identifier of the current task, or `nil` outside a task.",
    "Aborts this pass so that the file is re-read with the corrected column types.",
    "If the consumer falls hundreds of commits behind, the oldest changes are "
      + "coalesced.",
    "Returns whether the path is a directory, following symbolic links.",
    "Sets the list's rows to the fetched rows unless the list has local changes.",
    "The row exists.",
    "Called exactly once, on an arbitrary thread, when the waiter acquires the "
      + "connection.",
    "A key column with NULL or duplicate values is not declared as the primary key.",
    "A unique, increasing identifier of this save.",
    "The error from the most recent refresh, or `nil` if it succeeded.",
    "For a nullable column, pass an optional type; the result is then a double "
      + "optional.",
    "Whether to create the file immediately if it does not exist.",
    "Maps column values to the observers that wait for them.",
    "A generation number that changes when the result of wantsRows(of:) may change.",
    "The maximum length of a type name after `@obj`.",
    "The approximate cost: the number of comparisons.",
  ]

  /// Returns the identities of the patterns that match.
  private func identities(_ text: String, at path: String = "A.swift") throws -> [String] {
    let tree = try TemporaryTree([path: text])
    return try LanguageCheck().findings(in: tree.repository).map {
      String($0.message.prefix { $0 != ":" })
    }
  }

  @Test(arguments: obscure)
  func `rejects an obscure sentence`(_ sentence: String) throws {
    #expect(try identities("/// \(sentence)\nlet a = 1") != [])
  }

  @Test(arguments: plain)
  func `accepts a plain sentence`(_ sentence: String) throws {
    #expect(try identities("/// \(sentence)\nlet a = 1") == [])
  }

  struct Case: CustomTestStringConvertible, Sendable {
    let text: String, identities: [String]
    var testDescription: String { text.replacing("\n", with: "⏎") }
  }

  @Test(arguments: [
    Case(text: "/// Where it is.", identities: ["summary-question"]),
    Case(text: "/// A path.\n///\n/// What is it for?", identities: []),
    Case(text: "/// Whether to create the file.", identities: []),
    Case(text: "/// Whether the file exists.", identities: ["summary-whether"]),
    Case(text: "/// A sum.\n/// - Parameter a: What is added.", identities: ["item-question"]),
    Case(text: "/// A sum.\n/// - Parameter a: The number.", identities: []),
    Case(text: "// `nil` where there is none", identities: ["where-absent"]),
    Case(text: "// `nil` where the row is deleted", identities: ["where-condition"]),
    Case(text: "// the line where the error is", identities: []),
    Case(text: "// a sum of `n`, where `n` is a count", identities: []),
    Case(text: "// the where clause, and `WHERE`", identities: []),
    Case(text: "// the commit\n// is told", identities: ["tell"]),
    Case(text: "// `tells` is code, and so is ``Row/tells``", identities: ["is-so"]),
    Case(text: "// the names of the columns of the table of a row", identities: ["of-chain"]),
    Case(text: "// empty if there are none", identities: []),
    Case(text: "// a key twice is none", identities: ["none"]),
    Case(text: "// stable for Go with PostgreSQL", identities: []),
    Case(text: "// columns go with their table", identities: ["go"]),
    Case(text: "// falls behind the writer", identities: []),
    Case(text: "// two commits behind", identities: []),
    Case(text: "// two commits, behind the writer", identities: ["behind"]),
    Case(text: "// all of them at once", identities: []),
  ])
  func `matches`(_ expected: Case) throws {
    #expect(try identities(expected.text) == expected.identities)
  }

  @Test(arguments: [
    Case(text: "let a = \"// is told\"", identities: []),
    Case(text: "let a = 1 // is told", identities: ["tell"]),
    Case(text: "let a = \"\"\"\n  // is told\n  \"\"\"", identities: []),
    Case(text: "/*\n * is told\n */", identities: ["tell"]),
    Case(text: "// MARK: Those told", identities: []),
    Case(text: "/// A.\n///\n/// ```swift\n/// told\n/// ```\n/// told", identities: ["tell"]),
    Case(text: "/// A.\n///\n///     told\n///\n/// told", identities: ["tell"]),
  ])
  func `reads comments and not code`(_ expected: Case) throws {
    #expect(try identities(expected.text) == expected.identities)
  }

  @Test(arguments: [
    Case(text: "It is told.", identities: ["tell"]),
    Case(text: "```\ntold\n```\n~~~\ntold\n~~~", identities: []),
    Case(text: "A `told` [link](told.md)\n\n[told]: told.md\n<!-- told -->", identities: []),
    Case(text: "| a | b |\n|---|---|\n| c | told |", identities: ["tell"]),
    Case(text: "# Observers are told", identities: ["tell"]),
  ])
  func `reads a Markdown page without its code`(_ expected: Case) throws {
    #expect(try identities(expected.text, at: "A.md") == expected.identities)
  }

  @Test func `reports the line, the words and the usual form`() throws {
    let tree = try TemporaryTree(["A.swift": "let a = 1\n\n// The observers\n// are told."])
    let findings = try LanguageCheck().findings(in: tree.repository)
    #expect(
      findings.map(\.description) == [
        "A.swift:4: error: tell: The observers are told. -> notify, report, distinguish, indicate"
      ])
  }

  @Test func `reads the given files and folders`() throws {
    let tree = try TemporaryTree([
      "A/B.swift": "// told", "A/C/D.c": "// told", "E.md": "told", "F.swift": "// told",
      "A/sqlite3.c": "// told",
    ])
    let findings = try LanguageCheck(paths: ["A", "E.md"]).findings(in: tree.repository)
    #expect(findings.map(\.path) == ["A/B.swift", "A/C/D.c", "E.md"])
    let absolute = LanguageCheck(paths: [tree.repository.fullPath("A/")])
    #expect(try absolute.findings(in: tree.repository).count == 2)
    #expect(throws: CheckError.self) {
      try LanguageCheck(paths: ["G"]).findings(in: tree.repository)
    }
  }

  @Test func `counts the blocks of each package`() throws {
    let tree = try TemporaryTree([
      "Packages/SPON/Sources/A.swift": "// told\n\n// fine\n\n/// fine", "README.md": "a\n\nb",
      "Packages/SPON/Tests/B.swift": "// told", "Docs/A.md": "The cause is told",
    ])
    let table = LanguageCommand.table(of: try LanguageCheck().reports(in: tree.repository))
    let words = table.map { $0.split(separator: " ").joined(separator: " ") }
    #expect(
      words == [
        "blocks flagged share", "Docs 1 1 100.0 %", "Packages/SPON 4 2 50.0 %", "other 2 0 0.0 %",
        "all 7 3 42.9 %",
      ])
  }

  @Test(arguments: [(33, 1), (34, 0)])
  func `limits the share of each package`(_ plainCount: Int, _ findingCount: Int) throws {
    let blocks = Array(repeating: "// fine\n\n", count: plainCount - 1).joined()
    let tree = try TemporaryTree([
      "Packages/SPON/Sources/A.swift": blocks + "// told", "Packages/Router/B.swift": blocks,
    ])
    let findings = try ProseCheck().findings(in: tree.repository)
    #expect(findings.map(\.path) == Array(repeating: "Packages/SPON", count: findingCount))
  }

  @Test func `has a reason for each exception and a name for each pattern`() {
    let patterns = ProsePattern.all
    #expect(Set(patterns.map(\.identity)).count == patterns.count)
    #expect(patterns.flatMap(\.allowed).allSatisfy { !$0.reason.isEmpty })
  }

  @Test func `rejects an unknown option`() {
    #expect(throws: CheckError.self) { try LanguageCommand(arguments: ["--count"]) }
  }
}
