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
  name: "Providers",
  platforms: [.macOS(.v14), .iOS(.v17), .tvOS(.v17), .watchOS(.v10), .visionOS(.v1)],
  products: [
    .library(name: "Providers", targets: ["Providers"]),
    .library(name: "ProviderTesting", targets: ["ProviderTesting"]),
  ],
  dependencies: [
    .package(path: "../Primitives"), .package(path: "../SQLiteCore"), .package(path: "../SPON"),
  ],
  targets: [
    .systemLibrary(
      name: "CLibXML2", pkgConfig: "libxml-2.0", providers: [.apt(["libxml2-dev"])]),
    .systemLibrary(name: "CFiles"),
    .target(
      name: "Providers",
      dependencies: [
        "CFiles",
        "CLibXML2",
        .product(name: "Primitives", package: "Primitives"),
        .product(name: "SQLiteCore", package: "SQLiteCore"),
        .product(name: "SPON", package: "SPON"),
      ],
      swiftSettings: settings),
    .target(
      name: "ProviderTesting",
      dependencies: [
        "Providers",
        .product(name: "SQLiteCore", package: "SQLiteCore"),
        .product(name: "Primitives", package: "Primitives"),
      ],
      swiftSettings: settings),
    .testTarget(
      name: "ProvidersTests",
      dependencies: [
        "Providers",
        "ProviderTesting",
        .product(name: "SQLiteCore", package: "SQLiteCore"),
        .product(name: "SPON", package: "SPON"),
        .product(name: "Primitives", package: "Primitives"),
      ],
      swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)
