/// The modules that each target may import, in addition to the standard library.
///
/// A target may import targets before it in the list, never the reverse. Siblings don't import each other.
enum ImportRules {
  /// Modules of the toolchain that any target may import.
  static let everywhere: Set<String> = ["Observation"]

  /// Foundation, in any of its forms: allowed by ``foundation`` and in `*+Foundation.swift` files.
  static let foundation: Set<String> = ["Foundation", "FoundationEssentials"]

  /// The modules that each target may import. A target without an entry is rejected, so that a new target
  /// gets its entry first.
  static let allowed: [String: Set<String>] = [
    // Packages/Primitives
    "Primitives": ["Android", "CAtomics", "Darwin", "Glibc", "Musl"],
    // Packages/SQLiteCore
    "CSQLite": ["CCustomSQLite", "CSQLCipher", "CSystemSQLite"],
    "SQLiteCore": ["CSQLite", "Darwin", "Dispatch", "Glibc", "Musl", "Primitives"],
    // Packages/PostgreSQL
    "PostgreSQL": ["CLibPQ", "Darwin", "Dispatch", "Glibc", "Musl", "Primitives"],
    "PostgreSQLTesting": ["Foundation", "PostgreSQL"],
    // Packages/SPON
    "SPON": ["Primitives"],
    // Packages/Observe
    "Observe": ["Primitives", "SQLiteCore", "SwiftUI"],
    "OtherProcess": ["SQLiteCore", "Observe"],
    "ObserveTesting": ["Primitives", "SQLiteCore", "Observe"],
    // Packages/ObserveCombine
    "ObserveCombine": ["Observe", "Primitives", "SQLiteCore", "Combine", "OpenCombine"],
    // Packages/QueryGen
    "SQLSyntax": ["Primitives"],
    "QueryModel": [],
    "SQLSemantics": ["Primitives", "SQLSyntax", "QueryModel"],
    "SwiftEmitter": ["Primitives", "QueryModel"],
    "QueryGenDriver": [
      "Primitives", "SQLSyntax", "SQLSemantics", "QueryModel", "SwiftEmitter", "Foundation",
    ],
    "QueryGenDatabase": [
      "Primitives", "SQLSyntax", "SQLSemantics", "QueryModel", "QueryGenDriver", "SQLiteCore",
      "Foundation",
    ],
    "LSPWire": ["Foundation"],
    "QueryGenLanguage": [
      "Primitives", "SQLSyntax", "SQLSemantics", "QueryModel", "SwiftEmitter", "QueryGenDriver",
    ],
    "QueryGenServer": [
      "Dispatch", "Foundation", "LSPWire", "Primitives", "QueryGenDriver", "QueryGenLanguage",
      "SQLSyntax",
    ],
    "querygen-tool": [
      "LSPWire", "QueryGenDatabase", "QueryGenDriver", "QueryGenServer", "ArgumentParser",
      "Foundation",
    ],
    "querygen-build": ["QueryGenDriver", "Foundation"],
    "QueryGenPlugin": ["PackagePlugin", "Foundation"],
    "QueryGen": ["Primitives", "SQLiteCore", "Observe"],
    "QueryGenTestSupport": ["Foundation"],
    // Packages/QueryGenPostgreSQL
    "QueryGenPostgreSQL": ["Foundation", "PostgreSQL", "Primitives", "QueryGen", "SQLiteCore"],
    "QueryGenDescriber": ["PostgreSQL", "QueryGenDriver", "SQLSyntax"],
    "querygen-postgresql": [
      "ArgumentParser", "Foundation", "PostgreSQL", "QueryGenDescriber", "QueryGenDriver",
    ],
    // Packages/Router
    "Router": ["Primitives", "SQLiteCore", "Observe"],
    "RouterTesting": ["SQLiteCore", "Router"],
    // Packages/RouterPostgreSQL
    "RouterPostgreSQL": ["PostgreSQL", "Primitives", "SQLiteCore", "Observe", "Router"],
    // Packages/HoltMacros
    "HoltMacrosPlugin": [
      "SwiftCompilerPlugin", "SwiftDiagnostics", "SwiftSyntax", "SwiftSyntaxBuilder",
      "SwiftSyntaxMacros",
    ],
    "HoltMacros": ["Relations", "Router", "SQLiteCore"],
    // Packages/Providers
    "Providers": ["CFiles", "CLibXML2", "Dispatch", "Primitives", "SQLiteCore", "SPON"],
    "ProviderTesting": ["Dispatch", "Primitives", "Providers", "SQLiteCore"],
    // Packages/Relations
    "Relations": ["Primitives", "SQLiteCore", "Observe"],
    // Packages/Holt
    "Holt": [
      "Observe", "Primitives", "Providers", "QueryGen", "Relations", "Router", "SPON",
      "SQLiteCore", "SwiftUI",
    ],
    // Tools
    "HoltChecks": ["Foundation"],
    "holt-check": ["HoltChecks", "Foundation"],
    "BenchmarkReport": ["Primitives"],
    "GeneratedQueries": ["QueryGen", "SQLiteCore"],
    "BenchmarkWorkloads": [
      "BenchmarkReport", "CBaseline", "GeneratedQueries", "Primitives", "SQLiteCore", "Observe",
      "PostgreSQL", "PostgreSQLTesting", "Providers", "Relations", "Router", "SPON", "SQLSyntax",
      "SQLSemantics", "QueryGenDriver",
      "GRDB", "Foundation", "Synchronization",
    ],
    "Benchmarks": ["BenchmarkReport", "BenchmarkWorkloads", "Foundation"],
    "CountAllocations": [
      "BenchmarkReport", "BenchmarkWorkloads", "CAllocations", "Foundation", "Primitives",
    ],
    "Fuzzing": ["Foundation", "Primitives"],
    "FuzzSPON": ["Fuzzing", "SPON", "Foundation"],
    "FuzzXML": ["Fuzzing", "Providers", "Foundation"],
    "FuzzFormats": ["Fuzzing", "Primitives", "Providers", "Foundation"],
    "FuzzSQL": ["Fuzzing", "SQLSyntax", "SQLSemantics", "Foundation"],
    "FuzzLSP": ["Fuzzing", "LSPWire", "QueryGenServer", "Foundation"],
    "FuzzSeeds": ["Foundation"],
    "Terminal": ["ArgumentParser", "CTerminal", "Dispatch", "Foundation", "Primitives"],
    "CommandTesting": ["Foundation"],
    "HoltTool": [
      "ArgumentParser", "CBZip2", "CCompression", "CDatabaseLocks", "CLineEditing", "Crypto",
      "Dispatch", "Foundation", "Observe", "PostgreSQL", "Primitives", "Providers", "SPON",
      "SQLiteCore", "Terminal",
    ],
    "holt-tool": ["HoltTool"],
    "Atlas": [
      "ArgumentParser", "Foundation", "Observe", "PostgreSQL", "Primitives", "Providers",
      "QueryGen",
      "Relations", "Router", "RouterPostgreSQL", "SQLiteCore", "Terminal",
    ],
    "Notes": [
      "ArgumentParser", "Foundation", "Observe", "Primitives", "Providers", "QueryGen", "Router",
      "SQLiteCore", "Terminal",
    ],
  ]

