internal import CFiles

/// What tells a file's content from another's without reading it: which file it is, how long, when it was written, and
/// when something about it was changed that was not told by the one who did.
struct FileStamp: Equatable, Sendable {
  let device: UInt64
  let inode: UInt64
  let size: Int64
  let seconds: Int64
  let nanoseconds: Int64
  /// The time of the last change of all: of its content, but also of its name or permissions.
  let changeSeconds: Int64
  let changeNanoseconds: Int64

  /// The stamp of the file at a path; `nil` where there is none.
  ///
  /// - Throws: ``ProviderError`` with ``ProviderError/Code/accessDenied`` or ``ProviderError/Code/fileSystem``: what is
  ///   there is a folder, say.
  init?(path: String) throws(ProviderError) {
    try FileError.check(path)
    var stamp = holt_file_stamp()
    let code = unsafe holt_file_stamp_of(path, &stamp)
    if code < 0 {
      let error = FileError.error(code, path)
      if error.code == .notFound { return nil }
      throw error
    }
    guard holt_file_is_folder(stamp.mode) == 0 else {
      throw ProviderError(.fileSystem, "this is a folder, and no file", file: path)
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

  /// Whether it is the same file, written at the same time: what can be told unless that was set back.
  func hasSameContent(as other: FileStamp) -> Bool {
    isSameFile(as: other) && size == other.size && seconds == other.seconds
      && nanoseconds == other.nanoseconds
  }

  /// Whether it is the same file, whatever is in it.
  func isSameFile(as other: FileStamp) -> Bool {
    inode == other.inode && device == other.device
  }
}

/// A file as it was read or written: its stamp, and what its bytes come to.
struct FileVersion: Sendable {
  let stamp: FileStamp
  /// `nil` where not all of it was read.
  let checksum: UInt64?

  /// Whether what a path leads to has the same bytes. They are looked at only where the stamp is another one: where the
  /// file was copied, or touched, or another one of the same length was put in its place.
  func isStill(at path: String) throws(ProviderError) -> Bool {
    guard let now = try FileStamp(path: path) else { return false }
    if now == stamp { return true }
    guard let checksum, now.size == stamp.size else { return false }
    let reader = try FileReader(path: path)
    while try reader.read(atMost: 1 << 18) != nil {}
    return reader.checksum == checksum
  }
}

/// What bytes come to, however they are cut into pieces: 64 bits that differ where the bytes do, unless someone has
/// tried to make them alike.
struct FileChecksum {
  private var state: holt_checksum

  init() {
    state = holt_checksum()
    unsafe holt_checksum_begin(&state)
  }

  /// How many bytes it is of.
  var count: Int64 { Int64(clamping: state.count) }

  var value: UInt64 {
    var state = state
    return unsafe holt_checksum_end(&state)
  }

  mutating func add(_ bytes: [UInt8]) {
    unsafe bytes.withUnsafeBytes { unsafe holt_checksum_add(&state, $0.baseAddress, $0.count) }
  }
}
