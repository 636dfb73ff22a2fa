internal import CSQLite
internal import Primitives

/// The SQLite library of this process. Its properties are determined at run time and may differ
/// from the machine that compiled the program.
public enum SQLiteLibrary {
  /// The version, such as `3.40.1`.
  public static var version: String { unsafe String(cString: sqlite3_libversion()) }

  /// The version as a number: 3040001 is 3.40.1.
  public static var versionNumber: Int { Int(sqlite3_libversion_number()) }

  /// The source identifier of the build: date, time and hash.
  public static var sourceID: String { unsafe String(cString: sqlite3_sourceid()) }

  /// The compile options, without the leading `SQLITE_`.
  public static var compileOptions: [String] {
    var options: [String] = []
    while let option = unsafe sqlite3_compileoption_get(Int32(options.count)) {
      unsafe options.append(String(cString: option))
    }
    return options
  }

  /// Returns whether SQLite was compiled with an option: `ENABLE_FTS5`, or `SQLITE_ENABLE_FTS5`.
  public static func has(_ option: String) -> Bool {
    unsafe sqlite3_compileoption_used(option) != 0
  }

  /// Returns whether a word is an SQL keyword, which must be quoted when used as a name.
  static func isKeyword(_ word: String) -> Bool {
    unsafe sqlite3_keyword_check(word, Int32(clamping: word.utf8.count)) != 0
  }

  /// A Boolean value that indicates whether multiple threads can use SQLite at the same time, each
  /// with its own connection.
  public static var isThreadSafe: Bool { sqlite3_threadsafe() != 0 }

  /// Returns whether SQLite supports a feature.
  ///
  /// ```swift
  /// if SQLiteLibrary.supports(.fts5) { try connection.execute(fullTextSchema) }
  /// ```
  public static func supports(_ feature: Feature) -> Bool {
    feature.requirements.allSatisfy { unmetRequirement(of: $0) == nil }
  }

  /// Throws ``SQLiteError`` with code ``SQLiteError/Code/unsupported`` if SQLite does not support
  /// `feature`. The message contains the missing option or version.
  static func require(_ feature: Feature, sql: String? = nil) throws(SQLiteError) {
    for requirement in feature.requirements {
      guard let reason = unmetRequirement(of: requirement) else { continue }
      throw SQLiteError(code: .unsupported, message: "\(reason), for \(feature)", sql: sql)
    }
  }

  /// Returns the reason why a requirement is not met; `nil` if it is met.
  private static func unmetRequirement(of requirement: Feature.Requirement) -> String? {
    switch requirement {
    case .version(let number):
      return versionNumber >= number
        ? nil : "SQLite \(version) is too old: \(versionString(number)) is needed"
    case .interface(let number):
      return min(versionNumber, Int(holt_header_version())) >= number
        ? nil
        : "SQLite \(version), or its header \(versionString(Int(holt_header_version()))), is too old: "
          + "\(versionString(number)) is needed"
    case .option(let name): return has(name) ? nil : missingOptionMessage(name)
    case .anyOption(let names):
      return names.contains { has($0) }
        ? nil : missingOptionMessage(names.joined(separator: " or SQLITE_"))
    case .noOption(let name):
      return has(name) ? "SQLite \(version) was compiled with SQLITE_\(name)" : nil
    case .builtIn(let number, let option):
      return versionNumber >= number || has(option) ? nil : missingOptionMessage(option)
    case .linked(let option):
      guard has(option.rawValue) else { return missingOptionMessage(option.rawValue) }
      return option.isLinked
        ? nil
        : "the program was linked without the functions of SQLITE_\(option.rawValue), which SQLite "
          + "\(version) has: link a static SQLite with the trait CustomSQLite"
    }
  }

  private static func missingOptionMessage(_ option: String) -> String {
    "SQLite \(version) was compiled without SQLITE_\(option)"
  }

