internal import SwiftSyntax

/// A stored property of a struct.
struct StoredProperty {
  let name: TokenSyntax
  /// The name without backticks.
  var baseName: String { name.identifier?.name ?? name.text }
  /// Indicates whether the property has a wrapper. Its storage is then the column.
  let isWrapped: Bool
  /// Indicates whether the property is a constant with an initial value.
  let isConstant: Bool
  /// The type as written, or as inferred from the initial value; `nil` if it is unknown.
  let type: String?
  /// Indicates whether the property is a relation without a column: a list, a query or a full-text
  /// column.
  let isList: Bool
  /// Indicates whether the property has an initial value. An optional variable has one implicitly.
  let hasValue: Bool

  /// The expression for the column's value in code of the extension.
  var access: String { isWrapped ? "_\(baseName)" : name.text }

  /// Returns the stored properties of a variable declaration.
  static func all(of variable: VariableDeclSyntax) -> [StoredProperty] {
    let isStatic = variable.modifiers.contains {
      [.keyword(.static), .keyword(.class), .keyword(.lazy)].contains($0.name.tokenKind)
    }
    if isStatic { return [] }
    let isWrapped = variable.attributes.contains { attribute in
      guard let name = attribute.as(AttributeSyntax.self)?.attributeName.trimmedDescription else {
        return false
      }
      return name.first?.isUppercase == true && name != "MainActor"
    }
    // In `var a, b: Int`, the type follows the last name.
    var following: TypeSyntax?
    var properties: [StoredProperty] = []
    for binding in variable.bindings.reversed() {
      if let type = binding.typeAnnotation?.type { following = type }
      guard let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier,
        binding.accessorBlock?.isComputed != true
      else { continue }
      let value = binding.initializer?.value
      let type = value == nil || binding.typeAnnotation != nil ? following : nil
      let written = type?.trimmedDescription ?? value.flatMap(Self.type)
      let isVariable = variable.bindingSpecifier.tokenKind == .keyword(.var)
      properties.append(
        StoredProperty(
          name: name.trimmed, isWrapped: isWrapped, isConstant: !isVariable && value != nil,
          type: written, isList: written.map(Self.isList) ?? false,
          hasValue: value != nil || isVariable && (type?.isOptional ?? false)))
    }
    return properties.reversed()
  }

  private static func isList(_ type: String) -> Bool {
    let name = type.prefix { $0 != "<" }.split(separator: ".").last ?? ""
    return ["ManyRelation", "RelationQuery", "FTSColumn"].contains(name)
  }

  /// Returns the type of an initial value if it is a literal or a call of an initializer.
  private static func type(of value: ExprSyntax) -> String? {
    switch value.kind {
    case .stringLiteralExpr: return "Swift.String"
    case .integerLiteralExpr: return "Swift.Int"
    case .floatLiteralExpr: return "Swift.Double"
    case .booleanLiteralExpr: return "Swift.Bool"
    default: break
    }
    if let prefixed = value.as(PrefixOperatorExprSyntax.self) {
      return prefixed.operator.text == "-" ? type(of: prefixed.expression) : nil
    }
    guard let call = value.as(FunctionCallExprSyntax.self) else { return nil }
    let callee = call.calledExpression.trimmedDescription
    let name = callee.prefix { $0 != "<" && $0 != "(" }.split(separator: ".").last ?? ""
    return name.first?.isUppercase == true ? callee : nil
  }
}

extension TypeSyntax {
  fileprivate var isOptional: Bool {
    self.is(OptionalTypeSyntax.self) || self.is(ImplicitlyUnwrappedOptionalTypeSyntax.self)
      || trimmedDescription.hasPrefix("Optional<")
  }
}

extension AccessorBlockSyntax {
  /// Indicates whether the property has no storage: it has accessors other than `willSet` and
  /// `didSet`.
  fileprivate var isComputed: Bool {
    guard case .accessors(let accessors) = accessors else { return true }
    return accessors.contains {
      ![.keyword(.willSet), .keyword(.didSet)].contains($0.accessorSpecifier.tokenKind)
    }
  }
}
