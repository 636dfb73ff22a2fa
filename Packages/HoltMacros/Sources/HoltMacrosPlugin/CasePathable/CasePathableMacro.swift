internal import SwiftDiagnostics
public import SwiftSyntax
internal import SwiftSyntaxBuilder
public import SwiftSyntaxMacros

/// The implementation of `@CasePathable`.
///
/// The members are generated in the enum instead of the extension, because only there the types of its cases resolve as
/// written: an extension can't access the declarations next to a nested enum.
public struct CasePathableMacro {
  /// Keeps the layout of the generated code.
  public static let formatMode: FormatMode = .disabled
}

extension CasePathableMacro: ExtensionMacro {
  // The compiler always requests the extension, but the members only when it looks one up. Faults are therefore
  // reported here.
  public static func expansion(
    of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
    providingExtensionsOf type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) throws -> [ExtensionDeclSyntax] {
    guard let declaration = declaration.as(EnumDeclSyntax.self) else {
      context.diagnose(.notAnEnum(declaration, attribute: node))
      return []
    }
    var faults = declaration.casePathFaults
    // If the enum declares the conformance itself, there is no protocol to conform to.
    if !protocols.isEmpty,
      let node = declaration.hidingNode(
        in: context.lexicalContext, name: declaration.name)
    {
      faults.append(.hidden(declaration, at: node))
    }
    for fault in faults { context.diagnose(fault) }
    guard faults.isEmpty, !protocols.isEmpty else { return [] }
    let availability = declaration.availability(in: context.lexicalContext)
      .map { $0 + "\n" }.joined()
    let conformance: DeclSyntax =
      "\(raw: availability)extension \(type.trimmed): nonisolated \(raw: GeneratedCode.module).CasePathable {}"
    return [conformance.cast(ExtensionDeclSyntax.self)]
  }
}

extension CasePathableMacro: MemberMacro {
  public static func expansion(
    of node: AttributeSyntax, providingMembersOf declaration: some DeclGroupSyntax,
    conformingTo protocols: [TypeSyntax], in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    guard let declaration = declaration.as(EnumDeclSyntax.self),
      declaration.casePathFaults.isEmpty
    else { return [] }
    let writer = MemberWriter(
      enumeration: declaration.name.text,
      access: declaration.explicitAccess(in: context.lexicalContext))
    return writer.members(for: CaseTree(declaration)).map { "\(raw: $0)" }
  }
}

extension EnumDeclSyntax {
  /// The faults that prevent the generation of members.
  fileprivate var casePathFaults: [Diagnostic] {
    CaseTree(self).faults + MemberConflict.faults(of: self)
  }
}
