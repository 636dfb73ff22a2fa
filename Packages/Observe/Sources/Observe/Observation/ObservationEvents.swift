internal import SQLiteCore

extension DatabaseObservation {
  /// What the observations of a database do, and why, in its order: see ``DatabaseObservation/Event``.
  ///
  /// ```swift
  /// let log = Task {
  ///   for await event in database.observationEvents { print(event) }
  /// }
  /// ```
  ///
  /// Each iteration is told what happens from when its iterator is made. Why an observation fetches is looked up
  /// only while someone iterates. Who falls behind by more than about a thousand events misses the oldest, and is
  /// told how many.
  ///
  /// It does not keep the database. It ends when that is closed or gone, or its task is cancelled.
  public struct Events: AsyncSequence, Sendable {
    public typealias Element = Event
    public typealias Failure = Never

    let hub: ChangeHub

    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(listener: Listener(to: hub)) }

    public struct AsyncIterator: AsyncIteratorProtocol {
      fileprivate let listener: Listener

      /// The next event: one that was not told yet, or the one to come.
      ///
      /// - Returns: `nil` where the task was cancelled, or the database is closed.
      public mutating func next(
        isolation actor: isolated (any Actor)? = #isolation
      ) async -> Event? {
        await listener.next()
      }

      /// The same as `next(isolation:)`, which systems before macOS 15 do not call.
      public mutating func next() async -> Event? {
        await next(isolation: #isolation)
      }
    }

    /// What iterators share.
    fileprivate final class Listener: Sendable {
      private let hub: ChangeHub
      private let inbox = Inbox<Event>()
      private let id: Inspector.ID

      init(to hub: ChangeHub) {
        self.hub = hub
        id = hub.inspector.listen(inbox)
      }

      deinit { finish() }

      func next() async -> Event? {
        if Task.isCancelled {
          finish()
          return nil
        }
        // It is ended, and never fails.
        let event = try? await withTaskCancellationHandler {
          try await withCheckedThrowingContinuation { continuation in
            guard inbox.wait(continuation) else { return }
            hub.inspector.demand(id)
            hub.releaseSettled()
          }
        } onCancel: {
          finish()
        }
        return Task.isCancelled ? nil : event
      }

      private func finish() {
        inbox.end()
        hub.inspector.leave(id)
        hub.releaseSettled()
      }
    }
  }
}
