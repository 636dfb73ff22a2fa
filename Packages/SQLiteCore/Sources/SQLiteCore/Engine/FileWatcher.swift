#if !canImport(Darwin)
  internal import Dispatch
  internal import Primitives

  #if canImport(Glibc)
    internal import Glibc
  #else
    internal import Musl
  #endif

  /// Reports when any process writes, creates or deletes a database, its write-ahead log or its
  /// journal.
  ///
  /// Reports may be spurious, and several changes may be reported once.
  @_spi(Observing) public final class FileWatcher: Sendable {
    private let folder: String
    private let id: UInt64

    /// - Parameters:
    ///   - path: The database's absolute path.
    ///   - suffix: The suffix of one more file to watch, appended to the database's name.
    ///   - onChange: Called on the watcher's dispatch queue.
    /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/cannotOpen`` if the system can't
    ///   watch another folder.
    public init(
      path: String, suffix: String, onChange: @escaping @Sendable () -> Void
    ) throws(SQLiteError) {
      let (folder, name) = path.splitAtLastSlash
      self.folder = folder
      // The folder is watched, because a log is created and deleted.
      let names = Set(["", "-wal", "-journal", suffix].map { name + $0 })
      id = try InotifyWatcher.shared.add(folder, names, onChange)
    }

    deinit { InotifyWatcher.shared.remove(id, from: folder) }
  }

  /// The process's shared inotify instance: https://man7.org/linux/man-pages/man7/inotify.7.html
  private final class InotifyWatcher: Sendable {
    static let shared = InotifyWatcher()

    private struct State {
      var lastID: UInt64 = 0
      /// The watch descriptor of each watched folder.
      var numbers: [String: Int32] = [:]
      /// The watchers of each watch descriptor, by their identifiers.
      var watchers: [Int32: [UInt64: (names: Set<String>, onChange: @Sendable () -> Void)]] = [:]
      var source: (any DispatchSourceRead)?
    }

    private let descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
    private let state = Mutex(State())

    func add(
      _ folder: String, _ names: Set<String>, _ onChange: @escaping @Sendable () -> Void
    ) throws(SQLiteError) -> UInt64 {
      try state.withLock { state throws(SQLiteError) in
        let events = UInt32(IN_MODIFY) | UInt32(IN_CREATE) | UInt32(IN_DELETE) | UInt32(IN_MOVED_TO)
        let number = unsafe inotify_add_watch(descriptor, folder, events)
        guard number >= 0 else {
          throw SQLiteError(
            code: .cannotOpen,
            message: "the folder can't be watched: \(folder): \(systemErrorMessage)")
        }
        if state.source == nil { state.source = begin() }
        state.lastID += 1
        state.numbers[folder] = number
        state.watchers[number, default: [:]][state.lastID] = (names, onChange)
        return state.lastID
      }
    }

    func remove(_ id: UInt64, from folder: String) {
      state.withLock { state in
        guard let number = state.numbers[folder] else { return }
        state.watchers[number]?[id] = nil
        guard state.watchers[number]?.isEmpty == true else { return }
        state.watchers[number] = nil
        state.numbers[folder] = nil
        inotify_rm_watch(descriptor, number)
      }
    }

    private func begin() -> any DispatchSourceRead {
      let source = DispatchSource.makeReadSource(
        fileDescriptor: descriptor, queue: DispatchQueue(label: "Holt files"))
      source.setEventHandler { [self] in dispatchEvents() }
      source.resume()
      return source
    }

    /// Reads the pending events, and notifies each affected watcher once.
    private func dispatchEvents() {
      var affected: [UInt64: @Sendable () -> Void] = [:]
      while let events = nextEvents() {
        state.withLock { state in
          for event in events {
            // The queue has overflowed: the lost events may concern any watcher.
            let folders =
              event.folder < 0
              ? Array(state.watchers.values) : state.watchers[event.folder].map { [$0] } ?? []
            for folder in folders {
              for (id, watcher) in folder
              where event.folder < 0 || watcher.names.contains(event.name) {
                affected[id] = watcher.onChange
              }
            }
          }
        }
      }
      for onChange in affected.values { onChange() }
    }

    /// Returns the watch descriptors and file names of pending events; `nil` if no event is
    /// pending.
    private func nextEvents() -> [(folder: Int32, name: String)]? {
      let head = 16
      let bytes = unsafe [UInt8](unsafeUninitializedCapacity: 16_384) { buffer, count in
        count = unsafe max(0, read(descriptor, buffer.baseAddress, buffer.count))
      }
      if bytes.isEmpty { return nil }
      var events: [(folder: Int32, name: String)] = []
      var start = 0
      while start + head <= bytes.count {
        let (folder, length) = unsafe bytes.withUnsafeBytes { buffer in
          unsafe (
            buffer.loadUnaligned(fromByteOffset: start, as: Int32.self),
            buffer.loadUnaligned(fromByteOffset: start + 12, as: UInt32.self)
          )
        }
        let end = min(bytes.count, start + head + Int(length))
        let name = bytes[(start + head)..<end].prefix { $0 != 0 }
        events.append((folder, String(decoding: name, as: UTF8.self)))
        start = end
      }
      return events
    }
  }
#endif
