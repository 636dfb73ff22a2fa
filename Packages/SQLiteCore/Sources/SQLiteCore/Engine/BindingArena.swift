#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif
internal import CSQLite

/// Memory for the texts and blobs of one run: copied once, into a place that is used again for the
/// next run, so that SQLite need not allocate a copy of each.
///
/// Two halves take turns: what is stored stays where it is until the second ``begin()`` from then. So
/// what is bound stays valid while all is bound anew. The statement leaves no binding of what was before.
///
/// Exclusive access to its properties is not checked: no call inside this class leads back to it.
@safe final class BindingArena {
  /// Whether values are copied here: only while all of a statement's parameters are bound.
  @exclusivity(unchecked) private var isInUse = false
  @exclusivity(unchecked) private var start: UnsafeMutableRawPointer?
  @exclusivity(unchecked) private var capacity = 0
  @exclusivity(unchecked) private var used = 0
  /// Pieces of memory that were filled in this turn: they make way for a larger one.
  @exclusivity(unchecked) private var full: [UnsafeMutableRawPointer?]
  /// The half whose turn is not now.
  @exclusivity(unchecked) private var otherStart: UnsafeMutableRawPointer?
  @exclusivity(unchecked) private var otherCapacity = 0
  @exclusivity(unchecked) private var otherFull: [UnsafeMutableRawPointer?]

  /// Larger values are left to SQLite's own copy: keeping room for them would cost more than it saves.
  static let largest = 16_384

  init() {
    unsafe full = []
    unsafe otherFull = []
  }

  deinit {
    dropFullPieces()
    unsafe start?.deallocate()
    turn()
    dropFullPieces()
    unsafe start?.deallocate()
  }

  @inline(__always)
  private func turn() {
    unsafe swap(&start, &otherStart)
    unsafe swap(&capacity, &otherCapacity)
    unsafe swap(&full, &otherFull)
  }

  /// A copy of `bytes` that stays; `nil` where SQLite is to make its own.
  @inline(__always)
  func place(_ bytes: UnsafeRawPointer, count: Int) -> UnsafeRawPointer? {
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

  /// Takes what is bound from now on. Of what was stored before the last call, no binding is left.
  @inline(__always)
  func begin() {
    turn()
    unsafe isInUse = true
    unsafe used = 0
    if unsafe !full.isEmpty { dropFullPieces() }
  }

  /// Leaves what is bound from now on to SQLite.
  @inline(__always)
  func end() { unsafe isInUse = false }

  /// Takes the memory of another, and leaves it its own: what is stored stays where it is.
  func takeOver(_ other: BindingArena) {
    unsafe swap(&start, &other.start)
    unsafe swap(&capacity, &other.capacity)
    unsafe swap(&used, &other.used)
    unsafe swap(&full, &other.full)
    unsafe swap(&otherStart, &other.otherStart)
    unsafe swap(&otherCapacity, &other.otherCapacity)
    unsafe swap(&otherFull, &other.otherFull)
  }

  /// The current piece is larger than all before it together.
  private func dropFullPieces() {
    for index in unsafe full.indices { unsafe full[index]?.deallocate() }
    unsafe full = []
  }
}

extension String {
  /// The text of these bytes; `nil` where they are not UTF-8.
  @inline(__always)
  init?(exactly bytes: Span<UInt8>) {
    let text: String? = unsafe bytes.withUnsafeBufferPointer { buffer in
      guard let start = buffer.baseAddress else { return "" }
      let encoding = unsafe holt_encoding_of(start, buffer.count)
      guard encoding != HOLT_NOT_UTF8 else { return nil }
      // Where the library can be told so, it does not validate the bytes again.
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
  /// Whether the bytes are a text.
  var isUTF8: Bool {
    unsafe withUnsafeBufferPointer { buffer in
      guard let start = buffer.baseAddress else { return true }
      return unsafe holt_encoding_of(start, buffer.count) != HOLT_NOT_UTF8
    }
  }
}
