// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .strictMemorySafety(),
]

// Code shared by this repository's commands. Not for use by other packages.
let package = Package(
  name: "Terminal",
  platforms: [.macOS(.v14), .iOS(.v17), .tvOS(.v17), .watchOS(.v10), .visionOS(.v1)],
  products: [
    .library(name: "Terminal", targets: ["Terminal"]),
    .library(name: "CommandTesting", targets: ["CommandTesting"]),
  ],
  dependencies: [
    .package(path: "../../Packages/Primitives"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
  ],
  targets: [
    .target(name: "CTerminal"),
    .target(
      name: "Terminal",
      dependencies: [
        "CTerminal",
        .product(name: "Primitives", package: "Primitives"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: settings),
    .target(name: "CommandTesting", swiftSettings: settings),
    .testTarget(name: "TerminalTests", dependencies: ["Terminal"], swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)
