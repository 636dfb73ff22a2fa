public import Observe

#if canImport(Combine)
  public import Combine
#else
  public import OpenCombine
#endif

extension Publisher {
  /// Tells what is there, and what was: the first `nil` is `Presence.missing`, one after a value is that value,
  /// `Presence.gone(_:)`.
  ///
  /// ```swift
  /// let player = database.observe(fetchPlayer).publisher().scanPresence()
  /// ```
  public func scanPresence<Value>() -> Publishers.Scan<Self, Presence<Value>>
  where Output == Value? {
    scan(Presence.missing) { last, value in
      if let value { return .existing(value) }
      return last.value.map { .gone($0) } ?? .missing
    }
  }
}
