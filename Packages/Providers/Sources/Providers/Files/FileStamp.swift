internal import CFiles

/// Identifies a version of a file without reading its content: the file's identity, its size, its
/// modification time and its status change time.
struct FileStamp: Equatable, Sendable {
  let device: UInt64
  let inode: UInt64
  let size: Int64
  let seconds: Int64
  let nanoseconds: Int64
  /// The time of the last status change: of the content, the name or the permissions.
  let changeSeconds: Int64
  let changeNanoseconds: Int64

  /// Returns the stamp of the file at a path; `nil` if no file exists.
  ///
  /// - Throws: ``ProviderError`` with ``ProviderError/Code/accessDenied`` or
  ///   ``ProviderError/Code/fileSystem``, for example if the path is a folder.
  init?(path: String) throws(ProviderError) {
    try SourceFiles.check(path)
    var stamp = holt_file_stamp()
    let code = unsafe holt_file_stamp_of(path, &stamp)
    if code < 0 {
      let error = ProviderError(fileCode: code, path)
      if error.code == .notFound { return nil }
      throw error
    }
    guard holt_file_is_folder(stamp.mode) == 0 else {
      throw ProviderError(.fileSystem, "expected a file, found a folder", file: path)
    }
    self.init(stamp)
  }

  init(_ stamp: holt_file_stamp) {
    device = stamp.device
    inode = stamp.inode
    size = stamp.size
    seconds = stamp.seconds
    nanoseconds = stamp.nanoseconds
    changeSeconds = stamp.change_seconds
    changeNanoseconds = stamp.change_nanoseconds
  }

  /// Returns whether both stamps have the same file, size and modification time. A reset
  /// modification time is not detected.
  func hasSameContent(as other: FileStamp) -> Bool {
    isSameFile(as: other) && size == other.size && seconds == other.seconds
      && nanoseconds == other.nanoseconds
  }

  /// Returns whether both stamps belong to the same file, regardless of its content.
  func isSameFile(as other: FileStamp) -> Bool {
    inode == other.inode && device == other.device
  }
}

/// A version of a file that was read or written: its stamp and its checksum.
struct FileVersion: Sendable {
  let stamp: FileStamp
  /// The checksum of the content; `nil` if the file was not read to its end.
  let checksum: UInt64?

  /// Returns whether the file at a path has the same bytes. The bytes are read only if the stamp
  /// differs: if the file was copied or touched, or replaced by one of the same length.
  func matchesFile(at path: String) throws(ProviderError) -> Bool {
    guard let now = try FileStamp(path: path) else { return false }
    if now == stamp { return true }
    guard let checksum, now.size == stamp.size else { return false }
    let reader = try FileReader(path: path)
    while try reader.read(atMost: 1 << 18) != nil {}
    return reader.checksum == checksum
  }
}

/// A 64-bit checksum that does not depend on how the bytes are split into pieces. It is not
/// cryptographic.
struct FileChecksum {
  private var state: holt_checksum

  init() {
    state = holt_checksum()
    unsafe holt_checksum_begin(&state)
  }

  /// The number of bytes added.
  var count: Int64 { Int64(clamping: state.count) }

  var value: UInt64 {
    var state = state
    return unsafe holt_checksum_end(&state)
  }

  mutating func add(_ bytes: [UInt8]) {
    unsafe bytes.withUnsafeBytes { unsafe holt_checksum_add(&state, $0.baseAddress, $0.count) }
  }
}
