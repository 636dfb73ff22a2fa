internal import CFiles

/// Operations on whole files.
enum SourceFiles {
  /// Copies a file to a path unless a file exists there.
  ///
  /// - Throws: ``ProviderError`` with ``ProviderError/Code/notFound`` if the template does not
  ///   exist.
  static func copyTemplate(_ template: String, to path: String) throws(ProviderError) {
    guard try FileStamp(path: path) == nil else { return }
    let reader = try FileReader(path: template)
    try createParentFolder(of: path)
    let copy = try FileReplacement(path: path)
    while let piece = try reader.read(atMost: 1 << 18) { try copy.write(piece) }
    do throws(ProviderError) {
      _ = try copy.commit(expecting: .some(nil))
      try copy.finish()
    } catch {
      // Another process may have created the copy in the meantime.
      if error.code != .fileChanged { throw error }
    }
  }

  /// - Throws: ``ProviderError`` with ``ProviderError/Code/notFound``.
  static func remove(_ path: String) throws(ProviderError) {
    try SourceFiles.check(path)
    let code = unsafe holt_file_remove(path)
    if code < 0 { throw ProviderError(fileCode: code, path, isWriting: true) }
  }

  /// Removes a file if it exists.
  static func removeIfPresent(_ path: String) throws(ProviderError) {
    do throws(ProviderError) {
      try remove(path)
    } catch {
      if error.code != .notFound { throw error }
    }
  }

  /// Returns whether removing `path` removes the file that was opened as `open`. Removing a
  /// symbolic link does not.
  static func isSameEntry(_ path: String, as open: String) -> Bool {
    path == open || (isSameFile(path, open) && !isLink(path))
  }

  private static func isLink(_ path: String) -> Bool {
    guard let target = unsafe holt_file_link_target(path) else { return false }
    unsafe holt_file_free(target)
    return true
  }

  /// Returns whether two paths lead to the same file.
  static func isSameFile(_ a: String, _ b: String) -> Bool {
    if a == b { return true }
    guard let a = try? FileStamp(path: a), let b = try? FileStamp(path: b) else { return false }
    return a.isSameFile(as: b)
  }

  /// Refuses zero bytes, at which C would truncate the path.
  static func check(_ path: String) throws(ProviderError) {
    if path.utf8.contains(0) || path.isEmpty { throw .missingFile(path) }
  }
}

// Errors of the file system.
extension ProviderError {
  static func missingFile(_ path: String) -> ProviderError {
    ProviderError(.notFound, "the file does not exist", file: path)
  }

  static func fileExists(_ path: String) -> ProviderError {
    ProviderError(.fileExists, "the file already exists and must not be replaced", file: path)
  }

  /// Creates the error for a negative number that a C function returned.
  init(fileCode code: Int32, _ path: String, isWriting: Bool = false) {
    switch holt_file_fault_of(-code) {
    case HOLT_FILE_IS_MISSING: self = .missingFile(path)
    case HOLT_FILE_IS_FORBIDDEN:
      self.init(
        .accessDenied, "no permission to \(isWriting ? "write" : "read") the file", file: path)
    case HOLT_FILE_IS_FOLDER:
      self.init(.fileSystem, "expected a file, found a folder", file: path)
    case HOLT_FILE_IS_LOCKED:
      self.init(.busy, "another process is writing the file", file: path)
    default:
      self.init(
        .fileSystem, "file system error: \(unsafe String(cString: holt_file_message(-code)))",
        file: path)
    }
  }
}
