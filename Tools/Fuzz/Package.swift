// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

// A package of its own, and no part of the root manifest: only `make fuzz-PACKAGE` builds it, with libFuzzer.
let package = Package(
  name: "Fuzz",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(path: "../../Packages/SPON"), .package(path: "../../Packages/Providers"),
  ],
  targets: [
    .executableTarget(
      name: "FuzzSPON", dependencies: [.product(name: "SPON", package: "SPON")],
      swiftSettings: settings),
    .executableTarget(
      name: "FuzzXML", dependencies: [.product(name: "Providers", package: "Providers")],
      swiftSettings: settings),
    .executableTarget(
      name: "FuzzFormats", dependencies: [.product(name: "Providers", package: "Providers")],
      swiftSettings: settings),
    .executableTarget(name: "FuzzSeeds", swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)
