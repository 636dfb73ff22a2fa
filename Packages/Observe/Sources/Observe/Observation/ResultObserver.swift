internal import Primitives
internal import SQLiteCore

/// An ``Observer`` that outlives failed fetches.
final class ResultObserver<Value: Sendable>: Refreshable {
  let inbox = Inbox<Result<Value, any Error>>()
  private let fetcher: Fetcher<Value>
  private let isDuplicate: (@Sendable (Value, Value) -> Bool)?
  private let last = Mutex(Last())

  private struct Last {
    /// The value that was delivered last, if no error came after it: kept only to compare.
    var value: Value?
    /// What the last fetch that succeeded depends on.
    var region: Region?
  }

  init(_ fetcher: Fetcher<Value>, isDuplicate: (@Sendable (Value, Value) -> Bool)?) {
    self.fetcher = fetcher
    self.isDuplicate = isDuplicate
  }

  func fetch(from connection: Connection, in flush: FlushMemory) -> Fetched {
    let (result, region) = fetcher.run(on: connection, in: flush)
    let last = last.withLock { $0 }
    var failure: (any Error)?
    switch result {
    case .success(let value):
      if let isDuplicate, let old = last.value, isDuplicate(old, value) {
        self.last.withLock { $0.region = region }
        return Fetched(region: region, isNew: false) {}
      }
      self.last.withLock { $0 = Last(value: isDuplicate == nil ? nil : value, region: region) }
    case .failure(let error):
      self.last.withLock { $0.value = nil }
      failure = error
    }
    return Fetched(
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

  /// What may mend a failed fetch: what it read until it failed, and what it would have read after
  /// that, which the last success tells.
  private func dependency(
    of result: Result<Value, any Error>, read region: Region, last: Region?
  ) -> Region {
    if case .success = result { return region }
    guard fetcher.region == nil else { return region }
    guard let last, !last.isEmpty else { return .everything }
    return region.union(last)
  }
}

/// A consumer's hold on its database: what iterators share, and what ends an iteration when they are
/// gone.
final class Subscription<Element: Sendable>: Sendable {
  private let database: Database
  private let hub: ChangeHub
  private let inbox: Inbox<Element>
  private let id: Schedule.ID
  private let control: DatabaseObservation.Control?
  private let pacers: [any FetchPacer]

  init(
    to database: Database, inbox: Inbox<Element>, control: DatabaseObservation.Control? = nil,
    pacers: [any FetchPacer] = [], add: (ChangeHub) -> Schedule.ID
  ) {
    self.database = database
    self.inbox = inbox
    self.control = control
    self.pacers = pacers
    hub = ChangeHub.of(database)
    id = add(hub)
    control?.add(self, id, in: hub)
    for pacer in pacers { pacer.begin(id, in: hub) }
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
            for pacer in pacers { pacer.consumerWaits() }
            hub.demand(id)
          } else {
            hub.remove(id)
          }
        }
      } onCancel: {
        finish()
      }
      for pacer in pacers { pacer.consumerIsServed() }
      return Task.isCancelled ? nil : element
    } catch {
      if Task.isCancelled {
        finish()
        return nil
      }
      // The hub forgets it with the iterator: by then the consumer has dealt with the error.
      control?.remove(self)
      inbox.end()
      throw error
    }
  }

  /// Takes note that nothing is asked for while `isResting` says so; `nil` when the consumer goes on.
  func rest(while isResting: (@Sendable () -> Bool)?) { hub.rest(id, while: isResting) }

  private func finish() {
    control?.remove(self)
    for pacer in pacers { pacer.consumerIsServed() }
    inbox.end()
    hub.remove(id)
  }
}
