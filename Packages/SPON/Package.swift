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
  name: "SPON",
  platforms: [.macOS(.v14), .iOS(.v17), .tvOS(.v17), .watchOS(.v10), .visionOS(.v1)],
  products: [.library(name: "SPON", targets: ["SPON"])],
  dependencies: [.package(path: "../Primitives")],
  targets: [
    .target(
      name: "SPON", dependencies: [.product(name: "Primitives", package: "Primitives")],
      swiftSettings: settings),
    .testTarget(
      name: "SPONTests",
      dependencies: [
        "SPON",
        .product(name: "Primitives", package: "Primitives"),
      ], swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)
