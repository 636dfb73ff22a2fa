/// Joins the packages' manifests into the root manifest.
///
/// It throws an error for every unsupported element of a manifest, instead of omitting it.
struct RootManifestBuilder {
  private let packages: [PackageDump]
  /// A package's identity and a product's name → the targets of that product.
  private let products: [[String]: [String]]
  /// The executables that plugins run.
  private let pluginTools: Set<String>
  private let macros: Set<String>
  private var manifest = RootManifest()
  private var versions: [String: String] = [:]
  private var usedTraits: Set<String> = []
  private var seenTargets: Set<String> = []

  static func manifest(from packages: [PackageDump]) throws(CheckError) -> RootManifest {
    var builder = RootManifestBuilder(packages: packages)
    return try builder.build()
  }

  private init(packages: [PackageDump]) {
    self.packages = packages
    var products: [[String]: [String]] = [:]
    for package in packages {
      for product in package.json["products"].array {
        products[[package.identity, product["name"].string ?? ""]] = product["targets"].strings
      }
    }
    self.products = products
    let plugins = packages.flatMap { $0.json["targets"].array }.filter {
      $0["type"].string == "plugin"
    }
    pluginTools = Set(
      plugins.flatMap { $0["dependencies"].array }.compactMap { $0.enumCase?.value[0].string })
    macros = Set(
      packages.flatMap { $0.json["targets"].array }.filter { $0["type"].string == "macro" }
        .compactMap { $0["name"].string })
  }

  private mutating func build() throws(CheckError) -> RootManifest {
    for package in packages {
      try addHeader(of: package)
      try addTraits(of: package)
      try addDependencies(of: package)
      try addProducts(of: package)
      for target in package.json["targets"].array { try addTarget(target, of: package) }
    }
    for trait in usedTraits.compactMap({ RootManifest.knownTraits[$0] })
    where !manifest.traits.contains(trait) {
      manifest.traits.append(trait)
    }
    manifest.traits.sort { $0.name < $1.name }
    manifest.dependencies = versions.sorted { $0.key < $1.key }.map {
      ".package(url: \($0.key.quoted), from: \($0.value.quoted))"
    }
    return manifest
  }

  private mutating func addHeader(of package: PackageDump) throws(CheckError) {
    let version = package.json["toolsVersion"]["_version"].string ?? ""
    let platforms = try package.json["platforms"].array.map {
      platform throws(CheckError) in try Self.platform(platform, of: package)
    }
    if manifest.toolsVersion.isEmpty {
      manifest.toolsVersion = version.split(separator: ".").prefix(2).joined(separator: ".")
      manifest.platforms = platforms
    }
    guard version.hasPrefix(manifest.toolsVersion + ".") else {
      throw CheckError("\(package.folder): the tools version differs: \(version)")
    }
    guard platforms == manifest.platforms else {
      throw CheckError("\(package.folder): the platforms differ from the other packages'")
    }
    guard package.json["swiftLanguageVersions"].strings == ["6"] else {
      throw CheckError("\(package.folder): swiftLanguageModes must be [.v6]")
    }
  }

  private static func platform(
    _ platform: JSON, of package: PackageDump
  ) throws(CheckError) -> String {
    let names = [
      "macos": "macOS", "ios": "iOS", "tvos": "tvOS", "watchos": "watchOS", "visionos": "visionOS",
    ]
    guard let name = platform["platformName"].string.flatMap({ names[$0] }),
      let major = platform["version"].string?.split(separator: ".").first
    else { throw CheckError("\(package.folder): a platform that RootManifestBuilder can't write") }
    return ".\(name)(.v\(major))"
  }

  /// The package's own traits, which must be off by default.
  private mutating func addTraits(of package: PackageDump) throws(CheckError) {
    for trait in package.json["traits"].array {
      let name = trait["name"].string ?? "?"
      guard trait["enabledTraits"].strings.isEmpty else {
        throw CheckError("\(package.folder): the trait \(name) enables other traits")
      }
      guard name != "default" else { continue }
      manifest.traits.append(
        RootManifest.Trait(name: name, description: trait["description"].string ?? ""))
    }
  }

  private mutating func addDependencies(of package: PackageDump) throws(CheckError) {
    for dependency in package.json["dependencies"].array {
      guard let (kind, value) = dependency.enumCase, kind == "sourceControl" else { continue }
      let source = value[0]
      let identity = source["identity"].string ?? "?"
      guard RootManifest.knownTraits[identity] != nil else {
        throw CheckError("\(package.folder): give \(identity) a trait in RootManifest.swift")
      }
      guard let url = source["location"]["remote"][0]["urlString"].string,
        let version = source["requirement"]["range"][0]["lowerBound"].string
      else { throw CheckError("\(package.folder): require \(identity) by url: and from:") }
      guard versions[url, default: version] == version else {
        throw CheckError("\(package.folder): \(identity) is required in two versions")
      }
      versions[url] = version
    }
  }

  /// Internal products, which the packages use and the root package does not offer.
  private static let shared = "Packages/Primitives"

  /// Adds the products of folders in `Packages`. Tools and tests have none.
  private mutating func addProducts(of package: PackageDump) throws(CheckError) {
    guard package.folder.hasPrefix("Packages/"), package.folder != Self.shared else { return }
    for product in package.json["products"].array {
      guard let kind = product["type"].enumCase?.name, let name = product["name"].string,
        ["library", "executable", "plugin"].contains(kind)
      else { throw CheckError("\(package.folder): a product that RootManifestBuilder can't write") }
      let targets = product["targets"].strings.map(\.quoted).joined(separator: ", ")
      manifest.products.append(".\(kind)(name: \(name.quoted), targets: [\(targets)])")
    }
  }

