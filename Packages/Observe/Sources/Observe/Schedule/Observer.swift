internal import SQLiteCore
internal import Primitives

/// What an observation fetches.
struct Fetcher<Value: Sendable>: Sendable {
  /// What the value depends on; `nil` where each fetch finds out.
  let region: Region?
  let fetch: @Sendable (inout FetchRun) throws -> Value

  /// - Returns: The region beside it is what was read, and of a fetch that failed, what it read until
  ///   then.
  func run(on connection: Connection, in flush: FlushMemory) -> (Result<Value, any Error>, Region) {
    var run = FetchRun(connection: connection, flush: flush)
    let result = Result { try fetch(&run) }
    return (result, region ?? run.region)
  }
}

/// What an observation fetches, and for whom: the hub's side of it.
final class Observer<Value: Sendable>: Refreshable {
  let inbox = Inbox<Value>()
  private let fetcher: Fetcher<Value>
  private let isDuplicate: (@Sendable (Value, Value) -> Bool)?
  /// The value that was delivered last, kept only to compare.
  private let last = Mutex<Value?>(nil)

  init(_ fetcher: Fetcher<Value>, isDuplicate: (@Sendable (Value, Value) -> Bool)?) {
    self.fetcher = fetcher
    self.isDuplicate = isDuplicate
  }

  func fetch(from connection: Connection, in flush: FlushMemory) -> Fetched {
    let (result, region) = fetcher.run(on: connection, in: flush)
    switch result {
    case .success(let value):
      if let isDuplicate {
        let last = last.withLock { $0 }
        if let last, isDuplicate(last, value) {
          return Fetched(region: region, isNew: false) {}
        }
        self.last.withLock { $0 = value }
      }
      return Fetched(region: region, isNew: true) { [inbox] in inbox.deliver(value) }
    case .failure(let error):
      return Fetched(region: nil, isNew: true, error: error) { [inbox] in inbox.fail(error) }
    }
  }

  func fail(_ error: any Error) { inbox.fail(error) }
}
