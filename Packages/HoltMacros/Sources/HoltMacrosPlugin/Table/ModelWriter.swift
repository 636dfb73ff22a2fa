internal import SwiftSyntax

/// Generates the members that make a class a model, with a value that is guarded by a lock.
struct ModelWriter {
  private let value: StructDeclSyntax?
  private let taken: Set<String>
  private let prefix: String

  private static let module = GeneratedCode.module

  init(_ declaration: ClassDeclSyntax, access: String?) {
    let members = declaration.memberBlock.members
    value = members.compactMap { $0.decl.as(StructDeclSyntax.self) }
      .first { $0.name.text == "Value" }
    taken = Set(
      members.compactMap { $0.decl.as(VariableDeclSyntax.self) }.flatMap(\.bindings)
        .compactMap { $0.pattern.as(IdentifierPatternSyntax.self)?.identifier.text })
    prefix = access.map { $0 + " " } ?? ""
  }

  var members: [String] {
    [
      "private nonisolated let storage: \(Self.module).ModelStorage<Value>",
      "\(prefix)nonisolated init(_ value: Value) { storage = .init(value) }",
      """
      \(prefix)nonisolated var value: Value {
        get { storage.value }
        set {
          storage.value = newValue
          didChange()
        }
      }
      """,
    ] + forwarders
  }

  /// Forwarding properties for those properties of the value whose types are known.
  private var forwarders: [String] {
    guard let value else { return [] }
    let properties = value.memberBlock.members.compactMap { $0.decl.as(VariableDeclSyntax.self) }
      .filter { !$0.modifiers.contains { $0.name.tokenKind == .keyword(.private) } }
      .flatMap(StoredProperty.all)
    return properties.compactMap { property in
      let name = property.name.text
      guard let type = property.type, name != "id", !taken.contains(name) else { return nil }
      if property.isList || property.isToOne || property.isConstant {
        return "\(prefix)nonisolated var \(name): \(type) { value.\(name) }"
      }
      return """
        \(prefix)nonisolated var \(name): \(type) {
          get { value.\(name) }
          set { value.\(name) = newValue }
        }
        """
    }
  }
}
