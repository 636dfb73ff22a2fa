internal import CFiles

/// A file without a name that contains numbers. The system removes it when it is released.
final class TemporaryFile {
  private let descriptor: Int32
  /// The number of words in the file.
  private(set) var count = 0

  /// Creates a file in `$TMPDIR` or `/tmp`.
  ///
  /// - Throws: ``ProviderError`` for a file system error.
  init() throws(ProviderError) {
    descriptor = holt_file_temporary()
    guard descriptor >= 0 else { throw Self.error(descriptor) }
  }

  deinit {
    if descriptor >= 0 { holt_file_close(descriptor) }
  }

  private static func error(_ code: Int32) -> ProviderError {
    ProviderError(fileCode: code, "temporary file", isWriting: true)
  }

  func append(_ words: [UInt64]) throws(ProviderError) {
    let code = unsafe words.withUnsafeBytes { bytes in
      unsafe holt_file_write(descriptor, bytes.baseAddress, bytes.count)
    }
    guard code == 0 else { throw Self.error(Int32(code)) }
    count += words.count
  }

  /// Appends words of the file to an array.
  ///
  /// - Parameter offset: The offset of the first word, in words.
  func read(
    _ count: Int, at offset: Int, into words: inout [UInt64]
  ) throws(ProviderError) {
    var position = 8 * words.count
    let end = position + 8 * count
    var from = Int64(8 * offset)
    words.append(contentsOf: repeatElement(0, count: count))
    while position < end {
      let code = unsafe words.withUnsafeMutableBytes { bytes in
        let part = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[position..<end])
        return unsafe holt_file_read_at(descriptor, part.baseAddress, part.count, from)
      }
      guard code > 0 else {
        if code < 0 { throw Self.error(Int32(code)) }
        throw ProviderError(.fileSystem, "the temporary file is shorter than written")
      }
      position += code
      from += Int64(code)
    }
  }
}
