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
  name: "Router",
  platforms: [.macOS(.v14), .iOS(.v17), .tvOS(.v17), .watchOS(.v10), .visionOS(.v1)],
  products: [
    .library(name: "Router", targets: ["Router"]),
    .library(name: "RouterTesting", targets: ["RouterTesting"]),
  ],
  dependencies: [
    .package(path: "../Primitives"), .package(path: "../SQLiteCore"), .package(path: "../Observe"),
  ],
  targets: [
    .target(
      name: "Router",
      dependencies: [
        .product(name: "Primitives", package: "Primitives"),
        .product(name: "SQLiteCore", package: "SQLiteCore"),
        .product(name: "Observe", package: "Observe"),
      ],
      swiftSettings: settings),
    .target(
      name: "RouterTesting",
      dependencies: ["Router", .product(name: "SQLiteCore", package: "SQLiteCore")],
      swiftSettings: settings),
    .testTarget(
      name: "RouterTests",
      dependencies: [
        "Router",
        "RouterTesting",
        .product(name: "SQLiteCore", package: "SQLiteCore"),
        .product(name: "Observe", package: "Observe"),
        .product(name: "ObserveTesting", package: "Observe"),
        .product(name: "Primitives", package: "Primitives"),
      ],
      swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)
