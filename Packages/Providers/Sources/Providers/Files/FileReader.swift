internal import CFiles

/// A file that is open for sequential reading.
final class FileReader {
  let path: String
  private let descriptor: Int32
  private var sum = FileChecksum()

  /// - Throws: ``ProviderError`` with ``ProviderError/Code/notFound``,
  ///   ``ProviderError/Code/accessDenied`` or ``ProviderError/Code/fileSystem``.
  init(path: String) throws(ProviderError) {
    self.path = path
    try SourceFiles.check(path)
    descriptor = unsafe holt_file_open(path)
    guard descriptor >= 0 else { throw ProviderError(fileCode: descriptor, path) }
  }

  deinit {
    if descriptor >= 0 { holt_file_close(descriptor) }
  }

  /// Returns the stamp of the open file, even if its path leads to another file now.
  func stamp() throws(ProviderError) -> FileStamp {
    var stamp = holt_file_stamp()
    let code = unsafe holt_file_stamp_of_open(descriptor, &stamp)
    guard code == 0 else { throw ProviderError(fileCode: code, path) }
    return FileStamp(stamp)
  }

  /// Returns the next bytes; `nil` at the end.
  func read(atMost count: Int) throws(ProviderError) -> [UInt8]? {
    var code = 0
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, size in
      code = unsafe holt_file_read(descriptor, buffer.baseAddress, count)
      size = max(code, 0)
    }
    guard code >= 0 else { throw ProviderError(fileCode: Int32(code), path) }
    sum.add(bytes)
    return bytes.isEmpty ? nil : bytes
  }

  /// Reads bytes at an offset into a part of a buffer. The position of ``read(atMost:)`` and the
  /// checksum do not change.
  ///
  /// - Returns: The number of bytes read; 0 at the end.
  func read(
    at offset: Int, into buffer: inout [UInt8], _ range: Range<Int>
  ) throws(ProviderError) -> Int {
    let code = unsafe buffer.withUnsafeMutableBytes { buffer in
      let part = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[range])
      return unsafe holt_file_read_at(descriptor, part.baseAddress, part.count, Int64(offset))
    }
    guard code >= 0 else { throw ProviderError(fileCode: Int32(code), path) }
    return code
  }

  /// The checksum of all bytes; `nil` if the file has not been read to its end.
  var checksum: UInt64? { (try? stamp().size) == sum.count ? sum.value : nil }

  /// Returns to the beginning of the file.
  func rewind() throws(ProviderError) {
    let code = holt_file_rewind(descriptor)
    guard code == 0 else { throw ProviderError(fileCode: code, path) }
    sum = FileChecksum()
  }
}
