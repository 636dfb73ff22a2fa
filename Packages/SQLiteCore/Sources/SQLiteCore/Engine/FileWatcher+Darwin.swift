#if canImport(Darwin)
  internal import Darwin
  internal import Dispatch
  internal import Primitives

  /// Reports when any process writes, creates or deletes a database, its write-ahead log or its
  /// journal.
  ///
  /// Reports may be spurious, and several changes may be reported once.
  @_spi(Observing) public final class FileWatcher: Sendable {
    private struct State {
      var files: [String: any DispatchSourceFileSystemObject] = [:]
      var folder: (any DispatchSourceFileSystemObject)?
    }

    private let folder: String
    private let names: [String]
    private let onChange: @Sendable () -> Void
    private let queue = DispatchQueue(label: "Holt files")
    private let state = Mutex(State())

    /// - Parameters:
    ///   - path: The database's absolute path.
    ///   - suffix: The suffix of one more file to watch, appended to the database's name.
    ///   - onChange: Called on the watcher's dispatch queue.
    /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/cannotOpen`` if the folder can't be
    ///   watched.
    public init(
      path: String, suffix: String, onChange: @escaping @Sendable () -> Void
    ) throws(SQLiteError) {
      let (folder, name) = path.splitAtLastSlash
      self.folder = folder
      // The database itself is not opened, because closing the file would release the process's
      // locks on it.
      names = ["-wal", "-journal", suffix].map { name + $0 }
      self.onChange = onChange
      guard let source = watch(folder, [.write, .delete, .rename]) else {
        throw SQLiteError(code: .cannotOpen, message: "the folder can't be watched: \(folder)")
      }
      // The folder reports created and deleted files; writes are only reported by the files.
      source.setEventHandler { [weak self] in
        self?.watchNewFiles()
        self?.onChange()
      }
      state.withLock { $0.folder = source }
      source.resume()
      watchNewFiles()
    }

    deinit {
      state.withLock { state in
        state.folder?.cancel()
        for source in state.files.values { source.cancel() }
      }
    }

    private func watchNewFiles() {
      state.withLock { state in
        for name in names where state.files[name] == nil {
          guard let source = watch("\(folder)/\(name)", [.write, .extend, .delete, .rename]) else {
            continue
          }
          source.setEventHandler { [weak self] in
            if !source.data.isDisjoint(with: [.delete, .rename]) { self?.stopWatching(name) }
            self?.onChange()
          }
          state.files[name] = source
          source.resume()
        }
      }
    }

    private func stopWatching(_ name: String) {
      state.withLock { state in state.files.removeValue(forKey: name)?.cancel() }
    }

    private func watch(
      _ path: String, _ events: DispatchSource.FileSystemEvent
    ) -> (any DispatchSourceFileSystemObject)? {
      let descriptor = open(path, O_EVTONLY | O_CLOEXEC)
      guard descriptor >= 0 else { return nil }
      let source = DispatchSource.makeFileSystemObjectSource(
        fileDescriptor: descriptor, eventMask: events, queue: queue)
      source.setCancelHandler { close(descriptor) }
      return source
    }
  }
#endif
