// swift-tools-version: 6.2
import CompilerPluginSupport
import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .strictMemorySafety(),
]

let package = Package(
  name: "HoltMacros",
  platforms: [.macOS(.v14), .iOS(.v17), .tvOS(.v17), .watchOS(.v10), .visionOS(.v1)],
  products: [.library(name: "HoltMacros", targets: ["HoltMacros"])],
  dependencies: [
    .package(path: "../Relations"),
    .package(path: "../Router"),
    .package(path: "../SQLiteCore"),
    .package(url: "https://github.com/swiftlang/swift-syntax", from: "603.0.1"),
  ],
  targets: [
    .macro(
      name: "HoltMacrosPlugin",
      dependencies: [
        .product(name: "SwiftCompilerPlugin", package: "swift-syntax"),
        .product(name: "SwiftDiagnostics", package: "swift-syntax"),
        .product(name: "SwiftSyntax", package: "swift-syntax"),
        .product(name: "SwiftSyntaxBuilder", package: "swift-syntax"),
        .product(name: "SwiftSyntaxMacros", package: "swift-syntax"),
      ],
      swiftSettings: settings),
    .target(
      name: "HoltMacros",
      dependencies: [
        "HoltMacrosPlugin", .product(name: "Relations", package: "Relations"),
        .product(name: "Router", package: "Router"),
        .product(name: "SQLiteCore", package: "SQLiteCore"),
      ],
      swiftSettings: settings),
    // Does not depend on the plugin: such a test target is built for the host, and everything else that it tests is
    // then built twice. The tests communicate with the plugin as the compiler does.
    .testTarget(
      name: "HoltMacrosTests",
      dependencies: [
        "HoltMacros", .product(name: "Relations", package: "Relations"),
        .product(name: "Router", package: "Router"),
        .product(name: "SQLiteCore", package: "SQLiteCore"),
      ],
      swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)
