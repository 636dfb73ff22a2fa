/// The values that a program provides to its queries: databases, and managers of databases.
///
/// A program declares a property for each value, and queries refer to it by its key path. It is the
/// equivalent of SwiftUI's environment, with the same form of declarations, so that they work for
/// both.
///
/// ```swift
/// private struct PlayerRepositoryKey: QueryEnvironment.Key {
///   static var defaultValue: PlayerRepository { PlayerRepository() }
/// }
///
/// extension QueryEnvironment {
///   var playerRepository: PlayerRepository {
///     get { self[PlayerRepositoryKey.self] }
///     set { self[PlayerRepositoryKey.self] = newValue }
///   }
/// }
/// ```
///
/// Objects created within ``with(_:_:_:)``, and tasks that begin there, use that environment:
///
/// ```swift
/// try await QueryEnvironment.with(\.playerRepository, repository) {
///   try await serve(PlayerList())
/// }
/// ```
public struct QueryEnvironment: Sendable {
  private var values: [ObjectIdentifier: any Sendable] = [:]

  /// Creates an environment in which every value is its key's default.
  public init() {}

  /// The environment of the current task.
  @TaskLocal public static var current = QueryEnvironment()

  /// The value of a key.
  public subscript<Key: QueryEnvironment.Key>(key: Key.Type) -> Key.Value {
    get { values[ObjectIdentifier(key)] as? Key.Value ?? Key.defaultValue }
    set { values[ObjectIdentifier(key)] = newValue }
  }

  /// The context of queries that name no other context; by default one without a database.
  public var databaseContext: DatabaseContext {
    get { self[DatabaseContextKey.self] }
    set { self[DatabaseContextKey.self] = newValue }
  }

  /// Returns this environment with another value for a property.
  public func setting<Value>(
    _ property: WritableKeyPath<QueryEnvironment, Value>, _ value: Value
  ) -> QueryEnvironment {
    var environment = self
    environment[keyPath: property] = value
    return environment
  }

  /// Runs `body` in the current environment with another value for a property.
  public static func with<Value, Result>(
    _ property: WritableKeyPath<QueryEnvironment, Value>, _ value: Value,
    _ body: () throws -> Result
  ) rethrows -> Result {
    try $current.withValue(current.setting(property, value), operation: body)
  }

  /// Runs `body` in the current environment with another value for a property.
  public static func with<Value, Result>(
    _ property: WritableKeyPath<QueryEnvironment, Value>, _ value: Value,
    _ body: () async throws -> Result, isolation: isolated (any Actor)? = #isolation
  ) async rethrows -> Result {
    try await $current.withValue(current.setting(property, value), operation: body)
  }
}

extension QueryEnvironment {
  /// The key of an environment value.
  public protocol Key {
    associatedtype Value: Sendable

    /// The value if none was set.
    static var defaultValue: Value { get }
  }
}

private struct DatabaseContextKey: QueryEnvironment.Key {
  static var defaultValue: DatabaseContext { .notConnected }
}

// Without SwiftUI, its names are aliases of the corresponding types here, so that the same
// declarations compile with and without SwiftUI.
#if !(canImport(SwiftUI) && (canImport(Darwin) || HOLT_SWIFTUI_STAND_IN))
  /// SwiftUI's name of ``QueryEnvironment``, for declarations that also compile with SwiftUI.
  public typealias EnvironmentValues = QueryEnvironment
  /// SwiftUI's name of ``QueryEnvironment/Key``, for declarations that also compile with SwiftUI.
  public typealias EnvironmentKey = QueryEnvironment.Key
  /// SwiftUI's name of ``QueryBinding``, for declarations that also compile with SwiftUI.
  public typealias Binding = QueryBinding
#endif
