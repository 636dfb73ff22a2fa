internal import SQLiteCore

extension DatabaseObservation {
  /// The commits of a database, each as the changes that it made, in their order.
  ///
  /// ```swift
  /// for try await changes in database.changes(in: .table("player")) { print(changes) }
  /// ```
  ///
  /// None is left out. Who falls behind by hundreds of commits gets the oldest merged into one change
  /// set, which tells tables and columns, and may name some that were changed earlier.
  ///
  /// The sequence begins where the database stood when it was made, if commits were recorded by then:
  /// see `Database.startObserving()`. Otherwise it begins when an iteration first asks.
  /// It ends as a ``ValueObservation`` does.
  public struct ChangeSequence: AsyncSequence, Sendable {
    public typealias Element = ChangeSet
    public typealias Failure = any Error

    let database: Database
    let region: Region
    let start: UInt64?
    /// `nil` where it is enough to know which tables were changed.
    var claim: ChangeClaim?

    public func makeAsyncIterator() -> AsyncIterator {
      let inbox = Inbox<ChangeSet>()
      return AsyncIterator(
        subscription: Subscription(to: database, inbox: inbox) {
          $0.add(inbox, region: region, after: start)
        })
    }

    public struct AsyncIterator: AsyncIteratorProtocol {
      let subscription: Subscription<ChangeSet>

      /// The next commit that matters: one that has happened already, or the one to come.
      ///
      /// - Returns: `nil` where the task was cancelled.
      public mutating func next(
        isolation actor: isolated (any Actor)? = #isolation
      ) async throws -> ChangeSet? {
        try await subscription.next()
      }

      /// The same as `next(isolation:)`, which systems before macOS 15 do not call.
      public mutating func next() async throws -> ChangeSet? {
        try await next(isolation: #isolation)
      }
    }
  }
}

/// Has rows kept for a sequence of changes from when it is made, and as long as it may be iterated.
final class ChangeClaim: Sendable {
  private let hub: ChangeHub

  init(_ hub: ChangeHub) {
    self.hub = hub
    hub.countSequences(1)
  }

  deinit { hub.countSequences(-1) }
}
