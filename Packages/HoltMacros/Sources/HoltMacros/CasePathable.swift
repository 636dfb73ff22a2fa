@_exported public import Router

/// Generates an enum's conformance to `CasePathable`: a path for each case, such as `\.todos.fetchOne`.
///
/// ```swift
/// @CasePathable
/// enum TodoRoute {
///   case fetch(filteredBy: [DatabaseRoute.Filter] = [])
///   case fetchOne(id: Int)
/// }
///
/// let path: CaseKeyPath<TodoRoute, Int> = \.fetchOne
/// TodoRoute.allCasePaths.fetchOne.embed(1)                      // TodoRoute.fetchOne(id: 1)
/// TodoRoute.allCasePaths.fetchOne.extract(from: .fetchOne(id: 1))  // 1
/// TodoRoute.fetch().currentCase.name                            // "fetch"
/// ```
///
/// A case's associated values form one value: `Void` for none, the value itself for one, and a tuple with the labels
/// for several. The members have the enum's access level, and are nonisolated.
///
/// Case names must be unique, and all associated values must be `Sendable`, including the generic parameters of an
/// enum: `enum Loading<Value: Sendable>`. The file of a public enum must import this module with `public import`.
///
/// A case without values, because it is unavailable everywhere or carries `Never`, has no path. Swift does not allow
/// macros that add a conformance on an enum in a function, nor on a `private` enum nested in a type: make that
/// `fileprivate`.
@attached(member, names: named(AllCasePaths), named(allCasePaths), named(currentCase))
@attached(extension, conformances: CasePathable)
public macro CasePathable() =
  #externalMacro(module: "HoltMacrosPlugin", type: "CasePathableMacro")
