internal import SQLiteCore

extension DatabaseObservation {
  /// The commits of a database, each as a change set, in order.
  ///
  /// ```swift
  /// for try await changes in database.changes(in: .table("player")) { print(changes) }
  /// ```
  ///
  /// No commit is omitted. If the consumer falls hundreds of commits behind, the oldest changes are
  /// merged into one change set, which names tables and columns only, and may include earlier
  /// changes.
  ///
  /// The sequence begins at the database's state when it was created, if commits were being
  /// recorded: see `Database.startObserving()`. Otherwise it begins when an iteration requests its
  /// first element. It ends as a ``ValueObservation`` does.
  public struct ChangeSequence: AsyncSequence, Sendable {
    public typealias Element = ChangeSet
    public typealias Failure = any Error

    let database: ObservedDatabase
    let region: Region
    let start: UInt64?
    /// `nil` if only the changed tables are needed.
    var recordingToken: RowRecordingToken?

    public func makeAsyncIterator() -> AsyncIterator {
      let inbox = Inbox<ChangeSet>()
      return AsyncIterator(
        subscription: Subscription(to: database, inbox: inbox) {
          $0.add(inbox, region: region, after: start)
        })
    }

    public struct AsyncIterator: AsyncIteratorProtocol {
      let subscription: Subscription<ChangeSet>

      /// Returns the next commit in the region, waiting for it if necessary.
      ///
      /// - Returns: `nil` if the task was cancelled.
      public mutating func next(
        isolation actor: isolated (any Actor)? = #isolation
      ) async throws -> ChangeSet? {
        try await subscription.next()
      }

      /// Calls `next(isolation:)`. Systems before macOS 15 call this method.
      public mutating func next() async throws -> ChangeSet? {
        try await next(isolation: #isolation)
      }
    }
  }
}

/// Keeps changed rows recorded for a change sequence, from its creation and as long as it may be
/// iterated.
final class RowRecordingToken: Sendable {
  private let hub: ChangeHub

  init(_ hub: ChangeHub) {
    self.hub = hub
    hub.countSequences(1)
  }

  deinit { hub.countSequences(-1) }
}

extension DatabaseObservation {
  /// A database's transactions that changed something, with their outcome, committed or rolled
  /// back, in order.
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
  /// Rollbacks of savepoints are not reported, nor transactions that changed nothing. A call of
  /// `Database.notifyChanges(in:)` counts as a commit.
  ///
  /// No transaction is omitted after the iterator is created, if commits were being recorded: see
  /// `Database.startObserving()`. Otherwise the sequence begins when an iteration requests its
  /// first element. If the consumer falls hundreds of transactions behind, the oldest are merged
  /// into one rollback and one commit, which names tables and columns only. The sequence ends as a
  /// ``ValueObservation`` does.
  ///
  /// To veto a commit, or to act within the transaction, add a `TransactionObserver` to the
  /// connection's hooks.
  public struct TransactionSequence: AsyncSequence, Sendable {
    public typealias Element = TransactionEvent
    public typealias Failure = any Error

    let database: ObservedDatabase

    public func makeAsyncIterator() -> AsyncIterator {
      let inbox = Inbox<TransactionEvent>()
      return AsyncIterator(subscription: Subscription(to: database, inbox: inbox) { $0.add(inbox) })
    }

    public struct AsyncIterator: AsyncIteratorProtocol {
      let subscription: Subscription<TransactionEvent>

      /// Returns the oldest undelivered transaction, waiting for one if necessary.
      ///
      /// - Returns: `nil` if the task was cancelled.
      public mutating func next(
        isolation actor: isolated (any Actor)? = #isolation
      ) async throws -> TransactionEvent? {
        try await subscription.next()
      }

      /// Calls `next(isolation:)`. Systems before macOS 15 call this method.
      public mutating func next() async throws -> TransactionEvent? {
        try await next(isolation: #isolation)
      }
    }
  }
}

extension DatabaseObservation {
  /// The events of a database's observations and their causes, in order: see
  /// ``DatabaseObservation/Event``.
  ///
  /// ```swift
  /// let log = Task {
  ///   for await event in database.observationEvents { print(event) }
  /// }
  /// ```
  ///
  /// Each iteration receives the events after its iterator was created. The causes of fetches are
  /// looked up only while an iteration exists. If a consumer falls more than about a thousand
  /// events behind, the oldest are dropped, and their number is reported.
  ///
  /// The sequence does not retain the database. It ends when the database is closed or deallocated,
  /// or when its task is cancelled.
  public struct Events: AsyncSequence, Sendable {
    public typealias Element = Event
    public typealias Failure = Never

    let hub: ChangeHub
    let repeatedQueryThreshold: Int?

    public func makeAsyncIterator() -> AsyncIterator {
      AsyncIterator(
        subscription: EventSubscription(to: hub, repeatedQueryThreshold: repeatedQueryThreshold))
    }

    public struct AsyncIterator: AsyncIteratorProtocol {
      fileprivate let subscription: EventSubscription

      /// Returns the oldest undelivered event, waiting for one if necessary.
      ///
      /// - Returns: `nil` if the task was cancelled or the database is closed.
      public mutating func next(
        isolation actor: isolated (any Actor)? = #isolation
      ) async -> Event? {
        await subscription.next()
      }

      /// Calls `next(isolation:)`. Systems before macOS 15 call this method.
      public mutating func next() async -> Event? {
        await next(isolation: #isolation)
      }
    }

    /// The state shared by copies of an iterator.
    fileprivate final class EventSubscription: Sendable {
      private let hub: ChangeHub
      private let inbox = Inbox<Event>()
      private let id: Inspector.ID

      init(to hub: ChangeHub, repeatedQueryThreshold: Int?) {
        self.hub = hub
        id = hub.inspector.addListener(inbox, repeatedQueryThreshold: repeatedQueryThreshold)
        if repeatedQueryThreshold != nil { hub.updateQueryObservers() }
      }

      deinit { finish() }

      func next() async -> Event? {
        if Task.isCancelled {
          finish()
          return nil
        }
        // The inbox never fails; it is only ended.
        let event = try? await withTaskCancellationHandler {
          try await withCheckedThrowingContinuation { continuation in
            guard inbox.wait(continuation) else { return }
            hub.inspector.demand(id)
            hub.resumeIdleWaiters()
          }
        } onCancel: {
          finish()
        }
        return Task.isCancelled ? nil : event
      }

      private func finish() {
        inbox.end()
        hub.inspector.removeListener(id)
        hub.updateQueryObservers()
        hub.resumeIdleWaiters()
      }
    }
  }
}
