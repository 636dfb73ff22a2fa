// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .strictMemorySafety(),
]

// A separate package: if a target of the same manifest used a build plugin, SwiftPM would build the
// plugin's tool for every product.
let package = Package(
  name: "HoltTool",
  platforms: [.macOS(.v14), .iOS(.v17), .tvOS(.v17), .watchOS(.v10), .visionOS(.v1)],
  products: [.executable(name: "holt", targets: ["holt-tool"])],
  dependencies: [
    .package(path: "../Terminal"),
    .package(path: "../../Packages/Primitives"),
    .package(path: "../../Packages/SQLiteCore"),
    .package(path: "../../Packages/SPON"),
    .package(path: "../../Packages/Providers"),
    .package(path: "../../Packages/Observe"),
    .package(path: "../../Packages/QueryGen"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
  ],
  targets: [
    .target(
      name: "HoltTool",
      dependencies: [
        .product(name: "Terminal", package: "Terminal"),
        .product(name: "Primitives", package: "Primitives"),
        .product(name: "SQLiteCore", package: "SQLiteCore"),
        .product(name: "SPON", package: "SPON"),
        .product(name: "Providers", package: "Providers"),
        .product(name: "Observe", package: "Observe"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: settings),
    .executableTarget(name: "holt-tool", dependencies: ["HoltTool"], swiftSettings: settings),
    .testTarget(
      name: "HoltToolTests",
      dependencies: [
        "HoltTool",
        "holt-tool",
        .product(name: "CommandTesting", package: "Terminal"),
        .product(name: "Terminal", package: "Terminal"),
        .product(name: "QueryGenDriver", package: "QueryGen"),
        .product(name: "SQLiteCore", package: "SQLiteCore"),
        .product(name: "Providers", package: "Providers"),
      ],
      exclude: ["Shop.sql"],
      swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)
