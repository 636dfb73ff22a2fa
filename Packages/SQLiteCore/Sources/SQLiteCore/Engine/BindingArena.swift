#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif
internal import CSQLite

/// Reusable memory for the strings and blobs that one run of a statement binds, so that SQLite need
/// not allocate a copy of each.
///
/// The two halves are used in turn: a stored value stays in place until the second following call
/// of ``begin()``. Values of the previous run therefore stay valid while all parameters are bound
/// again. After that, no binding may refer to them.
///
/// Exclusivity checking is disabled for the stored properties: no call in this class re-enters it.
@safe final class BindingArena {
  /// A Boolean value that indicates whether values are stored here. `true` only while all
  /// parameters of a statement are bound.
  @exclusivity(unchecked) private var isInUse = false
  @exclusivity(unchecked) private var start: UnsafeMutableRawPointer?
  @exclusivity(unchecked) private var capacity = 0
  @exclusivity(unchecked) private var used = 0
  /// Memory blocks filled in this turn, replaced by a larger one.
  @exclusivity(unchecked) private var full: [UnsafeMutableRawPointer?]
  /// The memory of the inactive half.
  @exclusivity(unchecked) private var otherStart: UnsafeMutableRawPointer?
  @exclusivity(unchecked) private var otherCapacity = 0
  @exclusivity(unchecked) private var otherFull: [UnsafeMutableRawPointer?]

  /// The maximum size of a value that is stored here. SQLite copies larger values: keeping memory
  /// for them would cost more than it saves.
  static let largest = 16_384

  init() {
    unsafe full = []
    unsafe otherFull = []
  }

  deinit {
    deallocateFullBlocks()
    unsafe start?.deallocate()
    swapBuffers()
    deallocateFullBlocks()
    unsafe start?.deallocate()
  }

  @inline(__always)
  private func swapBuffers() {
    unsafe swap(&start, &otherStart)
    unsafe swap(&capacity, &otherCapacity)
    unsafe swap(&full, &otherFull)
  }

  /// Copies `bytes` into the arena. Returns `nil` if SQLite must make its own copy.
  @inline(__always)
  func copy(_ bytes: UnsafeRawPointer, count: Int) -> UnsafeRawPointer? {
    guard unsafe isInUse, count <= Self.largest else { return nil }
    if unsafe count > capacity - used { grow(for: count) }
    guard let free = unsafe start?.advanced(by: used) else { return nil }
    unsafe memcpy(free, bytes, count)
    unsafe used += count
    return UnsafeRawPointer(free)
  }

  private func grow(for count: Int) {
    if unsafe start != nil { unsafe full.append(start) }
    unsafe capacity = max(count, capacity * 2, 1_024)
    unsafe start = .allocate(byteCount: capacity, alignment: 16)
    unsafe used = 0
  }

  /// Starts storing bound values, in the other half. No binding may refer to a value that was
  /// stored there.
  @inline(__always)
  func begin() {
    swapBuffers()
    unsafe isInUse = true
    unsafe used = 0
    if unsafe !full.isEmpty { deallocateFullBlocks() }
  }

  /// Stops storing bound values: SQLite copies them.
  @inline(__always)
  func end() { unsafe isInUse = false }

  /// Exchanges the memory of two arenas. Stored values keep their addresses.
  func swapContents(with other: BindingArena) {
    unsafe swap(&start, &other.start)
    unsafe swap(&capacity, &other.capacity)
    unsafe swap(&used, &other.used)
    unsafe swap(&full, &other.full)
    unsafe swap(&otherStart, &other.otherStart)
    unsafe swap(&otherCapacity, &other.otherCapacity)
    unsafe swap(&otherFull, &other.otherFull)
  }

  /// The current block is larger than all earlier ones together.
  private func deallocateFullBlocks() {
    for index in unsafe full.indices { unsafe full[index]?.deallocate() }
    unsafe full = []
  }
}

extension String {
  /// Creates a string from UTF-8 bytes. Returns `nil` if the bytes are not valid UTF-8.
  @inline(__always)
  init?(exactly bytes: Span<UInt8>) {
    let text: String? = unsafe bytes.withUnsafeBufferPointer { buffer in
      guard let start = buffer.baseAddress else { return "" }
      let encoding = unsafe holt_encoding_of(start, buffer.count)
      guard encoding != HOLT_NOT_UTF8 else { return nil }
      // Avoids a second validation.
      if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
        return unsafe String(
          copying: UTF8Span(unchecked: buffer.span, isKnownASCII: encoding == HOLT_ASCII))
      }
      return unsafe String(decoding: buffer, as: UTF8.self)
    }
    guard let text else { return nil }
    self = text
  }
}

extension Span<UInt8> {
  /// A Boolean value that indicates whether the bytes are valid UTF-8.
  var isUTF8: Bool {
    unsafe withUnsafeBufferPointer { buffer in
      guard let start = buffer.baseAddress else { return true }
      return unsafe holt_encoding_of(start, buffer.count) != HOLT_NOT_UTF8
    }
  }
}
