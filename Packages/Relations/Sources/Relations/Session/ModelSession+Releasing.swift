internal import Primitives

// What a session keeps of instances that have gone leads to the session itself, by the relations of their rows.
extension ModelSession {
  /// Forgets instances that nobody holds any longer.
  func forgetReleased() {
    for case let map as any ReleasingMap in allIdentities { map.forgetReleased() }
  }

  /// What the sessions of the process keep.
  static let kept = KeptInstances()
}

/// The instances that sessions keep something of, which are there, or were.
final class KeptInstances: Sendable {
  private struct Weak: Sendable {
    weak var map: (any ReleasingMap)?
  }

  private let all = Mutex<[Weak]>([])

  /// Takes in those of a session.
  func add(_ map: IdentityMap<some Model>) {
    all.withLock { all in
      all.removeAll { $0.map == nil }
      all.append(Weak(map: map))
    }
  }

  /// Has all sessions forget those that nobody holds any longer.
  func forgetReleased() {
    // Not the sessions: who looks at them would hold them meanwhile.
    for map in all.withLock({ $0.compactMap(\.map) }) { map.forgetReleased() }
  }
}

private protocol ReleasingMap: AnyIdentityMap, AnyObject {
  func forgetReleased()
}

extension IdentityMap: ReleasingMap {
  func forgetReleased() {
    let gone = with { $0.removeReleased() }
    // What the rows hold is let go here, and not under the lock.
    withExtendedLifetime(gone) {}
  }
}
