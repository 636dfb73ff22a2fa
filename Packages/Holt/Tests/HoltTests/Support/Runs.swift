import Synchronization

/// Counts what runs on any thread.
final class Runs: Sendable {
  private let number = Atomic<Int>(0)

  func count() { number.add(1, ordering: .relaxed) }
  var value: Int { number.load(ordering: .relaxed) }
}
