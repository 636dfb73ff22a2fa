internal import Primitives

/// The list subscriptions of a session, one for each relation.
final class ListFollowers: Sendable {
  private let followers = Mutex<[String: any Sendable]>([:])

  func follower<Follower: Sendable>(of property: String, _ make: () -> Follower) -> Follower {
    followers.withLock { followers in
      if let known = followers[property] as? Follower { return known }
      let made = make()
      followers[property] = made
      return made
    }
  }

  private static let last = Atomic<Int>(0)
  static func nextNumber() -> Int { last.add(1, ordering: .relaxed).newValue }
}
