extension AsyncIteratorProtocol {
  /// Returns the next element, requested on an actor. Systems before macOS 15 leave the actor for
  /// that.
  public mutating func nextElement(
    isolation actor: isolated (any Actor)? = #isolation
  ) async throws -> Element? {
    if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) {
      return try await next(isolation: actor)
    }
    // The caller awaits the result, so the iterator is not used concurrently.
    nonisolated(unsafe) var iterator = self
    defer { self = unsafe iterator }
    return try await unsafe iterator.next()
  }
}
