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
  name: "Observe",
  platforms: [.macOS(.v14), .iOS(.v17), .tvOS(.v17), .watchOS(.v10), .visionOS(.v1)],
  products: [
    .library(name: "Observe", targets: ["Observe"]),
    .library(name: "ObserveTesting", targets: ["ObserveTesting"]),
  ],
  dependencies: [
    .package(path: "../Primitives"),
    .package(path: "../SQLiteCore"),
  ],
  targets: [
    .target(
      name: "Observe",
      dependencies: [
        .product(name: "SQLiteCore", package: "SQLiteCore"),
        .product(name: "Primitives", package: "Primitives"),
      ],
      swiftSettings: settings),
    .executableTarget(
      name: "OtherProcess",
      dependencies: ["Observe", .product(name: "SQLiteCore", package: "SQLiteCore")],
      path: "Tests/OtherProcess", swiftSettings: settings),
    .target(
      name: "ObserveTesting",
      dependencies: [
        "Observe",
        .product(name: "SQLiteCore", package: "SQLiteCore"),
        .product(name: "Primitives", package: "Primitives"),
      ],
      swiftSettings: settings),
    .testTarget(
      name: "ObserveTests",
      dependencies: [
        "Observe",
        "ObserveTesting",
        "OtherProcess",
        .product(name: "SQLiteCore", package: "SQLiteCore"),
        .product(name: "Primitives", package: "Primitives"),
      ],
      swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)
