internal import Primitives

extension Database {
  /// A database of this process, with all the ``Database``s that are open on it.
  @_spi(Observing) public final class File: Sendable {
    private struct Opened {
      weak var database: Database?
    }

    private struct State {
      var databases: [Opened] = []
      /// How many more are being opened.
      var openingCount = 0
    }

    private struct Known {
      weak var file: File?
    }

    /// The file's absolute path; `nil` for a database in shared memory.
    public let path: String?
    private let state = Mutex(State())
    private let follower = Mutex<(any FileObserver)?>(nil)

    private static let all = Mutex<[String: Known]>([:])

    private init(path: String?) { self.path = path }

    /// The one object of a database that is open; `nil` if no other connection can see it.
    static func of(_ opened: OpenedFile?, at location: Location) -> File? {
      let key: String
      switch location {
      case .sharedMemory(let name): key = "memory:\(name)"
      case .memory, .temporary: return nil
      case .file, .uri:
        guard let opened else { return nil }
        // A path may have several spellings, and a file several names.
        key = "file:\(opened.identity ?? opened.path)"
      }
      let path = opened?.path
      return all.withLock { all in
        // A file system may give the identity of a file that was deleted to another one.
        if let known = all[key]?.file, known.isOpen {
          known.state.withLock { $0.openingCount += 1 }
          return known
        }
        let made = File(path: path)
        made.state.withLock { $0.openingCount = 1 }
        all = all.filter { $0.value.file != nil }
        all[key] = Known(file: made)
        return made
      }
    }

    /// Whether a database has the file open, or will soon: until then no other file has its identity.
    private var isOpen: Bool {
      state.withLock { $0.openingCount } > 0 || openDatabases.contains(where: \.isInUse)
    }

    /// Adds a database for which ``of(_:at:)`` was asked.
    func add(_ database: Database) {
      state.withLock { state in
        state.databases.removeAll { $0.database == nil }
        state.databases.append(Opened(database: database))
        state.openingCount -= 1
      }
      follower.withLock { $0 }?.databaseDidOpen(database)
    }

    /// The databases that are open on it.
    public var openDatabases: [Database] {
      state.withLock { $0.databases.compactMap(\.database) }
    }

    /// The one who follows what happens to it: made by who asks first, and kept as long as this.
    ///
    /// It must keep no database.
    public func following<Follower: FileObserver>(
      _ type: Follower.Type, make: () -> Follower
    ) -> Follower? {
      follower.withLock { known in
        if known == nil { known = make() }
        return known as? Follower
      }
    }
  }
}

extension Database {
  /// An object that a ``Database/File`` keeps, and that is told of each ``Database`` opened on it.
  @_spi(Observing) public protocol FileObserver: AnyObject, Sendable {
    /// A database was opened, which nobody has used yet.
    func databaseDidOpen(_ database: Database)
  }
}
