public import SQLiteCore

/// The database that queries read, and the access that views have to it.
///
/// ```swift
/// let free = DatabaseContext.readWrite { database }
/// let safe = DatabaseContext.readOnly { repository.reader }
/// ```
///
/// An error thrown while opening the database is stored, and thrown again at each access.
public struct DatabaseContext: Sendable {
  private let readerResult: Result<any DatabaseReader, any Error>
  private let writerResult: Result<any DatabaseWriter, any Error>

  /// A context without a database: each access throws ``DatabaseContextError/notConnected``.
  public static let notConnected = readWrite { throw DatabaseContextError.notConnected }

  /// Creates a context that reads and writes.
  ///
  /// - Parameter writer: Returns the database. It runs once, before this method returns.
  public static func readWrite(_ writer: () throws -> any DatabaseWriter) -> DatabaseContext {
    let result = Result { try writer() }
    return DatabaseContext(readerResult: result.map { $0 }, writerResult: result)
  }

  /// Creates a read-only context, even if the database is writable.
  ///
  /// SQLite rejects statements that write: the ``reader`` is a `ReadOnlyDatabase`.
  ///
  /// - Parameter reader: Returns the database. It runs once, before this method returns.
  public static func readOnly(_ reader: () throws -> any DatabaseReader) -> DatabaseContext {
    DatabaseContext(
      readerResult: Result { try reader().readOnly },
      writerResult: .failure(DatabaseContextError.readOnly))
  }

  /// The reader of the database.
  ///
  /// - Throws: ``DatabaseContextError/notConnected``; the error thrown while opening the database.
  public var reader: any DatabaseReader {
    get throws { try readerResult.get() }
  }

  /// The writer of the database.
  ///
  /// - Throws: ``DatabaseContextError/readOnly`` if the context is read-only, whether or not its
  ///   database could be opened; ``DatabaseContextError/notConnected``; the error thrown while
  ///   opening the database.
  public var writer: any DatabaseWriter {
    get throws { try writerResult.get() }
  }
}

/// The reason why a context provides no database.
public enum DatabaseContextError: DataError, Hashable {
  /// There is no database; for example, none was set in the environment.
  case notConnected
  /// The context is read-only.
  case readOnly
}

extension DatabaseContextError {
  public var kind: DataErrorKind {
    switch self {
    case .notConnected: .unavailable
    case .readOnly: .readOnly
    }
  }

  public var message: String {
    switch self {
    case .notConnected: "the context has no database"
    case .readOnly: "the context is read-only"
    }
  }

  public var description: String { message }
}

extension DatabaseContext {
  /// The identity of a context. A query restarts when the identity of its context changes.
  ///
  /// Most contexts don't need to provide one. A ``TopLevelDatabaseReader`` is identified by its
  /// database, a class by its instance, a `Hashable` type by its value, and any other type by its
  /// stored properties. Types for which this is not sufficient provide their identity:
  ///
  /// ```swift
  /// extension Catalog: IdentifiedContext {
  ///   var contextIdentity: DatabaseContext.Identity { DatabaseContext.Identity(language) }
  /// }
  /// ```
  public struct Identity: Hashable {
    fileprivate enum Kind: Hashable {
      case object(ObjectIdentifier)
      case value(AnyHashable)
      case failure(String)
      case parts([Kind])
      /// The values can't be distinguished, so all contexts of the type are considered equal.
      case unknown
    }

    fileprivate let kind: Kind

    /// Creates the identity of an object. A query retains its context, and also the object if the
    /// context stores it.
    public init(_ object: AnyObject) { kind = .object(ObjectIdentifier(object)) }

    /// Creates the identity of a value.
    public init(_ value: some Hashable) { kind = .value(AnyHashable(value)) }

    fileprivate init(kind: Kind) { self.kind = kind }
  }
}

/// A context that provides its own identity.
public protocol IdentifiedContext {
  @MainActor var contextIdentity: DatabaseContext.Identity { get }
}

extension DatabaseContext.Identity {
  @MainActor init(of context: Any) { kind = Self.kind(of: context, depth: 0) }

  /// Indicates whether contexts of equal identity are certainly the same, so that they can share
  /// observations.
  var isCertain: Bool { Self.isCertain(kind) }

  private static func isCertain(_ kind: Kind) -> Bool {
    switch kind {
    case .unknown: false
    case .parts(let parts): parts.allSatisfy(isCertain)
    case .object, .value, .failure: true
    }
  }

  @MainActor private static func kind(of context: Any, depth: Int) -> Kind {
    if let context = context as? any IdentifiedContext { return context.contextIdentity.kind }
    if let reader = context as? any DatabaseReader { return .object(reader.databaseIdentity) }
    if let context = context as? any TopLevelDatabaseReader {
      do {
        return .object(try context.reader.databaseIdentity)
      } catch {
        // The context may be created again at each access, and fail with another error instance.
        return .failure("\(type(of: error)): \(error)")
      }
    }
    if type(of: context) is AnyClass { return .object(ObjectIdentifier(context as AnyObject)) }
    if let context = context as? any Hashable { return .value(AnyHashable(context)) }
    let parts = Mirror(reflecting: context).children
    if context is Void { return .parts([]) }
    guard depth < 3, !parts.isEmpty else { return .unknown }
    return .parts(parts.map { kind(of: $0.value, depth: depth + 1) })
  }
}

/// A context that queries can read from: a ``DatabaseContext``, a database, or an application's
/// type that manages a database.
///
/// ```swift
/// extension PlayerRepository: TopLevelDatabaseReader {
///   var reader: any DatabaseReader { writer.readOnly }
/// }
/// ```
///
/// Its database is its identity: a query restarts when its context's database changes.
public protocol TopLevelDatabaseReader {
  /// The reader of the database.
  ///
  /// - Throws: The reason why there is no reader. Queries show it as their error.
  @MainActor var reader: any DatabaseReader { get throws }
}

extension TopLevelDatabaseReader where Self: DatabaseReader {
  public var reader: any DatabaseReader { self }
}

extension DatabaseContext: TopLevelDatabaseReader {}
extension Database: TopLevelDatabaseReader {}
extension ReadOnlyDatabase: TopLevelDatabaseReader {}
extension DatabaseSnapshot: TopLevelDatabaseReader {}
