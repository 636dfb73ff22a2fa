public import Observe
public import SQLiteCore

extension Database {
  /// Publishes the commits that change something in a region, in order, beginning with the
  /// subscription.
  ///
  /// ```swift
  /// let cancellable = database.changesPublisher(in: .table("player"))
  ///   .sink(receiveCompletion: { _ in }, receiveValue: { print($0) })
  /// ```
  ///
  /// No commit is omitted, regardless of when it is requested: see
  /// `DatabaseObservation.ChangeSequence`. If commits are not recorded yet, the publisher begins at
  /// the first demand: see `Database.startObserving()`.
  public func changesPublisher(
    in region: Region = .everything
  ) -> SequencePublisher<ChangeSet, any Error> {
    SequencePublisher { self.changes(in: region) }
  }

  /// Publishes the transactions that change something, committed or rolled back, in order,
  /// beginning with the subscription.
  ///
  /// No transaction is omitted, regardless of when it is requested: see `DatabaseObservation.TransactionSequence`.
  public var transactionEventsPublisher:
    SequencePublisher<DatabaseObservation.TransactionEvent, any Error>
  {
    SequencePublisher { self.transactionEvents }
  }
}
