@testable import Observe

/// A schedule that can be called in expectations, which do not allow mutating calls.
final class Stepped {
  private var schedule: Schedule

  init(log: ChangeLog = ChangeLog()) { schedule = Schedule(log: log) }

  func addObserver() -> UInt64 { schedule.addObserver() }

  func addListener(to region: Region, after sequence: UInt64?) -> UInt64 {
    schedule.addListener(to: region, after: sequence)
  }

  func remove(_ id: UInt64) { schedule.remove(id) }

  func demand(_ id: UInt64) -> [Schedule.Action] { schedule.demand(id) }

  func pause(_ id: UInt64, _ reason: Schedule.Pause = .control) { schedule.pause(id, reason) }

  func resume(_ id: UInt64, _ reason: Schedule.Pause = .control) -> [Schedule.Action] {
    schedule.resume(id, reason)
  }

  func expire(_ id: UInt64) -> [Schedule.Action] { schedule.expire(id) }

  func isIdle(includingConsumers: Bool) -> Bool {
    schedule.isIdle(includingConsumers: includingConsumers)
  }

  func commit(_ changes: ChangeSet) -> [Schedule.Action] { schedule.commit(changes) }

  func beginFlush() -> (observers: [UInt64], seen: UInt64) { schedule.beginFlush() }

  func didFetch(_ id: UInt64, seen: UInt64, region: Region, isNew: Bool) -> Bool {
    schedule.didFetch(id, seen: seen, region: region, isNew: isNew)
  }

  func endFlush() -> [Schedule.Action] { schedule.endFlush() }

  func flushDidFail() -> [UInt64] { schedule.flushDidFail() }

  func close() -> [Schedule.Action] { schedule.close() }
}
