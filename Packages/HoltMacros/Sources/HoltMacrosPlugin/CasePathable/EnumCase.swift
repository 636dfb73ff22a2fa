internal import SwiftDiagnostics
internal import SwiftSyntax
internal import SwiftSyntaxBuilder

/// A case of an enum.
struct EnumCase {
  /// An associated value of a case.
  struct Part {
    /// The label as written; `nil` if there is none.
    let label: String?
    /// The type as written, except that `Self` is replaced, because it has another meaning in a
    /// nested type.
    let type: String
  }

  /// The name as written, possibly in backticks.
  let name: String
  /// The name without backticks.
  let baseName: String
  let parts: [Part]
  /// The case's `@available` attributes.
  let availability: [String]
  /// Indicates whether a value of the case can exist.
  let isInstantiable: Bool

  init(_ element: EnumCaseElementSyntax, availability: [String], in declaration: EnumDeclSyntax) {
    name = element.name.text
    baseName = element.name.identifier?.name ?? element.name.text
    let parameters = element.parameterClause.map { Array($0.parameters) } ?? []
    let rewriter = SelfRewriter(name: declaration.name.trimmed)
    parts = parameters.map { parameter in
      let label = parameter.firstName.flatMap { $0.tokenKind == .wildcard ? nil : $0.text }
      return Part(label: label, type: rewriter.rewrite(parameter.type).trimmedDescription)
    }
    self.availability = availability
    isInstantiable = !parts.contains { $0.type == "Never" || $0.type == "Swift.Never" }
  }

  /// The case's name without backticks, as a string literal.
  var literal: String {
    StringLiteralExprSyntax(content: baseName).description
  }

  /// The type of the case's associated values as one value.
  var valueType: String {
    parts.count == 1 ? parts[0].type : Self.tuple(parts.map { ($0.label, $0.type) })
  }

  /// The body of a closure that creates the case from its value, `$0`.
  var embedding: String {
    switch parts.count {
    case 0: "_ in .\(name)"
    case 1: ".\(name)" + Self.tuple([(parts[0].label, "$0")])
    default:
      ".\(name)"
        + Self.tuple(parts.enumerated().map { ($0.element.label, "$0.\($0.offset)") })
    }
  }

  /// A pattern that binds the associated values.
  var pattern: String {
    let names = parts.indices.map { "let value\($0)" }
    return ".\(name)" + (names.isEmpty ? "" : "(\(names.joined(separator: ", ")))")
  }

  /// The values that ``pattern`` binds, as one value.
  var value: String {
    parts.count == 1
      ? "value0" : Self.tuple(parts.enumerated().map { ($0.element.label, "value\($0.offset)") })
  }

  private static func tuple(_ elements: [(label: String?, text: String)]) -> String {
    let elements = elements.map { element in
      element.label.map { "\($0): \(element.text)" } ?? element.text
    }
    return "(\(elements.joined(separator: ", ")))"
  }
}

/// Replaces `Self` with the enum's name.
private final class SelfRewriter: SyntaxRewriter {
  private let name: TokenSyntax

  init(name: TokenSyntax) {
    self.name = name
    super.init(viewMode: .sourceAccurate)
  }

  override func visit(_ node: IdentifierTypeSyntax) -> TypeSyntax {
    guard node.name.tokenKind == .keyword(.Self) else { return super.visit(node) }
    return TypeSyntax(
      node.with(
        \.name,
        name.with(\.leadingTrivia, node.name.leadingTrivia)
          .with(\.trailingTrivia, node.name.trailingTrivia)))
  }
}

/// Finds members of the enum that have the names of generated ones.
enum MemberConflict {
  static func faults(of declaration: EnumDeclSyntax) -> [Diagnostic] {
    names(in: declaration.memberBlock.members).map { .taken(name: $0, in: declaration) }
  }

  private static func names(in members: MemberBlockItemListSyntax) -> [TokenSyntax] {
    members.flatMap { member -> [TokenSyntax] in
      if let conditional = member.decl.as(IfConfigDeclSyntax.self) {
        return conditional.clauses.flatMap { names(in: $0.members) }
      }
      return names(declaredBy: member.decl)
    }
  }

  private static func names(declaredBy member: DeclSyntax) -> [TokenSyntax] {
    if let line = member.as(EnumCaseDeclSyntax.self) {
      return line.elements.map(\.name).filter {
        ["AllCasePaths", "allCasePaths"].contains($0.text)
      }
    }
    if let variable = member.as(VariableDeclSyntax.self) {
      let taken = variable.modifiers.areStatic ? "allCasePaths" : "currentCase"
      return variable.bindings.compactMap {
        $0.pattern.as(IdentifierPatternSyntax.self)?.identifier
      }.filter { $0.text == taken }
    }
    if let function = member.as(FunctionDeclSyntax.self) {
      let taken = function.modifiers.areStatic ? "allCasePaths" : "currentCase"
      let isEmpty = function.signature.parameterClause.parameters.isEmpty
      return isEmpty && function.name.text == taken ? [function.name] : []
    }
    return member.asProtocol((any NamedDeclSyntax).self).map(\.name).flatMap {
      $0.text == "AllCasePaths" ? [$0] : nil
    } ?? []
  }
}

extension DeclModifierListSyntax {
  fileprivate var areStatic: Bool {
    contains { $0.name.tokenKind == .keyword(.static) }
  }
}
