internal import SQLiteCore

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
