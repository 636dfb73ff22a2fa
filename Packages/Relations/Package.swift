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
  name: "Relations",
  platforms: [.macOS(.v14), .iOS(.v17), .tvOS(.v17), .watchOS(.v10), .visionOS(.v1)],
  products: [
    .library(name: "Relations", targets: ["Relations"])
  ],
  dependencies: [
    .package(path: "../Primitives"), .package(path: "../SQLiteCore"), .package(path: "../Observe"),
  ],
  targets: [
    .target(
      name: "Relations",
      dependencies: [
        .product(name: "Primitives", package: "Primitives"),
        .product(name: "SQLiteCore", package: "SQLiteCore"),
        .product(name: "Observe", package: "Observe"),
      ],
      swiftSettings: settings),
    .testTarget(
      name: "RelationsTests",
      dependencies: [
        "Relations",
        .product(name: "SQLiteCore", package: "SQLiteCore"),
        .product(name: "Observe", package: "Observe"),
        .product(name: "Primitives", package: "Primitives"),
      ],
      swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)
