/// Collects an unknown number of values in memory blocks that never move, and returns them in one
/// array of the exact size.
///
/// A growing array would move its elements repeatedly, and copies each appended element.
@safe @usableFromInline
struct RowCollector<Element>: ~Copyable {
  @usableFromInline var pieces: [UnsafeMutableBufferPointer<Element>]
  @usableFromInline var current: UnsafeMutableBufferPointer<Element>
  /// The number of elements in ``current``.
  @usableFromInline var used = 0
  /// The number of elements in ``pieces``, which are all full.
  @usableFromInline var before = 0

  @inlinable
  init() {
    unsafe pieces = []
    unsafe current = .allocate(capacity: 16)
  }

  @inlinable
  deinit {
    for index in unsafe pieces.indices {
      let piece = unsafe pieces[index]
      unsafe piece.deinitialize()
      unsafe piece.deallocate()
    }
    unsafe current.extracting(0..<used).deinitialize()
    unsafe current.deallocate()
  }

  /// Appends an element that `make` creates in place.
  @inlinable @inline(__always)
  mutating func append(_ make: () throws(SQLiteError) -> Element) throws(SQLiteError) {
    if unsafe used == current.count { addPiece() }
    unsafe (current.baseAddress.unsafelyUnwrapped + used).initialize(to: try make())
    used += 1
  }

  @inlinable @inline(never)
  mutating func addPiece() {
    unsafe pieces.append(current)
    before += unsafe current.count
    unsafe current = .allocate(capacity: min(before * 2, 16_384))
    used = 0
  }

  /// Moves the elements into an array.
  @inlinable
  consuming func finish() -> [Element] {
    let total = before + used
    // The initializer would write the count of the empty array storage, which all threads share.
    if total == 0 { return [] }
    let result = unsafe [Element](unsafeUninitializedCapacity: total) { target, count in
      var next = 0
      for index in unsafe pieces.indices {
        let piece = unsafe pieces[index]
        _ = unsafe target.extracting(next..<next + piece.count).moveInitialize(
          fromContentsOf: piece)
        unsafe piece.deallocate()
        next += piece.count
      }
      let rest = unsafe current.extracting(0..<used)
      _ = unsafe target.extracting(next..<total).moveInitialize(fromContentsOf: rest)
      count = total
    }
    unsafe pieces = []
    used = 0
    return result
  }

  /// Returns an array of the elements that `make` creates, up to `capacity` of them.
  ///
  /// - Returns: The array, and whether it is full and there may be more elements.
  @inlinable
  static func fill(
    _ capacity: Int, _ hasNext: () throws(SQLiteError) -> Bool,
    _ make: () throws(SQLiteError) -> Element
  ) throws(SQLiteError) -> (elements: [Element], isFull: Bool) {
    var failure: SQLiteError?
    var isFull = true
    let elements = unsafe [Element](unsafeUninitializedCapacity: capacity) { target, count in
      do throws(SQLiteError) {
        while count < capacity {
          guard try hasNext() else {
            isFull = false
            return
          }
          unsafe (target.baseAddress.unsafelyUnwrapped + count).initialize(to: try make())
          count += 1
        }
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return (elements, isFull)
  }
}
