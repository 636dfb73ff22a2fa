/// A window into a file of known size, which moves from an offset to the end.
///
/// The memory does not depend on the file's size: the file is neither mapped nor read ahead.
struct FileWindow {
  private let file: FileReader
  private let fileSize: Int
  /// The offset in the file of the window's first byte.
  private(set) var offset: Int
  /// The memory, whose first ``count`` bytes are the window's.
  private(set) var storage: [UInt8]
  private(set) var count = 0

  /// - Parameters:
  ///   - offset: The offset of the first byte to read.
  ///   - fileSize: The file's size, which must not change.
  ///   - length: The number of bytes to read at a time.
  init(_ file: FileReader, from offset: Int, fileSize: Int, length: Int) {
    self.file = file
    self.fileSize = fileSize
    self.offset = offset
    storage = Array(repeating: 0, count: length)
  }

  /// A Boolean value that indicates whether the window contains the end of the file.
  var isAtEnd: Bool { offset + count == fileSize }

  /// Drops the first bytes, and reads as many as fit. If no byte is dropped from a full window, it
  /// becomes twice as long.
  ///
  /// - Throws: ``ProviderError`` with ``ProviderError/Code/fileChanged`` if the file is shorter than
  ///   before, or for a file system error.
  mutating func refill(dropping dropped: Int) throws(ProviderError) {
    if dropped == 0, count == storage.count {
      storage.append(contentsOf: repeatElement(0, count: storage.count))
    }
    if dropped > 0 {
      for index in dropped..<count { storage[index - dropped] = storage[index] }
      offset += dropped
      count -= dropped
    }
    while count < storage.count, !isAtEnd {
      let end = Swift.min(storage.count, fileSize - offset)
      let read = try file.read(at: offset + count, into: &storage, count..<end)
      guard read > 0 else { throw .fileChanged(file.path) }
      count += read
    }
  }
}

extension ProviderError {
  static func fileChanged(_ path: String) -> ProviderError {
    ProviderError(.fileChanged, "the file was changed while it was read", file: path)
  }
}
