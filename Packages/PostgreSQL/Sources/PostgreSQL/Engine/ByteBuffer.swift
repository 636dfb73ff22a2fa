internal import CLibPQ

/// Bytes in network byte order, which are written one value after another.
///
/// An `Array` would check its uniqueness for each byte. The functions that most values use are inlined into the module
/// that binds them.
@usableFromInline
@safe struct ByteBuffer: ~Copyable {
  @usableFromInline var start: UnsafeMutableRawPointer?
  @usableFromInline var count = 0
  @usableFromInline var capacity = 0

  @inlinable
  init() { unsafe start = nil }

  @inlinable
  deinit { unsafe start?.deallocate() }

  /// The bytes from an offset on. They are valid until the buffer changes.
  func pointer(at offset: Int) -> UnsafePointer<CChar>? {
    unsafe start.map { unsafe UnsafePointer($0.assumingMemoryBound(to: CChar.self)) + offset }
  }

  /// Removes the bytes from an offset on, and keeps the memory.
  mutating func truncate(to count: Int) { self.count = count }

  @inlinable @inline(__always)
  mutating func reserve(_ additional: Int) -> UnsafeMutableRawPointer {
    if let start = unsafe start, capacity &- count >= additional { return unsafe start + count }
    return unsafe grow(additional)
  }

  @usableFromInline @inline(never)
  mutating func grow(_ additional: Int) -> UnsafeMutableRawPointer {
    capacity = max(2 * capacity, count + additional, 256)
    let grown = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 1)
    if let start = unsafe start {
      unsafe grown.copyMemory(from: start, byteCount: count)
      unsafe start.deallocate()
    }
    unsafe start = grown
    return unsafe grown + count
  }

  /// Appends an integer in network byte order.
  @inlinable @inline(__always)
  mutating func append<Value: FixedWidthInteger>(bigEndian value: Value) {
    let end = unsafe reserve(MemoryLayout<Value>.size)
    unsafe end.storeBytes(of: value.bigEndian, as: Value.self)
    count &+= MemoryLayout<Value>.size
  }

  /// Replaces four bytes by an integer in network byte order.
  @inlinable @inline(__always)
  mutating func store(bigEndian value: Int32, at offset: Int) {
    unsafe start?.storeBytes(of: value.bigEndian, toByteOffset: offset, as: Int32.self)
  }

  mutating func append(_ bytes: [UInt8]) {
    unsafe bytes.withUnsafeBytes { unsafe append($0) }
  }

  private mutating func append(_ bytes: UnsafeRawBufferPointer) {
    guard let source = bytes.baseAddress else { return }
    unsafe reserve(bytes.count).copyMemory(from: source, byteCount: bytes.count)
    count += bytes.count
  }

  /// Appends the UTF-8 bytes of a text. Returns `false` if it contains NUL.
  mutating func append(text: String) -> Bool {
    let start = count
    let isContiguous: Void? = unsafe text.utf8.withContiguousStorageIfAvailable {
      unsafe append(UnsafeRawBufferPointer($0))
    }
    if isContiguous == nil { append(Array(text.utf8)) }
    guard let bytes = unsafe self.start, count > start else { return true }
    return unsafe memchr(bytes + start, 0, count - start) == nil
  }
}
