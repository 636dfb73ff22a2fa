internal import CFiles
internal import Primitives

/// A temporary file that atomically replaces another file: a crash at any moment leaves either the
/// old or the new file.
///
/// Only one process at a time can replace a file. The next replacement overwrites the remains of a
/// crash.
final class FileReplacement {
  /// The file to replace, with symbolic links resolved.
  let path: String
  /// The path of the temporary file.
  let temporaryPath: String
  private var descriptor: Int32
  private let replacesFile: Bool
  private var sum = FileChecksum()
  private var isInPlace = false

  /// The paths of all temporary files of this process.
  private static let temporaryPaths = Mutex<Set<String>>([])

  /// - Throws: ``ProviderError`` with ``ProviderError/Code/busy`` if another process replaces the
  ///   file, with ``ProviderError/Code/accessDenied``, also if the file is read-only, or with
  ///   ``ProviderError/Code/fileSystem``.
  init(path: String) throws(ProviderError) {
    self.path = try Self.resolved(path)
    temporaryPath = Self.temporaryPath(for: self.path)
    replacesFile = try FileStamp(path: self.path) != nil
    if replacesFile { try Self.requireWritable(self.path) }
    // Users who may not read the replaced file must not be able to read this one.
    descriptor = unsafe holt_file_begin(temporaryPath, replacesFile ? 0o600 : 0o666)
    guard descriptor >= 0 else {
      throw ProviderError(fileCode: descriptor, self.path, isWriting: true)
    }
    _ = Self.temporaryPaths.withLock { $0.insert(temporaryPath) }
  }

  deinit { release() }

  /// Removes the temporary files of this process. Replacements that are not complete then fail.
  static func removeTemporaryFiles() {
    temporaryPaths.withLock { paths in
      for path in paths { _ = unsafe holt_file_remove(path) }
    }
  }

  /// Throws if the existing file is read-only.
  static func requireWritable(_ path: String) throws(ProviderError) {
    let code = unsafe holt_file_check_writable(path)
    guard code < 0 else { return }
    let error = ProviderError(fileCode: code, path, isWriting: true)
    throw error.code == .accessDenied
      ? ProviderError(.accessDenied, "the file is read-only", file: path) : error
  }

  /// Adds bytes to the file.
  ///
  /// - Throws: ``ProviderError`` with ``ProviderError/Code/fileSystem``, for example if the disk is
  ///   full.
  func write(_ bytes: [UInt8]) throws(ProviderError) {
    sum.add(bytes)
    let code = unsafe bytes.withUnsafeBytes { buffer in
      unsafe holt_file_write(descriptor, buffer.baseAddress, buffer.count)
    }
    try check(code)
  }

  /// Moves the temporary file to the place of the replaced file.
  ///
  /// - Parameter expected: The expected version of the replaced file; `.some(nil)` expects that no
  ///   file exists, and `nil` replaces any file.
  /// - Returns: The new file's version.
  /// - Throws: ``ProviderError`` with ``ProviderError/Code/fileChanged`` if the file differs from
  ///   `expected`, or for a file system error. The replaced file is then unchanged.
  func commit(expecting expected: FileVersion??) throws(ProviderError) -> FileVersion {
    if replacesFile { try copyProperties() }
    try check(holt_file_sync(descriptor))
    if let expected, try !fileMatches(expected) {
      throw ProviderError(
        .fileChanged, "the file was changed by another program since it was read", file: path)
    }
    try check(unsafe holt_file_rename(temporaryPath, path))
    isInPlace = true
    var stamp = holt_file_stamp()
    try check(unsafe holt_file_stamp_of_open(descriptor, &stamp))
    return FileVersion(stamp: FileStamp(stamp), checksum: sum.value)
  }

  /// Copies the properties of the replaced file that are not its content.
  private func copyProperties() throws(ProviderError) {
    try checkKept("owner", unsafe holt_file_copy_owner(descriptor, path))
    try checkKept(
      "access control list or extended attributes",
      unsafe holt_file_copy_attributes(descriptor, path))
    try checkKept("permissions", unsafe holt_file_copy_permissions(descriptor, path))
  }

  private func checkKept(_ property: String, _ code: Int32) throws(ProviderError) {
    guard code < 0 else { return }
    let reason = unsafe String(cString: holt_file_message(-code))
    throw ProviderError(
      .accessDenied, "replacing the file would lose its \(property): \(reason)", file: path)
  }

  /// Makes the replacement durable and releases the lock.
  ///
  /// - Throws: ``ProviderError`` for a file system error. The file has been replaced nevertheless.
  func finish() throws(ProviderError) {
    defer { release() }
    try check(unsafe holt_file_sync_folder(Self.folder(of: path)))
  }

