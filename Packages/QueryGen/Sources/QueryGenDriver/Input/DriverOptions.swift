internal import QueryModel

/// The options of a `querygen` command. Options that are not set are taken from `querygen.yaml`, or
/// have their default value.
public struct DriverOptions: Hashable, Sendable {
  /// The access level of the generated declarations.
  public enum Access: String, Hashable, Sendable, CaseIterable {
    case `internal`
    case `package`
    case `public`

    var modelAccess: GenerationOptions.Access {
      switch self {
      case .internal: .internal
      case .package: .package
      case .public: .public
      }
    }
  }

  /// The folder that contains `Migrations`, `Queries` and `querygen.yaml`. By default, it is the
  /// configured folder, or else the current one.
  public var path: String?
  /// The path of the configuration; by default, `querygen.yaml` in the folder, if it exists.
  public var configuration: String?
  /// The folder for generated files; by default, `Generated` next to `Migrations`.
  public var output: String?
  /// The name of the generated database type; by default, `DB`.
  public var databaseName: String?
  /// The access level of the generated declarations; by default, `internal`.
  public var access: Access?
  /// The module that generated code imports; by default, `QueryGen`.
  public var runtimeModule: String?
  /// The module that generated code imports if neither ``runtimeModule`` nor the configuration
  /// names one.
  public var defaultRuntimeModule: String?
  /// A Boolean value that indicates whether the database file is named `DB.generated.swift`,
  /// regardless of the type's name. A build plugin must know the names in advance.
  public var usesFixedFileNames: Bool
  /// A Boolean value that indicates whether the report contains terminal colors.
  public var usesColor: Bool
  /// The contents of files that are open in an editor, by path. They replace the contents on disk.
  public var openFiles: [String: [UInt8]] = [:]

  public init(
    path: String? = nil, configuration: String? = nil, output: String? = nil,
    databaseName: String? = nil, access: Access? = nil, runtimeModule: String? = nil,
    defaultRuntimeModule: String? = nil, usesFixedFileNames: Bool = false, usesColor: Bool = false
  ) {
    self.path = path.map(Paths.trimmed)
    self.configuration = configuration
    self.output = output.map(Paths.trimmed)
    self.databaseName = databaseName
    self.access = access
    self.runtimeModule = runtimeModule
    self.defaultRuntimeModule = defaultRuntimeModule
    self.usesFixedFileNames = usesFixedFileNames
    self.usesColor = usesColor
  }
}
