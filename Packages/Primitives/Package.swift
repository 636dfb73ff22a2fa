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
  name: "Primitives",
  platforms: [.macOS(.v14), .iOS(.v17), .tvOS(.v17), .watchOS(.v10), .visionOS(.v1)],
  products: [.library(name: "Primitives", targets: ["Primitives"])],
  targets: [
    .systemLibrary(name: "CAtomics"),
    // Properties that return spans need lifetime dependencies.
    .target(
      name: "Primitives", dependencies: ["CAtomics"],
      swiftSettings: settings + [.enableExperimentalFeature("Lifetimes")]),
    .testTarget(
      name: "PrimitivesTests", dependencies: ["Primitives"], swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)
