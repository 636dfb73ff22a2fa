internal import QueryModel
internal import SQLSyntax

/// Calls of functions that the program or an extension provides.
extension Resolver {
  /// Reports arguments with which a call always fails: the Swift implementation of a function receives
  /// values of the declared types. Functions of extensions convert their arguments themselves.
  mutating func check(_ arguments: [TypedExpression], of function: FunctionSignature) {
    guard let declaration = function.declaration, !declaration.isInExtension else { return }
    for (index, argument) in arguments.enumerated() {
      guard let parameter = declaration.parameter(at: index)?.column else { continue }
      let name = "the argument `\(parameter.name)` of `\(declaration.name)()`"
      if case .null = argument.stripped.kind {
        if !parameter.isNullable, !declaration.returnsNullOnNull {
          report(
            .argumentType, at: argument.span, "\(name) is declared NOT NULL, so it can't be NULL")
        }
        continue
      }
      guard let type = argument.knownType, !argument.isUnknown,
        !parameter.type.accepts(type)
      else { continue }
      report(
        .argumentType, at: argument.span,
        "\(name) is declared \(parameter.type.nameInSQL), but this is \(type.nameInSQL); "
          + "use CAST(… AS \(parameter.type.nameInSQL))")
    }
  }

  /// Warns about arguments that may be `NULL` although their parameters are declared `NOT NULL`.
  mutating func checkNullArguments(
    _ expressions: [TypedExpression], _ nullability: Nullability
  ) {
    guard !catalog.declarations.functions.isEmpty else { return }
    var nullability = nullability
    // An aggregate is called for the rows of a group, and not for an empty group.
    nullability.groupedAsOne = []
    var open = expressions
    while let next = open.popLast() {
      switch next.kind {
      // An operand may not be evaluated if an argument is `NULL`.
      case .cases, .and, .or: continue
      case .function(let function, let arguments), .aggregate(let function, let arguments, _, _),
        .window(let function, let arguments, _):
        guard let declaration = function.declaration, !declaration.isInExtension,
          !declaration.returnsNullOnNull
        else { break }
        for (index, argument) in arguments.enumerated() {
          guard let parameter = declaration.parameter(at: index)?.column, !parameter.isNullable,
            argument.knownType != nil, nullability.isNullable(argument)
          else { continue }
          warn(
            .nullArgument, at: argument.span,
            "the argument `\(parameter.name)` of `\(declaration.name)()` is declared NOT NULL, but "
              + "this may be NULL, which fails the statement")
        }
      default: break
      }
      open += next.parts
    }
  }

  /// Infers the types, the nullability and the names of parameters among a call's arguments.
  mutating func hint(_ arguments: [TypedExpression], of declaration: FunctionDefinition) {
    for (index, argument) in arguments.enumerated() {
      guard let parameter = declaration.parameter(at: index)?.column else { continue }
      hint(
        argument, type: parameter.type,
        acceptsNull: parameter.isNullable && !declaration.returnsNullOnNull,
        name: parameter.name,
        provenance: .columns(Set(parameter.origins.map { ColumnOrigin($0) })))
    }
  }

  /// Reports a function in a view, a trigger or a constraint that SQLite refuses there.
  mutating func checkSchemaUse(
    _ function: FunctionSignature, _ name: String, _ span: ByteSpan, in scope: Scope
  ) {
    // SQLite compiles a `CHECK` constraint only when a row is written, and a declared function in it
    // fails then.
    let isStored =
      scope.innermostDefinition.map { $0 != .check || function.declaration != nil } ?? isInTrigger
    let isInSchema = isStored || isInView || !viewsInProgress.isEmpty
    guard isInSchema else { return }
    if function.isDirectOnly {
      report(.unsafeFunction, at: span, "unsafe use of `\(name)()`")
    } else if let declaration = function.declaration, !declaration.isInExtension,
      !declaration.isInnocuous
    {
      warn(
        .untrustedFunction, at: span,
        "`\(name)()` is not declared as innocuous: SQLite refuses it in the schema unless "
          + "`Configuration.trustsSchema` is set; if it has no side effects, add \"innocuous\" to "
          + "its declaration")
    }
  }
}

extension Catalog {
  /// Returns whether a function with this name is declared.
  func declares(_ name: NameKey) -> Bool {
    declarations.functions.contains { NameKey($0.name) == name }
  }
}

extension ValueType {
  /// Returns whether a value of another type may be read as this type in Swift.
  fileprivate func accepts(_ other: ValueType) -> Bool {
    switch (self, other) {
    case (.any, _), (_, .any): true
    case (.text, .text), (.blob, .blob): true
    case (.real, _), (.numeric, _): other.isNumber
    case (.integer, _), (.boolean, _): other.isNumber && other != .real
    default: false
    }
  }
}
