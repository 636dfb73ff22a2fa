internal import Primitives

/// A database with one writer and several concurrent readers, which any thread and any task can use.
///
/// A file is opened with a write-ahead log: reads see the last commit, and neither wait for the writer nor block it. An
/// in-memory database has one connection, which reads and writes use in turn.
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
  /// The path of the file, or `nil` for an in-memory or temporary database.
  public let path: String?
  private let openedConfiguration: Configuration
  #if SQLCipher
    /// The file's encryption key, which ``rekey(to:)`` replaces.
    let key: CurrentKey
  #endif
  /// The writer's pool, or `nil` if the database is read-only.
  private let writers: ConnectionPool?
  let readers: ConnectionPool
  /// The connections that row streams and snapshots hold. They are separate from the readers, so that a task that holds
  /// one and also reads does not wait for itself. An in-memory database has only one connection.
  let retainedReaders: ConnectionPool
  /// The tasks that hold one of the `retainedReaders`.
  let reentrancyGuard = TaskReentrancyGuard()
  /// The object that is shared with other databases on the same file, or `nil` if no other database can open it.
  @_spi(Observing) public let file: File?
  private let services = Mutex<[ObjectIdentifier: any AnyObject & Sendable]>([:])
  private static let lastAccess = Atomic<UInt64>(0)

  /// Opens a database file, and creates it if it does not exist.
  ///
  /// - Throws: The errors of ``Connection/init(path:configuration:)``.
  public convenience init(path: String, configuration: Configuration = Configuration()) throws {
    guard !path.isEmpty, path != ":memory:" else {
      throw SQLiteError(
        code: .cannotOpen, message: "an in-memory database is opened with Database.inMemory()")
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
  /// An in-memory or temporary database has one connection, which reads and writes use in turn. So does a database
  /// whose connections share a cache or take no locks, since they could not run concurrently.
  ///
  /// - Throws: The errors of ``Connection/init(_:configuration:)``.
  public init(
    _ location: Location, configuration: Configuration = Configuration()
  ) throws {
    var configuration = configuration
    configuration.isReadOnly = configuration.isReadOnly || location.isReadOnly
    openedConfiguration = configuration
    #if SQLCipher
      let key = CurrentKey(configuration.key)
      self.key = key
    #endif
    path = location.path
    let group = Self.nextAccessID()
    guard location.allowsConcurrentConnections else {
      let pool = ConnectionPool(capacity: 1, group: group, name: "Holt memory", policy: .reset) {
        throw ConnectionPool.closed()
      }
      let connection = try Connection(location, configuration: configuration)
      file = File.of(try connection.handle.openedFile(), at: location)
      pool.addFirst(connection)
      readers = pool
      retainedReaders = pool
      writers = configuration.isReadOnly ? nil : pool
      file?.add(self)
      return
    }
    let connection = try Connection(
      configuration.isReadOnly ? location.forReading : location, configuration: configuration)
    // Other connections are opened later, when the path can name another file, or the current directory can be another
    // one.
    let opened = try connection.handle.openedFile()
    file = File.of(opened, at: location)
    var reading = configuration
    reading.isReadOnly = true
    let openReader: @Sendable () throws -> Connection = { [reading] in
      var reading = reading
      #if SQLCipher
        reading.key = key.value
      #endif
      return try Connection(location.forReading, configuration: reading, expecting: opened)
    }
    let capacity = max(1, configuration.maximumReaderCount)
    readers = ConnectionPool(
      capacity: capacity, group: group, name: "Holt reader", open: openReader)
    retainedReaders = ConnectionPool(
      capacity: capacity, group: group, name: "Holt retained", open: openReader)
    if configuration.isReadOnly {
      writers = nil
      readers.addFirst(connection)
    } else {
      let writers = ConnectionPool(capacity: 1, group: group, name: "Holt writer", policy: .reset) {
        throw ConnectionPool.closed()
      }
      writers.addFirst(connection)
      self.writers = writers
    }
    file?.add(self)
  }

  /// The configuration that the database was opened with, with the current encryption key.
  public var configuration: Configuration {
    var configuration = openedConfiguration
    #if SQLCipher
      configuration.key = key.value
    #endif
    return configuration
  }

  /// Opens a private in-memory database, which exists as long as the object.
  ///
  /// - Throws: The errors of ``Connection/init(path:configuration:)``.
  public static func inMemory(
    _ configuration: Configuration = Configuration()
  ) throws -> Database {
    try Database(.memory, configuration: configuration)
  }

  deinit { close() }

  /// Closes the database. Waiting accesses fail with ``SQLiteError/Code/closed``; running ones are completed. A second
  /// call does nothing.
  public func close() {
    for pool in pools { pool.close() }
    for service in services.withLock({ Array($0.values) }) {
      (service as? any Service)?.databaseDidClose()
    }
  }

  /// Indicates whether the database is open, or an access that began before ``close()`` is still running.
  var isInUse: Bool { pools.contains(where: \.isInUse) }

  /// Indicates whether all accesses share one connection.
  var isShared: Bool { retainedReaders === readers }

  /// The distinct pools.
  var pools: [ConnectionPool] {
    isShared ? [readers] : [readers, retainedReaders] + (writers.map { [$0] } ?? [])
  }

  func writerPool() throws -> ConnectionPool {
    guard let writers else {
      throw SQLiteError(code: .readOnly, message: "the database is read-only")
    }
    return writers
  }

  /// Throws an error inside another access to this database. Every access calls this before it waits.
  ///
  /// A nested access could wait for itself: always in memory, and on a file if enough threads hold readers while they
  /// wait for the writer, and hold the writer while it waits for a reader. Code that waits for another lock before an
  /// access must call this first, if other threads make accesses while they hold that lock.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/nestedAccess`` inside another access to this database, and
  ///   in a task that holds the one connection of an in-memory database, for example during a ``Database/RowStream``.
  public func checkNotNested() throws(SQLiteError) {
    if ThreadAccessScope.isOpenOnCurrentThread(group: readers.group) {
      throw Self.nestedAccessError
    }
    try checkNotReentrant()
  }

  /// Throws an error if the current task holds the only connection.
  func checkNotReentrant() throws(SQLiteError) {
    if isShared, reentrancyGuard.containsCurrentTask { throw Self.nestedAccessError }
  }

  static let nestedAccessError = SQLiteError(
    code: .nestedAccess,
    message: "an access to this database was begun inside another one: use the outer connection")

  static func nextAccessID() -> UInt64 { lastAccess.add(1, ordering: .relaxed).newValue }

  /// Returns the database's object of a type, which the first call creates and which lives as long as the database.
  ///
  /// The object must not retain the database.
  public func service<Service: AnyObject & Sendable>(
    _ type: Service.Type, make: () -> Service
  ) -> Service {
    let key = ObjectIdentifier(type)
    if let existing = services.withLock({ $0[key] as? Service }) { return existing }
    let created = make()
    return services.withLock { services in
      if let existing = services[key] as? Service { return existing }
      services[key] = created
      return created
    }
  }
}

extension Database {
  /// An object of ``Database/service(_:make:)`` that is notified when the database is closed.
  public protocol Service: AnyObject, Sendable {
    /// Notifies the service that the database is closed. New accesses fail; running ones are completed.
    ///
    /// Called at least once, on the thread that closes the database.
    func databaseDidClose()
  }
}

extension Database {
  /// Interrupts the running statements of every connection, which fail with ``SQLiteError/Code/interrupt``. Later
  /// statements are not affected.
  ///
  /// An access continues if it handles the error. A transaction is rolled back if its body rethrows the error.
  public func interrupt() {
    for pool in pools { pool.interrupt() }
  }

  /// Indicates whether the database is suspended.
  public var isSuspended: Bool { readers.isSuspended }

  /// Interrupts the running statements of every connection, and prevents new ones that could acquire a lock, until
  /// ``resume()``. Use it if the system terminates an app that holds a file lock while it is suspended.
  ///
  /// ```swift
  /// func sceneDidEnterBackground(_ scene: UIScene) { database.suspend() }
  /// func sceneWillEnterForeground(_ scene: UIScene) { database.resume() }
  /// ```
  ///
  /// Running statements fail with ``SQLiteError/Code/interrupt``, and their transactions are rolled back; accesses that
  /// begin while the database is suspended fail with ``SQLiteError/Code/suspended``. An open snapshot, and a row stream
  /// that is being consumed, hold the lock of their read transaction until they are released. A second call does
  /// nothing.
  public func suspend() {
    for pool in pools { pool.suspend() }
  }

  /// Ends the suspension. Does nothing if the database is not suspended.
  public func resume() {
    for pool in pools { pool.resume() }
  }

  /// Closes the idle readers and releases their page caches. They are reopened as needed.
  ///
  /// The writer connection stays open, and so does the one connection of an in-memory database.
  public func releaseMemory() {
    guard !isShared else { return }
    for pool in [readers, retainedReaders] { pool.releaseIdle() }
  }

  /// The use of a database's connections at one moment.
  public struct Statistics: Hashable, Sendable {
    /// The connections of `Database.read(_:)`. An in-memory database has one, which is also the writer.
    public var readers: Connections
    /// The connections that row streams and snapshots hold. For an in-memory database these are the readers.
    public var retainedReaders: Connections
    /// The writer connection, or `nil` if the database is read-only.
    public var writer: Connections?

    /// The numbers of connections of one kind.
    public struct Connections: Hashable, Sendable {
      /// The number of connections in use by an access, a stream or a snapshot.
      public var inUse: Int
      /// The number of open idle connections.
      public var idle: Int
      /// The number of waiting accesses.
      public var waiting: Int

      public init(inUse: Int, idle: Int, waiting: Int) {
        self.inUse = inUse
        self.idle = idle
        self.waiting = waiting
      }
    }
  }

  /// Observes the queries of every connection, each with its own observer, or ends the observation.
  ///
  /// Takes effect at the beginning of each connection's next access, or immediately on the connection that the calling
  /// thread uses.
  ///
  /// - Parameter makeObserver: Creates a connection's observer, on the thread that uses the connection. It must not
  ///   retain the database. `nil` removes all observers.
  @_spi(Observing) public func observeQueries(
    _ makeObserver: (@Sendable () -> any Hooks.QueryObserver)?
  ) {
    for pool in pools { pool.observeQueries(makeObserver) }
  }

  /// The current use of the connections.
  public var statistics: Statistics {
    Statistics(
      readers: readers.statistics, retainedReaders: retainedReaders.statistics,
      writer: (try? writerPool())?.statistics)
  }
}
