// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
]

let package = Package(
  name: "Router",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [.library(name: "Router", targets: ["Router"])],
  dependencies: [.package(path: "../SQLiteCore")],
  targets: [
    .target(
      name: "Router", dependencies: [.product(name: "SQLiteCore", package: "SQLiteCore")],
      swiftSettings: settings),
    .testTarget(
      name: "RouterTests",
      dependencies: ["Router", .product(name: "SQLiteCore", package: "SQLiteCore")],
      swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)
