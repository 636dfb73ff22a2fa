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
  name: "RouterPostgreSQL",
  platforms: [.macOS(.v14), .iOS(.v17), .tvOS(.v17), .watchOS(.v10), .visionOS(.v1)],
  products: [.library(name: "RouterPostgreSQL", targets: ["RouterPostgreSQL"])],
  dependencies: [
    .package(path: "../Primitives"), .package(path: "../SQLiteCore"), .package(path: "../Router"),
    .package(path: "../PostgreSQL"), .package(path: "../Observe"),
  ],
  targets: [
    .target(
      name: "RouterPostgreSQL",
      dependencies: [
        .product(name: "Primitives", package: "Primitives"),
        .product(name: "SQLiteCore", package: "SQLiteCore"),
        .product(name: "Observe", package: "Observe"),
        .product(name: "Router", package: "Router"),
        .product(name: "PostgreSQL", package: "PostgreSQL"),
      ],
      swiftSettings: settings),
    .testTarget(
      name: "RouterPostgreSQLTests",
      dependencies: [
        "RouterPostgreSQL",
        .product(name: "Primitives", package: "Primitives"),
        .product(name: "SQLiteCore", package: "SQLiteCore"),
        .product(name: "Observe", package: "Observe"),
        .product(name: "Router", package: "Router"),
        .product(name: "PostgreSQL", package: "PostgreSQL"),
        .product(name: "PostgreSQLTesting", package: "PostgreSQL"),
        .product(name: "RouterTesting", package: "Router"),
      ],
      swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)