  /// The folders that may import a module with a C interface.
  static let fences: [String: [String]] = [
    "CAtomics": [concurrency], "CSQLite": [engine, cInterface], "CCustomSQLite": [sqlite],
    "CSQLCipher": [sqlite], "CSystemSQLite": [sqlite], "CFiles": [files], "CLibPQ": [postgreSQL],
    "CLibXML2": [xml],
    "CBZip2": [tool + "Sources/"], "CCompression": [tool + "Sources/"],
    "CDatabaseLocks": [tool + "Sources/"], "CLineEditing": [editing],
  ]

  private static let sqlite = "Packages/SQLiteCore/Sources/CSQLite/"
  private static let engine = "Packages/SQLiteCore/Sources/SQLiteCore/Engine/"
  private static let postgreSQL = "Packages/PostgreSQL/Sources/PostgreSQL/Engine/"
  /// The sockets of the tests' proxies, and the signals of the tests' servers.
  private static let sockets = "Packages/PostgreSQL/Tests/PostgreSQLTests/Sockets/"
  private static let processes = "Packages/PostgreSQL/Sources/PostgreSQLTesting/Processes/"
  private static let xml = "Packages/Providers/Sources/Providers/Formats/XML/"

  private static let tool = "Tools/Holt/Sources/HoltTool/"
  private static let editing = tool + "LineEditing/"
  private static let files = "Packages/Providers/Sources/Providers/Files/"
  private static let memory = "Packages/Primitives/Sources/Primitives/Memory/"
  private static let concurrency = "Packages/Primitives/Sources/Primitives/Concurrency/"
  /// The tests of functions that pass SQLite's own handle to a closure.
  private static let cInterface = "Packages/SQLiteCore/Tests/SQLiteCoreTests/CInterface/"

  /// The folders that may contain unsafe code.
  static let unsafeFolders: [String] = [
    engine, files, xml, concurrency, memory, cInterface, editing, postgreSQL, sockets,
    processes,
  ]
}