  private func fileMatches(_ expected: FileVersion?) throws(ProviderError) -> Bool {
    if let expected { return try expected.matchesFile(at: path) }
    return try FileStamp(path: path) == nil
  }

  /// Closes the file, which releases its lock.
  private func release() {
    guard descriptor >= 0 else { return }
    // Forgotten first: afterwards, the path can belong to another process.
    _ = Self.temporaryPaths.withLock { $0.remove(temporaryPath) }
    if !isInPlace { _ = unsafe holt_file_remove(temporaryPath) }
    holt_file_close(descriptor)
    descriptor = -1
  }

  private func check(_ code: Int32) throws(ProviderError) {
    if code < 0 { throw ProviderError(fileCode: code, path, isWriting: true) }
  }

  // MARK: Paths

  private static func folder(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  private static func temporaryPath(for path: String) -> String {
    let folder = folder(of: path)
    let name = path.split(separator: "/").last.map(String.init) ?? path
    // Names have 255 bytes at most.
    guard name.utf8.count > 230 else { return "\(folder)/.\(name).holt-new" }
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    return "\(folder)/.\(String(hash, radix: 16)).holt-new"
  }

  /// Resolves symbolic links, also if the target does not exist.
  static func resolved(_ path: String) throws(ProviderError) -> String {
    var path = path
    // Systems follow at most 40 links.
    for _ in 0..<40 {
      try SourceFiles.check(path)
      var code: Int32 = 0
      if let real = unsafe holt_file_real_path(path, &code) {
        defer { unsafe holt_file_free(real) }
        return unsafe String(cString: real)
      }
      let error = ProviderError(fileCode: code, path)
      guard error.code == .notFound else { throw error }
      guard let link = unsafe holt_file_link_target(path) else { return path }
      defer { unsafe holt_file_free(link) }
      let target = unsafe String(cString: link)
      path = target.hasPrefix("/") ? target : "\(folder(of: path))/\(target)"
    }
    return path
  }
}

extension SourceSession {
  /// Writes whole files atomically: a crash at any moment leaves either the old or the new file.
  public enum FileWriting {
    /// Writes a file.
    ///
    /// ```swift
    /// try SourceSession.FileWriting.write(toPath: "towns.csv", replacing: false) { output in
    ///   try output.write(Array("name\r\n".utf8))
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - path: The file. If it is a symbolic link, the link's target.
    ///   - replacing: Whether to replace an existing file. If `false`, a file that is created
    ///     concurrently is not replaced either.
    ///   - body: Writes the bytes. If it throws, no file is changed.
    /// The file's owner, permissions, access control list and extended attributes are kept.
    ///
    /// - Throws: Any error that `body` throws; ``ProviderError`` with
    ///   ``ProviderError/Code/fileExists`` if the file exists, with ``ProviderError/Code/busy`` if
    ///   another process writes it, with ``ProviderError/Code/accessDenied`` if it is read-only or
    ///   its owner or attributes can't be kept, or for a file system error.
    public static func write(
      toPath path: String, replacing: Bool, _ body: (ByteOutput) throws -> Void
    ) throws {
      if !replacing { try requireNoFile(at: path) }
      let replacement = try FileReplacement(path: path)
      try body(
        ByteOutput(path: path, temporaryPath: replacement.temporaryPath, source: { nil }) {
          try replacement.write($0)
        })
      do throws(ProviderError) {
        _ = try replacement.commit(expecting: replacing ? nil : .some(nil))
      } catch {
        throw error.code == .fileChanged ? .fileExists(path) : error
      }
      try replacement.finish()
    }

    /// Throws if a file exists. Call this function before work whose result a file would make
    /// useless.
    ///
    /// - Throws: ``ProviderError`` with ``ProviderError/Code/fileExists``, or for a file system
    ///   error.
    public static func requireNoFile(at path: String) throws(ProviderError) {
      if try FileStamp(path: path) != nil { throw .fileExists(path) }
    }

    /// Throws if an existing file is read-only. Call this function before work whose result could
    /// not be written.
    ///
    /// - Throws: ``ProviderError`` with ``ProviderError/Code/accessDenied``, or for a file system
    ///   error. A missing file is not an error.
    public static func requireWritable(at path: String) throws(ProviderError) {
      let path = try FileReplacement.resolved(path)
      if try FileStamp(path: path) != nil { try FileReplacement.requireWritable(path) }
    }

    /// Removes the temporary files of writes in progress, which then fail.
    ///
    /// A program calls this function before a signal ends it.
    public static func removeTemporaryFiles() { FileReplacement.removeTemporaryFiles() }
  }
}
