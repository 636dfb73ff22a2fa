import QueryModel

/// Generates the struct of the functions, collations and modules that the program implements.
extension SwiftEmitter {
  /// The types of functions' parameters and results.
  func mappings(of declarations: Declarations, _ named: NamedProject) -> [SwiftMapping] {
    declarations.functions.filter { !$0.isInExtension }.flatMap { function in
      let signature = SwiftFunction(function, named)
      return signature.parameters.map(\.value.mapping) + [signature.result.mapping]
    }
  }

  func functionTypes(
    _ declarations: Declarations, _ names: FunctionNames, _ named: NamedProject,
    _ writer: inout SwiftWriter
  ) {
    writer.line()
    writer.documentation(
      """
      The functions, collations and modules that the SQL uses, implemented in Swift.

      They are registered on each connection when a database is opened, before its migrations run.
      """)
    let functions = declarations.functions.compactMap { function in
      names.functions[function.name].map { (SwiftFunction(function, named), $0) }
    }
    let collations = declarations.collations.compactMap { collation in
      names.collations[collation.name].map { (collation, $0) }
    }
    let modules = declarations.modules.compactMap { module in
      names.modules[module.name].map { (module, $0) }
    }
    let fields =
      functions.map { function, name in
        Field(
          name: name,
          type: names.protocols[function.definition.name].map { "any \($0).Type" }
            ?? function.closureType,
          documentation: function.documentation)
      }
      + collations.map { collation, name in
        Field(
          name: name, type: "@Sendable (String, String) -> Int",
          documentation: collation.documentation
            ?? "Compares two strings for `COLLATE \(collation.name)`: a negative number if the first "
            + "sorts before the second, 0 if they are equal.")
      }
      + modules.map { module, name in
        Field(
          name: name, type: "any VirtualTable.Module & Sendable",
          documentation: module.documentation
            ?? "The module of the virtual tables `\(module.name)`.")
      }
    writer.block("\(typeAccess)struct \(names.type): DatabaseFunctions") { writer in
      properties(fields, &writer)
      writer.line()
      writer.signature("\(access)init(", fields.map(\.escapingParameter), ") {")
      writer.indented { writer in
        for field in fields { writer.line("self.\(field.name) = \(field.escaped)") }
      }
      writer.line("}")
      writer.line()
      writer.documentation("Registers the implementations on a connection.")
      writer.block("\(access)func register(on connection: Connection) throws") { writer in
        for (function, name) in functions { register(function, name, &writer) }
        for (collation, name) in collations {
          writer.line(
            "try connection.registerCollation(\(StringLiteral.singleLine(collation.name)), "
              + "self.\(name))")
        }
        for (module, name) in modules {
          writer.call(
            "try connection.register(",
            [
              "module: self.\(name)", "as: \(StringLiteral.singleLine(module.name))",
              "kind: .\(module.kind.rawValue)",
            ] + options(innocuous: module.isInnocuous, directOnly: module.isDirectOnly), ")")
        }
      }
    }
    for (function, _) in functions {
      guard let type = names.protocols[function.definition.name],
        !options.sharedFunctions.contains(function.definition.name)
      else { continue }
      writer.line()
      aggregate(function, type, &writer)
    }
  }

  private func register(
    _ function: SwiftFunction, _ name: String, _ writer: inout SwiftWriter
  ) {
    let definition = function.definition
    let literal = StringLiteral.singleLine(definition.name)
    let options = options(
      deterministic: definition.isDeterministic, innocuous: definition.isInnocuous,
      directOnly: definition.isDirectOnly)
    func add(_ count: String, _ writer: inout SwiftWriter) {
      guard definition.kind == .scalar else {
        writer.call(
          "try connection.register(",
          ["self.\(name)", "as: \(literal)", "argumentCount: \(count)"] + options, ")")
        return
      }
      writer.call(
        "try connection.register(", [literal, "argumentCount: \(count)"] + options, ") {")
      writer.indented { writer in
        let argument = function.parameters.isEmpty ? "_" : "arguments"
        writer.line("[function = self.\(name)] \(argument) in")
        if definition.returnsNullOnNull, !function.parameters.isEmpty {
          writer.line("if arguments.containNull { return .null }")
        }
        row(of: function, &writer)
        writer.call("let result = try function(", function.reads, ")")
        writer.line("return try SQLiteValue(storing: \(function.result.bound("result")))")
      }
      writer.line("}")
    }
    switch (definition.minimumArguments, definition.maximumArguments) {
    case (_, nil): add("nil", &writer)
    case (let least, let most?) where least == most: add("\(least)", &writer)
    case (let least, let most?):
      writer.block("for count in \(least)...\(most)") { add("count", &$0) }
    }
  }

  /// Generates the row of a call's arguments.
  private func row(of function: SwiftFunction, _ writer: inout SwiftWriter) {
    guard !function.parameters.isEmpty else { return }
    writer.call("let row = Row(", ["arguments"] + function.rowArguments, ")")
  }

  private func options(
    deterministic: Bool = false, innocuous: Bool, directOnly: Bool
  ) -> [String] {
    var options: [String] = []
    if deterministic { options.append(".deterministic") }
    if innocuous { options.append(".innocuous") }
    if directOnly { options.append(".directOnly") }
    switch options.count {
    case 0: return []
    case 1: return ["options: \(options[0])"]
    default: return ["options: [\(options.joined(separator: ", "))]"]
    }
  }

