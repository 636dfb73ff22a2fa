internal import CFiles

/// What tells a file's content from another's without reading it: which file it is, how long, and when it was
/// written.
struct FileStamp: Equatable, Sendable {
  let device: UInt64
  let inode: UInt64
  let size: Int64
  let seconds: Int64
  let nanoseconds: Int64

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
  }

  /// Whether it is the same file, whatever is in it.
  func isSameFile(as other: FileStamp) -> Bool {
    inode == other.inode && device == other.device
  }
}
