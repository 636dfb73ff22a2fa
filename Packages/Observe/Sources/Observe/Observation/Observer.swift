internal import SQLiteCore
internal import Synchronization

/// What an observation fetches, and for whom: the hub's side of it.
final class Observer<Value: Sendable>: Refreshable {
  let inbox = Inbox<Value>()
  private let region: Region?
  private let fetch: @Sendable (Connection) throws -> Value
  private let isDuplicate: (@Sendable (Value, Value) -> Bool)?
  /// The value that was delivered last, kept only to compare.
  private let last = Mutex<Value?>(nil)

  init(
    region: Region?, isDuplicate: (@Sendable (Value, Value) -> Bool)?,
    _ fetch: @escaping @Sendable (Connection) throws -> Value
  ) {
    self.region = region
    self.fetch = fetch
    self.isDuplicate = isDuplicate
  }

  func fetch(from connection: Connection) -> Fetched {
    do {
      let (value, region) = try value(from: connection)
      if let isDuplicate {
        let last = last.withLock { $0 }
        if let last, isDuplicate(last, value) {
          return Fetched(region: region, isNew: false) {}
        }
        self.last.withLock { $0 = value }
      }
      return Fetched(region: region, isNew: true) { [inbox] in inbox.deliver(value) }
    } catch {
      return Fetched(region: nil, isNew: true) { [inbox] in inbox.fail(error) }
    }
  }

  func fail(_ error: any Error) { inbox.fail(error) }

  private func value(from connection: Connection) throws -> (Value, Region) {
    if let region { return (try fetch(connection), region) }
    let (value, access) = try connection.recordingAccess { try fetch(connection) }
    return (value, Region(access))
  }
}
