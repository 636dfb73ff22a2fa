internal import SwiftDiagnostics
public import SwiftSyntax
internal import SwiftSyntaxBuilder
public import SwiftSyntaxMacros

/// `@CasePathable`.
///
/// The members stand in the enum, and not in the extension, because there alone the types of its
/// cases mean what they mean where they are written: an extension does not see what is declared beside
/// a nested enum.
public struct CasePathableMacro {
  /// The text is laid out as it is written here.
  public static let formatMode: FormatMode = .disabled
}

extension CasePathableMacro: ExtensionMacro {
  // The compiler always asks for the extension, but for the members only when it looks for one. So
  // it is here that faults are told.
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
    // No protocol is left to conform to where the enum says itself that it conforms.
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
      access: declaration.writtenAccess(in: context.lexicalContext))
    return writer.members(for: CaseTree(declaration)).map { "\(raw: $0)" }
  }
}

extension EnumDeclSyntax {
  /// What keeps members from being written.
  fileprivate var casePathFaults: [Diagnostic] {
    CaseTree(self).faults + MemberClash.faults(of: self)
  }
}
