// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .strictMemorySafety(),
]

// A separate package: if a target of the same manifest used a build plugin, SwiftPM would build the
// plugin's tool for every product.
let package = Package(
  name: "HoltTool",
  platforms: [.macOS(.v14), .iOS(.v17), .tvOS(.v17), .watchOS(.v10), .visionOS(.v1)],
  products: [.executable(name: "holt", targets: ["holt-tool"])],
  dependencies: [
    .package(path: "../Terminal"),
    .package(path: "../../Packages/Primitives"),
    .package(path: "../../Packages/SQLiteCore"),
    .package(path: "../../Packages/SPON"),
    .package(path: "../../Packages/Providers"),
    .package(path: "../../Packages/Observe"),
    .package(path: "../../Packages/PostgreSQL"),
    .package(path: "../../Packages/QueryGen"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
  ],
  targets: [
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .systemLibrary(name: "CZstd", pkgConfig: "libzstd", providers: [.apt(["libzstd-dev"])]),
    .systemLibrary(name: "CBZip2", providers: [.apt(["libbz2-dev"])]),
    .target(name: "CCompression", dependencies: ["CZlib", "CZstd", "CBZip2"]),
    .target(name: "CDatabaseLocks"),
    .systemLibrary(name: "CLibEdit", pkgConfig: "libedit", providers: [.apt(["libedit-dev"])]),
    .target(name: "CLineEditing", dependencies: ["CLibEdit"]),
    .target(
      name: "HoltTool",
      dependencies: [
        "CBZip2",
        "CCompression",
        "CDatabaseLocks",
        "CLineEditing",
        .product(name: "Terminal", package: "Terminal"),
        .product(name: "Primitives", package: "Primitives"),
        .product(name: "SQLiteCore", package: "SQLiteCore"),
        .product(name: "SPON", package: "SPON"),
        .product(name: "Providers", package: "Providers"),
        .product(name: "Observe", package: "Observe"),
        .product(name: "PostgreSQL", package: "PostgreSQL"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Crypto", package: "swift-crypto"),
      ],
      swiftSettings: settings),
    .executableTarget(name: "holt-tool", dependencies: ["HoltTool"], swiftSettings: settings),
    .testTarget(
      name: "HoltToolTests",
      dependencies: [
        "HoltTool",
        "holt-tool",
        .product(name: "CommandTesting", package: "Terminal"),
        .product(name: "Terminal", package: "Terminal"),
        .product(name: "QueryGenDriver", package: "QueryGen"),
        .product(name: "SQLiteCore", package: "SQLiteCore"),
        .product(name: "Providers", package: "Providers"),
        .product(name: "SPON", package: "SPON"),
        .product(name: "PostgreSQL", package: "PostgreSQL"),
        .product(name: "PostgreSQLTesting", package: "PostgreSQL"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      exclude: ["Shop.sql"],
      swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)
