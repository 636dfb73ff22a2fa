internal import SwiftDiagnostics
internal import SwiftSyntax

/// Members of the enum that have the names of those that are to be written.
enum MemberClash {
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
