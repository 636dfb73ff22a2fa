internal import Primitives

/// A buffer for appended bytes. Its storage is longer than its contents, so that the capacity is
/// checked once for several bytes.
///
/// Full storage is set apart and not copied until all bytes are taken.
struct ByteBuffer {
  /// The storage that is being filled.
  var storage: [UInt8] = []
  /// The number of bytes in ``storage``.
  var used = 0
  private var full: [[UInt8]] = []
  private var fullCount = 0

  /// The number of appended bytes.
  var count: Int { fullCount &+ used }

  /// The appended bytes.
  var bytes: [UInt8] {
    var copy = self
    return copy.takeBytes()
  }

  /// The first byte.
  var first: UInt8? { full.first?.first ?? (used > 0 ? storage[0] : nil) }

  /// Returns the bytes, and empties the buffer.
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

  /// A byte that was appended since the capacity was last increased.
  subscript(position: Int) -> UInt8 { storage[position - fullCount] }

  /// Ensures capacity for more bytes.
  @inline(__always)
  mutating func reserve(_ more: Int) {
    if storage.count &- used < more { makeRoom(more) }
  }

  @inline(never)
  private mutating func makeRoom(_ more: Int) {
    let next = Swift.min(Swift.max(storage.count * 2, 128), Self.maxPartSize)
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

  /// A size that fits in a processor's cache.
  private static let maxPartSize = 1 << 18

  @inline(__always)
  mutating func append(_ byte: UInt8) {
    reserve(1)
    storage[used] = byte
    used &+= 1
  }

  @inline(__always)
  mutating func append(_ first: UInt8, _ second: UInt8) {
    reserve(2)
    let position = used
    var target = storage.mutableElementSpan
    target[position] = first
    target[position + 1] = second
    used = position &+ 2
  }

  @inline(__always)
  mutating func append(_ first: UInt8, _ second: UInt8, _ third: UInt8) {
    reserve(3)
    let position = used
    var target = storage.mutableElementSpan
    target[position] = first
    target[position + 1] = second
    target[position + 2] = third
    used = position &+ 3
  }

  @inline(__always)
  mutating func append(_ source: Span<UInt8>) {
    reserve(source.count)
    var position = used
    var target = storage.mutableElementSpan
    for index in 0..<source.count {
      target[position] = source[index]
      position &+= 1
    }
    used = position
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

  /// Returns whether one of two bytes is among the last ones.
  @inline(__always)
  func contains(_ first: UInt8, or second: UInt8, inLast number: Int) -> Bool {
    let source = storage.elementSpan.extracting(used - number..<used)
    // Without an early exit, the loop is vectorized.
    var matches: UInt8 = 0
    for index in 0..<source.count {
      let byte = source[index]
      matches |= (byte == first ? 1 : 0) | (byte == second ? 1 : 0)
    }
    return matches != 0
  }

  /// Removes all but the first bytes.
  mutating func truncate(to count: Int) {
    while count < fullCount, let part = full.popLast() {
      fullCount -= part.count
      storage = part
    }
    used = count - fullCount
  }

  /// Removes and returns the last bytes.
  mutating func takeLast(_ number: Int) -> [UInt8] {
    let bytes = Array(storage[used - number..<used])
    used -= number
    return bytes
  }
}

/// Decimal numbers, processed eight digits at a time: they are the bytes of one word, with the
/// first digit in the lowest byte.
extension ByteBuffer {
  /// Appends the decimal digits of a number.
  ///
  /// - Parameter last: A byte to append after the digits.
  mutating func append(digitsOf value: UInt64, then last: UInt8) {
    reserve(Self.maxDigitRoom &+ 1)
    var position = used
    var target = storage.mutableElementSpan
    Self.write(digitsOf: value, to: &target, at: &position)
    target[position] = last
    used = position &+ 1
  }

  /// Appends a decimal number.
  mutating func append(_ number: DecimalDigits) {
    reserve(Self.maxDigitRoom * 2 &+ 2)
    var position = used
    var target = storage.mutableElementSpan
    Self.write(number, to: &target, at: &position)
    used = position
  }

  /// The required capacity for the digits of a number, including the bytes that are written beyond
  /// its end.
  static var maxDigitRoom: Int { 28 }

  /// Writes the digits of a number at an offset, and advances the offset.
  @inline(__always)
  static func write(
    digitsOf value: UInt64, to target: inout MutableSpan<UInt8>, at position: inout Int
  ) {
    guard value >= 100_000_000 else { return writeFirst(value, to: &target, at: &position) }
    let (high, low) = value.quotientAndRemainder(dividingBy: 100_000_000)
    if high < 100_000_000 {
      writeFirst(high, to: &target, at: &position)
    } else {
      let (highest, middle) = high.quotientAndRemainder(dividingBy: 100_000_000)
      writeFirst(highest, to: &target, at: &position)
      write(digits(of: middle) | zeros, to: &target, at: position)
      position &+= 8
    }
    write(digits(of: low) | zeros, to: &target, at: position)
    position &+= 8
  }

  /// Writes a number with a fraction at an offset, and advances the offset.
  @inline(__always)
  static func write(
    _ number: DecimalDigits, to target: inout MutableSpan<UInt8>, at position: inout Int
  ) {
    if number.isNegative {
      target[position] = Byte.hyphen
      position &+= 1
    }
    let unit = number.fractionUnit
    let (whole, fraction) = number.digits.quotientAndRemainder(dividingBy: unit)
    write(digitsOf: whole, to: &target, at: &position)
    target[position] = 0x2E
    position &+= 1
    var rest = fraction
    var scale = unit
    // The remaining digits at the end are zeros.
    while scale > 100_000_000 {
      let step = scale / 100_000_000
      let (digits, next) = rest.quotientAndRemainder(dividingBy: step)
      write(Self.digits(of: digits) | zeros, to: &target, at: position)
      position &+= 8
      rest = next
      scale = step
    }
    write(Self.digits(of: rest * (100_000_000 / scale)) | zeros, to: &target, at: position)
    position &+= number.fractionCount & 7 == 0 ? 8 : number.fractionCount & 7
  }

  /// Writes the digits of a number of at most eight digits.
  @inline(__always)
  private static func writeFirst(
    _ value: UInt64, to target: inout MutableSpan<UInt8>, at position: inout Int
  ) {
    let digits = digits(of: value)
    let blank = Swift.min(digits.trailingZeroBitCount >> 3, 7)
    write((digits | zeros) >> UInt64(blank &* 8), to: &target, at: position)
    position &+= 8 &- blank
  }

  /// `00000000`.
  private static var zeros: UInt64 { 0x3030_3030_3030_3030 }

  /// Returns the eight digits of a number, which is halved repeatedly in the lanes of one word.
  @inline(__always)
  private static func digits(of value: UInt64) -> UInt64 {
    let (high, low) = value.quotientAndRemainder(dividingBy: 10_000)
    let fours = high | low &<< 32
    // x × 10486 ÷ 2²⁰ equals x ÷ 100 for all x of four digits, and x × 103 ÷ 2¹⁰ equals x ÷ 10 for
    // all x of two.
    let hundreds = (fours &* 10_486) &>> 20 & 0x0000_007F_0000_007F
    let twos = hundreds | (fours &- hundreds &* 100) &<< 16
    let tens = (twos &* 103) &>> 10 & 0x000F_000F_000F_000F
    return tens | (twos &- tens &* 10) &<< 8
  }

  /// Writes the bytes of a word at an offset, lowest byte first.
  @inline(__always)
  static func write(_ word: UInt64, to target: inout MutableSpan<UInt8>, at position: Int) {
    // The precondition removes the bounds checks, so that one instruction stores all bytes.
    precondition(position >= 0 && position <= target.count &- 8)
    target[position] = UInt8(truncatingIfNeeded: word)
    target[position &+ 1] = UInt8(truncatingIfNeeded: word &>> 8)
    target[position &+ 2] = UInt8(truncatingIfNeeded: word &>> 16)
    target[position &+ 3] = UInt8(truncatingIfNeeded: word &>> 24)
    target[position &+ 4] = UInt8(truncatingIfNeeded: word &>> 32)
    target[position &+ 5] = UInt8(truncatingIfNeeded: word &>> 40)
    target[position &+ 6] = UInt8(truncatingIfNeeded: word &>> 48)
    target[position &+ 7] = UInt8(truncatingIfNeeded: word &>> 56)
  }
}
