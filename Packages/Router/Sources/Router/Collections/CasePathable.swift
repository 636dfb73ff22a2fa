/// An enum whose cases have paths, which can be named as `\.todos.fetchOne`.
///
/// `@CasePathable` from the product HoltMacros generates the conformance. Written by hand, it is:
///
/// ```swift
/// extension TodoRoute: CasePathable {
///   struct AllCasePaths: Sendable {
///     var fetchOne: CasePath<TodoRoute, Todo.ID> {
///       CasePath("fetchOne", embed: { TodoRoute.fetchOne(id: $0) }) {
///         if case .fetchOne(let id) = $0 { id } else { nil }
///       }
///     }
///   }
///
///   static var allCasePaths: AllCasePaths { AllCasePaths() }
///
///   var currentCase: CurrentCase {
///     switch self {
///     case .fetchOne(let id): CurrentCase("fetchOne", id)
///     }
///   }
/// }
/// ```
public protocol CasePathable: Sendable {
  /// A type with a path for each case, as a property with the case's name.
  associatedtype AllCasePaths: Sendable

  static var allCasePaths: AllCasePaths { get }

  /// The value's case, with its associated values.
  var currentCase: CurrentCase { get }
}

/// A path that embeds a value in an enum's case, and extracts it again.
///
/// A case's associated values form one value: `Void` for none, and a tuple for several.
public struct CasePath<Root: Sendable, Value: Sendable>: Sendable {
  /// The name of the case.
  public let name: String
  private let embedding: @Sendable (Value) -> Root
  private let extraction: @Sendable (Root) -> Value?

  public init(
    _ name: String, embed: @escaping @Sendable (Value) -> Root,
    extract: @escaping @Sendable (Root) -> Value?
  ) {
    self.name = name
    embedding = embed
    extraction = extract
  }

  /// Returns the case with an associated value.
  public func embed(_ value: Value) -> Root { embedding(value) }

  /// Returns the case's associated value, or `nil` for another case.
  public func extract(from root: Root) -> Value? { extraction(root) }
}

/// The case of an enum value.
public struct CurrentCase: Sendable {
  /// The name of the case.
  public let name: String
  /// The associated value.
  public let value: any Sendable

  public init(_ name: String, _ value: any Sendable) {
    self.name = name
    self.value = value
  }
}

/// A key path to a case of an enum, or of a nested enum: `\.todos.fetchOne`.
public typealias CaseKeyPath<Root: CasePathable, Value: Sendable> =
  any KeyPath<Case<Root>, Case<Value>> & Sendable

/// The root of a ``CaseKeyPath``. It has no other use.
@dynamicMemberLookup
public struct Case<Value: Sendable>: Sendable {
  /// The names of the cases, from the outermost to the innermost.
  let names: [String]
  let embed: @Sendable (Value) -> any Sendable
  let extract: @Sendable (any Sendable) -> Value?

  private init(
    names: [String], embed: @escaping @Sendable (Value) -> any Sendable,
    extract: @escaping @Sendable (any Sendable) -> Value?
  ) {
    self.names = names
    self.embed = embed
    self.extract = extract
  }

  public subscript<Next: Sendable>(
    dynamicMember path: any KeyPath<Value.AllCasePaths, CasePath<Value, Next>> & Sendable
  ) -> Case<Next> where Value: CasePathable {
    appending(Value.allCasePaths[keyPath: path])
  }

  func appending<Next>(_ path: CasePath<Value, Next>) -> Case<Next> {
    Case<Next>(
      names: names + [path.name],
      embed: { [embed] in embed(path.embed($0)) },
      extract: { [extract] in extract($0).flatMap(path.extract) })
  }

  /// The root of every path.
  static var root: Case { Case(names: [], embed: { $0 }, extract: { $0 as? Value }) }
}

extension CasePathable {
  /// The names of the value's cases, from the outermost to the innermost: `["todos", "fetchOne"]`.
  var caseNames: [String] {
    var names: [String] = []
    var next: (any CasePathable)? = self
    while let current = next?.currentCase {
      names.append(current.name)
      next = current.value as? any CasePathable
    }
    return names
  }
}
