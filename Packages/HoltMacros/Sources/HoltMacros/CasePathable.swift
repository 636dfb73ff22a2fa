@_exported public import Router

/// Writes an enum's conformance to `CasePathable`: a path for each case, as `\.todos.fetchOne`.
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
/// What a case carries is one value: nothing is `Void`, one value is itself whatever its label, and
/// several are a tuple with their labels. The members have the access of the enum, and no isolation
/// if it has one.
///
/// All cases need names of their own, and all that they carry has to be `Sendable`, of a generic
/// enum its parameters too: `enum Loading<Value: Sendable>`. A public enum's file imports this module
/// with `public import`.
///
/// There is no path to a case that no value can have, since it is unavailable everywhere or
/// carries `Never`. Swift allows no macro that adds a conformance on an enum in a function, nor on a
/// `private` one in a type: make that `fileprivate`.
@attached(member, names: named(AllCasePaths), named(allCasePaths), named(currentCase))
@attached(extension, conformances: CasePathable)
public macro CasePathable() =
  #externalMacro(module: "HoltMacrosPlugin", type: "CasePathableMacro")
