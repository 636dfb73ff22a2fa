internal import CSQLite

/// The SQLite that this process runs on: facts found at run time, which may differ from those of the
/// machine that compiled the program.
public enum SQLiteLibrary {
  /// The release, as `3.40.1`.
  public static var version: String { Engine.version }

  /// The release as a number: 3040001 is 3.40.1.
  public static var versionNumber: Int { Int(sqlite3_libversion_number()) }

  /// The check-in that it was made of: date, time and hash.
  public static var sourceID: String { unsafe String(cString: sqlite3_sourceid()) }

  /// The options that it was compiled with, without the leading `SQLITE_`.
  public static var compileOptions: [String] {
    var options: [String] = []
    while let option = unsafe sqlite3_compileoption_get(Int32(options.count)) {
      unsafe options.append(String(cString: option))
    }
    return options
  }

  /// Whether it was compiled with an option: `ENABLE_FTS5`, or `SQLITE_ENABLE_FTS5`.
  public static func has(_ option: String) -> Bool {
    unsafe sqlite3_compileoption_used(option) != 0
  }

  /// Whether different threads may use different connections.
  public static var isThreadSafe: Bool { sqlite3_threadsafe() != 0 }

  /// Whether it has a feature.
  ///
  /// ```swift
  /// if SQLiteLibrary.supports(.fts5) { try connection.execute(fullTextSchema) }
  /// ```
  public static func supports(_ feature: Feature) -> Bool {
    feature.requirements.allSatisfy { fault(of: $0) == nil }
  }

  /// Throws ``SQLiteError`` with code ``SQLiteError/Code/unsupported``, which names the option or the release that
  /// `feature` needs and this SQLite lacks.
  static func require(_ feature: Feature, sql: String? = nil) throws(SQLiteError) {
    for requirement in feature.requirements {
      guard let fault = fault(of: requirement) else { continue }
      throw SQLiteError(code: .unsupported, message: "\(fault), for \(feature)", sql: sql)
    }
  }

  /// Why a requirement is not met; `nil` if it is met.
  private static func fault(of requirement: Feature.Requirement) -> String? {
    switch requirement {
    case .version(let number):
      return versionNumber >= number
        ? nil : "SQLite \(version) is too old: \(release(number)) is needed"
    case .interface(let number):
      return min(versionNumber, Int(holt_header_version())) >= number
        ? nil
        : "SQLite \(version), or its header \(release(Int(holt_header_version()))), is too old: "
          + "\(release(number)) is needed"
    case .option(let name): return has(name) ? nil : lacks(name)
    case .anyOption(let names):
      return names.contains { has($0) }
        ? nil : lacks(names.joined(separator: " or SQLITE_"))
    case .noOption(let name):
      return has(name) ? "SQLite \(version) was compiled with SQLITE_\(name)" : nil
    case .builtIn(let number, let option):
      return versionNumber >= number || has(option) ? nil : lacks(option)
    case .linked(let option):
      guard has(option.rawValue) else { return lacks(option.rawValue) }
      return option.isLinked
        ? nil
        : "the program was linked without the functions of SQLITE_\(option.rawValue), which SQLite "
          + "\(version) has: link a static SQLite with the trait CustomSQLite"
    }
  }

  private static func lacks(_ option: String) -> String {
    "SQLite \(version) was compiled without SQLITE_\(option)"
  }

  /// A release's number as it is written: 3040001 is 3.40.1, 3040000 is 3.40.
  private static func release(_ number: Int) -> String {
    let patch = number % 1_000
    return "\(number / 1_000_000).\(number / 1_000 % 1_000)" + (patch == 0 ? "" : ".\(patch)")
  }
}

extension SQLiteLibrary.Feature.LinkedOption {
  fileprivate var isLinked: Bool {
    switch self {
    case .preupdateHook: holt_preupdate_hook_exists() != 0
    case .sessions: holt_session_create_exists() != 0
    case .snapshots: holt_snapshot_get_exists() != 0
    case .normalizedSQL: holt_normalized_sql_exists() != 0
    }
  }
}
