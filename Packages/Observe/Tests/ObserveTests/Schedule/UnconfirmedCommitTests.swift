import Testing

@testable import Observe

@Suite struct `Unconfirmed commits` {
  private static func commits(_ count: UInt64) -> UnconfirmedCommits {
    var commits = UnconfirmedCommits()
    for number in 1...count { commits.add(number, number + 100) }
    return commits
  }

  @Test func `end before the first one that a snapshot does not show`() {
    var commits = Self.commits(5)
    let first = commits.request(latest: 5)
    #expect(commits.finish(first, latest: 5) { $0 != 103 } == 2)
    #expect(commits.count == 3)
    let second = commits.request(latest: 5)
    #expect(commits.finish(second, latest: 5) { _ in true } == 5)
    #expect(commits.count == 0)
  }

  @Test func `without a transaction are shown by snapshots that were requested later`() {
    var commits = UnconfirmedCommits()
    let early = commits.request(latest: 0)
    commits.add(1, nil)
    #expect(commits.finish(early, latest: 1) { _ in true } == 0)
    let late = commits.request(latest: 1)
    #expect(commits.finish(late, latest: 1) { _ in true } == 1)
  }

  @Test func `that a later snapshot has shown are not known to an earlier one`() {
    var commits = Self.commits(3)
    let early = commits.request(latest: 3)
    let late = commits.request(latest: 3)
    #expect(commits.finish(late, latest: 3) { _ in true } == 3)
    #expect(commits.finish(early, latest: 3) { $0 < 103 } == 2)
    #expect(commits.count == 0)
    let next = commits.request(latest: 3)
    #expect(commits.finish(next, latest: 3) { _ in false } == 3)
  }

  @Test func `remain after a request without a snapshot`() {
    var commits = Self.commits(2)
    let failed = commits.request(latest: 2)
    commits.remove(failed)
    commits.remove(failed)
    #expect(commits.count == 2)
    let next = commits.request(latest: 2)
    #expect(commits.finish(next, latest: 2) { _ in false } == 0)
  }

  @Test func `delay the next flush by at most 50 milliseconds`() {
    var retries = FlushRetries()
    #expect(retries.delay == nil)
    retries.didWait()
    #expect(retries.delay == .microseconds(250))
    for _ in 0..<20 { retries.didWait() }
    #expect(retries.delay == .milliseconds(50))
    retries.didFetch()
    #expect(retries.delay == nil)
    var repetitions = 0
    while retries.shouldRepeat() { repetitions += 1 }
    #expect(repetitions == 99)
  }
}
