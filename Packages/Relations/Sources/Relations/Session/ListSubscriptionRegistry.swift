internal import Primitives

/// The list subscriptions of a session, one for each relation.
final class ListSubscriptionRegistry: Sendable {
  private let subscriptions = Mutex<[String: any Sendable]>([:])

  func subscription<Subscription: Sendable>(of property: String, _ make: () -> Subscription)
    -> Subscription
  {
    subscriptions.withLock { subscriptions in
      if let known = subscriptions[property] as? Subscription { return known }
      let newSubscription = make()
      subscriptions[property] = newSubscription
      return newSubscription
    }
  }

  private static let last = Atomic<Int>(0)
  static func nextNumber() -> Int { last.add(1, ordering: .relaxed).newValue }
}