  /// Generates the protocol of an aggregate, with the types of its arguments and of its result.
  private func aggregate(
    _ function: SwiftFunction, _ type: String, _ writer: inout SwiftWriter
  ) {
    let isWindow = function.definition.kind == .window
    let result = isWindow ? "value" : "result"
    let methods =
      [("step", "Adds one row to the group.")]
      + (isWindow ? [("inverse", "Removes the oldest row from the window.")] : [])
    writer.documentation(
      "An implementation of the \(isWindow ? "window" : "aggregate") function "
        + "`\(function.signature)`.")
    writer.block(
      "\(typeAccess)protocol \(type): \(isWindow ? "WindowFunction" : "AggregateFunction"), "
        + "SendableMetatype"
    ) { writer in
      for (method, documentation) in methods {
        writer.documentation(documentation)
        writer.line(
          "mutating func \(method)(\(function.parameterList)) throws")
      }
      writer.documentation(
        isWindow
          ? "Returns the value of the current window, which continues afterwards."
          : "Returns the group's value. Also called for a group without rows.")
      writer.line("func \(result)() throws -> \(function.result.type)")
    }
    writer.line()
    writer.block("nonisolated extension \(type)") { writer in
      for (index, (method, _)) in methods.enumerated() {
        if index > 0 { writer.line() }
        writer.block(
          "\(access)mutating func \(method)(_ arguments: borrowing FunctionArguments) throws"
        ) { writer in
          row(of: function, &writer)
          writer.call("try \(method)(", function.reads, ")")
        }
      }
      guard function.result.type != "SQLiteValue" else { return }
      writer.line()
      writer.block("\(access)func \(result)() throws -> SQLiteValue") { writer in
        writer.line("let result: \(function.result.type) = try \(result)()")
        writer.line("return try SQLiteValue(storing: \(function.result.bound("result")))")
      }
    }
  }
}

/// A function with the Swift types of its parameters and of its result.
private struct SwiftFunction {
  struct Parameter {
    var name: String
    var value: SwiftValue
    var isVariadic: Bool

    var type: String { isVariadic ? "[\(value.type)]" : value.type }
  }

  let definition: FunctionDefinition
  let parameters: [Parameter]
  let result: SwiftValue

  init(_ definition: FunctionDefinition, _ named: NamedProject) {
    self.definition = definition
    func value(_ column: ColumnDefinition, isNullable: Bool) -> SwiftValue {
      named.types.value(column.type, isNullable: isNullable, from: column.origins, chosen: nil)
    }
    let names = UniqueNames.members(
      for: definition.parameters.map(\.column.name), fallback: "argument")
    parameters = zip(definition.parameters, names).map { parameter, name in
      Parameter(
        name: name,
        value: value(
          parameter.column,
          isNullable: parameter.column.isNullable && !definition.returnsNullOnNull),
        isVariadic: parameter.isVariadic)
    }
    result = value(definition.result, isNullable: definition.result.isNullable)
  }

  /// `slug(title, separator)`
  var signature: String {
    "\(definition.name)(\(definition.parameters.map(\.column.name).joined(separator: ", ")))"
  }

  var documentation: String { definition.documentation ?? "`\(signature)`" }

  var parameterList: String {
    parameters.map { "_ \(SwiftKeywords.escaped($0.name)): \($0.type)" }.joined(separator: ", ")
  }

  var closureType: String {
    "@Sendable (\(parameterList)) throws -> \(result.type)"
  }

  /// The arguments that create the row of a call's arguments, after the first; empty if there are no
  /// parameters.
  var rowArguments: [String] {
    guard !parameters.isEmpty else { return [] }
    func list(_ parameters: [FunctionParameter], _ item: (FunctionParameter) -> String) -> String {
      "[\(parameters.map(item).joined(separator: ", "))]"
    }
    let names = definition.parameters.filter { !$0.isVariadic }
    var row = ["parameters: " + list(names) { StringLiteral.singleLine($0.column.name) }]
    let defaults = definition.parameters.filter { $0.defaultValue != nil }
    if !defaults.isEmpty {
      row.append("defaults: " + list(defaults) { $0.defaultValue?.swiftLiteral ?? "nil" })
    }
    if let variadic = definition.parameters.first(where: \.isVariadic) {
      row.append("variadic: \(StringLiteral.singleLine(variadic.column.name))")
    }
    return row
  }

  /// The code that reads each argument.
  var reads: [String] {
    parameters.enumerated().map { index, parameter in
      guard parameter.isVariadic else { return parameter.value.read(at: String(index)) }
      return "(\(index)..<row.columnCount).map { \(parameter.value.read(at: "ColumnIndex($0)")) }"
    }
  }
}

extension Field {
  /// The field as a parameter whose closure is stored.
  fileprivate var escapingParameter: String {
    type.hasPrefix("@Sendable") ? "\(escaped): @escaping \(type)" : parameter
  }
}

extension FunctionParameter.Literal {
  /// The value as a literal of the type `SQLiteValue`.
  fileprivate var swiftLiteral: String {
    switch self {
    case .null: "nil"
    case .integer(let value): String(value)
    case .real(let value):
      value.isFinite ? "\(value)" : ".real(\(value < 0 ? "-" : "").infinity)"
    case .text(let text): StringLiteral.singleLine(text)
    case .blob(let bytes): ".blob(\(bytes))"
    }
  }
}
