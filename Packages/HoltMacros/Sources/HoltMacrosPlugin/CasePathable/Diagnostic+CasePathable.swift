internal import SwiftDiagnostics
internal import SwiftSyntax

extension Diagnostic {
  static func notAnEnum(
    _ declaration: some DeclGroupSyntax, attribute: AttributeSyntax
  ) -> Diagnostic {
    let named = declaration.asProtocol((any NamedDeclSyntax).self)?.name.text
    return Diagnostic(
      node: attribute,
      message: MacroMessage(
        .casePathable, id: "notAnEnum",
        "@CasePathable needs an enum; '\(named ?? "this")' is \(declaration.kindName)"))
  }

  static func twoCases(
    named name: TokenSyntax, first: TokenSyntax, of declaration: EnumDeclSyntax
  ) -> Diagnostic {
    let written = "'\(declaration.name.text)' has two cases named '\(name.text)'"
    return Diagnostic(
      node: name,
      message: MacroMessage(
        .casePathable, id: "twoCases", "\(written); @CasePathable requires unique case names"),
      notes: [
        Note(
          node: Syntax(first),
          message: MacroMessage(.casePathable, id: "firstCase", "the first '\(name.text)' is here"))
      ])
  }

  static func hidden(_ declaration: EnumDeclSyntax, at node: Syntax) -> Diagnostic {
    Diagnostic(
      node: node,
      message: MacroMessage(
        .casePathable, id: "hidden",
        "'private' hides '\(declaration.name.text)' from the extension that @CasePathable "
          + "generates; use 'fileprivate', or write 'enum \(declaration.name.text): CasePathable'"))
  }

  static func taken(name: TokenSyntax, in declaration: EnumDeclSyntax) -> Diagnostic {
    Diagnostic(
      node: name,
      message: MacroMessage(
        .casePathable, id: "taken",
        "@CasePathable generates '\(name.text)'; '\(declaration.name.text)' must not declare it"
      ))
  }
}
