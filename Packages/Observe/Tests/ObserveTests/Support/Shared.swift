import Foundation
import Primitives

/// A number shared by tasks.
final class Counter: Sendable {
  private let number = Atomic<Int>(0)

  var value: Int { number.load(ordering: .acquiring) }

  func add(_ more: Int = 1) { number.add(more, ordering: .acquiringAndReleasing) }
}

/// An event that happens once, and that others can wait for.
///
/// `@unchecked Sendable`: `lock` guards `waiting`.
final class Signal: @unchecked Sendable {
  private let isGiven = Atomic<Bool>(false)
  private let lock = NSLock()
  private var waiting: [CheckedContinuation<Void, Never>] = []

  var isGivenNow: Bool { isGiven.load(ordering: .acquiring) }

  func give() {
    let released = lock.withLock {
      isGiven.store(true, ordering: .releasing)
      defer { waiting = [] }
      return waiting
    }
    for continuation in released { continuation.resume() }
  }

  /// Waits on a connection's thread.
  func spin() { while !isGiven.load(ordering: .acquiring) {} }

  func wait() async {
    await withCheckedContinuation { continuation in
      let passes = lock.withLock {
        if !isGivenNow { waiting.append(continuation) }
        return isGivenNow
      }
      if passes { continuation.resume() }
    }
  }
}

/// The elements of an iteration, for which a test can wait.
///
/// `@unchecked Sendable`: `lock` guards `values` and `waiting`.
final class Collector<Value: Sendable>: @unchecked Sendable {
  private struct Waiter {
    let rule: (Value) -> Bool
    let continuation: CheckedContinuation<Void, Never>
  }

  private let lock = NSLock()
  private var values: [Value] = []
  private var waiting: [Waiter] = []

  func add(_ value: Value) {
    let released = lock.withLock {
      values.append(value)
      let released = waiting.filter { $0.rule(value) }
      waiting.removeAll { $0.rule(value) }
      return released
    }
    for waiter in released { waiter.continuation.resume() }
  }

  var all: [Value] { lock.withLock { values } }

  /// Waits for a value that satisfies a condition.
  func wait(_ rule: @escaping (Value) -> Bool) async {
    await withCheckedContinuation { continuation in
      let passes = lock.withLock {
        if values.contains(where: rule) { return true }
        waiting.append(Waiter(rule: rule, continuation: continuation))
        return false
      }
      if passes { continuation.resume() }
    }
  }
}
