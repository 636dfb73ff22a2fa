// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .strictMemorySafety(),
]

// Compiles the sources of Observe and Relations with a substitute for SwiftUI, so that their SwiftUI code is compiled
// and tested on systems without SwiftUI. This is a separate package, since with a target of this name in the same
// package graph, the result of `canImport(SwiftUI)` would depend on the build order.
let package = Package(
  name: "SwiftUIHarness",
  platforms: [.macOS(.v14)],
  dependencies: [.package(path: "../../Packages/SQLiteCore")],
  targets: [
    .target(name: "SwiftUI", swiftSettings: settings),
    .target(
      name: "Observe",
      dependencies: ["SwiftUI", .product(name: "SQLiteCore", package: "SQLiteCore")],
      swiftSettings: settings + [.define("HOLT_SWIFTUI_STAND_IN")]),
    .target(
      name: "Relations",
      dependencies: ["Observe", .product(name: "SQLiteCore", package: "SQLiteCore")],
      exclude: ["Relations.docc"], swiftSettings: settings),
    // A separate target, since the other one declares the same types differently.
    .testTarget(
      name: "FirstStepsTests",
      dependencies: [
        "Observe", "SwiftUI", .product(name: "SQLiteCore", package: "SQLiteCore"),
      ],
      swiftSettings: settings),
    .testTarget(
      name: "SwiftUITests",
      dependencies: [
        "Observe", "Relations", "SwiftUI", .product(name: "SQLiteCore", package: "SQLiteCore"),
      ],
      swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)
