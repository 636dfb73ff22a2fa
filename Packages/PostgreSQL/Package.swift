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
  name: "PostgreSQL",
  platforms: [.macOS(.v14), .iOS(.v17), .tvOS(.v17), .watchOS(.v10), .visionOS(.v1)],
  products: [
    .library(name: "PostgreSQL", targets: ["PostgreSQL"]),
    .library(name: "PostgreSQLTesting", targets: ["PostgreSQLTesting"]),
  ],
  dependencies: [.package(path: "../Primitives")],
  targets: [
    .systemLibrary(
      name: "CLibPQ", pkgConfig: "libpq", providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),
    // A field's bytes are a span, which needs lifetime dependencies.
    .target(
      name: "PostgreSQL",
      dependencies: ["CLibPQ", .product(name: "Primitives", package: "Primitives")],
      swiftSettings: settings + [.enableExperimentalFeature("Lifetimes")]),
    .target(name: "PostgreSQLTesting", dependencies: ["PostgreSQL"], swiftSettings: settings),
    .testTarget(
      name: "PostgreSQLTests",
      dependencies: [
        "PostgreSQL", "PostgreSQLTesting", .product(name: "Primitives", package: "Primitives"),
      ],
      swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)
