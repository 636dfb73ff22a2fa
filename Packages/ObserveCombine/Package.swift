// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .strictMemorySafety(),
]

// OpenCombine is needed only on platforms without Combine.
let openCombine = Target.Dependency.product(
  name: "OpenCombine", package: "OpenCombine",
  condition: .when(platforms: [.android, .linux, .windows]))

let package = Package(
  name: "ObserveCombine",
  platforms: [.macOS(.v14), .iOS(.v17), .tvOS(.v17), .watchOS(.v10), .visionOS(.v1)],
  products: [.library(name: "ObserveCombine", targets: ["ObserveCombine"])],
  dependencies: [
    .package(path: "../Primitives"),
    .package(path: "../Observe"),
    .package(path: "../SQLiteCore"),
    .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"),
  ],
  targets: [
    .target(
      name: "ObserveCombine",
      dependencies: [
        .product(name: "Observe", package: "Observe"),
        .product(name: "SQLiteCore", package: "SQLiteCore"),
        openCombine,
        .product(name: "Primitives", package: "Primitives"),
      ],
      swiftSettings: settings),
    .testTarget(
      name: "ObserveCombineTests",
      dependencies: [
        "ObserveCombine",
        .product(name: "Observe", package: "Observe"),
        .product(name: "SQLiteCore", package: "SQLiteCore"),
        openCombine,
        .product(name: "Primitives", package: "Primitives"),
      ],
      swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)
