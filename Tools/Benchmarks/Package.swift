// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

// A separate package that is not part of the root manifest, so that users of Holt do not fetch its
// dependencies.
let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(path: "../../Packages/Primitives"),
    .package(path: "../../Packages/SQLiteCore"),
    .package(path: "../../Packages/PostgreSQL"),
    .package(path: "../../Packages/Observe"),
    .package(path: "../../Packages/QueryGen"),
    .package(path: "../../Packages/Router"),
    .package(path: "../../Packages/SPON"),
    .package(path: "../../Packages/Providers"),
    .package(path: "../../Packages/Relations"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
  ],
  targets: [
    .systemLibrary(
      name: "CXMLReader", pkgConfig: "libxml-2.0", providers: [.apt(["libxml2-dev"])]),
    .systemLibrary(
      name: "CPostgreSQLClient", pkgConfig: "libpq",
      providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),
    .target(
      name: "CBaseline", dependencies: ["CPostgreSQLClient", "CXMLReader"],
      linkerSettings: [.linkedLibrary("sqlite3")]),
    .target(name: "CAllocations"),
    .target(
      name: "BenchmarkReport",
      dependencies: [.product(name: "Primitives", package: "Primitives")], swiftSettings: settings),
    .target(
      name: "GeneratedQueries",
      dependencies: [
        .product(name: "QueryGen", package: "QueryGen"),
        .product(name: "SQLiteCore", package: "SQLiteCore"),
      ],
      exclude: ["querygen.yaml"], swiftSettings: settings,
      plugins: [.plugin(name: "QueryGenPlugin", package: "QueryGen")]),
    .target(
      name: "BenchmarkWorkloads",
      dependencies: [
        "BenchmarkReport",
        "CBaseline",
        "GeneratedQueries",
        .product(name: "Primitives", package: "Primitives"),
        .product(name: "SQLiteCore", package: "SQLiteCore"),
        .product(name: "PostgreSQL", package: "PostgreSQL"),
        .product(name: "PostgreSQLTesting", package: "PostgreSQL"),
        .product(name: "Observe", package: "Observe"),
        .product(name: "Router", package: "Router"),
        .product(name: "SPON", package: "SPON"),
        .product(name: "Providers", package: "Providers"),
        .product(name: "QueryGenCompiler", package: "QueryGen"),
        .product(name: "QueryGenDriver", package: "QueryGen"),
        .product(name: "Relations", package: "Relations"),
        .product(name: "GRDB", package: "GRDB.swift"),
      ],
      swiftSettings: settings),
    .executableTarget(
      name: "Benchmarks", dependencies: ["BenchmarkReport", "BenchmarkWorkloads"],
      swiftSettings: settings),
    // Separate from the executable that measures time, since counting takes time.
    .executableTarget(
      name: "CountAllocations",
      dependencies: [
        "BenchmarkReport", "BenchmarkWorkloads", "CAllocations",
        .product(name: "Primitives", package: "Primitives"),
      ],
      swiftSettings: settings),
    .testTarget(
      name: "BenchmarkReportTests",
      dependencies: ["BenchmarkReport", .product(name: "Primitives", package: "Primitives")],
      swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)
