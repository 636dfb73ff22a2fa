/// Bytes that are appended, in an array that is longer than they are: so that room is made and checked
/// once for what is written together.
struct ByteBuffer {
  private var storage: [UInt8] = []
  private(set) var count = 0

  /// The bytes that were appended.
  var bytes: [UInt8] { Array(storage[..<count]) }

  /// The bytes; the buffer is empty then.
  mutating func takeBytes() -> [UInt8] {
    storage.removeLast(storage.count - count)
    let bytes = storage
    storage = []
    count = 0
    return bytes
  }

  subscript(place: Int) -> UInt8 { storage[place] }

  /// Makes room for so many bytes more.
  @inline(__always)
  mutating func reserve(_ more: Int) {
    if storage.count &- count < more { grow(more) }
  }

  @inline(never)
  private mutating func grow(_ more: Int) {
    let added = Swift.max(more, storage.count, 128)
    storage.reserveCapacity(storage.count + added)
    storage.append(contentsOf: [UInt8](repeating: 0, count: added))
  }

  @inline(__always)
  mutating func append(_ byte: UInt8) {
    reserve(1)
    storage[count] = byte
    count &+= 1
  }

  @inline(__always)
  mutating func append(_ first: UInt8, _ second: UInt8, _ third: UInt8) {
    reserve(3)
    let place = count
    var target = storage.mutableSpan
    target[place] = first
    target[place + 1] = second
    target[place + 2] = third
    count = place &+ 3
  }

  @inline(__always)
  mutating func append(_ source: Span<UInt8>) {
    reserve(source.count)
    var place = count
    var target = storage.mutableSpan
    for index in 0..<source.count {
      target[place] = source[index]
      place &+= 1
    }
    count = place
  }

  /// Appends a text.
  ///
  /// - Returns: The place of the first byte that is one of two; -1 where there is none.
  @inline(__always)
  mutating func append(_ text: String, seeking first: UInt8, or second: UInt8) -> Int {
    let start = count
    append(text)
    let source = storage.span
    // Without a way out of the loop, many bytes are looked at together.
    var isThere = false
    for place in start..<count {
      isThere = isThere || source[place] == first || source[place] == second
    }
    guard isThere else { return -1 }
    for place in start..<count where source[place] == first || source[place] == second {
      return place
    }
    return -1
  }

  @inline(__always)
  mutating func append(_ text: String) {
    let utf8 = text.utf8
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
      return append(utf8.span)
    }
    reserve(utf8.count)
    for byte in utf8 {
      storage[count] = byte
      count &+= 1
    }
  }

  /// Appends the decimal digits of a number, with zeros before them where they are fewer than wanted.
  ///
  /// - Parameter last: A byte behind them.
  mutating func append(digitsOf value: UInt64, atLeast least: Int = 1, then last: UInt8) {
    let length = Swift.max(least, Self.digitCount(value))
    reserve(length &+ 1)
    var place = count &+ length
    count = place &+ 1
    var target = storage.mutableSpan
    target[place] = last
    var rest = value
    var left = length
    while left > 1 {
      // Two at a time, since each division waits for the one before.
      let (quotient, pair) = rest.quotientAndRemainder(dividingBy: 100)
      let ten = (pair &* 103) >> 10
      target[place - 1] = 0x30 | UInt8(truncatingIfNeeded: pair &- ten &* 10)
      target[place - 2] = 0x30 | UInt8(truncatingIfNeeded: ten)
      rest = quotient
      place &-= 2
      left &-= 2
    }
    if left == 1 { target[place - 1] = 0x30 | UInt8(truncatingIfNeeded: rest) }
  }

  private static func digitCount(_ value: UInt64) -> Int {
    var count = 1
    var rest = value
    while rest >= 10_000 {
      rest /= 10_000
      count &+= 4
    }
    return count &+ (rest >= 1_000 ? 3 : rest >= 100 ? 2 : rest >= 10 ? 1 : 0)
  }

  /// Removes the last bytes.
  mutating func removeLast(_ number: Int) { count -= number }

  mutating func insert(_ bytes: [UInt8], at place: Int) {
    storage.insert(contentsOf: bytes, at: place)
    count += bytes.count
  }

  /// The bytes from a place to the end.
  func bytes(from place: Int) -> [UInt8] { Array(storage[place..<count]) }

  /// The bytes from a place up to another.
  func bytes(in range: Range<Int>) -> [UInt8] { Array(storage[range]) }
}
