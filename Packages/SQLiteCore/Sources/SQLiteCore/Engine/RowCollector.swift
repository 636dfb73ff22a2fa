/// Values that are collected without knowing how many there will be: in pieces of memory that never
/// move, and at the end in one array of just the right size.
///
/// An array that grows would move its elements again and again, and copies each as it is appended.
@safe @usableFromInline
struct RowCollector<Element>: ~Copyable {
  @usableFromInline var pieces: [UnsafeMutableBufferPointer<Element>]
  @usableFromInline var current: UnsafeMutableBufferPointer<Element>
  /// How many elements ``current`` holds.
  @usableFromInline var used = 0
  /// How many elements the ``pieces`` hold, each of which is full.
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

  /// Adds what `make` makes, in its place.
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

  /// The elements, which are moved.
  @inlinable
  consuming func finish() -> [Element] {
    let total = before + used
    // The initializer writes the count of an array without elements, which all threads share.
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

  /// An array of as many elements as `next` makes, if there are no more than `capacity`.
  ///
  /// - Returns: The array, and whether it is full: there may be more.
  @inlinable
  static func fill(
    _ capacity: Int, _ isThereMore: () throws(SQLiteError) -> Bool,
    _ make: () throws(SQLiteError) -> Element
  ) throws(SQLiteError) -> (elements: [Element], isFull: Bool) {
    var failure: SQLiteError?
    var isFull = true
    let elements = unsafe [Element](unsafeUninitializedCapacity: capacity) { target, count in
      do throws(SQLiteError) {
        while count < capacity {
          guard try isThereMore() else {
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
