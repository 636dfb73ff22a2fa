#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif
internal import Primitives

/// A small file beside a database, to which several processes append and which all of them read.
///
/// The file holds what may be lost: beyond its limit it is emptied, and begun anew. A reader must
/// determine from what it reads whether anything is missing.
@safe @_spi(Observing) public final class AppendOnlyFile: Sendable {
  private struct State {
    /// -1 while the file does not exist, or may not be opened.
    var descriptor: Int32
    /// The offset up to which the file was read.
    var position: Int
  }

  private let path: String
  private let model: String
  private let limit: Int
  private let state: Mutex<State>

  /// Opens the file, and creates it if it does not exist.
  ///
  /// The file's permissions follow those of `model`, whatever the process's `umask` is, and its
  /// owner and group do too if the process may change them. A file that exists is adapted when it
  /// is opened by its owner or by a privileged process. A process that may only read the file reads
  /// it. One that may not open or create it finds no lines until it may, which is not an error.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/cannotOpen`` if there is something else
  ///   than a file of its own at `path`, or the system refuses for another reason than permissions.
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

  /// Appends a line, in one piece.
  ///
  /// - Returns: Whether it could be written, which nothing may depend on.
  @discardableResult public func append(_ line: String) -> Bool {
    let descriptor = state.withLock { $0.descriptor }
    if Self.size(of: descriptor) > limit { ftruncate(descriptor, 0) }
    var text = line
    text.append("\n")
    return text.withUTF8 { bytes in
      unsafe write(descriptor, bytes.baseAddress, bytes.count) == bytes.count
    }
  }

  /// The lines that were appended since the last call, by whichever process.
  ///
  /// The first may be the end of one, if the file has begun anew meanwhile.
  public func newLines() -> [String] {
    state.withLock { state in
      if state.descriptor < 0 {
        state.descriptor = (try? Self.openFile(path, like: model)) ?? -1
      }
      let end = Self.size(of: state.descriptor)
      if end < state.position { state.position = 0 }
      guard end > state.position else { return [] }
      guard end - state.position <= 2 * limit else {
        // More than anyone appends between two looks: it counts as lost.
        state.position = end
        return []
      }
      let start = state.position
      let bytes = unsafe [UInt8](unsafeUninitializedCapacity: end - start) { buffer, count in
        count = unsafe max(
          0, pread(state.descriptor, buffer.baseAddress, buffer.count, off_t(start)))
      }
      // What is being appended right now is read when it is whole.
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
  /// - Returns: A descriptor, which is read-only if the process may not write the file; -1 if it
  ///   may not open or create the file.
  private static func openFile(_ path: String, like model: String) throws(SQLiteError) -> Int32 {
    let common = O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
    var descriptor = unsafe open(path, O_RDWR | O_APPEND | common)
    if descriptor < 0, errno == ENOENT {
      // Nobody else may open it before it has the permissions of the model.
      descriptor = unsafe open(path, O_RDWR | O_APPEND | O_CREAT | O_EXCL | common, 0o600)
      // Another process was first.
      if descriptor < 0, errno == EEXIST {
        descriptor = unsafe open(path, O_RDWR | O_APPEND | common)
      }
    }
    if descriptor < 0, isRefusal(errno) {
      descriptor = unsafe open(path, O_RDONLY | common)
      if descriptor < 0, errno == ENOENT || isRefusal(errno) { return -1 }
    }
    guard descriptor >= 0 else {
      throw SQLiteError(
        code: .cannotOpen, message: "the file can't be opened: \(path): \(SystemFault.last)")
    }
    // A link to the database, say: what is appended would be its end, and closing it would release
    // its locks.
    var opened = stat()
    guard unsafe fstat(descriptor, &opened) == 0, opened.st_mode & S_IFMT == S_IFREG,
      opened.st_nlink <= 1
    else {
      close(descriptor)
      throw SQLiteError(code: .cannotOpen, message: "the file is no file of its own: \(path)")
    }
    if adapt(descriptor, opened, to: model) { return descriptor }
    // More users may read it than the database, and it belongs to somebody else: nothing is written
    // to it.
    close(descriptor)
    return unsafe open(path, O_RDONLY | common)
  }

  /// Gives the file the owner, the group and the permissions of the model, as far as the process
  /// may.
  ///
  /// - Returns: Whether no more users may open the file than the model.
  private static func adapt(_ descriptor: Int32, _ opened: stat, to model: String) -> Bool {
    var wanted = stat()
    var mode: mode_t = 0o600
    if unsafe stat(model, &wanted) == 0 {
      mode = wanted.st_mode & 0o666
      if geteuid() == 0 {
        if opened.st_uid != wanted.st_uid || opened.st_gid != wanted.st_gid {
          fchown(descriptor, wanted.st_uid, wanted.st_gid)
        }
      } else if opened.st_gid != wanted.st_gid, fchown(descriptor, .max, wanted.st_gid) != 0 {
        // Another group than the database's may do no more than everyone.
        mode &= ~0o060 | (mode & 0o006) << 3
      }
    }
    return opened.st_mode & 0o777 == mode || fchmod(descriptor, mode) == 0
      || opened.st_mode & 0o777 & ~mode == 0
  }

  /// Whether a failure of the system is one of permissions.
  private static func isRefusal(_ code: Int32) -> Bool {
    code == EACCES || code == EPERM || code == EROFS
  }
}

/// What the system says of its last failure on this thread.
enum SystemFault {
  static var last: String {
    let code = errno
    return unsafe strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)"
  }
}
