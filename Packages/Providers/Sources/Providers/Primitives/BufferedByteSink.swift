internal import Primitives

/// Buffers bytes and writes them in pieces.
struct BufferedByteSink {
  var bytes: [UInt8] = []
  private let size: Int
  private let write: ([UInt8]) throws -> Void

  init(size: Int, _ write: @escaping ([UInt8]) throws -> Void) {
    self.size = size
    self.write = write
    bytes.reserveCapacity(size + 256)
  }

  /// Creates a sink that only collects bytes: see ``take()``.
  init() {
    size = .max
    write = { _ in }
  }

  /// Returns and removes the collected bytes.
  mutating func take() -> [UInt8] {
    defer { bytes.removeAll(keepingCapacity: true) }
    return bytes
  }

  /// Writes the buffer if it has reached the size of a piece.
  @inline(__always)
  mutating func flushIfFull() throws {
    if bytes.count >= size { try flush() }
  }

  /// Writes the buffer.
  mutating func flush() throws {
    guard !bytes.isEmpty else { return }
    try write(bytes)
    bytes.removeAll(keepingCapacity: true)
  }

  @inline(__always)
  mutating func append(_ byte: UInt8) { bytes.append(byte) }

  mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

  @inline(__always)
  mutating func append(_ text: Span<UInt8>, _ range: Range<Int>) {
    bytes.append(text.extracting(range))
  }
}
