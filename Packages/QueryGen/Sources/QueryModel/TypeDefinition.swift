/// A type that a schema declares, and for which a Swift type is generated.
public struct TypeDefinition: Hashable, Sendable {
  /// The kinds of types.
  public enum Kind: Hashable, Sendable {
    /// A type with these texts as values.
    case enumeration([String])
    /// A type with attributes, each of which can be NULL.
    case composite([ColumnDefinition])
  }

  /// The name, after the name of the schema and a period unless that is the default schema.
  public var name: String
  public var kind: Kind
  public var documentation: String?

  public init(name: String, kind: Kind, documentation: String? = nil) {
    self.name = name
    self.kind = kind
    self.documentation = documentation
  }
}
