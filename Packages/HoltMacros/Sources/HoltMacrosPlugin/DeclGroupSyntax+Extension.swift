internal import SwiftDiagnostics
internal import SwiftSyntax

extension DeclGroupSyntax {
  /// The modifier that members need to have the access of the type; `nil` if they have it anyway.
  func writtenAccess(in lexicalContext: [Syntax]) -> String? {
    // An extension's modifier is the default of what it declares.
    let scope = lexicalContext.first?.as(ExtensionDeclSyntax.self)
    let access = (modifiers.access ?? scope?.modifiers.access)?.name.text
    return access == "public" || access == "package" ? access : nil
  }

  /// The attributes that an extension needs to name the type where it is available.
  func availability(in lexicalContext: [Syntax]) -> [String] {
    ([Syntax(self)] + lexicalContext)
      .compactMap { $0.asProtocol((any WithAttributesSyntax).self)?.attributes }
      .flatMap(\.availability).map(\.trimmedDescription)
  }

  /// The node that hides the type from an extension in the file: `private` on the type or on a declaration
  /// around it, except on a declaration of the file itself.
  func hidingNode(in lexicalContext: [Syntax], name: TokenSyntax) -> Syntax? {
    let scopes = ([Syntax(self)] + lexicalContext).dropLast()
    let words = scopes.map { $0.asProtocol((any WithModifiersSyntax).self)?.modifiers.access }
    guard let index = words.firstIndex(where: { $0?.name.tokenKind == .keyword(.private) })
    else { return nil }
    return index == 0 ? words[0].map(Syntax.init) : Syntax(name)
  }

  /// The kind of the declaration in words, with its article.
  var kindName: String {
    switch kind {
    case .structDecl: "a struct"
    case .classDecl: "a class"
    case .enumDecl: "an enum"
    case .actorDecl: "an actor"
    case .protocolDecl: "a protocol"
    case .extensionDecl: "an extension"
    default: "none"
    }
  }
}

extension DeclModifierListSyntax {
  /// The modifier that states access.
  fileprivate var access: DeclModifierSyntax? {
    first { modifier in
      switch modifier.name.tokenKind {
      case .keyword(.public), .keyword(.package), .keyword(.internal), .keyword(.fileprivate),
        .keyword(.private):
        modifier.detail == nil
      default: false
      }
    }
  }
}
