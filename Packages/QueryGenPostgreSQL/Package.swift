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
  name: "QueryGenPostgreSQL",
  platforms: [.macOS(.v14), .iOS(.v17), .tvOS(.v17), .watchOS(.v10), .visionOS(.v1)],
  products: [
    .library(name: "QueryGenPostgreSQL", targets: ["QueryGenPostgreSQL"]),
    .executable(name: "querygen-postgresql", targets: ["querygen-postgresql"]),
  ],
  dependencies: [
    .package(path: "../Primitives"), .package(path: "../SQLiteCore"), .package(path: "../QueryGen"),
    .package(path: "../PostgreSQL"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
  ],
  targets: [
    .target(
      name: "QueryGenPostgreSQL",
      dependencies: [
        .product(name: "Primitives", package: "Primitives"),
        .product(name: "SQLiteCore", package: "SQLiteCore"),
        .product(name: "QueryGen", package: "QueryGen"),
        .product(name: "PostgreSQL", package: "PostgreSQL"),
      ],
      swiftSettings: settings),
    .target(
      name: "QueryGenDescriber",
      dependencies: [
        .product(name: "QueryGenCompiler", package: "QueryGen"),
        .product(name: "QueryGenDriver", package: "QueryGen"),
        .product(name: "PostgreSQL", package: "PostgreSQL"),
      ],
      swiftSettings: settings),
    .executableTarget(
      name: "querygen-postgresql",
      dependencies: [
        "QueryGenDescriber",
        .product(name: "QueryGenDriver", package: "QueryGen"),
        .product(name: "PostgreSQL", package: "PostgreSQL"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: settings),
    .testTarget(
      name: "QueryGenDescriberTests",
      dependencies: [
        "QueryGenDescriber",
        "querygen-postgresql",
        .product(name: "QueryGenCompiler", package: "QueryGen"),
        .product(name: "QueryGenDriver", package: "QueryGen"),
        .product(name: "PostgreSQL", package: "PostgreSQL"),
        .product(name: "PostgreSQLTesting", package: "PostgreSQL"),
      ],
      swiftSettings: settings),
    .testTarget(
      name: "QueryGenPostgreSQLTests",
      dependencies: [
        "QueryGenPostgreSQL",
        .product(name: "QueryGen", package: "QueryGen"),
        .product(name: "PostgreSQL", package: "PostgreSQL"),
        .product(name: "PostgreSQLTesting", package: "PostgreSQL"),
      ],
      exclude: [
        "Shop/Migrations", "Shop/Queries", "Shop/querygen.yaml", "Todos/Migrations",
        "Todos/Queries", "Todos/querygen.yaml",
      ],
      swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)