  private mutating func addTarget(_ target: JSON, of package: PackageDump) throws(CheckError) {
    let reader = TargetReader(target: target, folder: package.folder)
    guard seenTargets.insert(reader.name).inserted else {
      throw CheckError("\(package.folder): a second target is named \(reader.name)")
    }
    try rejectMacros(in: target, of: package)
    var dependencies: [String] = []
    for dependency in target["dependencies"].array where !isLinkedTwice(dependency, by: target) {
      for written in try self.dependency(dependency, of: package)
      where !dependencies.contains(written) {
        dependencies.append(written)
      }
    }
    var plugins: [String] = []
    for usage in target["pluginUsages"].array {
      plugins += try plugin(usage["plugin"], of: package)
    }
    manifest.targets.append(try reader.read(dependencies: dependencies, plugins: plugins))
  }

  /// Rejects a test that depends on a macro's plugin.
  ///
  /// SwiftPM builds such a test for the host, like the plugin. All tests are one bundle, so every tested target would be
  /// built a second time.
  private func rejectMacros(in target: JSON, of package: PackageDump) throws(CheckError) {
    guard target["type"].string == "test" else { return }
    let names = target["dependencies"].array.compactMap { $0.enumCase?.value[0].string }
    guard let name = names.first(where: macros.contains) else { return }
    throw CheckError(
      "\(package.folder): \(target["name"].string ?? "?") depends on the macro \(name), so all "
        + "tests would be built twice")
  }

  /// Returns whether a test depends on a plugin's tool.
  ///
  /// All tests are one bundle here, which would contain the tool twice: as the test's dependency, and as built for the
  /// plugin. A build of everything creates the executable anyway.
  private func isLinkedTwice(_ dependency: JSON, by target: JSON) -> Bool {
    guard target["type"].string == "test", let name = dependency.enumCase?.value[0].string
    else { return false }
    return pluginTools.contains(name)
  }

  private mutating func dependency(
    _ dependency: JSON, of package: PackageDump
  ) throws(CheckError) -> [String] {
    guard let (kind, value) = dependency.enumCase, let name = value[0].string else {
      throw CheckError("\(package.folder): a dependency that RootManifestBuilder can't write")
    }
    guard kind == "product", let owner = value[1].string else {
      return [try condition(value[1], on: name, of: package)]
    }
    if let targets = products[[owner.lowercased(), name]] {
      try rejectCondition(value[3], on: name, of: package)
      return targets.map(\.quoted)
    }
    guard let trait = RootManifest.knownTraits[owner.lowercased()] else {
      throw CheckError("\(package.folder): no package \(owner) offers \(name)")
    }
    usedTraits.insert(owner.lowercased())
    let platforms = try platforms(value[3], on: name, of: package)
    return [
      ".product(\n          name: \(name.quoted), package: \(owner.quoted),\n"
        + "          condition: .when(\(platforms)traits: [\(trait.name.quoted)]))"
    ]
  }

  /// Returns the platforms of a dependency's condition, as the first argument of `when`.
  private func platforms(
    _ condition: JSON, on name: String, of package: PackageDump
  ) throws(CheckError) -> String {
    if condition == .null { return "" }
    let platforms = condition["platformNames"].strings
    guard !platforms.isEmpty, platforms.allSatisfy(Self.conditionPlatforms.contains),
      condition["config"] == .null, condition["traits"] == .null
    else {
      throw CheckError("\(package.folder): the condition on \(name) can't be written at the root")
    }
    return "platforms: [\(platforms.sorted().map { ".\($0)" }.joined(separator: ", "))], "
  }

  /// The platforms that conditions may contain. Their names equal the names of the constants.
  private static let conditionPlatforms: Set<String> = ["android", "linux", "windows", "wasi"]

  /// Returns a dependency on a target of the same package, with its traits.
  private func condition(
    _ condition: JSON, on name: String, of package: PackageDump
  ) throws(CheckError) -> String {
    if condition == .null { return name.quoted }
    let traits = condition["traits"].strings
    guard !traits.isEmpty, condition["platformNames"].strings.isEmpty, condition["config"] == .null
    else {
      throw CheckError("\(package.folder): the condition on \(name) can't be written at the root")
    }
    let list = traits.sorted().map(\.quoted).joined(separator: ", ")
    return ".target(name: \(name.quoted), condition: .when(traits: [\(list)]))"
  }

  private func rejectCondition(
    _ condition: JSON, on name: String, of package: PackageDump
  ) throws(CheckError) {
    guard condition == .null else {
      throw CheckError("\(package.folder): the condition on \(name) is lost at the root")
    }
  }

  private func plugin(_ usage: JSON, of package: PackageDump) throws(CheckError) -> [String] {
    guard let name = usage[0].string else {
      throw CheckError("\(package.folder): a plugin that RootManifestBuilder can't write")
    }
    guard let owner = usage[1].string else { return [name.quoted] }
    guard let targets = products[[owner.lowercased(), name]] else {
      throw CheckError("\(package.folder): no package \(owner) offers the plugin \(name)")
    }
    return targets.map(\.quoted)
  }
}

extension String {
  /// A Swift string literal with this value.
  var quoted: String {
    "\"" + flatMap { $0 == "\"" || $0 == "\\" ? ["\\", $0] : [$0] } + "\""
  }
}
