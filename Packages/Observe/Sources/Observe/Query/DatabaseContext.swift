public import SQLiteCore

/// The database that queries read, and what a program's views may do with it.
///
/// ```swift
/// let free = DatabaseContext.readWrite { database }
/// let safe = DatabaseContext.readOnly { repository.reader }
/// ```
///
/// What opening the database throws is kept, and thrown again by each access.
public struct DatabaseContext: Sendable {
  private enum Access: Sendable {
    case notConnected
    case reading(Result<any DatabaseReader, any Error>)
    case writing(Result<any DatabaseWriter, any Error>)
  }

  private let access: Access

  /// A context without a database: each access throws ``DatabaseContextError/notConnected``.
  public static let notConnected = DatabaseContext(access: .notConnected)

  /// A context that reads and writes.
  ///
  /// - Parameter writer: Gives the database. It runs once, before this returns.
  public static func readWrite(_ writer: () throws -> any DatabaseWriter) -> DatabaseContext {
    DatabaseContext(access: .writing(Result { try writer() }))
  }

  /// A context that reads, even where its database could be written to.
  ///
  /// SQLite refuses what would write: its ``reader`` is a `ReadOnlyDatabase`.
  ///
  /// - Parameter reader: Gives the database. It runs once, before this returns.
  public static func readOnly(_ reader: () throws -> any DatabaseReader) -> DatabaseContext {
    DatabaseContext(access: .reading(Result { try reader().readOnly }))
  }

  /// What reads the database.
  ///
  /// - Throws: ``DatabaseContextError/notConnected``; what opening the database threw.
  public var reader: any DatabaseReader {
    get throws {
      switch access {
      case .notConnected: throw DatabaseContextError.notConnected
      case .reading(let reader): try reader.get()
      case .writing(let writer): try writer.get()
      }
    }
  }

  /// What writes to the database.
  ///
  /// - Throws: ``DatabaseContextError/readOnly`` where the context is read-only, whether or not its
  ///   database could be opened; ``DatabaseContextError/notConnected``; what opening the database threw.
  public var writer: any DatabaseWriter {
    get throws {
      switch access {
      case .notConnected: throw DatabaseContextError.notConnected
      case .reading: throw DatabaseContextError.readOnly
      case .writing(let writer): try writer.get()
      }
    }
  }
}

/// Why a context gives no database.
public enum DatabaseContextError: DataError, Hashable {
  /// There is no database: none was put into the environment, say.
  case notConnected
  /// The context reads alone.
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
  /// Tells one context from another: a query whose context has got another identity begins anew.
  ///
  /// Most contexts need not care. A ``TopLevelDatabaseReader`` is known by its database, a class by its
  /// instance, a `Hashable` type by its value, and any other by what it stores. A type for which none of this
  /// holds says it itself:
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
      /// Nothing tells, so that all contexts of a type are taken for one.
      case unknown
    }

    fileprivate let kind: Kind

    /// The identity of an object. A query keeps its context, and so the object that this stores.
    public init(_ object: AnyObject) { kind = .object(ObjectIdentifier(object)) }

    /// The identity of a value.
    public init(_ value: some Hashable) { kind = .value(AnyHashable(value)) }

    fileprivate init(kind: Kind) { self.kind = kind }
  }
}

/// A context that says which one it is.
public protocol IdentifiedContext {
  @MainActor var contextIdentity: DatabaseContext.Identity { get }
}

extension DatabaseContext.Identity {
  @MainActor init(of context: Any) { kind = Self.kind(of: context, depth: 0) }

  /// Whether contexts of equal identity are the same for certain, so that they can share.
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
        // The context may be made anew each time that it is asked for, and fail anew.
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

/// What queries can read from: a ``DatabaseContext``, a database, or a program's own manager of one.
///
/// ```swift
/// extension PlayerRepository: TopLevelDatabaseReader {
///   var reader: any DatabaseReader { writer.readOnly }
/// }
/// ```
///
/// Its database is its identity: a query whose context gets another one begins anew.
public protocol TopLevelDatabaseReader {
  /// What reads the database.
  ///
  /// - Throws: What says why there is none, which the queries show as their error.
  @MainActor var reader: any DatabaseReader { get throws }
}

extension TopLevelDatabaseReader where Self: DatabaseReader {
  public var reader: any DatabaseReader { self }
}

extension DatabaseContext: TopLevelDatabaseReader {}
extension Database: TopLevelDatabaseReader {}
extension ReadOnlyDatabase: TopLevelDatabaseReader {}
extension DatabaseSnapshot: TopLevelDatabaseReader {}
