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
