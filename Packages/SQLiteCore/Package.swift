// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .strictMemorySafety(),
]

let sqlite: [Target.Dependency] = [
  "CSystemSQLite",
  .target(name: "CSQLCipher", condition: .when(traits: ["SQLCipher"])),
  .target(name: "CCustomSQLite", condition: .when(traits: ["CustomSQLite"])),
]

let package = Package(
  name: "SQLiteCore",
  platforms: [.macOS(.v14), .iOS(.v17), .tvOS(.v17), .watchOS(.v10), .visionOS(.v1)],
  products: [.library(name: "SQLiteCore", targets: ["SQLiteCore"])],
  traits: [
    .trait(name: "SQLCipher", description: "Encrypted databases; links SQLCipher."),
    .trait(name: "CustomSQLite", description: "An SQLite that the app supplies."),
    .default(enabledTraits: []),
  ],
  dependencies: [.package(path: "../Primitives")],
  targets: [
    // Linked by its module map, which is read only if no trait names another SQLite.
    .systemLibrary(name: "CSystemSQLite"),
    .systemLibrary(
      name: "CSQLCipher", pkgConfig: "sqlcipher", providers: [.apt(["libsqlcipher-dev"])]),
    .systemLibrary(name: "CCustomSQLite", pkgConfig: "holt-sqlite"),
    .target(name: "CSQLite", dependencies: sqlite, swiftSettings: settings),
    .target(
      name: "SQLiteCore",
      dependencies: [
        "CSQLite",
        .product(name: "Primitives", package: "Primitives"),
      ],
      swiftSettings: settings),
    .target(name: "CFaultVFS", dependencies: sqlite, path: "Tests/CFaultVFS"),
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
