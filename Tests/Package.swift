// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .strictMemorySafety(),
]

// If Combine is available, it takes precedence.
let openCombine = Target.Dependency.product(
  name: "OpenCombine", package: "OpenCombine",
  condition: .when(platforms: [.android, .linux, .windows]))

let package = Package(
  name: "HoltTests",
  platforms: [.macOS(.v14), .iOS(.v17), .tvOS(.v17), .watchOS(.v10), .visionOS(.v1)],
  dependencies: [
    .package(path: "../Packages/Primitives"),
    .package(path: "../Packages/Holt"),
    .package(path: "../Packages/Observe"),
    .package(path: "../Packages/ObserveCombine"),
    .package(path: "../Packages/PostgreSQL"),
    .package(path: "../Packages/Providers"),
    .package(path: "../Packages/QueryGen"),
    .package(path: "../Packages/Relations"),
    .package(path: "../Packages/Router"),
    .package(path: "../Packages/QueryGenPostgreSQL"),
    .package(path: "../Packages/RouterPostgreSQL"),
    .package(path: "../Packages/HoltMacros"),
    .package(path: "../Packages/SPON"),
    .package(path: "../Packages/SQLiteCore"),
    .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"),
  ],
  targets: [
    .testTarget(
      name: "SeedsTests",
      dependencies: [
        .product(name: "Observe", package: "Observe"),
        .product(name: "ObserveCombine", package: "ObserveCombine"),
        .product(name: "Providers", package: "Providers"),
        .product(name: "QueryGen", package: "QueryGen"),
        .product(name: "Relations", package: "Relations"),
        .product(name: "HoltMacros", package: "HoltMacros"),
        .product(name: "RouterTesting", package: "Router"),
        .product(name: "SPON", package: "SPON"),
        .product(name: "SQLiteCore", package: "SQLiteCore"),
        openCombine,
      ],
      exclude: ["README.md"], swiftSettings: settings,
      plugins: [.plugin(name: "QueryGenPlugin", package: "QueryGen")]),
    .testTarget(
      name: "GuideTests",
      dependencies: [
        .product(name: "Observe", package: "Observe"),
        .product(name: "Providers", package: "Providers"),
        .product(name: "QueryGen", package: "QueryGen"),
        .product(name: "Relations", package: "Relations"),
        .product(name: "Router", package: "Router"),
        .product(name: "SQLiteCore", package: "SQLiteCore"),
      ],
      swiftSettings: settings,
      plugins: [.plugin(name: "QueryGenPlugin", package: "QueryGen")]),
    .testTarget(
      name: "DocumentationTests",
      dependencies: [
        .product(name: "Observe", package: "Observe"),
        .product(name: "ObserveTesting", package: "Observe"),
        .product(name: "Providers", package: "Providers"),
        .product(name: "QueryGen", package: "QueryGen"),
        .product(name: "Relations", package: "Relations"),
        .product(name: "HoltMacros", package: "HoltMacros"),
        .product(name: "RouterTesting", package: "Router"),
        .product(name: "SPON", package: "SPON"),
        .product(name: "SQLiteCore", package: "SQLiteCore"),
        .product(name: "Primitives", package: "Primitives"),
      ],
      swiftSettings: settings,
      plugins: [.plugin(name: "QueryGenPlugin", package: "QueryGen")]),
    .testTarget(
      name: "EndToEndTests",
      dependencies: [.product(name: "QueryGen", package: "QueryGen")],
      swiftSettings: settings,
      plugins: [.plugin(name: "QueryGenPlugin", package: "QueryGen")]),
    .testTarget(
      name: "ConfigurationChoiceTests",
      dependencies: [.product(name: "QueryGen", package: "QueryGen")],
      exclude: ["querygen.yaml"], swiftSettings: settings,
      plugins: [.plugin(name: "QueryGenPlugin", package: "QueryGen")]),
    .testTarget(
      name: "ConsumersTests",
      dependencies: [
        .product(name: "Holt", package: "Holt"),
        .product(name: "Observe", package: "Observe"),
        .product(name: "ObserveCombine", package: "ObserveCombine"),
        .product(name: "ObserveTesting", package: "Observe"),
        .product(name: "PostgreSQL", package: "PostgreSQL"),
        .product(name: "PostgreSQLTesting", package: "PostgreSQL"),
        .product(name: "ProviderTesting", package: "Providers"),
        .product(name: "Providers", package: "Providers"),
        .product(name: "QueryGen", package: "QueryGen"),
        .product(name: "QueryGenCompiler", package: "QueryGen"),
        .product(name: "QueryGenDriver", package: "QueryGen"),
        .product(name: "QueryGenPostgreSQL", package: "QueryGenPostgreSQL"),
        .product(name: "Relations", package: "Relations"),
        .product(name: "Router", package: "Router"),
        .product(name: "RouterPostgreSQL", package: "RouterPostgreSQL"),
        .product(name: "HoltMacros", package: "HoltMacros"),
        .product(name: "RouterTesting", package: "Router"),
        .product(name: "SPON", package: "SPON"),
        .product(name: "SQLiteCore", package: "SQLiteCore"),
        openCombine,
      ],
      swiftSettings: settings,
      plugins: [.plugin(name: "QueryGenPlugin", package: "QueryGen")]),
    .testTarget(
      name: "DifferentialTests",
      dependencies: [
        .product(name: "QueryGenCompiler", package: "QueryGen"),
        .product(name: "Router", package: "Router"),
        .product(name: "SQLiteCore", package: "SQLiteCore"),
      ],
      swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)
