internal import CSQLite

extension SQLiteLibrary {
  /// What SQLite counts for the whole process: an open set.
  public struct Counter: RawRepresentable, Hashable, Sendable {
    public let rawValue: Int32

    public init(rawValue: Int32) { self.rawValue = rawValue }

    /// Bytes of memory that are in use.
    public static let memoryUsed = Counter(rawValue: 0)
    /// Pages of the page cache that was configured at start.
    public static let pageCacheUsed = Counter(rawValue: 1)
    /// Bytes of page cache that had to come from the heap.
    public static let pageCacheOverflow = Counter(rawValue: 2)
    /// The largest piece of memory that was asked for; the highest value alone has a meaning.
    public static let largestAllocation = Counter(rawValue: 5)
    /// The deepest stack of the parser; the highest value alone has a meaning.
    public static let parserStack = Counter(rawValue: 6)
    /// The largest page that did not fit the page cache; the highest value alone has a meaning.
    public static let largestPage = Counter(rawValue: 7)
    /// Pieces of memory that are in use.
    public static let allocationCount = Counter(rawValue: 9)
  }
}

extension SQLiteLibrary {
  /// A count now, and the highest that it has been.
  public struct CounterValue: Hashable, Sendable {
    /// The count now; 0 of what only has a highest.
    public let current: Int
    /// The highest that it has been; 0 of what only has a count now.
    public let highest: Int
  }
}

extension SQLiteLibrary {
  /// The bytes of memory that SQLite uses in this process.
  public static var memoryUsed: Int { Int(sqlite3_memory_used()) }

  /// The most bytes of memory that SQLite has used.
  ///
  /// - Parameter resetting: Whether the record begins anew, with what is used now.
  public static func highestMemoryUsed(resetting: Bool = false) -> Int {
    Int(sqlite3_memory_highwater(resetting ? 1 : 0))
  }

  /// A counter of the whole process.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/unsupported`` where this SQLite has no
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

  /// Gives memory back to the system, from all connections, where it is not needed for correctness.
  ///
  /// - Returns: How many bytes it was; 0 from builds without memory management, where
  ///   ``Connection/releaseMemory()`` helps.
  @discardableResult
  public static func releaseMemory(atLeast bytes: Int = .max) -> Int {
    Int(sqlite3_release_memory(Int32(clamping: bytes)))
  }

  /// The bytes of memory beyond which SQLite first empties its caches; 0 for no limit.
  public static var softHeapLimit: Int { Int(sqlite3_soft_heap_limit64(-1)) }

  /// The bytes of memory beyond which statements fail with ``SQLiteError/Code/outOfMemory``; 0 for no
  /// limit.
  public static var hardHeapLimit: Int { Int(sqlite3_hard_heap_limit64(-1)) }

  /// Sets the bytes of memory beyond which SQLite first empties its caches, for the whole process.
  ///
  /// - Returns: The limit before.
  @discardableResult
  public static func setSoftHeapLimit(_ bytes: Int) -> Int {
    Int(sqlite3_soft_heap_limit64(Int64(max(0, bytes))))
  }

  /// Sets the bytes of memory beyond which statements fail, for the whole process; a soft limit above
  /// it is lowered.
  ///
  /// - Returns: The limit before.
  @discardableResult
  public static func setHardHeapLimit(_ bytes: Int) -> Int {
    Int(sqlite3_hard_heap_limit64(Int64(max(0, bytes))))
  }
}
