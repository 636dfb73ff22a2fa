internal import SQLiteCore

/// The context of one fetch of one observation.
struct FetchContext {
  let connection: Connection
  /// The region that was read so far, if the observation has no fixed region.
  var region = Region.nothing
  /// The values that other observations have fetched in the same transaction.
  let cache: RefreshCache

  init(connection: Connection, cache: RefreshCache) {
    self.connection = connection
    self.cache = cache
  }
}

/// The values that are fetched in one read transaction for several observations.
final class RefreshCache {
  /// The values with their regions, by type and key.
  private var values: [ObjectIdentifier: [AnyHashable: Any]] = [:]

  /// Returns the value and region that were fetched for an equal key.
  func value<Value>(for key: AnyHashable, _ type: Value.Type) -> (value: Value, region: Region)? {
    values[ObjectIdentifier(type)]?[key] as? (value: Value, region: Region)
  }

  func store<Value>(_ value: Value, _ region: Region, for key: AnyHashable) {
    values[ObjectIdentifier(Value.self), default: [:]][key] = (value: value, region: region)
  }
}
