internal import SQLiteCore

/// One fetch of one observation.
struct FetchRun {
  let connection: Connection
  /// What it has read so far, where the observation has no region of its own.
  var region = Region.nothing
  /// What others have fetched in the same transaction.
  let flush: FlushMemory

  init(connection: Connection, flush: FlushMemory) {
    self.connection = connection
    self.flush = flush
  }
}

/// What is fetched in one read transaction for several observations.
final class FlushMemory {
  struct Key: Hashable {
    let key: AnyHashable
    let type: ObjectIdentifier
  }

  private var kept: [Key: Any] = [:]

  /// A value with what it depends on, as it was fetched for an equal key.
  func value<Value>(of key: AnyHashable, _ type: Value.Type) -> (value: Value, region: Region)? {
    kept[Key(key: key, type: ObjectIdentifier(type))] as? (value: Value, region: Region)
  }

  func keep<Value>(_ value: Value, _ region: Region, for key: AnyHashable) {
    kept[Key(key: key, type: ObjectIdentifier(Value.self))] = (value: value, region: region)
  }
}
