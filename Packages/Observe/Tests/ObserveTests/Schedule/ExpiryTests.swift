import SQLiteCore
import Testing

@testable import Observe

@Suite struct `A schedule with an expiring value` {
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

  @Test func `fetches it once for a waiting consumer only`() {
    let (schedule, id) = Self.waiting()
    #expect(schedule.expire(id) == [.flush])
    #expect(schedule.expire(id) == [])
    #expect(schedule.commit(Self.change("t")) == [])
    let (batch, seen) = schedule.beginFlush()
    #expect(batch == [id])
    #expect(schedule.didFetch(id, seen: seen, region: .table("t"), isNew: false))
    #expect(schedule.endFlush() == [])
    // It waits again, and is found by its region.
    #expect(schedule.commit(Self.change("v")) == [])
    #expect(schedule.commit(Self.change("t")) == [.flush])
  }

  @Test func `fetches it for a busy consumer at its next request`() {
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

  @Test func `does not fetch it again during a fetch`() {
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
  func `waits until the observer is resumed`(_ expiresFirst: Bool) {
    let (schedule, id) = Self.waiting()
    if expiresFirst { #expect(schedule.expire(id) == [.flush]) }
    schedule.pause(id)
    if !expiresFirst { #expect(schedule.expire(id) == []) }
    #expect(schedule.isIdle(includingConsumers: true) != expiresFirst)
    if expiresFirst {
      #expect(schedule.beginFlush().observers == [])
      _ = schedule.endFlush()
    }
    #expect(schedule.resume(id) == [.flush])
    #expect(schedule.beginFlush().observers == [id])
  }

  @Test func `does not retry after a failed flush`() {
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

  @Test func `has no effect for a removed consumer, and after the end`() {
    let (schedule, id) = Self.waiting()
    _ = schedule.close()
    #expect(schedule.expire(id) == [])
    #expect(schedule.expire(99) == [])
  }
}

@Suite struct `A schedule with pauses` {
  @Test func `continues when the last pause has ended`() {
    let (schedule, id) = `A schedule with an expiring value`.waiting()
    schedule.pause(id, .control)
    schedule.pause(id, .cooldown)
    #expect(schedule.commit(`A schedule with an expiring value`.change("t")) == [])
    #expect(schedule.resume(id, .cooldown) == [])
    #expect(schedule.resume(id, .cooldown) == [])
    #expect(schedule.resume(id, .control) == [.flush])
  }

  @Test func `counts an observer in a cooldown as one with a pending fetch`() {
    let (schedule, id) = `A schedule with an expiring value`.waiting()
    #expect(schedule.isIdle(includingConsumers: true))
    schedule.pause(id, .cooldown)
    #expect(schedule.isIdle(includingConsumers: false))
    #expect(!schedule.isIdle(includingConsumers: true))
    schedule.pause(id, .control)
    #expect(schedule.isIdle(includingConsumers: true))
  }

  @Test func `fetches once for an observer that was paused while queued`() {
    let (schedule, id) = `A schedule with an expiring value`.waiting()
    _ = schedule.commit(`A schedule with an expiring value`.change("t"))
    schedule.pause(id)
    _ = schedule.resume(id)
    #expect(schedule.beginFlush().observers == [id])
  }
}
