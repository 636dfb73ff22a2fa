internal import CFiles

/// What is done with whole files.
enum SourceFiles {
  /// Copies a file to where nothing is yet.
  ///
  /// - Throws: ``ProviderError`` with ``ProviderError/Code/notFound`` where there is no such file.
  static func copyTemplate(_ template: String, to path: String) throws(ProviderError) {
    guard try FileStamp(path: path) == nil else { return }
    let reader = try FileReader(path: template)
    try makeFolder(of: path)
    let copy = try FileReplacement(path: path)
    while let piece = try reader.read(atMost: 1 << 18) { try copy.write(piece) }
    do throws(ProviderError) {
      _ = try copy.commit(expecting: .some(nil))
      try copy.finish()
    } catch {
      // Someone else may have made the copy meanwhile.
      if error.code != .fileChanged { throw error }
    }
  }

  /// - Throws: ``ProviderError`` with ``ProviderError/Code/notFound``.
  static func remove(_ path: String) throws(ProviderError) {
    try FileError.check(path)
    let code = unsafe holt_file_remove(path)
    if code < 0 { throw FileError.error(code, path, isWriting: true) }
  }

  /// Removes a file, if it is there.
  static func removeIfPresent(_ path: String) throws(ProviderError) {
    do throws(ProviderError) {
      try remove(path)
    } catch {
      if error.code != .notFound { throw error }
    }
  }

  /// Whether removing what is at a path takes a file away from who opened it by another one: not a link alone.
  static func removing(_ path: String, removes open: String) -> Bool {
    path == open || (isSameFile(path, open) && !isLink(path))
  }

  private static func isLink(_ path: String) -> Bool {
    guard let target = unsafe holt_file_link_target(path) else { return false }
    unsafe holt_file_free(target)
    return true
  }

  /// Whether two paths lead to one file.
  static func isSameFile(_ a: String, _ b: String) -> Bool {
    if a == b { return true }
    guard let a = try? FileStamp(path: a), let b = try? FileStamp(path: b) else { return false }
    return a.isSameFile(as: b)
  }
}
