/// Memory for the texts and blobs of one run: copied once, into a place that is used again for the
/// next run, so that SQLite need not allocate a copy of each.
///
/// What is stored stays where it is until ``reset()``. The statement clears its bindings before.
struct BindingArena: ~Copyable {
  private var current = Chunk(capacity: 0)
  /// Chunks that were filled since the last reset: they join in one larger chunk then.
  private var full: [Chunk] = []
  /// Whether values are to be copied here: only while all of a statement's parameters are bound.
  var isInUse = false

  /// Larger values are left to SQLite's own copy: keeping room for them would cost more than it saves.
  static let largest = 16_384

  init() {}

  /// A copy of `bytes` that stays; `nil` where SQLite is to make its own.
  mutating func place(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawPointer? {
    guard isInUse, bytes.count <= Self.largest else { return nil }
    if let copy = unsafe current.place(bytes) { return unsafe copy }
    full.append(current)
    current = Chunk(capacity: max(bytes.count, current.capacity * 2, 1_024))
    return unsafe current.place(bytes)
  }

  /// Forgets everything that was stored.
  mutating func reset() {
    if full.isEmpty {
      current.used = 0
    } else {
      current = Chunk(capacity: full.reduce(current.capacity) { $0 + $1.capacity })
      full = []
    }
  }
}

/// A piece of memory that is filled from its start.
@safe private final class Chunk {
  let capacity: Int
  var used = 0
  private let start: UnsafeMutableRawPointer

  init(capacity: Int) {
    self.capacity = capacity
    unsafe start = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16)
  }

  deinit { unsafe start.deallocate() }

  /// A copy of `bytes`; `nil` where there is no room for it.
  func place(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawPointer? {
    guard bytes.count <= capacity - used else { return nil }
    let copy = unsafe start.advanced(by: used)
    if let source = bytes.baseAddress {
      unsafe copy.copyMemory(from: source, byteCount: bytes.count)
    }
    used += bytes.count
    return UnsafeRawPointer(copy)
  }
}
