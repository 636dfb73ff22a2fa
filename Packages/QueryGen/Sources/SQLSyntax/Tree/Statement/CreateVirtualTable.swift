/// `CREATE VIRTUAL TABLE … USING module(…)`
public struct CreateVirtualTable: Equatable, Sendable {
  /// Whether `IF NOT EXISTS` is written.
  public var ifNotExists: Bool
  /// Its name.
  public var name: QualifiedName
  /// The module: `fts5`, `rtree`.
  public var module: Identifier
  /// What the module is given, each as the exact text between the commas, without the spaces
  /// around it. `nil` where there are no parentheses.
  public var arguments: [ModuleArgument]?
  /// Where it stands.
  @SourceSpan public var span: ByteSpan
}

/// One argument of a virtual table's module.
public struct ModuleArgument: Equatable, Sendable {
  /// The text, as the module gets it.
  public var text: String
  /// Where it stands.
  @SourceSpan public var span: ByteSpan
}
