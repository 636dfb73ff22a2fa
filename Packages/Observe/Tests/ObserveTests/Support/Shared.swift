import Foundation
import Synchronization

/// A number that tasks share.
final class Counter: Sendable {
  private let number = Atomic<Int>(0)

  var value: Int { number.load(ordering: .acquiring) }

  func add(_ more: Int = 1) { number.add(more, ordering: .acquiringAndReleasing) }
}

/// Something that happens once, and that others wait for.
final class Signal: Sendable {
  private let isGiven = Atomic<Bool>(false)

  var isGivenNow: Bool { isGiven.load(ordering: .acquiring) }

  func give() { isGiven.store(true, ordering: .releasing) }

  /// Waits on a thread of its own: a connection's.
  func spin() { while !isGiven.load(ordering: .acquiring) {} }

  func wait() async throws {
    while !isGiven.load(ordering: .acquiring) { try await Task.sleep(for: .milliseconds(1)) }
  }
}

/// What an iteration gives, so that a test can wait for a value.
///
/// `@unchecked Sendable`: `lock` guards `values`.
final class Collector<Value: Sendable>: @unchecked Sendable {
  private let lock = NSLock()
  private var values: [Value] = []

  func add(_ value: Value) { lock.withLock { values.append(value) } }

  var all: [Value] { lock.withLock { values } }

  /// Waits until a value has come that satisfies the rule.
  func wait(_ rule: (Value) -> Bool) async throws {
    while !all.contains(where: rule) { try await Task.sleep(for: .milliseconds(1)) }
  }
}
