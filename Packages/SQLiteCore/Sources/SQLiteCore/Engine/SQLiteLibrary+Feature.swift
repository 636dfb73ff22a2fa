extension SQLiteLibrary {
  /// An optional feature of SQLite: see ``SQLiteLibrary/supports(_:)``.
  public struct Feature: Hashable, Sendable {
    enum Requirement: Hashable, Sendable {
      case version(Int)
      case option(String)
      case anyOption([String])
      case noOption(String)
      /// A compile option. Its functions may be missing if the program was linked without them.
      case linked(LinkedOption)
      /// A minimum version of both the library and the header that this package was compiled with.
      case interface(Int)
      /// A minimum version, or an option of earlier versions.
      case builtIn(Int, option: String)
    }

    /// An option that adds functions to the C interface.
    enum LinkedOption: String {
      case preupdateHook = "ENABLE_PREUPDATE_HOOK"
      case sessions = "ENABLE_SESSION"
      case snapshots = "ENABLE_SNAPSHOT"
      case normalizedSQL = "ENABLE_NORMALIZE"
    }

    /// The feature's name in messages.
    public let name: String
    let requirements: [Requirement]

    private init(_ name: String, _ requirements: Requirement...) {
      self.name = name
      self.requirements = requirements
    }
  }
}

extension SQLiteLibrary.Feature: CustomStringConvertible {
  public var description: String { name }
}

/// SQL syntax.
extension SQLiteLibrary.Feature {
  public static let upsert = Self("ON CONFLICT DO UPDATE", .version(3_024_000))
  public static let windowFunctions = Self(
    "window functions", .version(3_025_000), .noOption("OMIT_WINDOWFUNC"))
  public static let renameColumn = Self("RENAME COLUMN", .version(3_025_000))
  public static let generatedColumns = Self(
    "generated columns", .version(3_031_000), .noOption("OMIT_GENERATED_COLUMNS"))
  public static let updateFrom = Self("UPDATE FROM", .version(3_033_000))
  public static let returning = Self("RETURNING", .version(3_035_000))
  public static let dropColumn = Self("DROP COLUMN", .version(3_035_000))
  public static let materializedExpressions = Self("AS MATERIALIZED", .version(3_035_000))
  public static let strict = Self("STRICT tables", .version(3_037_000))
  public static let fullJoin = Self("RIGHT and FULL JOIN", .version(3_039_000))
  /// `UPDATE` and `DELETE` with `ORDER BY` and `LIMIT`.
  public static let limitedUpdates = Self(
    "UPDATE and DELETE with LIMIT", .option("ENABLE_UPDATE_DELETE_LIMIT"))
  public static let vacuumInto = Self("VACUUM INTO", .version(3_027_000))
}

/// Functions.
extension SQLiteLibrary.Feature {
  public static let json = Self(
    "JSON functions", .builtIn(3_038_000, option: "ENABLE_JSON1"), .noOption("OMIT_JSON"))
  public static let jsonOperators = Self(
    "-> and ->>", .version(3_038_000), .noOption("OMIT_JSON"))
  public static let jsonb = Self("JSONB", .version(3_045_000), .noOption("OMIT_JSON"))
  public static let mathFunctions = Self(
    "mathematical functions", .version(3_035_000), .option("ENABLE_MATH_FUNCTIONS"))
  /// The SQL function `unixepoch()`.
  public static let unixEpoch = Self("unixepoch()", .version(3_038_000))
  public static let soundex = Self("soundex()", .option("SOUNDEX"))
  public static let icu = Self("ICU", .option("ENABLE_ICU"))
}

/// Built-in virtual tables. A virtual table may also be loaded as an extension.
extension SQLiteLibrary.Feature {
  public static let fts3 = Self("FTS3", .anyOption(["ENABLE_FTS3", "ENABLE_FTS4"]))
  public static let fts4 = Self("FTS4", .anyOption(["ENABLE_FTS4", "ENABLE_FTS3"]))
  public static let fts5 = Self("FTS5", .option("ENABLE_FTS5"))
  public static let rTree = Self("R*Tree", .option("ENABLE_RTREE"))
  public static let geopoly = Self("Geopoly", .option("ENABLE_GEOPOLY"))
  /// The table `dbstat`, which shows the space that each table uses.
  public static let databaseStatistics = Self("dbstat", .option("ENABLE_DBSTAT_VTAB"))
  /// The table `sqlite_dbpage`, which contains the file's pages.
  public static let databasePages = Self("sqlite_dbpage", .option("ENABLE_DBPAGE_VTAB"))
  /// The table `sqlite_stmt`, which lists the connection's compiled statements.
  public static let statementTable = Self("sqlite_stmt", .option("ENABLE_STMTVTAB"))
  /// The tables `bytecode` and `tables_used`.
  public static let bytecodeTable = Self("bytecode()", .option("ENABLE_BYTECODE_VTAB"))
}

/// The C interface.
extension SQLiteLibrary.Feature {
  /// Required by ``Hooks/add(_:)``.
  public static let preupdateHook = Self("the preupdate hook", .linked(.preupdateHook))
  /// Required by ``Connection/session(of:)``.
  public static let sessions = Self("sessions", .linked(.sessions), .linked(.preupdateHook))
  /// Required by ``Database/sharedSnapshot()``.
  public static let snapshots = Self("shared snapshots", .linked(.snapshots))
  /// Required by ``Connection/serialized(_:)`` and its counterpart.
  public static let serialization = Self(
    "serialization", .builtIn(3_036_000, option: "ENABLE_DESERIALIZE"),
    .noOption("OMIT_DESERIALIZE"))
  /// The table and column that a result column comes from, which errors report.
  public static let columnMetadata = Self(
    "the origin of result columns", .option("ENABLE_COLUMN_METADATA"))
  public static let loadableExtensions = Self(
    "loadable extensions", .noOption("OMIT_LOAD_EXTENSION"))
  /// Required by ``Statement/normalizedSQL``.
  public static let normalizedSQL = Self("normalized SQL", .linked(.normalizedSQL))
  /// Required by ``SQLiteError/offset``.
  public static let errorOffset = Self("error offsets", .interface(3_038_000))
  /// Required by ``VirtualTable/Constraint/isList`` and ``VirtualTable/Constraint/value``.
  public static let virtualTableLists = Self(
    "lists and literals as constraints of virtual tables", .interface(3_038_000))
  /// Required by ``VirtualTable/CheckableTable``.
  public static let virtualTableChecks = Self(
    "integrity checks of virtual tables", .interface(3_044_000))
  /// Required for ``SQLiteLibrary/releaseMemory(atLeast:)`` to have an effect.
  public static let memoryManagement = Self(
    "memory management", .option("ENABLE_MEMORY_MANAGEMENT"))
  /// Required by encryption keys: see the trait `SQLCipher`.
  public static let encryption = Self("encryption", .option("HAS_CODEC"))
  static let filterCounts = Self("the counts of a join's filter", .version(3_038_000))
  static let ignoringAppliedChanges = Self(
    "ignoring changes that are applied already", .version(3_041_000))
}
