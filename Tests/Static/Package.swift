// swift-tools-version: 6.2
import PackageDescription

// Linked to a static SQLite; see Tools/static.sh.
let package = Package(
  name: "Static",
  platforms: [.macOS(.v15)],
  dependencies: [.package(path: "../../Packages/SQLiteCore", traits: ["CustomSQLite"])],
  targets: [
    .executableTarget(
      name: "StaticSQLite",
      dependencies: [.product(name: "SQLiteCore", package: "SQLiteCore")])
  ],
  swiftLanguageModes: [.v6]
)
