internal import SwiftDiagnostics
internal import SwiftSyntax

/// A struct that `@Table` is attached to.
struct TableStruct {
  /// A property with its encoded name.
  struct Property {
    let key: String
    let property: StoredProperty
  }

  /// The encoded properties, in order.
  let properties: [Property]
  let faults: [Diagnostic]
  private let members: MemberBlockItemListSyntax
  private let stored: [StoredProperty]

  init(_ declaration: StructDeclSyntax) {
    members = declaration.memberBlock.members
    let stored = members.compactMap { $0.decl.as(VariableDeclSyntax.self) }
      .flatMap(StoredProperty.all)
    self.stored = stored
    if let keys = Self.codingKeys(members) {
      properties = keys.compactMap { key in
        stored.first { $0.baseName == key.property }.map {
          Property(key: key.name, property: $0)
        }
      }
    } else {
      properties = stored.map { Property(key: $0.baseName, property: $0) }
    }
    faults = Self.faults(declaration)
  }

  /// The names of the encoded properties, and their encoded names.
  private static func codingKeys(
    _ members: MemberBlockItemListSyntax
  ) -> [(property: String, name: String)]? {
    let found = members.compactMap { $0.decl.as(EnumDeclSyntax.self) }
      .first { $0.name.text == "CodingKeys" }
    guard let keys = found else { return nil }
    return keys.memberBlock.members.compactMap { $0.decl.as(EnumCaseDeclSyntax.self) }
      .flatMap { line in
        line.elements.map { element in
          let name = element.name.identifier?.name ?? element.name.text
          let value = element.rawValue?.value.as(StringLiteralExprSyntax.self)
          let text = value?.segments.first?.as(StringSegmentSyntax.self)?.content.text
          return (name, text ?? name)
        }
      }
  }

  /// The to-one relations that a generated initializer without parameters must set; empty if the struct has
  /// initializers, or needs none.
  var unsetRelations: [StoredProperty] {
    let hasInitializer = members.contains { $0.decl.is(InitializerDeclSyntax.self) }
    let unset = stored.filter { !$0.hasValue }
    return hasInitializer || !unset.allSatisfy(\.isToOne) ? [] : unset
  }

  /// Returns the faults that prevent the generation of members.
  private static func faults(_ declaration: StructDeclSyntax) -> [Diagnostic] {
    declaration.memberBlock.members.compactMap { member -> Diagnostic? in
      if let conditional = member.decl.as(IfConfigDeclSyntax.self) {
        let hasProperty = conditional.clauses.contains { clause in
          clause.members.contains {
            !($0.decl.as(VariableDeclSyntax.self).map(StoredProperty.all) ?? []).isEmpty
          }
        }
        return hasProperty ? .conditional(conditional, in: declaration) : nil
      }
      if let variable = member.decl.as(VariableDeclSyntax.self) {
        let names = variable.bindings.compactMap {
          $0.pattern.as(IdentifierPatternSyntax.self)?.identifier
        }
        if variable.modifiers.contains(where: { $0.name.tokenKind == .keyword(.static) }) {
          return names.first { ["properties", "columns"].contains($0.text) }
            .map { .written($0, $0.text, in: declaration) }
        }
        if variable.modifiers.contains(where: { $0.name.tokenKind == .keyword(.lazy) }) {
          return names.first.map { .lazy($0, in: declaration) }
        }
        return nil
      }
      if let initializer = member.decl.as(InitializerDeclSyntax.self) {
        let first = initializer.signature.parameterClause.parameters.first?.firstName
        switch (first?.text, initializer.signature.parameterClause.parameters.count) {
        case ("row", 1):
          return .written(initializer.initKeyword, "init(row:)", in: declaration)
        case ("from", 1): return .coded(initializer.initKeyword, "init(from:)", in: declaration)
        default: return nil
        }
      }
      if let function = member.decl.as(FunctionDeclSyntax.self) {
        let parameters = function.signature.parameterClause.parameters
        guard function.name.text == "encode", parameters.count == 1,
          parameters.first?.firstName.text == "to"
        else { return nil }
        return .coded(function.name, "encode(to:)", in: declaration)
      }
      return nil
    }
  }
}

extension StoredProperty {
  /// Indicates whether the type's name is `OneRelation`.
  var isToOne: Bool {
    (type?.prefix { $0 != "<" }.split(separator: ".").last).map { $0 == "OneRelation" } ?? false
  }
}
