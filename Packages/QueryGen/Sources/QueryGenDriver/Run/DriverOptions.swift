/// What `querygen` is asked to do, and where.
public struct DriverOptions: Hashable, Sendable {
  /// Who can use the generated declarations.
  public enum Access: String, Hashable, Sendable, CaseIterable {
    case `internal`
    case `public`
  }

  /// The folder that holds `Migrations` and `Queries`.
  public var path: String
  /// The folder that generated files go to; by default `Generated`, beside `Migrations`.
  public var output: String
  /// The name of the generated database type.
  public var databaseName: String
  public var access: Access
  /// The module that generated code imports.
  public var runtimeModule: String
  /// Whether the report is for a terminal that shows colours.
  public var usesColor: Bool

  public init(
    path: String, output: String? = nil, databaseName: String = "DB", access: Access = .internal,
    runtimeModule: String = "QueryGen", usesColor: Bool = false
  ) {
    self.path = path
    self.output = output ?? (path == "." ? "Generated" : path + "/Generated")
    self.databaseName = databaseName
    self.access = access
    self.runtimeModule = runtimeModule
    self.usesColor = usesColor
  }
}
