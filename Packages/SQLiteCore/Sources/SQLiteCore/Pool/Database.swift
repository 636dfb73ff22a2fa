internal import Primitives

/// A database that any thread and any task may use: one writer, and readers beside it.
///
/// A file is opened with a write-ahead log: reads see the last commit, and neither wait for the writer
/// nor make it wait. A database in memory has one connection, which reads and writes take in turn.
///
/// ```swift
/// let database = try Database(path: "library.sqlite")
/// try await database.write { connection in
///   try connection.run("INSERT INTO book (title) VALUES (?)", "Middlemarch")
/// }
/// let titles = try await database.read { connection in
///   try connection.values(String.self, "SELECT title FROM book ORDER BY title")
/// }
/// ```
public final class Database: Sendable {
  /// The file; `nil` for a database in memory, and a temporary one.
  public let path: String?
  /// The way to open the database.
  public let configuration: Configuration
  /// `nil` where the database is read-only.
  private let writers: ConnectionPool?
  let readers: ConnectionPool
  /// The connections that streams and snapshots keep for a while. They are others than the readers, so
  /// that who keeps one and reads as well does not wait for itself; but in memory there is only one.
  let keepers: ConnectionPool
  /// The tasks that keep one.
  let holders = TaskHolders()
  /// What it shares with other databases on the same file; `nil` where there can be none.
  @_spi(Observing) public let file: File?
  private let services = Mutex<[ObjectIdentifier: any AnyObject & Sendable]>([:])
  private static let lastAccess = Atomic<UInt64>(0)

  /// Opens a database file, and creates it where it does not exist.
  ///
  /// - Throws: ``SQLiteError`` as ``Connection/init(path:configuration:)`` does.
  public convenience init(path: String, configuration: Configuration = Configuration()) throws {
    guard !path.isEmpty, path != ":memory:" else {
      throw SQLiteError(
        code: .cannotOpen, message: "a database in memory is opened by Database.inMemory()")
    }
    try self.init(.file(path), configuration: configuration)
  }

  /// Opens the database at a location.
  ///
  /// ```swift
  /// let map = try Database(.uri(path: "map.sqlite", Database.URIParameters(isImmutable: true)))
  /// let session = try Database(.sharedMemory(named: "session"))
  /// ```
  ///
  /// One in memory or temporary has one connection, which reads and writes take in turn; so has one
  /// whose connections share a cache or take no locks, and could not work side by side.
  ///
  /// - Throws: ``SQLiteError`` as ``Connection/init(_:configuration:)`` does.
  public init(
    _ location: Location, configuration: Configuration = Configuration()
  ) throws {
    var configuration = configuration
    configuration.isReadOnly = configuration.isReadOnly || location.isReadOnly
    self.configuration = configuration
    path = location.path
    let group = Self.nextAccess()
    guard location.allowsConnectionsSideBySide else {
      let pool = ConnectionPool(capacity: 1, group: group, name: "Holt memory", policy: .reset) {
        throw ConnectionPool.closed()
      }
      let connection = try Connection(location, configuration: configuration)
      file = File.of(try connection.handle.openedFile(), at: location)
      pool.seed(connection)
      readers = pool
      keepers = pool
      writers = configuration.isReadOnly ? nil : pool
      file?.add(self)
      return
    }
    let connection = try Connection(
      configuration.isReadOnly ? location.forReading : location, configuration: configuration)
    // Other connections are opened later, when the path may name another file, or the current folder
    // may be another one.
    let opened = try connection.handle.openedFile()
    file = File.of(opened, at: location)
    var reading = configuration
    reading.isReadOnly = true
    let openReader: @Sendable () throws -> Connection = { [reading] in
      try Connection(location.forReading, configuration: reading, expecting: opened)
    }
    let capacity = max(1, configuration.maximumReaderCount)
    readers = ConnectionPool(
      capacity: capacity, group: group, name: "Holt reader", open: openReader)
    keepers = ConnectionPool(
      capacity: capacity, group: group, name: "Holt keeper", open: openReader)
    if configuration.isReadOnly {
      writers = nil
      readers.seed(connection)
    } else {
      let writers = ConnectionPool(capacity: 1, group: group, name: "Holt writer", policy: .reset) {
        throw ConnectionPool.closed()
      }
      writers.seed(connection)
      self.writers = writers
    }
    file?.add(self)
  }

  /// Opens a database of its own in memory, which is gone when it is let go.
  ///
  /// - Throws: As ``Connection/init(path:configuration:)``.
  public static func inMemory(
    _ configuration: Configuration = Configuration()
  ) throws -> Database {
    try Database(.memory, configuration: configuration)
  }

  deinit { close() }

  /// Closes the database: accesses that wait fail with ``SQLiteError/Code/closed``, those that run
  /// come to their end. A second call does nothing.
  public func close() {
    for pool in pools { pool.close() }
    for service in services.withLock({ Array($0.values) }) {
      (service as? any Service)?.databaseDidClose()
    }
  }

  /// Whether the database is open: after ``close()``, as long as an access that had begun goes on.
  var isInUse: Bool { pools.contains(where: \.isInUse) }

  /// Whether there is one connection, which all accesses share.
  var isShared: Bool { keepers === readers }

  /// Every pool once.
  var pools: [ConnectionPool] {
    isShared ? [readers] : [readers, keepers] + (writers.map { [$0] } ?? [])
  }

  func writerPool() throws -> ConnectionPool {
    guard let writers else {
      throw SQLiteError(code: .readOnly, message: "the database was opened for reading alone")
    }
    return writers
  }

  /// Refuses an access inside another one, as all accesses do before they wait.
  ///
  /// It might wait for itself: at once in memory, and where enough threads do it on a file too, those
  /// that hold the readers for the writer, and the writer for a reader. Who waits for something else before an
  /// access, a lock that others hold during theirs, calls this before that.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/nestedAccess`` inside another access to this database,
  ///   and in a task that keeps the one connection of a database in memory, as in the midst of a ``Database/RowStream``.
  public func refuseNesting() throws(SQLiteError) {
    if ThreadLease.isHolding(group: readers.group) { throw Self.nested }
    try refuseWaitingForOwnTask()
  }

  /// Refuses an access of a task that itself keeps the one connection that there is.
  func refuseWaitingForOwnTask() throws(SQLiteError) {
    if isShared, holders.includeCurrent { throw Self.nested }
  }

  static let nested = SQLiteError(
    code: .nestedAccess,
    message: "an access to this database was begun inside another one: use its connection")

  static func nextAccess() -> UInt64 { lastAccess.add(1, ordering: .relaxed).newValue }

  /// The one object of a type that belongs to this database: made by who asks first, and kept as
  /// long as the database.
  ///
  /// It must not keep the database itself.
  public func service<Service: AnyObject & Sendable>(
    _ type: Service.Type, make: () -> Service
  ) -> Service {
    let key = ObjectIdentifier(type)
    if let known = services.withLock({ $0[key] as? Service }) { return known }
    let made = make()
    return services.withLock { services in
      if let known = services[key] as? Service { return known }
      services[key] = made
      return made
    }
  }
}

extension Database {
  /// An object that ``Database/service(_:make:)`` keeps, and that is told when the database is closed.
  public protocol Service: AnyObject, Sendable {
    /// The database is closed: accesses that begin now fail, those that run come to their end.
    ///
    /// Called by the thread that closes, once or more often.
    func databaseDidClose()
  }
}

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
