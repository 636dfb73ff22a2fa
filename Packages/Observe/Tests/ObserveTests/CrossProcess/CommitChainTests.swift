@_spi(Observing) import SQLiteCore
import Testing

@testable import Observe

@Suite struct `The commit chain` {
  private func state(_ number: UInt32, _ checksum: UInt64? = nil) -> Connection.WALState {
    Connection.WALState(number: number, checksum: checksum ?? UInt64(number) * 17)
  }

  private func link(_ number: UInt32, _ table: TableName) -> CommitChain.Link {
    .init(before: state(number), after: state(number + 1), changes: changes(table))
  }

  private func changes(_ table: TableName) -> ChangeSet { ChangeSet(tables: [table: .unknown]) }

  private let everything = ChangeSet(isUnbounded: true)

  @Test func `reports no commits of this process`() {
    var chain = CommitChain(at: state(1))
    chain.begin(on: state(1))
    let first = chain.commit(on: state(1), now: state(2))
    #expect(!first)
    let second = chain.advance(to: state(2), .none)
    #expect(second == ([], nil))
  }

  @Test func `reports the published commits of other processes`() {
    var chain = CommitChain(at: state(1))
    chain.add(link(2, "b"))
    chain.add(link(1, "a"))
    let progress = chain.advance(to: state(3), .indefinite)
    #expect(progress == ([changes("a"), changes("b")], nil))
    #expect(chain.known == state(3))
  }

  @Test func `treats an unpublished commit as a change of anything`() {
    var chain = CommitChain(at: state(1))
    chain.add(link(2, "b"))
    let first = chain.advance(to: state(3), .indefinite)
    #expect(first == ([], state(1)))
    let second = chain.advance(to: state(3), .none)
    #expect(second == ([everything], nil))
    let third = chain.advance(to: state(3), .none)
    #expect(third == ([], nil))
  }

  @Test func `waits for a commit that is about to be published`() {
    var chain = CommitChain(at: state(1))
    chain.add(link(1, "a"))
    let progress = chain.advance(to: state(3), .indefinite)
    #expect(progress == ([changes("a")], state(2)))
    chain.add(link(2, "b"))
    let first = chain.advance(to: state(3), .indefinite)
    #expect(first == ([changes("b")], nil))
  }

  @Test func `detects at its own commit that another one preceded it`() {
    var chain = CommitChain(at: state(1))
    chain.begin(on: state(2))
    let first = chain.commit(on: state(2), now: state(3))
    #expect(first)
    let second = chain.advance(to: state(3), .none)
    #expect(second == ([everything], nil))
  }

  @Test func `waits again after an advance`() {
    var chain = CommitChain(at: state(1))
    let first = chain.advance(to: state(2), .indefinite)
    #expect(first == ([], state(1)))
    chain.add(link(1, "a"))
    let second = chain.advance(to: state(3), .expiredAt(state(1)))
    #expect(second == ([changes("a")], state(2)))
    let third = chain.advance(to: state(3), .expiredAt(state(2)))
    #expect(third == ([everything], nil))
  }

  @Test func `finds the state after a commit by the next commit`() {
    var chain = CommitChain(at: state(1))
    chain.begin(on: state(1))
    // By the time of the check, others have committed twice.
    let first = chain.commit(on: state(1), now: state(4))
    #expect(first)
    chain.add(link(2, "a"))
    chain.add(link(3, "b"))
    let progress = chain.advance(to: state(4), .indefinite)
    #expect(progress == ([changes("a"), changes("b")], nil))
  }

  @Test func `does not trust a number with a different checksum`() {
    var chain = CommitChain(at: state(1))
    chain.add(.init(before: state(1, 99), after: state(2), changes: changes("a")))
    let first = chain.advance(to: state(2), .none)
    #expect(first == ([everything], nil))
  }

  @Test func `continues after the log was recreated`() {
    var chain = CommitChain(at: state(900))
    let first = chain.advance(to: state(3), .none)
    #expect(first == ([everything], nil))
    chain.add(link(3, "a"))
    let second = chain.advance(to: state(4), .indefinite)
    #expect(second == ([changes("a")], nil))
  }

  @Test func `continues when the numbers wrap around`() {
    var chain = CommitChain(at: state(.max))
    chain.add(
      .init(before: state(.max), after: state(0), changes: changes("a")))
    let first = chain.advance(to: state(0), .indefinite)
    #expect(first == ([changes("a")], nil))
  }

  @Test func `does not loop on a cycle of links`() {
    var chain = CommitChain(at: state(1))
    chain.add(.init(before: state(1), after: state(2), changes: changes("a")))
    chain.add(.init(before: state(2), after: state(1), changes: changes("b")))
    let progress = chain.advance(to: state(9), .none)
    #expect(progress == ([changes("a"), changes("b"), everything], nil))
  }

  @Test func `forgets a commit that is rolled back`() {
    var chain = CommitChain(at: state(1))
    chain.begin(on: state(1))
    #expect(chain.hasCommitInProgress)
    chain.rollBack(on: state(1))
    #expect(!chain.hasCommitInProgress)
  }
}
