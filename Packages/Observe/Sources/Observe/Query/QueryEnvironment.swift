/// What a program puts at the disposal of its queries: databases, and managers of databases.
///
/// A program declares a property for each, and queries name it by its key path. This is what SwiftUI's
/// environment is for its views; the declarations are the same, so that they are good for both.
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
/// What is made inside of ``with(_:_:_:)``, and the tasks that begin there, have that environment:
///
/// ```swift
/// try await QueryEnvironment.with(\.playerRepository, repository) {
///   try await serve(PlayerList())
/// }
/// ```
public struct QueryEnvironment: Sendable {
  private var values: [ObjectIdentifier: any Sendable] = [:]

  /// An environment in which every value is its key's default.
  public init() {}

  /// The environment of the task that runs.
  @TaskLocal public static var current = QueryEnvironment()

  /// The value of a key.
  public subscript<Key: QueryEnvironment.Key>(key: Key.Type) -> Key.Value {
    get { values[ObjectIdentifier(key)] as? Key.Value ?? Key.defaultValue }
    set { values[ObjectIdentifier(key)] = newValue }
  }

  /// The context of queries that name no other: by default one without a database.
  public var databaseContext: DatabaseContext {
    get { self[DatabaseContextKey.self] }
    set { self[DatabaseContextKey.self] = newValue }
  }

  /// This environment, with another value for a property.
  public func setting<Value>(
    _ property: WritableKeyPath<QueryEnvironment, Value>, _ value: Value
  ) -> QueryEnvironment {
    var environment = self
    environment[keyPath: property] = value
    return environment
  }

  /// Runs `body` in the environment as it is, with another value for a property.
  public static func with<Value, Result>(
    _ property: WritableKeyPath<QueryEnvironment, Value>, _ value: Value,
    _ body: () throws -> Result
  ) rethrows -> Result {
    try $current.withValue(current.setting(property, value), operation: body)
  }

  /// Runs `body` in the environment as it is, with another value for a property.
  public static func with<Value, Result>(
    _ property: WritableKeyPath<QueryEnvironment, Value>, _ value: Value,
    _ body: () async throws -> Result, isolation: isolated (any Actor)? = #isolation
  ) async rethrows -> Result {
    try await $current.withValue(current.setting(property, value), operation: body)
  }
}

extension QueryEnvironment {
  /// The name of a value of the environment.
  public protocol Key {
    associatedtype Value: Sendable

    /// The value where none was set.
    static var defaultValue: Value { get }
  }
}

private struct DatabaseContextKey: QueryEnvironment.Key {
  static var defaultValue: DatabaseContext { .notConnected }
}
