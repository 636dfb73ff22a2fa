/// What the author chooses about the generated code.
public struct EmitterOptions: Hashable, Sendable {
  /// Who can use the generated declarations.
  public enum Access: String, Hashable, Sendable, CaseIterable {
    case `internal`
    case `public`
  }

  /// The name of the type that holds the queries.
  public var databaseName: String
  public var access: Access
  /// The module that generated code imports; one that re-exports `QueryGen` will do.
  public var runtimeModule: String

  public init(
    databaseName: String = "DB", access: Access = .internal, runtimeModule: String = "QueryGen"
  ) {
    self.databaseName = databaseName
    self.access = access
    self.runtimeModule = runtimeModule
  }
}
