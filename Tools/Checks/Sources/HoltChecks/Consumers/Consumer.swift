/// The products of Holt that an app requires, with the packages that may be fetched for it.
struct Consumer: Equatable {
  /// The product, after which the app is named.
  let product: String
  /// Additional products that the app requires.
  var others: [String] = []
  /// The external packages, by identity, that the product needs. The app enables their traits, and they may be
  /// fetched and compiled.
  var packages: Set<String> = []
  /// External packages that are fetched for an app by path, because the packages' own manifests have no traits. None of
  /// their targets may be compiled.
  var fetchedByPath: Set<String> = []

  init(
    _ product: String, with others: [String] = [], packages: Set<String> = [],
    fetchedByPath: Set<String> = []
  ) {
    self.product = product
    self.others = others
    self.packages = packages
    self.fetchedByPath = fetchedByPath
  }

  /// Every product that an app can link or use as a plugin. Products that need external packages are last, because
  /// their traits cause the other targets to be compiled again.
  static let all: [Consumer] = [
    Consumer("SPON"),
    Consumer("SQLiteCore"),
    Consumer("Observe"),
    Consumer("ObserveTesting"),
    Consumer("Router"),
    Consumer("RouterTesting"),
    Consumer("PostgreSQL"),
    Consumer("PostgreSQLTesting", with: ["PostgreSQL"]),
    Consumer("RouterPostgreSQL", with: ["PostgreSQL", "Router"]),
    Consumer("Relations"),
    Consumer("Providers"),
    Consumer("ProviderTesting"),
    Consumer("QueryGen", fetchedByPath: argumentParser),
    Consumer(
      "QueryGenPostgreSQL", with: ["PostgreSQL", "QueryGen"], fetchedByPath: argumentParser),
    Consumer("Holt", fetchedByPath: argumentParser),
    Consumer("QueryGenPlugin", with: ["QueryGen"], fetchedByPath: argumentParser),
    Consumer("QueryGenCompiler", fetchedByPath: argumentParser),
    Consumer("QueryGenDriver", fetchedByPath: argumentParser),
    Consumer("ObserveCombine", packages: ["opencombine"]),
    Consumer("HoltMacros", packages: ["swift-syntax"]),
  ]

  private static let argumentParser: Set<String> = ["swift-argument-parser"]

  /// The products that an app can't link: commands.
  static let commands: Set<String> = ["querygen", "querygen-postgresql"]

  /// The targets that must be built before a target: a plugin's tool, a macro's program. The others are in ``ImportRules``.
  private static let builders = [
    "QueryGenPlugin": "querygen-build", "HoltMacros": "HoltMacrosPlugin",
  ]

  /// Returns the targets of the repository that may be compiled for the given ones, these included.
  static func closure(of targets: some Sequence<String>) -> Set<String> {
    var found: Set<String> = []
    var waiting = Array(targets)
    while let target = waiting.popLast() {
      // Modules of the toolchain are allowed too, and have no entry.
      guard let imports = ImportRules.allowed[target], found.insert(target).inserted else {
        continue
      }
      waiting += imports
      if let builder = builders[target] { waiting.append(builder) }
    }
    return found
  }
}
