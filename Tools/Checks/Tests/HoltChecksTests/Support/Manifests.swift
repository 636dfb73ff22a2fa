/// Small packages, as text.
enum Manifests {
  /// A manifest with a library and its target, both named `name`.
  static func library(
    _ name: String, dependencies: String = "", targetDependencies: String = "",
    platforms: String = ".macOS(.v14)"
  ) -> String {
    """
    // swift-tools-version: 6.2
    import PackageDescription

    let package = Package(
      name: "\(name)",
      platforms: [\(platforms)],
      products: [.library(name: "\(name)", targets: ["\(name)"])],
      dependencies: [\(dependencies)],
      targets: [.target(name: "\(name)", dependencies: [\(targetDependencies)])],
      swiftLanguageModes: [.v6]
    )
    """
  }

  /// Two packages. The second uses the first.
  static let pair: [String: String] = [
    "Packages/SQLiteCore/Package.swift": library("SQLiteCore"),
    "Packages/SQLiteCore/Sources/SQLiteCore/Value.swift":
      "public enum SQLiteValue {\n  case integer(Int)\n}\n",
    "Packages/Observe/Package.swift": library(
      "Observe", dependencies: ".package(path: \"../SQLiteCore\")",
      targetDependencies: ".product(name: \"SQLiteCore\", package: \"SQLiteCore\")"),
    "Packages/Observe/Sources/Observe/Observe.swift": "import SQLiteCore\n",
  ]
}
