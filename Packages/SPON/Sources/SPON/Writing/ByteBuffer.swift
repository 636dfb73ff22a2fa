internal import Primitives

/// Bytes that are appended, in arrays that are longer than they are: so that room is made and checked
/// once for what is written together.
///
/// What is full is put aside and not moved again until all is taken.
struct ByteBuffer {
  /// What is being filled.
  var storage: [UInt8] = []
  /// The bytes in ``storage``.
  var used = 0
  private var full: [[UInt8]] = []
  private var fullCount = 0

  /// The bytes that were appended.
  var count: Int { fullCount &+ used }

  /// The bytes that were appended.
  var bytes: [UInt8] {
    var copy = self
    return copy.takeBytes()
  }

  /// The first byte.
  var first: UInt8? { full.first?.first ?? (used > 0 ? storage[0] : nil) }

  /// The bytes; the buffer is empty then.
  mutating func takeBytes() -> [UInt8] {
    putAside()
    var bytes = full.first ?? []
    if full.count > 1 {
      bytes.reserveCapacity(fullCount)
      for more in full.dropFirst() { bytes.append(contentsOf: more) }
    }
    removeAll()
    return bytes
  }

  mutating func removeAll() {
    full = []
    fullCount = 0
    used = 0
  }

  /// A byte of what was appended last in one piece.
  subscript(place: Int) -> UInt8 { storage[place - fullCount] }

  /// Makes room for so many bytes more.
  @inline(__always)
  mutating func reserve(_ more: Int) {
    if storage.count &- used < more { makeRoom(more) }
  }

  @inline(never)
  private mutating func makeRoom(_ more: Int) {
    let next = Swift.min(Swift.max(storage.count * 2, 128), Self.greatestPart)
    putAside()
    storage.append(contentsOf: repeatElement(0, count: Swift.max(next, more)))
  }

  private mutating func putAside() {
    storage.removeLast(storage.count - used)
    if used > 0 { full.append(storage) }
    fullCount += used
    storage = []
    used = 0
  }

  /// As much as a processor keeps at hand.
  private static let greatestPart = 1 << 18

  @inline(__always)
  mutating func append(_ byte: UInt8) {
    reserve(1)
    storage[used] = byte
    used &+= 1
  }

  @inline(__always)
  mutating func append(_ first: UInt8, _ second: UInt8) {
    reserve(2)
    let place = used
    var target = storage.mutableElementSpan
    target[place] = first
    target[place + 1] = second
    used = place &+ 2
  }

  @inline(__always)
  mutating func append(_ first: UInt8, _ second: UInt8, _ third: UInt8) {
    reserve(3)
    let place = used
    var target = storage.mutableElementSpan
    target[place] = first
    target[place + 1] = second
    target[place + 2] = third
    used = place &+ 3
  }

  @inline(__always)
  mutating func append(_ source: Span<UInt8>) {
    reserve(source.count)
    var place = used
    var target = storage.mutableElementSpan
    for index in 0..<source.count {
      target[place] = source[index]
      place &+= 1
    }
    used = place
  }

  @inline(__always)
  mutating func append(_ text: String) {
    let utf8 = text.utf8
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
      return append(utf8.span)
    }
    reserve(utf8.count)
    for byte in utf8 {
      storage[used] = byte
      used &+= 1
    }
  }

  /// Whether one of two bytes is among the last ones.
  @inline(__always)
  func contains(_ first: UInt8, or second: UInt8, inLast number: Int) -> Bool {
    let source = storage.elementSpan.extracting(used - number..<used)
    // Without a way out of the loop, many bytes are looked at together.
    var found: UInt8 = 0
    for index in 0..<source.count {
      let byte = source[index]
      found |= (byte == first ? 1 : 0) | (byte == second ? 1 : 0)
    }
    return found != 0
  }

  /// Takes back all but the first bytes.
  mutating func truncate(to count: Int) {
    while count < fullCount, let part = full.popLast() {
      fullCount -= part.count
      storage = part
    }
    used = count - fullCount
  }

  /// Takes the last bytes back.
  mutating func takeLast(_ number: Int) -> [UInt8] {
    let bytes = Array(storage[used - number..<used])
    used -= number
    return bytes
  }
}
