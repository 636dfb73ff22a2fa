/// An enum whose cases have paths, so that one can be named: `\.todos.fetchOne`.
///
/// `@CasePathable` of the product HoltMacros writes it. By hand it is this:
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
  /// A path for each case, as a property of its name.
  associatedtype AllCasePaths: Sendable

  static var allCasePaths: AllCasePaths { get }

  /// The case that the value is of, with what it carries.
  var currentCase: CurrentCase { get }
}

/// The way to one case of an enum and back.
///
/// What a case carries is one value: nothing is `Void`, and several are a tuple.
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

  /// The case with what it carries.
  public func embed(_ value: Value) -> Root { embedding(value) }

  /// What the case carries; `nil` where it is another.
  public func extract(from root: Root) -> Value? { extraction(root) }
}

/// The case that a value is of.
public struct CurrentCase: Sendable {
  /// The name of the case.
  public let name: String
  /// What it carries.
  public let value: any Sendable

  public init(_ name: String, _ value: any Sendable) {
    self.name = name
    self.value = value
  }
}

/// A case of an enum, or of an enum in its cases: `\.todos.fetchOne`.
public typealias CaseKeyPath<Root: CasePathable, Value: Sendable> =
  any KeyPath<Case<Root>, Case<Value>> & Sendable

/// What a ``CaseKeyPath`` goes through. There is no other use for it.
@dynamicMemberLookup
public struct Case<Value: Sendable>: Sendable {
  /// The names of the cases, from the outermost on.
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
    let path = Value.allCasePaths[keyPath: path]
    return Case<Next>(
      names: names + [path.name],
      embed: { [embed] in embed(path.embed($0)) },
      extract: { [extract] in extract($0).flatMap(path.extract) })
  }
}

extension Case where Value: CasePathable {
  /// Where every path begins.
  static var root: Case { Case(names: [], embed: { $0 }, extract: { $0 as? Value }) }
}

extension CasePathable {
  /// The names of the cases that the value is of, from its own inwards: `["todos", "fetchOne"]`.
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
