internal import CFiles

/// What the file system said no to.
enum FileError {
  static func missing(_ path: String) -> ProviderError {
    ProviderError(.notFound, "there is no such file", file: path)
  }

  /// The error of a negative number that one of the functions in C returned.
  static func error(_ code: Int32, _ path: String, isWriting: Bool = false) -> ProviderError {
    switch holt_file_fault_of(-code) {
    case HOLT_FILE_IS_MISSING: missing(path)
    case HOLT_FILE_IS_FORBIDDEN:
      ProviderError(
        .accessDenied, "the file may not be \(isWriting ? "written" : "read")", file: path)
    case HOLT_FILE_IS_FOLDER:
      ProviderError(.fileSystem, "this is a folder, and no file", file: path)
    case HOLT_FILE_IS_LOCKED:
      ProviderError(.busy, "another process is writing the file", file: path)
    default:
      ProviderError(
        .fileSystem, "the system fails: \(unsafe String(cString: holt_file_message(-code)))",
        file: path)
    }
  }

  /// C would take the path for the part of it before a zero byte.
  static func check(_ path: String) throws(ProviderError) {
    if path.utf8.contains(0) || path.isEmpty { throw missing(path) }
  }
}
