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
  name: "QueryGen",
  platforms: [.macOS(.v14), .iOS(.v17), .tvOS(.v17), .watchOS(.v10), .visionOS(.v1)],
  products: [
    .library(name: "QueryGen", targets: ["QueryGen"]),
    .library(name: "QueryGenDriver", targets: ["QueryGenDriver"]),
    .library(name: "QueryGenCompiler", targets: ["SQLSyntax", "QueryModel", "SQLSemantics"]),
    .executable(name: "querygen", targets: ["querygen-tool"]),
    .plugin(name: "QueryGenPlugin", targets: ["QueryGenPlugin"]),
  ],
  dependencies: [
    .package(path: "../Primitives"),
    .package(path: "../SQLiteCore"),
    .package(path: "../Observe"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
  ],
  targets: [
    .target(
      name: "SQLSyntax", dependencies: [.product(name: "Primitives", package: "Primitives")],
      swiftSettings: settings),
    .target(name: "QueryModel", swiftSettings: settings),
    .target(
      name: "SQLSemantics",
      dependencies: [
        "SQLSyntax", "QueryModel", .product(name: "Primitives", package: "Primitives"),
      ],
      swiftSettings: settings),
    .target(
      name: "SwiftEmitter",
      dependencies: ["QueryModel", .product(name: "Primitives", package: "Primitives")],
      swiftSettings: settings),
    .target(
      name: "QueryGenDriver",
      dependencies: [
        "SQLSyntax",
        "SQLSemantics",
        "QueryModel",
        "SwiftEmitter",
        .product(name: "Primitives", package: "Primitives"),
      ],
      swiftSettings: settings),
    // A separate target, so that the plugin's tool does not link SQLite.
    .target(
      name: "QueryGenDatabase",
      dependencies: [
        "QueryGenDriver",
        "SQLSyntax",
        "SQLSemantics",
        "QueryModel",
        .product(name: "Primitives", package: "Primitives"),
        .product(name: "SQLiteCore", package: "SQLiteCore"),
      ],
      swiftSettings: settings),
    .target(name: "LSPWire", swiftSettings: settings),
    // Not linked by the plugin's tool.
    .target(
      name: "QueryGenLanguage",
      dependencies: [
        "QueryGenDriver",
        "SQLSyntax",
        "SQLSemantics",
        "QueryModel",
        "SwiftEmitter",
        .product(name: "Primitives", package: "Primitives"),
      ],
      swiftSettings: settings),
    .target(
      name: "QueryGenServer",
      dependencies: [
        "LSPWire",
        "QueryGenDriver",
        "QueryGenLanguage",
        "SQLSyntax",
        .product(name: "Primitives", package: "Primitives"),
      ],
      swiftSettings: settings),
    .executableTarget(
      name: "querygen-tool",
      dependencies: [
        "LSPWire",
        "QueryGenDatabase",
        "QueryGenDriver",
        "QueryGenServer",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: settings),
    .executableTarget(
      name: "querygen-build", dependencies: ["QueryGenDriver"], swiftSettings: settings),
    .plugin(
      name: "QueryGenPlugin", capability: .buildTool(), dependencies: ["querygen-build"]),
    .target(
      name: "QueryGen",
      dependencies: [
        .product(name: "SQLiteCore", package: "SQLiteCore"),
        .product(name: "Observe", package: "Observe"),
        .product(name: "Primitives", package: "Primitives"),
      ],
      swiftSettings: settings),
    .target(
      name: "QueryGenTestSupport", path: "Tests/QueryGenTestSupport", swiftSettings: settings),
    .testTarget(
      name: "SQLSyntaxTests",
      dependencies: [
        "SQLSyntax", "QueryGenTestSupport", .product(name: "Primitives", package: "Primitives"),
      ],
      swiftSettings: settings),
    .testTarget(
      name: "SQLSemanticsTests",
      dependencies: [
        "SQLSemantics",
        "SQLSyntax",
        "QueryModel",
        .product(name: "Primitives", package: "Primitives"),
      ],
      swiftSettings: settings),
    .testTarget(
      name: "SwiftEmitterTests", dependencies: ["SwiftEmitter", "QueryModel"],
      exclude: ["Goldens"], swiftSettings: settings),
    .testTarget(
      name: "QueryGenDriverTests",
      dependencies: [
        "QueryGenDriver", "QueryGenTestSupport", "QueryModel", "SQLSyntax", "querygen-build",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "QueryGenDatabaseTests",
      dependencies: [
        "QueryGenDatabase",
        "QueryGenDriver",
        "QueryGenTestSupport",
        "QueryModel",
        "SQLSemantics",
        "SQLSyntax",
        "querygen-tool",
        .product(name: "SQLiteCore", package: "SQLiteCore"),
      ],
      swiftSettings: settings),
    .testTarget(
      name: "LSPWireTests", dependencies: ["LSPWire", "QueryGenTestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "QueryGenLanguageTests",
      dependencies: [
        "QueryGenDriver", "QueryGenLanguage", "QueryGenTestSupport", "SQLSemantics", "SQLSyntax",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "QueryGenServerTests",
      dependencies: [
        "LSPWire",
        "QueryGenDatabase",
        "QueryGenDriver",
        "QueryGenServer",
        "QueryGenTestSupport",
        "querygen-tool",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "QueryGenTests",
      dependencies: [
        "QueryGen",
        .product(name: "SQLiteCore", package: "SQLiteCore"),
        .product(name: "Observe", package: "Observe"),
      ],
      exclude: [
        "Archive/Migrations", "Archive/Queries", "Archive/querygen.yaml", "Roster/Migrations",
        "Roster/Queries", "Roster/querygen.yaml", "Storage/Attic", "Storage/Shelf",
      ],
      swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)

// Only the fuzzer of `Tools/Fuzz` uses the language server's targets directly.
if Context.environment["HOLT_FUZZ"] != nil {
  package.products.append(
    .library(name: "QueryGenServer", targets: ["LSPWire", "QueryGenServer"]))
}
