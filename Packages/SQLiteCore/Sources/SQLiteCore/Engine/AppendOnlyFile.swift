#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif
internal import Primitives

/// A small file next to a database, which several processes append to and read.
///
/// The file's content may be lost: a file that exceeds its limit is truncated. A reader must
/// determine from the lines that it reads whether any are missing.
@safe @_spi(Observing) public final class AppendOnlyFile: Sendable {
  private struct State {
    /// -1 if the file does not exist or can't be opened.
    var descriptor: Int32
    /// The offset up to which the file was read.
    var position: Int
  }

  private let path: String
  private let model: String
  private let limit: Int
  private let state: Mutex<State>

  /// Opens the file, creating it if it does not exist.
  ///
  /// The file gets the permissions of `model` regardless of the process's `umask`, and its owner
  /// and group if the process may change them. An existing file is adapted when its owner or a
  /// privileged process opens it. A process without write permission opens the file for reading
  /// only. A process that may neither open nor create the file reads no lines until it may, which
  /// is not an error.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/cannotOpen`` if `path` is not a regular
  ///   file with one link, or if the system refuses to open it for another reason than permissions.
  public init(
    path: String, like model: String, limit: Int = 256 * 1_024
  ) throws(SQLiteError) {
    self.path = path
    self.model = model
    self.limit = limit
    let descriptor = try Self.openFile(path, like: model)
    let position = descriptor < 0 ? 0 : Self.size(of: descriptor)
    state = Mutex(State(descriptor: descriptor, position: position))
  }

  deinit {
    let descriptor = state.withLock { $0.descriptor }
    if descriptor >= 0 { close(descriptor) }
  }

  /// Appends a line with a single write.
  ///
  /// - Returns: Whether the line was written. Callers must not rely on it.
  @discardableResult public func append(_ line: String) -> Bool {
    let descriptor = state.withLock { $0.descriptor }
    if Self.size(of: descriptor) > limit { ftruncate(descriptor, 0) }
    var text = line
    text.append("\n")
    return text.withUTF8 { bytes in
      unsafe write(descriptor, bytes.baseAddress, bytes.count) == bytes.count
    }
  }

  /// Returns the lines that any process has appended since the last call.
  ///
  /// The first line may be incomplete if the file was truncated in between.
  public func readNewLines() -> [String] {
    state.withLock { state in
      if state.descriptor < 0 {
        state.descriptor = (try? Self.openFile(path, like: model)) ?? -1
      }
      let end = Self.size(of: state.descriptor)
      if end < state.position { state.position = 0 }
      guard end > state.position else { return [] }
      guard end - state.position <= 2 * limit else {
        // Too much to have been appended between two calls: the lines count as lost.
        state.position = end
        return []
      }
      let start = state.position
      let bytes = unsafe [UInt8](unsafeUninitializedCapacity: end - start) { buffer, count in
        count = unsafe max(
          0, pread(state.descriptor, buffer.baseAddress, buffer.count, off_t(start)))
      }
      // An incomplete last line is read by a later call.
      guard let last = bytes.lastIndex(of: UInt8(ascii: "\n")) else { return [] }
      state.position = start + last + 1
      return bytes[..<last].split(separator: UInt8(ascii: "\n"))
        .map { String(decoding: $0, as: UTF8.self) }
    }
  }

  private static func size(of descriptor: Int32) -> Int {
    var status = stat()
    return unsafe fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
  }
}

extension AppendOnlyFile {
  /// - Returns: A descriptor, read-only if the process may not write the file; -1 if the process
  ///   may not open or create the file.
  private static func openFile(_ path: String, like model: String) throws(SQLiteError) -> Int32 {
    let common = O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
    var descriptor = unsafe open(path, O_RDWR | O_APPEND | common)
    if descriptor < 0, errno == ENOENT {
      // No other user may open the file before it has the model's permissions.
      descriptor = unsafe open(path, O_RDWR | O_APPEND | O_CREAT | O_EXCL | common, 0o600)
      // Another process created it first.
      if descriptor < 0, errno == EEXIST {
        descriptor = unsafe open(path, O_RDWR | O_APPEND | common)
      }
    }
    if descriptor < 0, isPermissionError(errno) {
      descriptor = unsafe open(path, O_RDONLY | common)
      if descriptor < 0, errno == ENOENT || isPermissionError(errno) { return -1 }
    }
    guard descriptor >= 0 else {
      throw SQLiteError(
        code: .cannotOpen, message: "the file can't be opened: \(path): \(systemErrorMessage)")
    }
    // If the file were a link to the database, appending would corrupt the database, and closing
    // would release its locks.
    var opened = stat()
    guard unsafe fstat(descriptor, &opened) == 0, opened.st_mode & S_IFMT == S_IFREG,
      opened.st_nlink <= 1
    else {
      close(descriptor)
      throw SQLiteError(
        code: .cannotOpen, message: "the file is not a regular file with one link: \(path)")
    }
    if applyPermissions(descriptor, opened, to: model) { return descriptor }
    // More users may read the file than the database, and it belongs to another user: it is never
    // written.
    close(descriptor)
    return unsafe open(path, O_RDONLY | common)
  }

  /// Applies the owner, group and permissions of `model` to the file, to the extent that the
  /// process is allowed to.
  ///
  /// - Returns: `false` if users who may not open `model` may open the file.
  private static func applyPermissions(_ descriptor: Int32, _ opened: stat, to model: String)
    -> Bool
  {
    var wanted = stat()
    var mode: mode_t = 0o600
    if unsafe stat(model, &wanted) == 0 {
      mode = wanted.st_mode & 0o666
      if geteuid() == 0 {
        if opened.st_uid != wanted.st_uid || opened.st_gid != wanted.st_gid {
          fchown(descriptor, wanted.st_uid, wanted.st_gid)
        }
      } else if opened.st_gid != wanted.st_gid, fchown(descriptor, .max, wanted.st_gid) != 0 {
        // If the group can't be changed, it gets the permissions of other users.
        mode &= ~0o060 | (mode & 0o006) << 3
      }
    }
    return opened.st_mode & 0o777 == mode || fchmod(descriptor, mode) == 0
      || opened.st_mode & 0o777 & ~mode == 0
  }

  /// Returns whether a system error is caused by missing permissions.
  private static func isPermissionError(_ code: Int32) -> Bool {
    code == EACCES || code == EPERM || code == EROFS
  }
}
