extension Database {
  /// Stops the statements that run now, on every connection: they fail with
  /// ``SQLiteError/Code/interrupt``. Later ones run as ever.
  ///
  /// An access that may do without its statement goes on; a transaction whose statement failed and whose
  /// body throws that on is rolled back.
  public func interrupt() {
    for pool in pools { pool.interrupt() }
  }

  /// Whether the database is suspended.
  public var isSuspended: Bool { readers.isSuspended }

  /// Stops what runs on every connection, and lets nothing start that might take a lock, until
  /// ``resume()``: for an app whose system kills it where it holds a file's lock while it is suspended.
  ///
  /// ```swift
  /// func sceneDidEnterBackground(_ scene: UIScene) { database.suspend() }
  /// func sceneWillEnterForeground(_ scene: UIScene) { database.resume() }
  /// ```
  ///
  /// Statements that run fail with ``SQLiteError/Code/interrupt``, and their transactions are rolled
  /// back; accesses that begin meanwhile fail with ``SQLiteError/Code/suspended``. A snapshot that is
  /// open, and a row stream that is being consumed, keep the lock of their read transaction until they
  /// are let go. A second call does nothing.
  public func suspend() {
    for pool in pools { pool.suspend() }
  }

  /// Ends the suspension. Where there is none, nothing happens.
  public func resume() {
    for pool in pools { pool.resume() }
  }

  /// Closes the readers that are free, with their caches. They are opened again as they are needed.
  ///
  /// The connection that writes stays, and so does the one of a database in memory, which is nowhere else.
  public func releaseMemory() {
    guard !isShared else { return }
    for pool in [readers, keepers] { pool.releaseIdle() }
  }

  /// How a database's connections are used, at one moment.
  public struct Statistics: Hashable, Sendable {
    /// Those of `Database.read(_:)`. A database in memory has one, which is the writer too.
    public var readers: Connections
    /// Those that row streams and snapshots keep. In memory these are the readers.
    public var keepers: Connections
    /// The one that writes; `nil` where the database is read-only.
    public var writer: Connections?

    /// How many connections of one kind there are, by what they do.
    public struct Connections: Hashable, Sendable {
      /// How many are lent to an access, a stream or a snapshot.
      public var inUse: Int
      /// How many are open and free.
      public var idle: Int
      /// How many accesses wait for one.
      public var waiting: Int

      public init(inUse: Int, idle: Int, waiting: Int) {
        self.inUse = inUse
        self.idle = idle
        self.waiting = waiting
      }
    }
  }

  /// How the connections are used now.
  public var statistics: Statistics {
    Statistics(
      readers: readers.statistics, keepers: keepers.statistics,
      writer: (try? writerPool())?.statistics)
  }
}
