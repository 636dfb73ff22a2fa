import SQLSyntax
import Testing

@testable import QueryGenDriver

@Suite struct `A plan as text` {
  typealias Step = PlanTree.Step

  @Test(arguments: [
    PlanTree([]), PlanTree([Step("SCAN a")]),
    PlanTree([
      Step("CO-ROUTINE x", [Step("SCAN a"), Step("USE TEMP B-TREE FOR ORDER BY")]), Step("SCAN x"),
    ]),
    PlanTree([Step("A", [Step("B", [Step("C", [Step("D")])])]), Step("E", [Step("F")])]),
    PlanTree([Step(#"SCAN a;b{c}d\e"#, [Step("SCAN two\nlines")])]),
  ])
  func `is read back from one line`(_ tree: PlanTree) {
    #expect(!tree.line.contains("\n"))
    #expect(PlanTree(line: tree.line) == tree)
  }

  @Test func `shows substeps in braces`() {
    let tree = PlanTree([Step("CO-ROUTINE x", [Step("SCAN a")]), Step("SCAN x")])
    #expect(tree.line == "CO-ROUTINE x {SCAN a}; SCAN x")
    #expect(tree.text == "|--CO-ROUTINE x\n|  `--SCAN a\n`--SCAN x")
  }

  @Test(arguments: ["SCAN a {", "SCAN a }", "SCAN a {SCAN b", "SCAN a {SCAN b} SCAN c", "a } b"])
  func `requires matching braces`(_ line: String) {
    #expect(PlanTree(line: line) == nil)
  }

  @Test func `is read back from a lock`() {
    let plans = [
      StatementPlan(combination: "", tree: PlanTree([])),
      StatementPlan(combination: "a, sort = b [c]", tree: PlanTree([Step("SCAN x")])),
    ]
    let lock = PlanLock(release: "3.40.1", [("odd: name", plans), ("b", plans)])
    var file = InputFile(path: "plans.lock", name: "plans.lock", bytes: Array(lock.text.utf8))
    let read = PlanLock(&file)
    #expect(file.diagnostics.diagnostics.isEmpty)
    #expect(read.release == "3.40.1")
    #expect(read.entries == lock.entries)
    #expect(read.entries.map(\.query) == ["b", "b", "odd: name", "odd: name"])
  }
}
