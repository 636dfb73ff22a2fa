// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .strictMemorySafety(),
]

// A separate package without dependencies: it generates and checks the root manifest, so it must build before that
// exists.
let package = Package(
  name: "Checks",
  platforms: [.macOS(.v14), .iOS(.v17), .tvOS(.v17), .watchOS(.v10), .visionOS(.v1)],
  targets: [
    .target(name: "HoltChecks", swiftSettings: settings),
    .executableTarget(
      name: "holt-check", dependencies: ["HoltChecks"], swiftSettings: settings),
    .testTarget(name: "HoltChecksTests", dependencies: ["HoltChecks"], swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)
