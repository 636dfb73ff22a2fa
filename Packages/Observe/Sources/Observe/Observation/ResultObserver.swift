internal import Primitives
internal import SQLiteCore

/// An ``Observer`` that continues after failed fetches.
final class ResultObserver<Value: Sendable>: Refreshable {
  let inbox = Inbox<Result<Value, any Error>>()
  private let fetcher: Fetcher<Value>
  private let isDuplicate: (@Sendable (Value, Value) -> Bool)?
  private let last = Mutex(Last())

  private struct Last {
    /// The last delivered value, unless an error followed it. Kept only for comparison.
    var value: Value?
    /// The region of the last successful fetch.
    var region: Region?
  }

  init(_ fetcher: Fetcher<Value>, isDuplicate: (@Sendable (Value, Value) -> Bool)?) {
    self.fetcher = fetcher
    self.isDuplicate = isDuplicate
  }

  func fetch(from connection: Connection, in flush: RefreshCache) -> FetchResult {
    let (result, region) = fetcher.run(on: connection, in: flush)
    let last = last.withLock { $0 }
    var failure: (any Error)?
    switch result {
    case .success(let value):
      if let isDuplicate, let old = last.value, isDuplicate(old, value) {
        self.last.withLock { $0.region = region }
        return FetchResult(region: region, isNew: false) {}
      }
      self.last.withLock { $0 = Last(value: isDuplicate == nil ? nil : value, region: region) }
    case .failure(let error):
      self.last.withLock { $0.value = nil }
      failure = error
    }
    return FetchResult(
      region: dependency(of: result, read: region, last: last.region), isNew: true, error: failure
    ) { [inbox] in inbox.deliver(result) }
  }

  func fail(_ error: any Error) {
    if let error = error as? SQLiteError, error.code == .closed {
      inbox.end()
    } else {
      inbox.deliver(.failure(error))
    }
  }

  /// Returns the region whose changes may fix a failed fetch: the region that it read until it
  /// failed, and the region of the last successful fetch.
  private func dependency(
    of result: Result<Value, any Error>, read region: Region, last: Region?
  ) -> Region {
    if case .success = result { return region }
    guard fetcher.region == nil else { return region }
    guard let last, !last.isEmpty else { return .everything }
    return region.union(last)
  }
}

/// Retains the database for a consumer. Shared by copies of an iterator; its deallocation ends the
/// iteration.
final class Subscription<Element: Sendable>: Sendable {
  private let database: Database
  private let hub: ChangeHub
  private let inbox: Inbox<Element>
  private let id: Schedule.ID
  private let control: DatabaseObservation.Control?
  private let refreshTimers: [any RefreshTimer]

  init(
    to database: Database, inbox: Inbox<Element>, control: DatabaseObservation.Control? = nil,
    refreshTimers: [any RefreshTimer] = [], add: (ChangeHub) -> Schedule.ID
  ) {
    self.database = database
    self.inbox = inbox
    self.control = control
    self.refreshTimers = refreshTimers
    hub = ChangeHub.of(database)
    id = add(hub)
    control?.add(self, id, in: hub)
    for timer in refreshTimers { timer.begin(id, in: hub) }
  }

  deinit { finish() }

  func next() async throws -> Element? {
    do {
      if Task.isCancelled {
        finish()
        return nil
      }
      try await hub.install(in: database)
      let element = try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { continuation in
          if inbox.wait(continuation) {
            for timer in refreshTimers { timer.consumerWaits() }
            hub.demand(id)
          } else {
            hub.remove(id)
          }
        }
      } onCancel: {
        finish()
      }
      for timer in refreshTimers { timer.consumerDidReceive() }
      return Task.isCancelled ? nil : element
    } catch {
      if Task.isCancelled {
        finish()
        return nil
      }
      // The hub removes the observer together with the iterator; by then the consumer has handled
      // the error.
      control?.remove(self)
      inbox.end()
      throw error
    }
  }

  /// Records that the consumer requests nothing while `isResting` returns true; `nil` ends this
  /// state.
  func rest(while isResting: (@Sendable () -> Bool)?) { hub.rest(id, while: isResting) }

  private func finish() {
    control?.remove(self)
    for timer in refreshTimers { timer.consumerDidReceive() }
    inbox.end()
    hub.remove(id)
  }
}
