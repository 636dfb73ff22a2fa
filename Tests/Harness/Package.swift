// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .strictMemorySafety(),
]

// The sources of Observe and Relations, compiled with a stand-in for SwiftUI: so that what is written for SwiftUI is
// compiled and run where there is none. A package of its own, since a target of this name in another
// package's graph would be found by `canImport(SwiftUI)`, or not, by the order of the build.
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
    // Of its own, since what it declares is declared again, otherwise, in the other.
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
