internal import SQLiteCore

/// The context of one fetch of one observation.
struct FetchContext {
  /// The origin of the fetched value.
  enum Input {
    /// The value is read from a connection.
    case connection(Connection)
    /// The value was read from the snapshot of a ``ChangeSource``.
    case loaded(LoadedValue)
  }

  let input: Input
  /// The region that was read so far, if the observation has no fixed region.
  var region = Region.nothing
  /// The values that other observations have fetched in the same transaction.
  let cache: RefreshCache

  init(_ input: Input, cache: RefreshCache) {
    self.input = input
    self.cache = cache
  }

  /// The connection of an SQLite database.
  var connection: Connection {
    get throws {
      guard case .connection(let connection) = input else { throw Self.mismatch }
      return connection
    }
  }

  /// Returns the value that was read from the snapshot of a ``ChangeSource``, and adds its region.
  mutating func loadedValue<Value>(_ type: Value.Type) throws -> Value {
    guard case .loaded(let loaded) = input else { throw Self.mismatch }
    region = region.union(loaded.region)
    guard let value = try loaded.result.get() as? Value else { throw Self.mismatch }
    return value
  }

  private static var mismatch: SQLiteError {
    SQLiteError(code: .misuse, message: "the observation belongs to another kind of database")
  }
}

/// A value that was read from the snapshot of a ``ChangeSource``, with its region.
struct LoadedValue: Sendable {
  var result: Result<any Sendable, any Error>
  var region: Region
}

/// Identifies the values of several observations that are the same.
struct SharingKey: Hashable, Sendable {
  private let key: any Hashable & Sendable
  private let type: ObjectIdentifier

  init<Value>(_ key: some Hashable & Sendable, _ type: Value.Type) {
    self.key = key
    self.type = ObjectIdentifier(type)
  }

  static func == (a: SharingKey, b: SharingKey) -> Bool {
    a.type == b.type && AnyHashable(a.key) == AnyHashable(b.key)
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(type)
    hasher.combine(AnyHashable(key))
  }
}

/// The values that are fetched in one read transaction for several observations.
final class RefreshCache {
  /// The values with their regions.
  private var values: [SharingKey: Any] = [:]

  /// Returns the value and region that were fetched for an equal key.
  func value<Value>(for key: SharingKey, _ type: Value.Type) -> (value: Value, region: Region)? {
    values[key] as? (value: Value, region: Region)
  }

  func store<Value>(_ value: Value, _ region: Region, for key: SharingKey) {
    values[key] = (value: value, region: region)
  }
}
