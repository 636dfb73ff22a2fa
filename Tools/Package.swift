// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .strictMemorySafety(),
]

let package = Package(
  name: "Tools",
  platforms: [.macOS(.v14), .iOS(.v17), .tvOS(.v17), .watchOS(.v10), .visionOS(.v1)],
  dependencies: [
    .package(path: "Terminal"),
    .package(path: "../Packages/Primitives"),
    .package(path: "../Packages/SQLiteCore"),
    .package(path: "../Packages/Providers"),
    .package(path: "../Packages/Observe"),
    .package(path: "../Packages/QueryGen"),
    .package(path: "../Packages/Relations"),
    .package(path: "../Packages/Router"),
    .package(path: "../Packages/PostgreSQL"),
    .package(path: "../Packages/RouterPostgreSQL"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
  ],
  targets: [
    .executableTarget(
      name: "Atlas",
      dependencies: [
        .product(name: "Terminal", package: "Terminal"),
        .product(name: "Primitives", package: "Primitives"),
        .product(name: "SQLiteCore", package: "SQLiteCore"),
        .product(name: "Providers", package: "Providers"),
        .product(name: "Observe", package: "Observe"),
        .product(name: "QueryGen", package: "QueryGen"),
        .product(name: "Relations", package: "Relations"),
        .product(name: "Router", package: "Router"),
        .product(name: "PostgreSQL", package: "PostgreSQL"),
        .product(name: "RouterPostgreSQL", package: "RouterPostgreSQL"),
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
        .product(name: "Primitives", package: "Primitives"),
        .product(name: "SQLiteCore", package: "SQLiteCore"),
        .product(name: "Providers", package: "Providers"),
        .product(name: "QueryGen", package: "QueryGen"),
        .product(name: "Relations", package: "Relations"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "Examples/Atlas/Tests",
      swiftSettings: settings),
    .executableTarget(
      name: "Notes",
      dependencies: [
        .product(name: "Terminal", package: "Terminal"),
        .product(name: "Primitives", package: "Primitives"),
        .product(name: "SQLiteCore", package: "SQLiteCore"),
        .product(name: "Providers", package: "Providers"),
        .product(name: "Observe", package: "Observe"),
        .product(name: "QueryGen", package: "QueryGen"),
        .product(name: "Router", package: "Router"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "Examples/Notes",
      exclude: ["README.md", "Tests"],
      swiftSettings: settings,
      plugins: [.plugin(name: "QueryGenPlugin", package: "QueryGen")]),
    .testTarget(
      name: "NotesTests",
      dependencies: [
        "Notes",
        .product(name: "Primitives", package: "Primitives"),
        .product(name: "CommandTesting", package: "Terminal"),
        .product(name: "SQLiteCore", package: "SQLiteCore"),
        .product(name: "Observe", package: "Observe"),
        .product(name: "QueryGen", package: "QueryGen"),
        .product(name: "Router", package: "Router"),
        .product(name: "RouterTesting", package: "Router"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "Examples/Notes/Tests",
      swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)
