internal import SQLiteCore
internal import Primitives

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
