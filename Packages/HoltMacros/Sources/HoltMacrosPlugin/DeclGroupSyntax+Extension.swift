internal import SwiftDiagnostics
internal import SwiftSyntax

extension DeclGroupSyntax {
  /// Returns the access modifier for members with the type's access level; `nil` if it is not needed.
  func explicitAccess(in lexicalContext: [Syntax]) -> String? {
    // An extension's modifier is the default access level of its members.
    let scope = lexicalContext.first?.as(ExtensionDeclSyntax.self)
    let access = (modifiers.access ?? scope?.modifiers.access)?.name.text
    return access == "public" || access == "package" ? access : nil
  }

  /// Returns the `@available` attributes that an extension of the type needs.
  func availability(in lexicalContext: [Syntax]) -> [String] {
    ([Syntax(self)] + lexicalContext)
      .compactMap { $0.asProtocol((any WithAttributesSyntax).self)?.attributes }
      .flatMap(\.availability).map(\.trimmedDescription)
  }

  /// Returns the node that hides the type from an extension in the file: `private` on the type or on an enclosing
  /// declaration, except at file scope.
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
