#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// A file that is open for reading from its beginning to its end.
final class XMLFile {
  private let descriptor: Int32

  /// - Throws: ``ProviderError`` with ``ProviderError/Code/notFound``,
  ///   ``ProviderError/Code/accessDenied`` or ``ProviderError/Code/fileSystem``.
  init(path: String) throws(ProviderError) {
    guard !path.utf8.contains(0) else { throw Self.error(ENOENT) }
    var descriptor: Int32
    repeat { descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC) } while descriptor < 0 && errno == EINTR
    guard descriptor >= 0 else { throw Self.error(errno) }
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  /// The next bytes; `nil` at the end.
  func read(atMost count: Int) throws(ProviderError) -> [UInt8]? {
    var code: Int32 = 0
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, size in
      var read: Int
      repeat {
        read = unsafe Self.read(descriptor, buffer.baseAddress, count)
      } while read < 0 && errno == EINTR
      if read < 0 { code = errno }
      size = max(read, 0)
    }
    guard code == 0 else { throw Self.error(code) }
    return bytes.isEmpty ? nil : bytes
  }

  private static func read(
    _ descriptor: Int32, _ buffer: UnsafeMutablePointer<UInt8>?, _ count: Int
  ) -> Int {
    #if canImport(Darwin)
      unsafe Darwin.read(descriptor, buffer, count)
    #elseif canImport(Glibc)
      unsafe Glibc.read(descriptor, buffer, count)
    #elseif canImport(Musl)
      unsafe Musl.read(descriptor, buffer, count)
    #endif
  }

  private static func error(_ code: Int32) -> ProviderError {
    switch code {
    case ENOENT, ENOTDIR: ProviderError(.notFound, "there is no such file")
    case EACCES, EPERM: ProviderError(.accessDenied, "the file may not be read")
    case EISDIR: ProviderError(.fileSystem, "this is a folder, and no file")
    default: ProviderError(.fileSystem, "the system fails to read the file: error \(code)")
    }
  }
}
