import SQLiteCore
import Testing

@testable import Observe

@Suite struct `The schedule records` {
  static let change = ChangeSet(tables: ["t": ChangeSet.TableChange(kinds: .insert)])

  /// An observer whose consumer waits, with a value that includes the last commit.
  static func waiting(_ schedule: inout Schedule) -> Schedule.ID {
    let id = schedule.addObserver()
    _ = schedule.demand(id)
    fetch(&schedule)
    _ = schedule.demand(id)
    return id
  }

  static func fetch(_ schedule: inout Schedule, isNew: Bool = true) {
    let (batch, seen) = schedule.beginFlush()
    for id in batch { _ = schedule.didFetch(id, seen: seen, region: .table("t"), isNew: isNew) }
    _ = schedule.endFlush()
  }

  struct Case: CustomTestStringConvertible, Sendable {
    let trigger: DatabaseObservation.Trigger
    let seen: UInt64
    let act: @Sendable (inout Schedule, Schedule.ID) -> Void
    var testDescription: String { trigger.description }
  }

  @Test(arguments: [
    Case(trigger: .commit, seen: 0) { schedule, _ in _ = schedule.commit(change) },
    Case(trigger: .schemaChange, seen: 0) { schedule, _ in
      _ = schedule.commit(ChangeSet(schemaChanged: true))
      // Commits while it is queued do not change its trigger.
      _ = schedule.commit(change)
    },
    Case(trigger: .notification, seen: 0) { schedule, _ in
      _ = schedule.commit(ChangeSet(changing: .table("t")))
    },
    Case(trigger: .caughtUp, seen: 1) { schedule, id in
      _ = schedule.commit(change)
      fetch(&schedule)
      _ = schedule.commit(change)
      _ = schedule.demand(id)
    },
    // A commit during a fetch whose value was skipped.
    Case(trigger: .caughtUp, seen: 1) { schedule, id in
      _ = schedule.commit(change)
      let (_, seen) = schedule.beginFlush()
      _ = schedule.commit(change)
      _ = schedule.didFetch(id, seen: seen, region: .table("t"), isNew: false)
      _ = schedule.endFlush()
    },
    Case(trigger: .resumed, seen: 0) { schedule, id in
      schedule.pause(id)
      _ = schedule.commit(change)
      _ = schedule.resume(id)
    },
  ])
  func `the cause of a fetch, and the last seen commit`(_ expected: Case) throws {
    var schedule = Schedule()
    let id = Self.waiting(&schedule)
    expected.act(&schedule, id)
    let (batch, latest) = schedule.beginFlush()
    #expect(batch == [id])
    let observer = try #require(schedule.observers[id])
    #expect(observer.trigger == expected.trigger)
    #expect(observer.seen == expected.seen)
    let cause = schedule.log.cause(of: observer, upTo: latest)
    #expect(cause.sequences == (expected.seen + 1)...latest)
  }

  @Test func `a first value, even of a resumed observer`() throws {
    var schedule = Schedule()
    let (plain, paused) = (schedule.addObserver(), schedule.addObserver())
    schedule.pause(paused)
    for id in [plain, paused] { _ = schedule.demand(id) }
    _ = schedule.resume(paused)
    for id in [plain, paused] {
      let observer = try #require(schedule.observers[id])
      #expect(observer.trigger == .first)
      #expect(observer.seen == nil)
      #expect(schedule.log.cause(of: observer, upTo: 5).matches == [])
    }
  }

  @Test func `ended consumers until they are removed`() {
    var schedule = Schedule()
    let id = Self.waiting(&schedule)
    #expect(schedule.isIdle(includingConsumers: true))
    schedule.end(id)
    #expect(!schedule.contains(id))
    #expect(schedule.isIdle(includingConsumers: false))
    #expect(!schedule.isIdle(includingConsumers: true))
    schedule.remove(id)
    #expect(schedule.isIdle(includingConsumers: true))
  }

  @Test func `throttled observers`() {
    var schedule = Schedule()
    let id = Self.waiting(&schedule)
    _ = schedule.commit(Self.change)
    Self.fetch(&schedule)
    #expect(!schedule.isIdle(includingConsumers: true))
    #expect(schedule.isIdle(includingConsumers: true, throttled: [id]))
  }

  @Test func `the numbers of wake-ups and fetches`() {
    var schedule = Schedule()
    for _ in 0..<3 { _ = Self.waiting(&schedule) }
    _ = schedule.commit(Self.change)
    _ = schedule.commit(Self.change)
    Self.fetch(&schedule)
    #expect(schedule.wakeUpCount == 3)
    #expect(schedule.flushCount == 4)
  }
}
