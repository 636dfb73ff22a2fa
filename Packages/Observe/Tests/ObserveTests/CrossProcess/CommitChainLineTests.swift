@_spi(Observing) import SQLiteCore
import Testing

@testable import Observe

@Suite struct `A commit as a line of text` {
  private static let before = Connection.WALState(number: 17, checksum: 0x9f03)
  private static let after = Connection.WALState(number: 18, checksum: .max)

  static let sets: [ChangeSet] = [
    ChangeSet(),
    ChangeSet(isUnbounded: true),
    ChangeSet(tables: ["player": .unknown]),
    ChangeSet(tables: [
      "player": ChangeSet.TableChange(kinds: .update, updatedColumns: ["name", "score"]),
      "team": ChangeSet.TableChange(kinds: [.insert, .delete]),
    ]),
    ChangeSet(tables: [
      "a b:c,d%\n*-!é": ChangeSet.TableChange(
        kinds: .update, updatedColumns: ["", " ", "x:y,z", "日本"])
    ]),
  ]

  @Test(arguments: sets) func `is read back unchanged`(_ changes: ChangeSet) throws {
    for after in [Self.after, nil] {
      let link = CommitChain.Link(before: Self.before, after: after, changes: changes)
      #expect(!link.line.contains("\n"))
      #expect(CommitChain.Link(line: link.line) == link)
    }
  }

  @Test func `names no rows`() throws {
    let link = CommitChain.Link(
      before: Self.before, after: nil,
      changes: ChangeSet(tables: ["t": ChangeSet.TableChange(kinds: .update, updatedColumns: ["c"])]
      ))
    #expect(link.line == "1 17-9f03 - t:2:c")
  }

  @Test(arguments: [
    "", "1", "1 17-9f03", "2 17-9f03 -", "1 17 -", "1 17-9f03 18", "1 x-9f03 -", "1 17-zz -",
    "1 17-9f03 - t", "1 17-9f03 - t:2", "1 17-9f03 - t:x:c", "1 17-9f03 - t:2:%6",
    "1 17-9f03 - %4:2:c",
    "1 17-9f03 - %ff:2:c", "1 99999999999-1 -", "03 - t:2:c",
  ]) func `is rejected if damaged`(_ line: String) {
    #expect(CommitChain.Link(line: line) == nil)
  }
}
