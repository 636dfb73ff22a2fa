internal import SQLiteCore
internal import Primitives

/// The fetch function of an observation.
struct Fetcher<Value: Sendable>: Sendable {
  /// The region that the value depends on; `nil` if each fetch determines it.
  let region: Region?
  let fetch: @Sendable (inout FetchContext) throws -> Value

  /// - Returns: The result, and the region that was read, even by a failed fetch.
  func run(on connection: Connection, in flush: RefreshCache) -> (Result<Value, any Error>, Region)
  {
    var context = FetchContext(connection: connection, flush: flush)
    let result = Result { try fetch(&context) }
    return (result, region ?? context.region)
  }
}

/// An observation's fetch function and its consumer.
final class Observer<Value: Sendable>: Refreshable {
  let inbox = Inbox<Value>()
  private let fetcher: Fetcher<Value>
  private let isDuplicate: (@Sendable (Value, Value) -> Bool)?
  /// The last delivered value, kept only for comparison.
  private let last = Mutex<Value?>(nil)

  init(_ fetcher: Fetcher<Value>, isDuplicate: (@Sendable (Value, Value) -> Bool)?) {
    self.fetcher = fetcher
    self.isDuplicate = isDuplicate
  }

  func fetch(from connection: Connection, in flush: RefreshCache) -> FetchResult {
    let (result, region) = fetcher.run(on: connection, in: flush)
    switch result {
    case .success(let value):
      if let isDuplicate {
        let last = last.withLock { $0 }
        if let last, isDuplicate(last, value) {
          return FetchResult(region: region, isNew: false) {}
        }
        self.last.withLock { $0 = value }
      }
      return FetchResult(region: region, isNew: true) { [inbox] in inbox.deliver(value) }
    case .failure(let error):
      return FetchResult(region: nil, isNew: true, error: error) { [inbox] in inbox.fail(error) }
    }
  }

  func fail(_ error: any Error) { inbox.fail(error) }
}
