/// What an app takes of Holt, and what may come with it.
struct Consumer: Equatable {
  /// The product, after which the app is named.
  let product: String
  /// Products that the app takes besides.
  var others: [String] = []
  /// The outside packages, by identity, that the product needs: the app enables their traits, and they may be
  /// fetched and compiled.
  var packages: Set<String> = []
  /// Outside packages that are fetched for an app by path, since the packages' own manifests have no traits. Nothing of
  /// them may be compiled.
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

  /// Every product that somebody can link or use as a plugin; those that need outside packages last, whose traits
  /// have the others' targets compiled anew.
  static let all: [Consumer] = [
    Consumer("SPON"),
    Consumer("SQLiteCore"),
    Consumer("Observe"),
    Consumer("ObserveTesting"),
    Consumer("Router"),
    Consumer("RouterTesting"),
    Consumer("Relations"),
    Consumer("Providers"),
    Consumer("ProviderTesting"),
    Consumer("QueryGen", fetchedByPath: argumentParser),
    Consumer("Holt", fetchedByPath: argumentParser),
    Consumer("QueryGenPlugin", with: ["QueryGen"], fetchedByPath: argumentParser),
    Consumer("QueryGenCompiler", fetchedByPath: argumentParser),
    Consumer("QueryGenDriver", fetchedByPath: argumentParser),
    Consumer("ObserveCombine", packages: ["opencombine"]),
    Consumer("HoltMacros", packages: ["swift-syntax"]),
  ]

  private static let argumentParser: Set<String> = ["swift-argument-parser"]

  /// The products that no app can link: commands.
  static let commands: Set<String> = ["querygen"]

  /// What is built to build a target: a plugin's tool, a macro's program. The rest is in ``ImportRules``.
  private static let builders = [
    "QueryGenPlugin": "querygen-build", "HoltMacros": "HoltMacrosPlugin",
  ]

  /// All targets of the repository that may be compiled for some of them: they themselves, and what they may import.
  static func closure(of targets: some Sequence<String>) -> Set<String> {
    var found: Set<String> = []
    var waiting = Array(targets)
    while let target = waiting.popLast() {
      // Modules of the toolchain are allowed too, and have no row.
      guard let imports = ImportRules.allowed[target], found.insert(target).inserted else {
        continue
      }
      waiting += imports
      if let builder = builders[target] { waiting.append(builder) }
    }
    return found
  }
}
