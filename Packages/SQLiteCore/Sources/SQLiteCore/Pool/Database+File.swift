internal import Primitives

extension Database {
  /// A database file or shared memory, with all ``Database`` objects of this process that have it open.
  @_spi(Observing) public final class File: Sendable {
    private struct WeakReference<Object: AnyObject> {
      weak var object: Object?
    }

    private struct State {
      var databases: [WeakReference<Database>] = []
      /// The number of databases that are being opened.
      var openingCount = 0
    }

    /// The file's absolute path, or `nil` for a database in shared memory.
    public let path: String?
    private let state = Mutex(State())
    private let observer = Mutex<(any FileObserver)?>(nil)

    private static let all = Mutex<[String: WeakReference<File>]>([:])

    private init(path: String?) { self.path = path }

    /// Returns the shared object of an open database, or `nil` if no other connection can access the database.
    static func of(_ opened: OpenedFile?, at location: Location) -> File? {
      let key: String
      switch location {
      case .sharedMemory(let name): key = "memory:\(name)"
      case .memory, .temporary: return nil
      case .file, .uri:
        guard let opened else { return nil }
        // Paths with different spellings, and hard links, can refer to the same file.
        key = "file:\(opened.identity ?? opened.path)"
      }
      let path = opened?.path
      return all.withLock { all in
        // A file system can reuse the identity of a deleted file.
        if let file = all[key]?.object, file.isOpen {
          file.state.withLock { $0.openingCount += 1 }
          return file
        }
        let file = File(path: path)
        file.state.withLock { $0.openingCount = 1 }
        all = all.filter { $0.value.object != nil }
        all[key] = WeakReference(object: file)
        return file
      }
    }

    /// Indicates whether a database has the file open or is opening it. Until then no other file can have its identity.
    private var isOpen: Bool {
      state.withLock { $0.openingCount } > 0 || openDatabases.contains(where: \.isInUse)
    }

    /// Adds a database that was opened after a call of ``of(_:at:)``.
    func add(_ database: Database) {
      state.withLock { state in
        state.databases.removeAll { $0.object == nil }
        state.databases.append(WeakReference(object: database))
        state.openingCount -= 1
      }
      observer.withLock { $0 }?.databaseDidOpen(database)
    }

    /// The databases that have this file open.
    public var openDatabases: [Database] {
      state.withLock { $0.databases.compactMap(\.object) }
    }

    /// Returns the file's observer, which the first call creates and which lives as long as this object.
    ///
    /// The observer must not retain a database.
    public func observer<Observer: FileObserver>(
      _ type: Observer.Type, make: () -> Observer
    ) -> Observer? {
      observer.withLock { current in
        if current == nil { current = make() }
        return current as? Observer
      }
    }
  }
}

extension Database {
  /// The observer of a ``Database/File``, which is notified of each ``Database`` opened on it.
  @_spi(Observing) public protocol FileObserver: AnyObject, Sendable {
    /// Notifies the observer that a database was opened, before its first use.
    func databaseDidOpen(_ database: Database)
  }
}
