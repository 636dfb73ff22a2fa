internal import Primitives

/// A logical clock that orders the reads and writes of a session: rows that were read before a save
/// was recorded may be older than the save.
final class LogicalClock: Sendable {
  private let revision = Atomic<UInt64>(0)

  /// The revision of the last recorded event.
  var now: UInt64 { revision.load(ordering: .acquiring) }

  /// Advances the clock and returns the new revision.
  func tick() -> UInt64 { revision.add(1, ordering: .acquiringAndReleasing).newValue }
}
