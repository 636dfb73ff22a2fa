#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif
internal import Synchronization

/// A small file beside a database, to which several processes append and which all of them read.
///
/// It holds what may be lost: beyond its limit it is emptied, and begun anew. Who reads must tell by what he
/// reads whether anything is missing.
@safe @_spi(Observing) public final class SharedText: Sendable {
  private let descriptor: Int32
  private let limit: Int
  /// Up to where it was read.
  private let position: Mutex<Int>

  /// Opens the file, and makes it where it does not exist: whoever may read and write `model` may read and
  /// write it.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/cannotOpen``.
  public init(
    path: String, like model: String, limit: Int = 256 * 1_024
  ) throws(SQLiteError) {
    var status = stat()
    let mode = unsafe stat(model, &status) == 0 ? status.st_mode & 0o666 : 0o600
    descriptor = unsafe open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, mode)
    self.limit = limit
    position = Mutex(0)
    guard descriptor >= 0 else {
      throw SQLiteError(
        code: .cannotOpen, message: "the file can't be opened: \(path): \(SystemFault.last)")
    }
    // A link to the database, say: what is appended would be its end, and closing it let go of its locks.
    var opened = stat()
    guard unsafe fstat(descriptor, &opened) == 0, opened.st_mode & S_IFMT == S_IFREG,
      opened.st_nlink <= 1
    else {
      throw SQLiteError(code: .cannotOpen, message: "the file is no file of its own: \(path)")
    }
    let end = Int(opened.st_size)
    position.withLock { $0 = end }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Appends a line, in one piece.
  ///
  /// - Returns: Whether it could be written, which nothing may depend on.
  @discardableResult public func append(_ line: String) -> Bool {
    if Self.size(of: descriptor) > limit { ftruncate(descriptor, 0) }
    var text = line
    text.append("\n")
    return text.withUTF8 { bytes in
      unsafe write(descriptor, bytes.baseAddress, bytes.count) == bytes.count
    }
  }

  /// The lines that were appended since this was last asked, by whichever process.
  ///
  /// The first may be the end of one, where the file has begun anew meanwhile.
  public func newLines() -> [String] {
    position.withLock { position in
      let end = Self.size(of: descriptor)
      if end < position { position = 0 }
      guard end > position else { return [] }
      guard end - position <= 2 * limit else {
        // More than anyone appends between two looks: it counts as lost.
        position = end
        return []
      }
      let start = position
      let bytes = unsafe [UInt8](unsafeUninitializedCapacity: end - start) { buffer, count in
        count = unsafe max(0, pread(descriptor, buffer.baseAddress, buffer.count, off_t(start)))
      }
      // What is being appended right now is read when it is whole.
      guard let last = bytes.lastIndex(of: UInt8(ascii: "\n")) else { return [] }
      position = start + last + 1
      return bytes[..<last].split(separator: UInt8(ascii: "\n"))
        .map { String(decoding: $0, as: UTF8.self) }
    }
  }

  private static func size(of descriptor: Int32) -> Int {
    var status = stat()
    return unsafe fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
  }
}

/// What the system says of its last failure on this thread.
enum SystemFault {
  static var last: String {
    let code = errno
    return unsafe strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)"
  }
}
