#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif
internal import CSQLite

/// The file that a connection has opened as its main database.
struct OpenedFile: Hashable, Sendable {
  /// The absolute path, without symbolic links.
  let path: String
  /// The file's device and inode; `nil` if the path does not name a file, as with some virtual file
  /// systems.
  let identity: String?

  /// Identifies a file independently of its path; `nil` if the path does not exist.
  fileprivate static func identity(of path: String) -> String? {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    return "\(status.st_dev) \(status.st_ino)"
  }

  /// Returns whether the path is a pipe. Opening a pipe for reading would block until another
  /// process writes to it.
  static func isPipe(_ path: String) -> Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
  }
}

extension ConnectionHandle {
  /// The main database's file; `nil` for a database in memory or without a name.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/fileReplaced`` if the path now refers
  ///   to another file or to no file.
  func openedFile() throws(SQLiteError) -> OpenedFile? {
    let db = unsafe try pointer()
    guard let name = unsafe sqlite3_db_filename(db, "main") else { return nil }
    let path = unsafe String(cString: name)
    guard !path.isEmpty else { return nil }
    // SQLite compares the inodes of the path and of its private file descriptor.
    let identity = OpenedFile.identity(of: path)
    var hasMoved: Int32 = 0
    let rc = unsafe sqlite3_file_control(db, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved)
    guard rc != SQLITE_OK || hasMoved == 0 else { throw Self.fileReplaced(path) }
    return OpenedFile(path: path, identity: identity)
  }

  /// Throws if the connection has opened another file than the database's other connections.
  func requireFile(_ expected: OpenedFile) throws(SQLiteError) {
    guard try openedFile() == expected else { throw Self.fileReplaced(expected.path) }
  }

  private static func fileReplaced(_ path: String) -> SQLiteError {
    SQLiteError(
      code: .fileReplaced,
      message: "the file is not the one that the database was opened with: \(path)")
  }
}

extension Configuration {
  /// The flags with which SQLite opens the file.
  var openFlags: Int32 {
    if isReadOnly { return SQLITE_OPEN_READONLY }
    return createsFile ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READWRITE
  }

  /// The time of day in seconds since 1970, without Foundation.
  static var systemTime: Double {
    var time = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}

/// The description of the last error of a system call.
var systemErrorMessage: String {
  let code = errno
  return unsafe strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)"
}
