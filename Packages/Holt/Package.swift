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
  name: "Holt",
  platforms: [.macOS(.v14), .iOS(.v17), .tvOS(.v17), .watchOS(.v10), .visionOS(.v1)],
  products: [.library(name: "Holt", targets: ["Holt"])],
  dependencies: [
    .package(path: "../Primitives"),
    .package(path: "../Observe"),
    .package(path: "../Providers"),
    .package(path: "../QueryGen"),
    .package(path: "../Relations"),
    .package(path: "../Router"),
    .package(path: "../SPON"),
    .package(path: "../SQLiteCore"),
  ],
  targets: [
    .target(
      name: "Holt",
      dependencies: [
        .product(name: "Observe", package: "Observe"),
        .product(name: "Providers", package: "Providers"),
        .product(name: "QueryGen", package: "QueryGen"),
        .product(name: "Relations", package: "Relations"),
        .product(name: "Router", package: "Router"),
        .product(name: "SPON", package: "SPON"),
        .product(name: "SQLiteCore", package: "SQLiteCore"),
        .product(name: "Primitives", package: "Primitives"),
      ],
      swiftSettings: settings),
    // Depends only on the umbrella product, as an app does.
    .testTarget(
      name: "HoltTests", dependencies: ["Holt"], exclude: ["querygen.yaml"],
      swiftSettings: settings,
      plugins: [.plugin(name: "QueryGenPlugin", package: "QueryGen")]),
    .testTarget(
      name: "HoltConformanceTests",
      dependencies: ["Holt", .product(name: "RouterTesting", package: "Router")],
      swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)
