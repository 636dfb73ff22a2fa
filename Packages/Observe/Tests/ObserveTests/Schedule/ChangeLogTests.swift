import SQLiteCore
import Testing

@testable import Observe

/// The log is compared with a plain list of each commit's changes.
@Suite struct `The commit log` {
  struct Limits: CustomTestStringConvertible, Sendable {
    let count: Int, bytes: Int
    var testDescription: String { "\(count) commits, \(bytes) bytes" }
  }

  static let limits = [
    Limits(count: 1, bytes: .max), Limits(count: 2, bytes: .max), Limits(count: 3, bytes: .max),
    Limits(count: 8, bytes: .max), Limits(count: 256, bytes: 1), Limits(count: 256, bytes: 700),
  ]

  /// A commit that changes a table, and one column of another.
  static func changes(_ number: Int) -> ChangeSet {
    ChangeSet(tables: [
      TableName("t\(number)"): ChangeSet.TableChange(kinds: .insert),
      "shared": ChangeSet.TableChange(
        kinds: .update, updatedColumns: .some([Region.ColumnName("c\(number)")])),
    ])
  }

  private func log(of commits: Int, _ limits: Limits) -> ChangeLog {
    var log = ChangeLog(maximumCount: limits.count, maximumBytes: limits.bytes)
    for number in 1...commits {
      let numbered = log.append(Self.changes(number))
      #expect(numbered.sequences == UInt64(number)...UInt64(number))
    }
    return log
  }

  @Test(arguments: limits)
  func `misses no commit after the one that a value shows`(_ limits: Limits) {
    for commits in 1...14 {
      let log = log(of: commits, limits)
      for seen in 0...commits {
        for changed in 1...commits {
          let regions: [Region] = [
            .table(TableName("t\(changed)")),
            .columns("shared", [Region.ColumnName("c\(changed)")]),
          ]
          for region in regions where changed > seen {
            #expect(
              log.overlaps(region, after: UInt64(seen)),
              "commit \(changed) of \(commits) concerns \(region), of which \(seen) was seen")
            let next = log.next(after: UInt64(seen), in: region)
            let reported = next.map { $0.sequences.contains(UInt64(changed)) } ?? false
            #expect(
              reported, "commit \(changed) of \(commits) is reported to \(region) after \(seen)")
            #expect((next?.sequences.lowerBound ?? 0) > UInt64(seen))
          }
        }
        #expect(!log.overlaps(.table("other"), after: UInt64(seen)))
        #expect(log.next(after: UInt64(seen), in: .table("other")) == nil)
      }
      #expect(!log.overlaps(.everything, after: UInt64(commits)))
      #expect(log.next(after: UInt64(commits), in: .everything) == nil)
    }
  }

  @Test(arguments: limits)
  func `delivers each commit once to a repeated request`(_ limits: Limits) {
    for commits in 1...14 {
      let log = log(of: commits, limits)
      for start in 0..<commits {
        var seen = UInt64(start)
        while let next = log.next(after: seen, in: .everything) {
          #expect(next.sequences.lowerBound == seen + 1)
          // A report covers the changes, and after a merge possibly more.
          for number in next.sequences {
            #expect(Region.table(TableName("t\(number)")).overlaps(next))
          }
          seen = next.sequence
        }
        #expect(seen == UInt64(commits))
      }
    }
  }

  @Test func `skips a commit only if no observer was added since its statements ran`() {
    var schedule = Schedule()
    let interest = schedule.interest.current
    let isSkipped = schedule.skipCommit(at: interest)
    #expect(isSkipped)
    #expect(schedule.log.latest == 1)
    for come in [
      { _ = $0.addObserver() }, { _ = $0.addListener(to: .table("t"), after: nil) },
      { _ = $0.addEventQueue() }, { $0.countSequences(1) },
    ] as [(inout Schedule) -> Void] {
      let interest = schedule.interest.current
      come(&schedule)
      let isSkipped = schedule.skipCommit(at: interest)
      #expect(!isSkipped)
    }
    #expect(schedule.log.latest == 1)
  }

  @Test func `keeps individual commits within its limits`() {
    let log = log(of: 10, Limits(count: 10, bytes: .max))
    for seen in 0..<10 {
      for changed in 1...10 {
        #expect(
          log.overlaps(.table(TableName("t\(changed)")), after: UInt64(seen)) == (changed > seen))
      }
      #expect(log.next(after: UInt64(seen), in: .everything)?.sequence == UInt64(seen + 1))
    }
  }
}
