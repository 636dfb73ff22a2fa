internal import SwiftDiagnostics
internal import SwiftSyntax

extension Diagnostic {
  static func notATable(
    _ declaration: some DeclGroupSyntax, attribute: AttributeSyntax
  ) -> Diagnostic {
    let named = declaration.asProtocol((any NamedDeclSyntax).self)?.name.text
    return Diagnostic(
      node: attribute,
      message: MacroMessage(
        .table, id: "notATable",
        "@Table needs a struct or a class; '\(named ?? "this")' is \(declaration.kindName)"
      ))
  }

  static func conditional(
    _ node: IfConfigDeclSyntax, in declaration: StructDeclSyntax
  ) -> Diagnostic {
    Diagnostic(
      node: node,
      message: MacroMessage(
        .table, id: "conditional",
        "@Table does not support '#if': declare the properties of "
          + "'\(declaration.name.text)' outside of it"))
  }

  static func written(
    _ node: TokenSyntax, _ member: String, in declaration: StructDeclSyntax
  ) -> Diagnostic {
    Diagnostic(
      node: node,
      message: MacroMessage(
        .table, id: "written",
        "@Table generates '\(member)'; '\(declaration.name.text)' must not declare it"))
  }

  static func lazy(_ node: TokenSyntax, in declaration: StructDeclSyntax) -> Diagnostic {
    Diagnostic(
      node: node,
      message: MacroMessage(
        .table, id: "lazy",
        "a lazy property can't be a column: make '\(node.text)' of '\(declaration.name.text)' "
          + "a computed property, or remove 'lazy'"))
  }

  static func coded(
    _ node: TokenSyntax, _ member: String, in declaration: StructDeclSyntax
  ) -> Diagnostic {
    Diagnostic(
      node: node,
      message: MacroMessage(
        .table, id: "coded",
        "@Table accesses the properties directly, and would ignore '\(member)': remove it, "
          + "or remove '@Table' from '\(declaration.name.text)' to use 'Codable'"
      ))
  }

  static func hiddenTable(_ name: TokenSyntax, at node: Syntax) -> Diagnostic {
    Diagnostic(
      node: node,
      message: MacroMessage(
        .table, id: "hidden",
        "'private' hides '\(name.text)' from the extension that @Table generates; "
          + "use 'fileprivate'"))
  }
}
