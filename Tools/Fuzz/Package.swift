// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

// A separate package that is not part of the root manifest: only `make fuzz-PACKAGE` builds it, with
// libFuzzer.
let package = Package(
  name: "Fuzz",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(path: "../../Packages/Primitives"), .package(path: "../../Packages/SPON"),
    .package(path: "../../Packages/Providers"),
    .package(path: "../../Packages/QueryGen"),
  ],
  targets: [
    .target(
      name: "Fuzzing", dependencies: [.product(name: "Primitives", package: "Primitives")],
      swiftSettings: settings),
    .executableTarget(
      name: "FuzzSPON", dependencies: ["Fuzzing", .product(name: "SPON", package: "SPON")],
      swiftSettings: settings),
    .executableTarget(
      name: "FuzzXML",
      dependencies: ["Fuzzing", .product(name: "Providers", package: "Providers")],
      swiftSettings: settings),
    .executableTarget(
      name: "FuzzFormats",
      dependencies: [
        "Fuzzing", .product(name: "Primitives", package: "Primitives"),
        .product(name: "Providers", package: "Providers"),
      ],
      swiftSettings: settings),
    .executableTarget(
      name: "FuzzSQL",
      dependencies: ["Fuzzing", .product(name: "QueryGenCompiler", package: "QueryGen")],
      swiftSettings: settings),
    .executableTarget(
      name: "FuzzLSP",
      dependencies: ["Fuzzing", .product(name: "QueryGenServer", package: "QueryGen")],
      swiftSettings: settings),
    .executableTarget(name: "FuzzSeeds", swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)
