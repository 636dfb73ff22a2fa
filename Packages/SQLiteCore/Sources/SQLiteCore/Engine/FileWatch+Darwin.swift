#if canImport(Darwin)
  internal import Darwin
  internal import Dispatch
  internal import Primitives

  /// Tells that a database, its log or its journal was written, made or removed, by whichever process.
  ///
  /// It may tell more often than that, and of several changes once.
  @_spi(Observing) public final class FileWatch: Sendable {
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
    ///   - suffix: What the name of one more file has after the database's.
    ///   - onChange: Called on a thread of the watch's.
    /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/cannotOpen`` where the folder can't be watched.
    public init(
      path: String, suffix: String, onChange: @escaping @Sendable () -> Void
    ) throws(SQLiteError) {
      let (folder, name) = path.splitAtLastSlash
      self.folder = folder
      // Not the database itself: to close a file lets go of the process's locks on it.
      names = ["-wal", "-journal", suffix].map { name + $0 }
      self.onChange = onChange
      guard let source = watch(folder, [.write, .delete, .rename]) else {
        throw SQLiteError(code: .cannotOpen, message: "the folder can't be watched: \(folder)")
      }
      // What comes and goes shows in the folder; what is written, in the files alone.
      source.setEventHandler { [weak self] in
        self?.lookForFiles()
        self?.onChange()
      }
      state.withLock { $0.folder = source }
      source.resume()
      lookForFiles()
    }

    deinit {
      state.withLock { state in
        state.folder?.cancel()
        for source in state.files.values { source.cancel() }
      }
    }

    private func lookForFiles() {
      state.withLock { state in
        for name in names where state.files[name] == nil {
          guard let source = watch("\(folder)/\(name)", [.write, .extend, .delete, .rename]) else {
            continue
          }
          source.setEventHandler { [weak self] in
            if !source.data.isDisjoint(with: [.delete, .rename]) { self?.forget(name) }
            self?.onChange()
          }
          state.files[name] = source
          source.resume()
        }
      }
    }

    private func forget(_ name: String) {
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