  /// Formats a version number: 3040001 is 3.40.1, 3040000 is 3.40.
  private static func versionString(_ number: Int) -> String {
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

extension SQLiteLibrary {
  /// Receives the messages of SQLite's error log.
  public typealias Logger = @Sendable (_ code: SQLiteError.Code, _ message: String) -> Void

  private static let log = Mutex<(isInstalled: Bool, logger: Logger?)>((false, nil))

  /// Sends the messages of SQLite's error log to `logger`, for the whole process: errors, recovered
  /// files, and automatic indexes, for example.
  ///
  /// Before SQLite 3.42, the first call must precede the opening of the first database. After the
  /// first call, the logger can be replaced or removed at any time. `logger` is called on any
  /// thread, while SQLite is working. It must not use SQLite.
  ///
  /// ```swift
  /// try SQLiteLibrary.setLogger { code, message in print("SQLite: \(code): \(message)") }
  /// ```
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/alreadyInitialized`` if this process
  ///   has opened a database or used SQLite otherwise before the first call.
  public static func setLogger(_ logger: Logger?) throws(SQLiteError) {
    try log.withLock { (state) throws(SQLiteError) in
      if !state.isInstalled {
        guard logger != nil else { return }
        let rc = unsafe holt_config_log(logCallback)
        guard rc == SQLITE_OK else {
          throw SQLiteError(
            code: rc == SQLITE_MISUSE ? .alreadyInitialized : SQLiteError.Code(rawValue: rc),
            message: "the logger must be set before SQLite is first used")
        }
        state.isInstalled = true
      }
      state.logger = logger
    }
  }

  fileprivate static var logger: Logger? { log.withLock { $0.logger } }
}

private func logCallback(
  context: UnsafeMutableRawPointer?, code: Int32, message: UnsafePointer<CChar>?
) {
  guard let logger = SQLiteLibrary.logger else { return }
  let text = unsafe message.map { unsafe String(cString: $0) } ?? ""
  logger(SQLiteError.Code(rawValue: code), text)
}

extension SQLiteLibrary {
  /// A counter of SQLite for the whole process. SQLite may add counters, so this is an open set.
  public struct Counter: RawRepresentable, Hashable, Sendable {
    public let rawValue: Int32

    public init(rawValue: Int32) { self.rawValue = rawValue }

    /// The number of bytes of memory in use.
    public static let memoryUsed = Counter(rawValue: 0)
    /// The number of used pages of the page cache that was configured at start.
    public static let pageCacheUsed = Counter(rawValue: 1)
    /// The number of page cache bytes that were allocated on the heap.
    public static let pageCacheOverflow = Counter(rawValue: 2)
    /// The largest memory allocation. Only the highest value is meaningful.
    public static let largestAllocation = Counter(rawValue: 5)
    /// The deepest parser stack. Only the highest value is meaningful.
    public static let parserStack = Counter(rawValue: 6)
    /// The largest page that did not fit into the page cache. Only the highest value is meaningful.
    public static let largestPage = Counter(rawValue: 7)
    /// The number of memory allocations in use.
    public static let allocationCount = Counter(rawValue: 9)
  }
}

extension SQLiteLibrary {
  /// A counter's current and highest values.
  public struct CounterValue: Hashable, Sendable {
    /// The current value; 0 if the counter only has a highest value.
    public let current: Int
    /// The highest value; 0 if the counter only has a current value.
    public let highest: Int
  }
}

extension SQLiteLibrary {
  /// The number of bytes of memory that SQLite uses in this process.
  public static var memoryUsed: Int { Int(sqlite3_memory_used()) }

  /// Returns the highest number of bytes of memory that SQLite has used.
  ///
  /// - Parameter resetting: Whether to reset the highest value to the current value.
  public static func highestMemoryUsed(resetting: Bool = false) -> Int {
    Int(sqlite3_memory_highwater(resetting ? 1 : 0))
  }

  /// Returns the value of a counter of the whole process.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/unsupported`` if this SQLite has no
  ///   such counter.
  public static func status(
    _ counter: Counter, resetting: Bool = false
  ) throws(SQLiteError) -> CounterValue {
    var (current, highest): (Int64, Int64) = (0, 0)
    let rc = unsafe sqlite3_status64(counter.rawValue, &current, &highest, resetting ? 1 : 0)
    guard rc == SQLITE_OK else {
      throw SQLiteError(
        code: .unsupported, message: "SQLite \(version) has no counter \(counter.rawValue)")
    }
    return CounterValue(current: Int(current), highest: Int(highest))
  }

  /// Releases memory of all connections that is not essential, such as cached pages.
  ///
  /// - Returns: The number of released bytes; 0 if SQLite was built without memory management. Use
  ///   ``Connection/releaseMemory()`` then.
  @discardableResult
  public static func releaseMemory(atLeast bytes: Int = .max) -> Int {
    Int(sqlite3_release_memory(Int32(clamping: bytes)))
  }

  /// The number of bytes of memory above which SQLite releases cached pages before it allocates
  /// more; 0 for no limit.
  public static var softHeapLimit: Int { Int(sqlite3_soft_heap_limit64(-1)) }

  /// The number of bytes of memory above which statements fail with
  /// ``SQLiteError/Code/outOfMemory``; 0 for no limit.
  public static var hardHeapLimit: Int { Int(sqlite3_hard_heap_limit64(-1)) }

  /// Sets the number of bytes of memory above which SQLite releases cached pages before it
  /// allocates more, for the whole process.
  ///
  /// - Returns: The previous limit.
  @discardableResult
  public static func setSoftHeapLimit(_ bytes: Int) -> Int {
    Int(sqlite3_soft_heap_limit64(Int64(max(0, bytes))))
  }

  /// Sets the number of bytes of memory above which statements fail, for the whole process. A
  /// higher soft limit is lowered.
  ///
  /// - Returns: The previous limit.
  @discardableResult
  public static func setHardHeapLimit(_ bytes: Int) -> Int {
    Int(sqlite3_hard_heap_limit64(Int64(max(0, bytes))))
  }
}

extension SQLiteError {
  /// The error of a call that involves no connection.
  init(engineCode rc: Int32, operation: String) {
    self.init(
      code: Code(rawValue: rc),
      message: "\(operation): \(unsafe String(cString: sqlite3_errstr(rc)))")
  }
}
