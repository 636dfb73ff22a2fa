internal import CFiles

/// A file that is written beside another one, to take its place at once: a crash at any moment leaves the old one
/// or the new one.
///
/// Only one process at a time writes one. What a crash leaves of it, the next one writes over.
final class FileReplacement {
  /// The file that is replaced: what links lead to.
  let path: String
  /// Where it is written.
  let temporaryPath: String
  private var descriptor: Int32
  private let replacesFile: Bool
  private var sum = FileChecksum()
  private var isInPlace = false

  /// - Throws: ``ProviderError`` with ``ProviderError/Code/busy`` where another process replaces the file, with
  ///   ``ProviderError/Code/accessDenied`` or ``ProviderError/Code/fileSystem``.
  init(path: String) throws(ProviderError) {
    self.path = try Self.resolved(path)
    temporaryPath = Self.temporaryPath(for: self.path)
    replacesFile = try FileStamp(path: self.path) != nil
    // Nobody may read it who may not read the file that it takes the place of.
    descriptor = unsafe holt_file_begin(temporaryPath, replacesFile ? 0o600 : 0o666)
    guard descriptor >= 0 else {
      throw FileError.error(descriptor, self.path, isWriting: true)
    }
  }

  deinit { letGo() }

  /// Adds bytes to the file.
  ///
  /// - Throws: ``ProviderError`` with ``ProviderError/Code/fileSystem``: no room is left, say.
  func write(_ bytes: [UInt8]) throws(ProviderError) {
    sum.add(bytes)
    let code = unsafe bytes.withUnsafeBytes { buffer in
      unsafe holt_file_write(descriptor, buffer.baseAddress, buffer.count)
    }
    try check(code)
  }

  /// Puts it in the place of the other.
  ///
  /// - Parameter expected: What is to be there: `nil` where nothing is. Without one, whatever is there is replaced.
  /// - Returns: What is there now.
  /// - Throws: ``ProviderError`` with ``ProviderError/Code/fileChanged`` where something else is there; what the file
  ///   system says. Then the other one stays.
  func commit(expecting expected: FileVersion??) throws(ProviderError) -> FileVersion {
    if replacesFile { try check(unsafe holt_file_imitate(descriptor, path)) }
    try check(holt_file_sync(descriptor))
    if let expected, try !isThere(expected) {
      throw ProviderError(
        .fileChanged, "the file was changed by someone else since it was read", file: path)
    }
    try check(unsafe holt_file_rename(temporaryPath, path))
    isInPlace = true
    var stamp = holt_file_stamp()
    try check(unsafe holt_file_stamp_of_open(descriptor, &stamp))
    return FileVersion(stamp: FileStamp(stamp), checksum: sum.value)
  }

  /// Has it stay in its place also if power is lost, and lets the next one begin.
  ///
  /// - Throws: What the file system says. The new one is there nevertheless.
  func finish() throws(ProviderError) {
    defer { letGo() }
    try check(unsafe holt_file_sync_folder(Self.folder(of: path)))
  }

  private func isThere(_ expected: FileVersion?) throws(ProviderError) -> Bool {
    if let expected { return try expected.isStill(at: path) }
    return try FileStamp(path: path) == nil
  }

  /// Its lock goes with it, once all is done.
  private func letGo() {
    guard descriptor >= 0 else { return }
    if !isInPlace { _ = unsafe holt_file_remove(temporaryPath) }
    holt_file_close(descriptor)
    descriptor = -1
  }

  private func check(_ code: Int32) throws(ProviderError) {
    if code < 0 { throw FileError.error(code, path, isWriting: true) }
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

  /// The path that links lead to, also where nothing is there.
  static func resolved(_ path: String) throws(ProviderError) -> String {
    var path = path
    // As many links as systems follow.
    for _ in 0..<40 {
      try FileError.check(path)
      var code: Int32 = 0
      if let real = unsafe holt_file_real_path(path, &code) {
        defer { unsafe holt_file_free(real) }
        return unsafe String(cString: real)
      }
      let error = FileError.error(code, path)
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
  /// Files that are written as a whole, beside what they replace: a crash at any moment leaves the old one or the new one.
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
    ///   - path: The file; where it is a link, what that leads to.
    ///   - replacing: Whether a file that is there is replaced. One that comes while this is written is not replaced either.
    ///   - body: Hands over the bytes. What it throws leaves everything as it was.
    /// - Throws: What `body` throws; ``ProviderError`` with ``ProviderError/Code/fileExists`` where a file is there; with
    ///   ``ProviderError/Code/busy`` where another process writes it; what the file system says.
    public static func write(
      toPath path: String, replacing: Bool, _ body: (ByteOutput) throws -> Void
    ) throws {
      if !replacing { try refuseFile(at: path) }
      let replacement = try FileReplacement(path: path)
      try body(ByteOutput(path: path) { try replacement.write($0) })
      do throws(ProviderError) {
        _ = try replacement.commit(expecting: replacing ? nil : .some(nil))
      } catch {
        throw error.code == .fileChanged ? .fileExists(path) : error
      }
      try replacement.finish()
    }

    /// Refuses where a file is, before work is done for it.
    ///
    /// - Throws: ``ProviderError`` with ``ProviderError/Code/fileExists``; what the file system says.
    public static func refuseFile(at path: String) throws(ProviderError) {
      if try FileStamp(path: path) != nil { throw .fileExists(path) }
    }
  }
}

extension ProviderError {
  static func fileExists(_ path: String) -> ProviderError {
    ProviderError(.fileExists, "there is a file already, and it is not to be replaced", file: path)
  }
}

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
