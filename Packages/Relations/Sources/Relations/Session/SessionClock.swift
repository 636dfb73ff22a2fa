internal import Primitives

/// Tells what a session heard of first: rows that were read before a save was noted may be older than it.
final class SessionClock: Sendable {
  private let moment = Atomic<UInt64>(0)

  /// The moment of what was noted last.
  var now: UInt64 { moment.load(ordering: .acquiring) }

  /// The moment of something that is noted now.
  func tick() -> UInt64 { moment.add(1, ordering: .acquiringAndReleasing).newValue }
}
