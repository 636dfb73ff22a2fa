internal import SwiftDiagnostics
internal import SwiftSyntax

/// What the macro says, with the identity that stays when the words change.
private struct Message: DiagnosticMessage, NoteMessage {
  let id: String
  let message: String

  var severity: DiagnosticSeverity { .error }
  var diagnosticID: MessageID { noteID }
  var noteID: MessageID { MessageID(domain: "CasePathable", id: id) }
}

extension Diagnostic {
  static func notAnEnum(
    _ declaration: some DeclGroupSyntax, attribute: AttributeSyntax
  ) -> Diagnostic {
    let named = declaration.asProtocol((any NamedDeclSyntax).self)?.name.text
    return Diagnostic(
      node: attribute,
      message: Message(
        id: "notAnEnum",
        message: "@CasePathable needs an enum; '\(named ?? "this")' is \(declaration.kindName)"))
  }

  static func twoCases(
    named name: TokenSyntax, first: TokenSyntax, of declaration: EnumDeclSyntax
  ) -> Diagnostic {
    let written = "'\(declaration.name.text)' has two cases named '\(name.text)'"
    return Diagnostic(
      node: name,
      message: Message(
        id: "twoCases", message: "\(written); for @CasePathable each needs a name of its own"),
      notes: [
        Note(
          node: Syntax(first),
          message: Message(id: "firstCase", message: "the first '\(name.text)' is here"))
      ])
  }

  static func hidden(_ declaration: EnumDeclSyntax, at node: Syntax) -> Diagnostic {
    Diagnostic(
      node: node,
      message: Message(
        id: "hidden",
        message:
          "'private' hides '\(declaration.name.text)' from the extension that @CasePathable writes; "
          + "use 'fileprivate', or write 'enum \(declaration.name.text): CasePathable'"))
  }

  static func taken(name: TokenSyntax, in declaration: EnumDeclSyntax) -> Diagnostic {
    Diagnostic(
      node: name,
      message: Message(
        id: "taken",
        message:
          "@CasePathable writes '\(name.text)' itself; '\(declaration.name.text)' must not declare it"
      ))
  }
}
