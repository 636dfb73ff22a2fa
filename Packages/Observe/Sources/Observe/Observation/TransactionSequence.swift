internal import SQLiteCore

extension DatabaseObservation {
  /// A database's transactions that changed something, and whether they were committed or rolled back, in
  /// their order.
  ///
  /// ```swift
  /// for try await event in database.transactionEvents {
  ///   switch event {
  ///   case .commit(let changes): log(changes)
  ///   case .rollback(let tables): drop(tables)
  ///   }
  /// }
  /// ```
  ///
  /// A savepoint that is rolled back is not told, nor a transaction that had changed nothing. What
  /// `Database.notifyChanges(in:)` says counts as a commit.
  ///
  /// None is left out from when the iterator is made, if commits were recorded by then: see
  /// `Database.startObserving()`. Otherwise it begins when an iteration first asks. Who falls behind by
  /// hundreds of transactions gets the oldest merged: into one rollback, and one commit that tells tables and
  /// columns. It ends as a ``ValueObservation`` does.
  ///
  /// Who has to refuse a commit, or to act inside the transaction, adds a `TransactionObserver` to the
  /// connection's hooks.
  public struct TransactionSequence: AsyncSequence, Sendable {
    public typealias Element = TransactionEvent
    public typealias Failure = any Error

    let database: Database

    public func makeAsyncIterator() -> AsyncIterator {
      let inbox = Inbox<TransactionEvent>()
      return AsyncIterator(subscription: Subscription(to: database, inbox: inbox) { $0.add(inbox) })
    }

    public struct AsyncIterator: AsyncIteratorProtocol {
      let subscription: Subscription<TransactionEvent>

      /// The oldest transaction that was not told, or the one to come.
      ///
      /// - Returns: `nil` where the task was cancelled.
      public mutating func next(
        isolation actor: isolated (any Actor)? = #isolation
      ) async throws -> TransactionEvent? {
        try await subscription.next()
      }

      /// The same as `next(isolation:)`, which systems before macOS 15 do not call.
      public mutating func next() async throws -> TransactionEvent? {
        try await next(isolation: #isolation)
      }
    }
  }
}
