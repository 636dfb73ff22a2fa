public import Observe

#if canImport(Combine)
  public import Combine
#else
  public import OpenCombine
#endif

extension Publisher {
  /// Converts optional values to `Presence`: an initial `nil` becomes `Presence.missing`, and a
  /// `nil` after a value becomes `Presence.gone(_:)` with that value.
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
