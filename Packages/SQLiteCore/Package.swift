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
  name: "SQLiteCore",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [.library(name: "SQLiteCore", targets: ["SQLiteCore"])],
  dependencies: [
    .package(path: "../Primitives")
  ],
  targets: [
    .systemLibrary(
      name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .target(
      name: "SQLiteCore",
      dependencies: [
        "CSQLite",
        .product(name: "Primitives", package: "Primitives"),
      ],
      swiftSettings: settings),
    .target(name: "CFaultVFS", dependencies: ["CSQLite"], path: "Tests/CFaultVFS"),
    .testTarget(
      name: "SQLiteCoreTests",
      dependencies: [
        "SQLiteCore",
        "CSQLite",
        "CFaultVFS",
        .product(name: "Primitives", package: "Primitives"),
      ],
      swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)
