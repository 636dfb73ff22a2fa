internal import QueryModel

/// What `querygen` is asked to do, and where. What is left out is as `querygen.yaml` says, or as it
/// is by default.
public struct DriverOptions: Hashable, Sendable {
  /// Who can use the generated declarations.
  public enum Access: String, Hashable, Sendable, CaseIterable {
    case `internal`
    case `package`
    case `public`

    var modelled: GenerationOptions.Access {
      switch self {
      case .internal: .internal
      case .package: .package
      case .public: .public
      }
    }
  }

  /// The folder that holds `Migrations`, `Queries` and `querygen.yaml`; by default the current one,
  /// or what the configuration says.
  public var path: String?
  /// The configuration's path; by default `querygen.yaml` in the folder, where there is one.
  public var configuration: String?
  /// The folder that generated files go to; by default `Generated`, beside `Migrations`.
  public var output: String?
  /// The name of the generated database type; by default `DB`.
  public var databaseName: String?
  /// By default `internal`.
  public var access: Access?
  /// The module that generated code imports; by default `QueryGen`.
  public var runtimeModule: String?
  /// The module that generated code imports where neither this nor the configuration says one.
  public var usualRuntimeModule: String?
  /// Whether the database's file is called `DB.generated.swift` whatever the type is called: a build
  /// plugin has to know the names before.
  public var usesFixedNames: Bool
  /// Whether the report is for a terminal that shows colours.
  public var usesColor: Bool
  /// What files hold that are open in an editor, by their paths: it counts in place of what is on the
  /// disk.
  public var openFiles: [String: [UInt8]] = [:]

  public init(
    path: String? = nil, configuration: String? = nil, output: String? = nil,
    databaseName: String? = nil, access: Access? = nil, runtimeModule: String? = nil,
    usualRuntimeModule: String? = nil, usesFixedNames: Bool = false, usesColor: Bool = false
  ) {
    self.path = path.map(Paths.trimmed)
    self.configuration = configuration
    self.output = output.map(Paths.trimmed)
    self.databaseName = databaseName
    self.access = access
    self.runtimeModule = runtimeModule
    self.usualRuntimeModule = usualRuntimeModule
    self.usesFixedNames = usesFixedNames
    self.usesColor = usesColor
  }
}
