public import Observe
public import SQLiteCore

extension Database {
  /// Publishes the commits that change something of a region, in their order, from the subscription on.
  ///
  /// ```swift
  /// let cancellable = database.changesPublisher(in: .table("player"))
  ///   .sink(receiveCompletion: { _ in }, receiveValue: { print($0) })
  /// ```
  ///
  /// None is left out, however late it is asked for: see `DatabaseObservation.ChangeSequence`. Where commits are not recorded yet it
  /// begins when there is demand: see `Database.startObserving()`.
  public func changesPublisher(
    in region: Region = .everything
  ) -> SequencePublisher<DatabaseObservation.ChangeSequence> {
    SequencePublisher { self.changes(in: region) }
  }

  /// Publishes the transactions that change something, committed or rolled back, in their order, from the
  /// subscription on.
  ///
  /// None is left out, however late it is asked for: see `DatabaseObservation.TransactionSequence`.
  public var transactionEventsPublisher: SequencePublisher<DatabaseObservation.TransactionSequence>
  {
    SequencePublisher { self.transactionEvents }
  }
}
