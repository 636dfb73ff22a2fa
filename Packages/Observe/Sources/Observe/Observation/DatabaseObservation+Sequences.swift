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
