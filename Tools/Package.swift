// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
]

let package = Package(
  name: "Tools",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [.executable(name: "holt", targets: ["holt-tool"])],
  dependencies: [
    .package(path: "../Packages/SQLiteCore"),
    .package(path: "../Packages/SPON"),
    .package(path: "../Packages/Providers"),
    .package(path: "../Packages/Observe"),
    .package(path: "../Packages/QueryGen"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
  ],
  targets: [
    .executableTarget(
      name: "Atlas",
      dependencies: [
        .product(name: "SQLiteCore", package: "SQLiteCore"),
        .product(name: "Observe", package: "Observe"),
        .product(name: "QueryGen", package: "QueryGen"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "Examples/Atlas",
      exclude: ["README.md", "Tests"],
      swiftSettings: settings,
      plugins: [.plugin(name: "QueryGenPlugin", package: "QueryGen")]),
    .testTarget(
      name: "AtlasTests",
      dependencies: [
        "Atlas",
        .product(name: "SQLiteCore", package: "SQLiteCore"),
        .product(name: "QueryGen", package: "QueryGen"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "Examples/Atlas/Tests",
      swiftSettings: settings),
    .target(name: "CTerminal", path: "Holt/Sources/CTerminal"),
    .target(
      name: "HoltTool",
      dependencies: [
        "CTerminal",
        .product(name: "SQLiteCore", package: "SQLiteCore"),
        .product(name: "SPON", package: "SPON"),
        .product(name: "Providers", package: "Providers"),
        .product(name: "Observe", package: "Observe"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "Holt/Sources/HoltTool",
      swiftSettings: settings),
    .executableTarget(
      name: "holt-tool",
      dependencies: ["HoltTool"],
      path: "Holt/Sources/holt-tool",
      swiftSettings: settings),
    .testTarget(
      name: "HoltToolTests",
      dependencies: [
        "HoltTool",
        "holt-tool",
        .product(name: "QueryGenDriver", package: "QueryGen"),
        .product(name: "SQLiteCore", package: "SQLiteCore"),
        .product(name: "Providers", package: "Providers"),
      ],
      path: "Holt/Tests/HoltToolTests",
      exclude: ["Shop.sql"],
      swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)
