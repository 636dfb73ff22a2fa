internal import Synchronization

/// A number that changes with what observers want to know, which a writer looks at without a lock.
final class Interest: Sendable {
  private let number = Atomic<UInt64>(1)

  var current: UInt64 { number.load(ordering: .acquiring) }

  /// Who changes it holds the lock of what it stands for.
  func change() { number.store(current + 1, ordering: .releasing) }
}
