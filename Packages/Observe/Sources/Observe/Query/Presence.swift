/// Something that may be in a database, may have been, or may never have been seen there.
///
/// It is not `Identifiable`: what was never there has no identity, and two of those are not one.
public enum Presence<Value> {
  /// It is there.
  case existing(Value)
  /// It was there when it was last seen: so it was then.
  case gone(Value)
  /// It is not there, and was not seen there.
  case missing

  /// The last that is known of it; `nil` where it was never seen.
  public var value: Value? {
    switch self {
    case .existing(let value), .gone(let value): value
    case .missing: nil
    }
  }

  /// Whether it is there.
  public var exists: Bool {
    if case .existing = self { true } else { false }
  }
}

extension Presence: Sendable where Value: Sendable {}
extension Presence: Equatable where Value: Equatable {}
extension Presence: Hashable where Value: Hashable {}

/// A value that remembers the one before it.
protocol RememberingValue {
  /// This value as it is to be told to someone who knows `earlier`.
  func following(_ earlier: Self) -> Self
}

extension Presence: RememberingValue {
  func following(_ earlier: Presence) -> Presence {
    if case .missing = self, let known = earlier.value { .gone(known) } else { self }
  }
}

extension AsyncSequence where Self: Sendable {
  /// Tells what is there, and what was: the first `nil` is ``Presence/missing``, one after a value
  /// is that value, ``Presence/gone(_:)``.
  public func scanPresence<Value: Sendable>() -> QueryValues<Presence<Value>>
  where Element == Value? {
    QueryValues(self) { value, last in
      let presence = value.map { Presence.existing($0) } ?? .missing
      return last.map { presence.following($0) } ?? presence
    }
  }
}
