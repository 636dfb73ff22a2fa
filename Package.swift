// swift-tools-version: 6.2
// Made by `make manifest` from the packages' own manifests. Edit those.
import CompilerPluginSupport
import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
]

let settings2: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
  .enableExperimentalFeature("Lifetimes"),
]

let package = Package(
  name: "Holt",
  platforms: [
    .macOS(.v14),
    .iOS(.v17),
    .tvOS(.v17),
    .watchOS(.v10),
    .visionOS(.v1),
  ],
  products: [
    .library(name: "Holt", targets: ["Holt"]),
    .library(name: "Observe", targets: ["Observe"]),
    .library(name: "ObserveTesting", targets: ["ObserveTesting"]),
    .library(name: "ObserveCombine", targets: ["ObserveCombine"]),
    .library(name: "Providers", targets: ["Providers"]),
    .library(name: "ProviderTesting", targets: ["ProviderTesting"]),
    .library(name: "QueryGen", targets: ["QueryGen"]),
    .library(name: "QueryGenDriver", targets: ["QueryGenDriver"]),
    .library(name: "QueryGenCompiler", targets: ["SQLSyntax", "QueryModel", "SQLSemantics"]),
    .executable(name: "querygen", targets: ["querygen-tool"]),
    .plugin(name: "QueryGenPlugin", targets: ["QueryGenPlugin"]),
    .library(name: "Relations", targets: ["Relations"]),
    .library(name: "Router", targets: ["Router"]),
    .library(name: "RouterTesting", targets: ["RouterTesting"]),
    .library(name: "RouterMacros", targets: ["RouterMacros"]),
    .library(name: "SPON", targets: ["SPON"]),
    .library(name: "SQLiteCore", targets: ["SQLiteCore"]),
  ],
  traits: [
    .trait(
      name: "CustomSQLite",
      description: "An SQLite that the app supplies."),
    .trait(
      name: "Macros",
      description: "The macro products; fetches swift-syntax."),
    .trait(
      name: "OpenCombine",
      description: "Publishers where there is no Combine; fetches OpenCombine."),
    .trait(
      name: "SQLCipher",
      description: "Encrypted databases; links SQLCipher."),
    .trait(
      name: "Tools",
      description: "The command-line tools; fetches swift-argument-parser."),
    .default(enabledTraits: []),
  ],
  dependencies: [
    .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/swiftlang/swift-syntax", from: "603.0.1"),
  ],
  targets: [
    .target(
      name: "Holt",
      dependencies: [
        "Observe",
        "Providers",
        "QueryGen",
        "Relations",
        "Router",
        "SPON",
        "SQLiteCore",
        "Primitives",
      ],
      path: "Packages/Holt/Sources/Holt",
      packageAccess: false,
      swiftSettings: settings),
    .testTarget(
      name: "HoltTests",
      dependencies: ["Holt"],
      path: "Packages/Holt/Tests/HoltTests",
      exclude: ["querygen.yaml"],
      packageAccess: false,
      swiftSettings: settings,
      plugins: ["QueryGenPlugin"]),
    .testTarget(
      name: "HoltConformanceTests",
      dependencies: [
        "Holt",
        "RouterTesting",
      ],
      path: "Packages/Holt/Tests/HoltConformanceTests",
      packageAccess: false,
      swiftSettings: settings),
    .target(
      name: "Observe",
      dependencies: [
        "SQLiteCore",
        "Primitives",
      ],
      path: "Packages/Observe/Sources/Observe",
      packageAccess: false,
      swiftSettings: settings),
    .executableTarget(
      name: "OtherProcess",
      dependencies: [
        "Observe",
        "SQLiteCore",
      ],
      path: "Packages/Observe/Tests/OtherProcess",
      packageAccess: false,
      swiftSettings: settings),
    .target(
      name: "ObserveTesting",
      dependencies: [
        "Observe",
        "SQLiteCore",
        "Primitives",
      ],
      path: "Packages/Observe/Sources/ObserveTesting",
      packageAccess: false,
      swiftSettings: settings),
    .testTarget(
      name: "ObserveTests",
      dependencies: [
        "Observe",
        "ObserveTesting",
        "OtherProcess",
        "SQLiteCore",
        "Primitives",
      ],
      path: "Packages/Observe/Tests/ObserveTests",
      packageAccess: false,
      swiftSettings: settings),
    .target(
      name: "ObserveCombine",
      dependencies: [
        "Observe",
        "SQLiteCore",
        .product(
          name: "OpenCombine", package: "OpenCombine",
          condition: .when(platforms: [.android, .linux, .windows], traits: ["OpenCombine"])),
        "Primitives",
      ],
      path: "Packages/ObserveCombine/Sources/ObserveCombine",
      packageAccess: false,
      swiftSettings: settings),
    .testTarget(
      name: "ObserveCombineTests",
      dependencies: [
        "ObserveCombine",
        "Observe",
        "SQLiteCore",
        .product(
          name: "OpenCombine", package: "OpenCombine",
          condition: .when(platforms: [.android, .linux, .windows], traits: ["OpenCombine"])),
        "Primitives",
      ],
      path: "Packages/ObserveCombine/Tests/ObserveCombineTests",
      packageAccess: false,
      swiftSettings: settings),
    .systemLibrary(
      name: "CAtomics",
      path: "Packages/Primitives/Sources/CAtomics"),
    .target(
      name: "Primitives",
      dependencies: ["CAtomics"],
      path: "Packages/Primitives/Sources/Primitives",
      packageAccess: false,
      swiftSettings: settings2),
    .testTarget(
      name: "PrimitivesTests",
      dependencies: ["Primitives"],
      path: "Packages/Primitives/Tests/PrimitivesTests",
      packageAccess: false,
      swiftSettings: settings),
    .systemLibrary(
      name: "CLibXML2",
      path: "Packages/Providers/Sources/CLibXML2",
      pkgConfig: "libxml-2.0",
      providers: [.apt(["libxml2-dev"])]),
    .systemLibrary(
      name: "CFiles",
      path: "Packages/Providers/Sources/CFiles"),
    .target(
      name: "Providers",
      dependencies: [
        "CFiles",
        "CLibXML2",
        "Primitives",
        "SQLiteCore",
        "SPON",
      ],
      path: "Packages/Providers/Sources/Providers",
      packageAccess: false,
      swiftSettings: settings),
    .target(
      name: "ProviderTesting",
      dependencies: [
        "Providers",
        "SQLiteCore",
        "Primitives",
      ],
      path: "Packages/Providers/Sources/ProviderTesting",
      packageAccess: false,
      swiftSettings: settings),
    .testTarget(
      name: "ProvidersTests",
      dependencies: [
        "Providers",
        "ProviderTesting",
        "SQLiteCore",
        "SPON",
        "Primitives",
      ],
      path: "Packages/Providers/Tests/ProvidersTests",
      packageAccess: false,
      swiftSettings: settings),
    .target(
      name: "SQLSyntax",
      dependencies: ["Primitives"],
      path: "Packages/QueryGen/Sources/SQLSyntax",
      packageAccess: false,
      swiftSettings: settings),
    .target(
      name: "QueryModel",
      path: "Packages/QueryGen/Sources/QueryModel",
      packageAccess: false,
      swiftSettings: settings),
    .target(
      name: "SQLSemantics",
      dependencies: [
        "SQLSyntax",
        "QueryModel",
        "Primitives",
      ],
      path: "Packages/QueryGen/Sources/SQLSemantics",
      packageAccess: false,
      swiftSettings: settings),
    .target(
      name: "SwiftEmitter",
      dependencies: ["QueryModel"],
      path: "Packages/QueryGen/Sources/SwiftEmitter",
      packageAccess: false,
      swiftSettings: settings),
    .target(
      name: "QueryGenDriver",
      dependencies: [
        "SQLSyntax",
        "SQLSemantics",
        "QueryModel",
        "SwiftEmitter",
        "Primitives",
      ],
      path: "Packages/QueryGen/Sources/QueryGenDriver",
      packageAccess: false,
      swiftSettings: settings),
    .target(
      name: "QueryGenDatabase",
      dependencies: [
        "QueryGenDriver",
        "SQLiteCore",
      ],
      path: "Packages/QueryGen/Sources/QueryGenDatabase",
      packageAccess: false,
      swiftSettings: settings),
    .executableTarget(
      name: "querygen-tool",
      dependencies: [
        "QueryGenDatabase",
        "QueryGenDriver",
        .product(
          name: "ArgumentParser", package: "swift-argument-parser",
          condition: .when(traits: ["Tools"])),
      ],
      path: "Packages/QueryGen/Sources/querygen-tool",
      packageAccess: false,
      swiftSettings: settings),
    .executableTarget(
      name: "querygen-build",
      dependencies: ["QueryGenDriver"],
      path: "Packages/QueryGen/Sources/querygen-build",
      packageAccess: false,
      swiftSettings: settings),
    .plugin(
      name: "QueryGenPlugin",
      capability: .buildTool(),
      dependencies: ["querygen-build"],
      path: "Packages/QueryGen/Plugins/QueryGenPlugin"),
    .target(
      name: "QueryGen",
      dependencies: [
        "SQLiteCore",
        "Observe",
        "Primitives",
      ],
      path: "Packages/QueryGen/Sources/QueryGen",
      packageAccess: false,
      swiftSettings: settings),
    .target(
      name: "QueryGenTestSupport",
      path: "Packages/QueryGen/Tests/QueryGenTestSupport",
      packageAccess: false,
      swiftSettings: settings),
    .testTarget(
      name: "SQLSyntaxTests",
      dependencies: [
        "SQLSyntax",
        "QueryGenTestSupport",
      ],
      path: "Packages/QueryGen/Tests/SQLSyntaxTests",
      packageAccess: false,
      swiftSettings: settings),
    .testTarget(
      name: "SQLSemanticsTests",
      dependencies: [
        "SQLSemantics",
        "SQLSyntax",
        "QueryModel",
      ],
      path: "Packages/QueryGen/Tests/SQLSemanticsTests",
      packageAccess: false,
      swiftSettings: settings),
    .testTarget(
      name: "SwiftEmitterTests",
      dependencies: [
        "SwiftEmitter",
        "QueryModel",
      ],
      path: "Packages/QueryGen/Tests/SwiftEmitterTests",
      exclude: ["Goldens"],
      packageAccess: false,
      swiftSettings: settings),
    .testTarget(
      name: "QueryGenDriverTests",
      dependencies: [
        "QueryGenDriver",
        "QueryGenTestSupport",
        "QueryModel",
        "SQLSyntax",
      ],
      path: "Packages/QueryGen/Tests/QueryGenDriverTests",
      packageAccess: false,
      swiftSettings: settings),
    .testTarget(
      name: "QueryGenDatabaseTests",
      dependencies: [
        "QueryGenDatabase",
        "QueryGenDriver",
        "QueryGenTestSupport",
        "querygen-tool",
        "SQLiteCore",
      ],
      path: "Packages/QueryGen/Tests/QueryGenDatabaseTests",
      packageAccess: false,
      swiftSettings: settings),
    .testTarget(
      name: "QueryGenTests",
      dependencies: [
        "QueryGen",
        "SQLiteCore",
        "Observe",
      ],
      path: "Packages/QueryGen/Tests/QueryGenTests",
      packageAccess: false,
      swiftSettings: settings),
    .target(
      name: "Relations",
      dependencies: [
        "Primitives",
        "SQLiteCore",
        "Observe",
      ],
      path: "Packages/Relations/Sources/Relations",
      packageAccess: false,
      swiftSettings: settings),
    .testTarget(
      name: "RelationsTests",
      dependencies: [
        "Relations",
        "SQLiteCore",
        "Observe",
        "Primitives",
      ],
      path: "Packages/Relations/Tests/RelationsTests",
      packageAccess: false,
      swiftSettings: settings),
    .target(
      name: "Router",
      dependencies: [
        "Primitives",
        "SQLiteCore",
        "Observe",
      ],
      path: "Packages/Router/Sources/Router",
      packageAccess: false,
      swiftSettings: settings),
    .target(
      name: "RouterTesting",
      dependencies: [
        "Router",
        "SQLiteCore",
      ],
      path: "Packages/Router/Sources/RouterTesting",
      packageAccess: false,
      swiftSettings: settings),
    .testTarget(
      name: "RouterTests",
      dependencies: [
        "Router",
        "RouterTesting",
        "SQLiteCore",
        "Observe",
        "ObserveTesting",
        "Primitives",
      ],
      path: "Packages/Router/Tests/RouterTests",
      packageAccess: false,
      swiftSettings: settings),
    .macro(
      name: "RouterMacrosPlugin",
      dependencies: [
        .product(
          name: "SwiftCompilerPlugin", package: "swift-syntax",
          condition: .when(traits: ["Macros"])),
        .product(
          name: "SwiftDiagnostics", package: "swift-syntax",
          condition: .when(traits: ["Macros"])),
        .product(
          name: "SwiftSyntax", package: "swift-syntax",
          condition: .when(traits: ["Macros"])),
        .product(
          name: "SwiftSyntaxBuilder", package: "swift-syntax",
          condition: .when(traits: ["Macros"])),
        .product(
          name: "SwiftSyntaxMacros", package: "swift-syntax",
          condition: .when(traits: ["Macros"])),
      ],
      path: "Packages/RouterMacros/Sources/RouterMacrosPlugin",
      packageAccess: false,
      swiftSettings: settings),
    .target(
      name: "RouterMacros",
      dependencies: [
        "RouterMacrosPlugin",
        "Router",
      ],
      path: "Packages/RouterMacros/Sources/RouterMacros",
      packageAccess: false,
      swiftSettings: settings),
    .testTarget(
      name: "RouterMacrosTests",
      dependencies: [
        "RouterMacros",
        "Router",
      ],
      path: "Packages/RouterMacros/Tests/RouterMacrosTests",
      packageAccess: false,
      swiftSettings: settings),
    .target(
      name: "SPON",
      dependencies: ["Primitives"],
      path: "Packages/SPON/Sources/SPON",
      packageAccess: false,
      swiftSettings: settings),
    .testTarget(
      name: "SPONTests",
      dependencies: [
        "SPON",
        "Primitives",
      ],
      path: "Packages/SPON/Tests/SPONTests",
      packageAccess: false,
      swiftSettings: settings),
    .systemLibrary(
      name: "CSystemSQLite",
      path: "Packages/SQLiteCore/Sources/CSystemSQLite"),
    .systemLibrary(
      name: "CSQLCipher",
      path: "Packages/SQLiteCore/Sources/CSQLCipher",
      pkgConfig: "sqlcipher",
      providers: [.apt(["libsqlcipher-dev"])]),
    .systemLibrary(
      name: "CCustomSQLite",
      path: "Packages/SQLiteCore/Sources/CCustomSQLite",
      pkgConfig: "holt-sqlite"),
    .target(
      name: "CSQLite",
      dependencies: [
        "CSystemSQLite",
        .target(name: "CSQLCipher", condition: .when(traits: ["SQLCipher"])),
        .target(name: "CCustomSQLite", condition: .when(traits: ["CustomSQLite"])),
      ],
      path: "Packages/SQLiteCore/Sources/CSQLite",
      packageAccess: false,
      swiftSettings: settings),
    .target(
      name: "SQLiteCore",
      dependencies: [
        "CSQLite",
        "Primitives",
      ],
      path: "Packages/SQLiteCore/Sources/SQLiteCore",
      packageAccess: false,
      swiftSettings: settings),
    .target(
      name: "CFaultVFS",
      dependencies: [
        "CSystemSQLite",
        .target(name: "CSQLCipher", condition: .when(traits: ["SQLCipher"])),
        .target(name: "CCustomSQLite", condition: .when(traits: ["CustomSQLite"])),
      ],
      path: "Packages/SQLiteCore/Tests/CFaultVFS",
      packageAccess: false),
    .testTarget(
      name: "SQLiteCoreTests",
      dependencies: [
        "SQLiteCore",
        "CSQLite",
        "CFaultVFS",
        "Primitives",
      ],
      path: "Packages/SQLiteCore/Tests/SQLiteCoreTests",
      packageAccess: false,
      swiftSettings: settings),
    .target(
      name: "HoltChecks",
      path: "Tools/Checks/Sources/HoltChecks",
      packageAccess: false,
      swiftSettings: settings),
    .executableTarget(
      name: "holt-check",
      dependencies: ["HoltChecks"],
      path: "Tools/Checks/Sources/holt-check",
      packageAccess: false,
      swiftSettings: settings),
    .testTarget(
      name: "HoltChecksTests",
      dependencies: ["HoltChecks"],
      path: "Tools/Checks/Tests/HoltChecksTests",
      packageAccess: false,
      swiftSettings: settings),
    .target(
      name: "CTerminal",
      path: "Tools/Terminal/Sources/CTerminal",
      packageAccess: false),
    .target(
      name: "Terminal",
      dependencies: [
        "CTerminal",
        "Primitives",
        .product(
          name: "ArgumentParser", package: "swift-argument-parser",
          condition: .when(traits: ["Tools"])),
      ],
      path: "Tools/Terminal/Sources/Terminal",
      packageAccess: false,
      swiftSettings: settings),
    .target(
      name: "CommandTesting",
      path: "Tools/Terminal/Sources/CommandTesting",
      packageAccess: false,
      swiftSettings: settings),
    .testTarget(
      name: "TerminalTests",
      dependencies: ["Terminal"],
      path: "Tools/Terminal/Tests/TerminalTests",
      packageAccess: false,
      swiftSettings: settings),
    .target(
      name: "HoltTool",
      dependencies: [
        "Terminal",
        "Primitives",
        "SQLiteCore",
        "SPON",
        "Providers",
        "Observe",
        .product(
          name: "ArgumentParser", package: "swift-argument-parser",
          condition: .when(traits: ["Tools"])),
      ],
      path: "Tools/Holt/Sources/HoltTool",
      packageAccess: false,
      swiftSettings: settings),
    .executableTarget(
      name: "holt-tool",
      dependencies: ["HoltTool"],
      path: "Tools/Holt/Sources/holt-tool",
      packageAccess: false,
      swiftSettings: settings),
    .testTarget(
      name: "HoltToolTests",
      dependencies: [
        "HoltTool",
        "holt-tool",
        "CommandTesting",
        "Terminal",
        "QueryGenDriver",
        "SQLiteCore",
        "Providers",
      ],
      path: "Tools/Holt/Tests/HoltToolTests",
      exclude: ["Shop.sql"],
      packageAccess: false,
      swiftSettings: settings),
    .executableTarget(
      name: "Atlas",
      dependencies: [
        "Terminal",
        "Primitives",
        "SQLiteCore",
        "Providers",
        "Observe",
        "QueryGen",
        "Relations",
        .product(
          name: "ArgumentParser", package: "swift-argument-parser",
          condition: .when(traits: ["Tools"])),
      ],
      path: "Tools/Examples/Atlas",
      exclude: [
        "README.md",
        "Tests",
      ],
      packageAccess: false,
      swiftSettings: settings,
      plugins: ["QueryGenPlugin"]),
    .testTarget(
      name: "AtlasTests",
      dependencies: [
        "Atlas",
        "Primitives",
        "SQLiteCore",
        "Providers",
        "QueryGen",
        "Relations",
        .product(
          name: "ArgumentParser", package: "swift-argument-parser",
          condition: .when(traits: ["Tools"])),
      ],
      path: "Tools/Examples/Atlas/Tests",
      packageAccess: false,
      swiftSettings: settings),
    .executableTarget(
      name: "Notes",
      dependencies: [
        "Terminal",
        "Primitives",
        "SQLiteCore",
        "Providers",
        "Observe",
        "QueryGen",
        "Router",
        .product(
          name: "ArgumentParser", package: "swift-argument-parser",
          condition: .when(traits: ["Tools"])),
      ],
      path: "Tools/Examples/Notes",
      exclude: [
        "README.md",
        "Tests",
      ],
      packageAccess: false,
      swiftSettings: settings,
      plugins: ["QueryGenPlugin"]),
    .testTarget(
      name: "NotesTests",
      dependencies: [
        "Notes",
        "Primitives",
        "CommandTesting",
        "SQLiteCore",
        "Observe",
        "QueryGen",
        "Router",
        "RouterTesting",
        .product(
          name: "ArgumentParser", package: "swift-argument-parser",
          condition: .when(traits: ["Tools"])),
      ],
      path: "Tools/Examples/Notes/Tests",
      packageAccess: false,
      swiftSettings: settings),
    .testTarget(
      name: "SeedsTests",
      dependencies: [
        "Observe",
        "ObserveCombine",
        "Providers",
        "QueryGen",
        "Relations",
        "RouterMacros",
        "RouterTesting",
        "SPON",
        "SQLiteCore",
        .product(
          name: "OpenCombine", package: "OpenCombine",
          condition: .when(platforms: [.android, .linux, .windows], traits: ["OpenCombine"])),
      ],
      path: "Tests/Tests/SeedsTests",
      exclude: ["README.md"],
      packageAccess: false,
      swiftSettings: settings,
      plugins: ["QueryGenPlugin"]),
    .testTarget(
      name: "GuideTests",
      dependencies: [
        "Observe",
        "Providers",
        "QueryGen",
        "Relations",
        "Router",
        "SQLiteCore",
      ],
      path: "Tests/Tests/GuideTests",
      packageAccess: false,
      swiftSettings: settings,
      plugins: ["QueryGenPlugin"]),
    .testTarget(
      name: "DocumentationTests",
      dependencies: [
        "Observe",
        "ObserveTesting",
        "Providers",
        "QueryGen",
        "Relations",
        "RouterMacros",
        "RouterTesting",
        "SPON",
        "SQLiteCore",
        "Primitives",
      ],
      path: "Tests/Tests/DocumentationTests",
      packageAccess: false,
      swiftSettings: settings,
      plugins: ["QueryGenPlugin"]),
    .testTarget(
      name: "EndToEndTests",
      dependencies: ["QueryGen"],
      path: "Tests/Tests/EndToEndTests",
      packageAccess: false,
      swiftSettings: settings,
      plugins: ["QueryGenPlugin"]),
    .testTarget(
      name: "ChosenTests",
      dependencies: ["QueryGen"],
      path: "Tests/Tests/ChosenTests",
      exclude: ["querygen.yaml"],
      packageAccess: false,
      swiftSettings: settings,
      plugins: ["QueryGenPlugin"]),
    .testTarget(
      name: "ConsumersTests",
      dependencies: [
        "Holt",
        "Observe",
        "ObserveCombine",
        "ObserveTesting",
        "ProviderTesting",
        "Providers",
        "QueryGen",
        "SQLSyntax",
        "QueryModel",
        "SQLSemantics",
        "QueryGenDriver",
        "Relations",
        "Router",
        "RouterMacros",
        "RouterTesting",
        "SPON",
        "SQLiteCore",
        .product(
          name: "OpenCombine", package: "OpenCombine",
          condition: .when(platforms: [.android, .linux, .windows], traits: ["OpenCombine"])),
      ],
      path: "Tests/Tests/ConsumersTests",
      packageAccess: false,
      swiftSettings: settings,
      plugins: ["QueryGenPlugin"]),
    .testTarget(
      name: "DifferentialTests",
      dependencies: [
        "SQLSyntax",
        "QueryModel",
        "SQLSemantics",
        "Router",
        "SQLiteCore",
      ],
      path: "Tests/Tests/DifferentialTests",
      packageAccess: false,
      swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)
