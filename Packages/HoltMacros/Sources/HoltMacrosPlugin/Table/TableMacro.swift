internal import SwiftDiagnostics
public import SwiftSyntax
internal import SwiftSyntaxBuilder
public import SwiftSyntaxMacros

/// The implementation of `@Table`.
///
/// A struct's members are generated in an extension, so that the struct keeps its memberwise initializer. A class needs
/// stored properties, which must be members of the class itself.
public struct TableMacro {
  /// Keeps the layout of the generated code.
  public static let formatMode: FormatMode = .disabled
}

extension TableMacro: ExtensionMacro {
  // The compiler always asks for the extension, so faults are reported here.
  public static func expansion(
    of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
    providingExtensionsOf type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) throws -> [ExtensionDeclSyntax] {
    let isStruct = declaration.is(StructDeclSyntax.self)
    guard isStruct || declaration.is(ClassDeclSyntax.self),
      let named = declaration.asProtocol((any NamedDeclSyntax).self)
    else {
      context.diagnose(.notATable(declaration, attribute: node))
      return []
    }
    let table = declaration.as(StructDeclSyntax.self).map(TableStruct.init)
    var faults = table?.faults ?? []
    if let node = declaration.hidingNode(in: context.lexicalContext, name: named.name) {
      faults.append(.hiddenTable(named.name, at: node))
    }
    for fault in faults { context.diagnose(fault) }
    guard faults.isEmpty else { return [] }
    let availability = declaration.availability(in: context.lexicalContext)
      .map { $0 + "\n" }.joined()
    let name = "\(GeneratedCode.module).\(isStruct ? "Table" : "Model")"
    let conformance = conforms(declaration, protocols) ? "" : ": nonisolated \(name)"
    let access = declaration.explicitAccess(in: context.lexicalContext)
    let members = table.map {
      TableWriter($0, type: type.trimmedDescription, access: access).members
    }
    if members == nil, conformance.isEmpty { return [] }
    let body = members.map { "\n\($0.joined(separator: "\n\n"))\n" } ?? ""
    let text: DeclSyntax =
      "\(raw: availability)extension \(type.trimmed)\(raw: conformance) {\(raw: body)}"
    return [text.cast(ExtensionDeclSyntax.self)]
  }

  /// Returns whether the type declares the conformance itself: the compiler passes the missing conformances.
  private static func conforms(
    _ declaration: some DeclGroupSyntax, _ missing: [TypeSyntax]
  ) -> Bool {
    let name = declaration.is(StructDeclSyntax.self) ? "Table" : "Model"
    return !missing.contains {
      $0.trimmedDescription.split(separator: ".").last.map { $0 == name } ?? false
    }
  }
}

extension TableMacro: MemberMacro {
  public static func expansion(
    of node: AttributeSyntax, providingMembersOf declaration: some DeclGroupSyntax,
    conformingTo protocols: [TypeSyntax], in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    guard let declaration = declaration.as(ClassDeclSyntax.self) else { return [] }
    let access = declaration.explicitAccess(in: context.lexicalContext)
    return ModelWriter(declaration, access: access).members.map { "\(raw: $0)" }
  }
}
