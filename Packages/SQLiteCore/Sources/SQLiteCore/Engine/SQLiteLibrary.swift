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
  public static func supports(_ feature: SQLiteFeature) -> Bool {
    feature.requirements.allSatisfy { requirement in
      switch requirement {
      case .version(let number): versionNumber >= number
      case .option(let name): has(name)
      case .anyOption(let names): names.contains { has($0) }
      case .noOption(let name): !has(name)
      case .symbol(let name): unsafe holt_has_symbol(name) != 0
      case .builtIn(let number, let option): versionNumber >= number || has(option)
      }
    }
  }

  static func require(_ number: Int, for what: String) throws(SQLiteError) {
    guard versionNumber >= number else {
      throw SQLiteError(
        code: .unsupported,
        message: "SQLite \(version) is too old for \(what): "
          + "\(number / 1_000_000).\(number / 1_000 % 1_000) has it")
    }
  }
}
