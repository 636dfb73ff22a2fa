import SQLiteCore
import Testing

@testable import Observe

@Suite struct `The schedule` {
  static func change(_ table: TableName) -> ChangeSet {
    ChangeSet(tables: [table: ChangeSet.TableChange(kinds: .insert)])
  }

  /// Runs a flush in which each observer reads `region`.
  static func flush(_ schedule: Stepped, _ region: Region, isNew: Bool = true) -> [UInt64] {
    let (batch, seen) = schedule.beginFlush()
    for id in batch {
      #expect(schedule.didFetch(id, seen: seen, region: region, isNew: isNew))
    }
    return batch
  }

  @Test func `fetches a first value once, and then waits`() {
    let schedule = Stepped()
    let id = schedule.addObserver()
    #expect(schedule.demand(id) == [.flush])
    #expect(Self.flush(schedule, .table("t")) == [id])
    #expect(schedule.endFlush() == [])
    #expect(schedule.demand(id) == [])
    #expect(schedule.commit(Self.change("u")) == [])
    #expect(schedule.commit(Self.change("t")) == [.flush])
    #expect(schedule.commit(Self.change("t")) == [])
    #expect(Self.flush(schedule, .table("t")) == [id])
  }

  @Test func `does nothing for a busy consumer, which then receives one new value`() {
    let schedule = Stepped()
    let id = schedule.addObserver()
    _ = schedule.demand(id)
    _ = Self.flush(schedule, .table("t"))
    _ = schedule.endFlush()
    for _ in 0..<1_000 { #expect(schedule.commit(Self.change("t")) == []) }
    #expect(schedule.demand(id) == [.flush])
    _ = Self.flush(schedule, .table("t"))
    _ = schedule.endFlush()
    #expect(schedule.demand(id) == [])
  }

  @Test func `does not fetch after a long time if the tables are unchanged`() {
    let schedule = Stepped()
    let id = schedule.addObserver()
    _ = schedule.demand(id)
    _ = Self.flush(schedule, .table("t"))
    _ = schedule.endFlush()
    for _ in 0..<1_000 { _ = schedule.commit(Self.change("u")) }
    #expect(schedule.demand(id) == [])
    #expect(schedule.commit(Self.change("t")) == [.flush])
  }

  @Test func `fetches a value again that changed during its fetch`() {
    let schedule = Stepped()
    let id = schedule.addObserver()
    _ = schedule.demand(id)
    let (_, seen) = schedule.beginFlush()
    #expect(schedule.commit(Self.change("t")) == [])
    #expect(schedule.didFetch(id, seen: seen, region: .table("t"), isNew: true))
    #expect(schedule.endFlush() == [])
    #expect(schedule.demand(id) == [.flush])
  }

  @Test func `continues to wait after an equal value, and misses nothing`() {
    let schedule = Stepped()
    let id = schedule.addObserver()
    _ = schedule.demand(id)
    let (_, seen) = schedule.beginFlush()
    _ = schedule.commit(Self.change("t"))
    #expect(schedule.didFetch(id, seen: seen, region: .table("t"), isNew: false))
    #expect(schedule.endFlush() == [.flush])
    #expect(Self.flush(schedule, .table("t"), isNew: false) == [id])
    #expect(schedule.endFlush() == [])
    #expect(schedule.commit(Self.change("t")) == [.flush])
  }

  @Test func `fetches all values together that one commit made stale`() {
    let schedule = Stepped()
    let ids = (0..<5).map { _ in schedule.addObserver() }
    #expect(ids.map { schedule.demand($0) } == [[.flush], [], [], [], []])
    #expect(Self.flush(schedule, .table("t")) == ids)
    _ = schedule.endFlush()
    for id in ids { _ = schedule.demand(id) }
    #expect(schedule.commit(Self.change("t")) == [.flush])
    #expect(Self.flush(schedule, .table("t")) == ids)
  }

  @Test func `begins a second flush during a slow one, and no third`() {
    let schedule = Stepped()
    let ids = (0..<3).map { _ in schedule.addObserver() }
    #expect(schedule.demand(ids[0]) == [.flush])
    _ = schedule.beginFlush()
    #expect(schedule.demand(ids[1]) == [.flush])
    _ = schedule.beginFlush()
    #expect(schedule.demand(ids[2]) == [])
    #expect(schedule.endFlush() == [.flush])
    #expect(schedule.beginFlush().observers == [ids[2]])
  }

  @Test func `forgets a removed observer in every phase`() {
    let schedule = Stepped()
    let (idle, queued) = (schedule.addObserver(), schedule.addObserver())
    let (fetching, waiting) = (schedule.addObserver(), schedule.addObserver())
    _ = schedule.demand(waiting)
    _ = Self.flush(schedule, .table("t"))
    _ = schedule.endFlush()
    _ = schedule.demand(waiting)
    _ = schedule.demand(fetching)
    _ = schedule.beginFlush()
    _ = schedule.demand(queued)
    for id in [idle, queued, fetching, waiting] { schedule.remove(id) }
    #expect(!schedule.didFetch(fetching, seen: 0, region: .table("t"), isNew: true))
    #expect(schedule.beginFlush().observers == [])
    _ = schedule.endFlush()
    #expect(schedule.endFlush() == [])
    #expect(schedule.commit(Self.change("t")) == [])
    #expect(schedule.close() == [])
  }

  @Test func `ends all waiting consumers when it closes, and later ones`() {
    let schedule = Stepped()
    let (idle, waiting) = (schedule.addObserver(), schedule.addObserver())
    let listener = schedule.addListener(to: .everything, after: nil)
    _ = schedule.demand(waiting)
    _ = schedule.demand(listener)
    #expect(schedule.close() == [.end(waiting), .end(listener)])
    #expect(schedule.demand(idle) == [.end(idle)])
    #expect(schedule.close() == [])
  }

  @Test func `ends all observers that wait for a failing flush`() {
    let schedule = Stepped()
    let ids = [schedule.addObserver(), schedule.addObserver()]
    for id in ids { _ = schedule.demand(id) }
    #expect(schedule.flushDidFail() == ids)
    let another = schedule.addObserver()
    #expect(schedule.demand(another) == [.flush])
  }

  @Test func `delivers every commit to a listener in order, missed ones first`() {
    let schedule = Stepped()
    let id = schedule.addListener(to: .table("t"), after: 0)
    for table in ["t", "u", "t"] as [TableName] { _ = schedule.commit(Self.change(table)) }
    var reported: [UInt64] = []
    for action in (0..<3).flatMap({ _ in schedule.demand(id) }) + schedule.commit(Self.change("t"))
    {
      guard case .deliver(let changes, to: id) = action else { continue }
      reported.append(changes.sequence)
    }
    #expect(reported == [1, 3, 4])
  }

  @Test func `merges old commits for a listener, and omits none`() {
    let schedule = Stepped(log: ChangeLog(maximumCount: 4))
    let id = schedule.addListener(to: .everything, after: 0)
    for number in 1...11 { _ = schedule.commit(Self.change(TableName("t\(number)"))) }
    var covered: [UInt64] = []
    var tables: Set<TableName> = []
    while case .deliver(let changes, _)? = schedule.demand(id).first {
      covered += changes.sequences
      tables.formUnion(changes.tables.keys)
    }
    #expect(covered == Array(1...11))
    #expect(tables.count == 11)
  }

  @Test func `shows a listener its own tables only`() {
    let schedule = Stepped()
    let id = schedule.addListener(to: .table("t"), after: 0)
    var changes = Self.change("t")
    changes.merge(Self.change("u"))
    _ = schedule.commit(changes)
    guard case .deliver(let reported, _)? = schedule.demand(id).first else {
      Issue.record("nothing was reported")
      return
    }
    #expect(Array(reported.tables.keys) == ["t"])
  }
}
