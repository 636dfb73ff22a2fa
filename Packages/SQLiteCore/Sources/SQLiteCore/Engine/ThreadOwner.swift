internal import CSQLite
internal import Primitives

/// The thread that may use a connection.
///
/// A connection that the user opened belongs to whichever thread uses it: it starts as ``shared``. A
/// connection of a ``Database`` belongs to the thread of the access that it is lent to, and to no
/// thread between two accesses.
///
/// Loads are relaxed: a thread can only find its own identifier here if it stored it itself.
struct ThreadOwner: ~Copyable, Sendable {
  private let owner = Atomic<UInt>(shared)
  private static let shared: UInt = 0
  private static let none: UInt = 1

  /// Whether the calling thread may use the connection.
  @inline(__always)
  var isCurrent: Bool {
    let owner = owner.load(ordering: .relaxed)
    return owner == Self.shared || owner == holt_current_thread()
  }

  /// Whether a ``Database`` lends the connection out.
  var isExclusive: Bool { owner.load(ordering: .relaxed) != Self.shared }

  /// Makes the calling thread the owner.
  @inline(__always)
  func take() { owner.store(holt_current_thread(), ordering: .relaxed) }

  /// Leaves the connection without an owner.
  @inline(__always)
  func drop() { owner.store(Self.none, ordering: .relaxed) }

  /// Lets every thread use the connection.
  func share() { owner.store(Self.shared, ordering: .relaxed) }
}
