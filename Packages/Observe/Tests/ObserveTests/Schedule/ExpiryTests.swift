import SQLiteCore
import Testing

@testable import Observe

@Suite struct `A schedule whose value expires` {
  /// A schedule with an observer that waits, and one that waits for other changes.
  static func waiting() -> (Stepped, UInt64) {
    let schedule = Stepped()
    let (id, other) = (schedule.addObserver(), schedule.addObserver())
    _ = schedule.demand(id)
    _ = schedule.demand(other)
    let (batch, seen) = schedule.beginFlush()
    for each in batch {
      _ = schedule.didFetch(each, seen: seen, region: .table(each == id ? "t" : "u"), isNew: true)
    }
    _ = schedule.endFlush()
    _ = schedule.demand(id)
    _ = schedule.demand(other)
    return (schedule, id)
  }

  static func change(_ table: TableName) -> ChangeSet {
    ChangeSet(tables: [table: ChangeSet.TableChange(kinds: .insert)])
  }

  @Test func `fetches it for who waits, once, and for no one else`() {
    let (schedule, id) = Self.waiting()
    #expect(schedule.expire(id) == [.flush])
    #expect(schedule.expire(id) == [])
    #expect(schedule.commit(Self.change("t")) == [])
    let (batch, seen) = schedule.beginFlush()
    #expect(batch == [id])
    #expect(schedule.didFetch(id, seen: seen, region: .table("t"), isNew: false))
    #expect(schedule.endFlush() == [])
    // It waits again, and is looked up by what it read.
    #expect(schedule.commit(Self.change("v")) == [])
    #expect(schedule.commit(Self.change("t")) == [.flush])
  }

  @Test func `fetches it for who is busy when it asks`() {
    let (schedule, id) = Self.waiting()
    _ = schedule.expire(id)
    let (_, seen) = schedule.beginFlush()
    #expect(schedule.didFetch(id, seen: seen, region: .table("t"), isNew: true))
    _ = schedule.endFlush()
    #expect(schedule.expire(id) == [])
    #expect(schedule.demand(id) == [.flush])
    _ = schedule.beginFlush()
    #expect(schedule.didFetch(id, seen: 0, region: .table("t"), isNew: true))
    _ = schedule.endFlush()
    #expect(schedule.demand(id) == [])
  }

  @Test func `fetches it no second time where a fetch runs`() {
    let (schedule, id) = Self.waiting()
    _ = schedule.commit(Self.change("t"))
    let (batch, seen) = schedule.beginFlush()
    #expect(batch == [id])
    #expect(schedule.expire(id) == [])
    #expect(schedule.didFetch(id, seen: seen, region: .table("t"), isNew: true))
    #expect(schedule.endFlush() == [])
    #expect(schedule.demand(id) == [])
  }

  @Test(arguments: [false, true])
  func `waits until it is resumed`(_ expiresFirst: Bool) {
    let (schedule, id) = Self.waiting()
    if expiresFirst { #expect(schedule.expire(id) == [.flush]) }
    schedule.pause(id)
    if !expiresFirst { #expect(schedule.expire(id) == []) }
    #expect(schedule.isSettled(includingConsumers: true) != expiresFirst)
    if expiresFirst {
      #expect(schedule.beginFlush().observers == [])
      _ = schedule.endFlush()
    }
    #expect(schedule.resume(id) == [.flush])
    #expect(schedule.beginFlush().observers == [id])
  }

  @Test func `does not try again by itself where the flush has failed`() {
    var schedule = Schedule()
    let id = schedule.addObserver(endsOnFailure: false)
    _ = schedule.demand(id)
    _ = schedule.flushDidFail()
    _ = schedule.expire(id)
    let actions = schedule.demand(id)
    #expect(actions == [.flush])
    let failed = schedule.flushDidFail()
    #expect(failed == [id])
    let later = schedule.demand(id)
    #expect(later == [])
  }

  @Test func `does nothing for who is gone, and after the end`() {
    let (schedule, id) = Self.waiting()
    _ = schedule.close()
    #expect(schedule.expire(id) == [])
    #expect(schedule.expire(99) == [])
  }
}

@Suite struct `A schedule with pauses` {
  @Test func `goes on when the last of them is over`() {
    let (schedule, id) = `A schedule whose value expires`.waiting()
    schedule.pause(id, .control)
    schedule.pause(id, .rest)
    #expect(schedule.commit(`A schedule whose value expires`.change("t")) == [])
    #expect(schedule.resume(id, .rest) == [])
    #expect(schedule.resume(id, .rest) == [])
    #expect(schedule.resume(id, .control) == [.flush])
  }

  @Test func `counts who rests as one that has to fetch yet`() {
    let (schedule, id) = `A schedule whose value expires`.waiting()
    #expect(schedule.isSettled(includingConsumers: true))
    schedule.pause(id, .rest)
    #expect(schedule.isSettled(includingConsumers: false))
    #expect(!schedule.isSettled(includingConsumers: true))
    schedule.pause(id, .control)
    #expect(schedule.isSettled(includingConsumers: true))
  }

  @Test func `fetches once for one that was paused while it was queued`() {
    let (schedule, id) = `A schedule whose value expires`.waiting()
    _ = schedule.commit(`A schedule whose value expires`.change("t"))
    schedule.pause(id)
    _ = schedule.resume(id)
    #expect(schedule.beginFlush().observers == [id])
  }
}
