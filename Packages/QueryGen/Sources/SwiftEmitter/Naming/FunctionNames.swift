internal import Primitives
import QueryModel

/// The names of the declarations that are generated for the functions, collations and modules that the
/// program implements.
struct FunctionNames {
  /// The name of the struct with all implementations: `DBFunctions`.
  let type: String
  /// The unescaped names of the struct's properties.
  private(set) var functions: [String: String] = [:]
  private(set) var collations: [String: String] = [:]
  private(set) var modules: [String: String] = [:]
  /// The names of the protocols to which aggregates conform, by function.
  private(set) var protocols: [String: String] = [:]

  /// All types, including those of the runtime that only this code mentions.
  var types: Set<String> {
    Set(protocols.values).union([
      type, "AggregateFunction", "DatabaseFunctions", "FunctionArguments", "SendableMetatype",
      "VirtualTable", "WindowFunction",
    ])
  }

  init(_ declarations: Declarations, databaseName: String, _ names: inout UniqueNames) {
    type = names.take(databaseName + "Functions")
    let functions = declarations.functions.filter { !$0.isInExtension }
    let collations = declarations.collations.filter { !$0.isInExtension }.map(\.name)
    let modules = declarations.modules.filter { !$0.isInExtension }.map(\.name)
    let members = UniqueNames.members(
      for: functions.map(\.name) + collations + modules, fallback: "function"
    ).map { $0 == "register" ? "register_" : $0 }
    var rest = members[...]
    for function in functions { self.functions[function.name] = rest.popFirst() }
    for name in collations { self.collations[name] = rest.popFirst() }
    for name in modules { self.modules[name] = rest.popFirst() }
    for (function, member) in zip(functions, members) where function.kind != .scalar {
      protocols[function.name] = names.take(
        IdentifierWords(member).upperCamel + "Function",
        IdentifierWords(member).upperCamel + "AggregateFunction")
    }
  }
}
