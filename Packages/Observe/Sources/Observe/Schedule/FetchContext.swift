internal import SQLiteCore

/// The context of one fetch of one observation.
struct FetchContext {
  let connection: Connection
  /// The region that was read so far, if the observation has no fixed region.
  var region = Region.nothing
  /// The values that other observations have fetched in the same transaction.
  let flush: RefreshCache

  init(connection: Connection, flush: RefreshCache) {
    self.connection = connection
    self.flush = flush
  }
}

/// The values that are fetched in one read transaction for several observations.
final class RefreshCache {
  struct Key: Hashable {
    let key: AnyHashable
    let type: ObjectIdentifier
  }

  private var kept: [Key: Any] = [:]

  /// Returns the value and region that were fetched for an equal key.
  func value<Value>(of key: AnyHashable, _ type: Value.Type) -> (value: Value, region: Region)? {
    kept[Key(key: key, type: ObjectIdentifier(type))] as? (value: Value, region: Region)
  }

  func keep<Value>(_ value: Value, _ region: Region, for key: AnyHashable) {
    kept[Key(key: key, type: ObjectIdentifier(Value.self))] = (value: value, region: region)
  }
}
