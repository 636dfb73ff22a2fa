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

/// Decimal numbers, eight digits at a time: these are the bytes of one word, the first digit in the lowest
/// of them.
extension ByteBuffer {
  /// Appends the decimal digits of a number.
  ///
  /// - Parameter last: A byte behind them.
  mutating func append(digitsOf value: UInt64, then last: UInt8) {
    reserve(Self.mostDigits &+ 1)
    var place = used
    var target = storage.mutableElementSpan
    Self.put(digitsOf: value, to: &target, at: &place)
    target[place] = last
    used = place &+ 1
  }

  /// Appends a decimal number.
  mutating func append(_ number: DecimalDigits) {
    reserve(Self.mostDigits * 2 &+ 2)
    var place = used
    var target = storage.mutableElementSpan
    Self.put(number, to: &target, at: &place)
    used = place
  }

  /// The room that the digits of a number take at most, with what is written beyond them.
  static var mostDigits: Int { 28 }

  /// Puts the digits of a number at a place, which is behind them then.
  @inline(__always)
  static func put(
    digitsOf value: UInt64, to target: inout MutableSpan<UInt8>, at place: inout Int
  ) {
    guard value >= 100_000_000 else { return putFirst(value, to: &target, at: &place) }
    let (high, low) = value.quotientAndRemainder(dividingBy: 100_000_000)
    if high < 100_000_000 {
      putFirst(high, to: &target, at: &place)
    } else {
      let (highest, middle) = high.quotientAndRemainder(dividingBy: 100_000_000)
      putFirst(highest, to: &target, at: &place)
      put(digits(of: middle) | zeros, to: &target, at: place)
      place &+= 8
    }
    put(digits(of: low) | zeros, to: &target, at: place)
    place &+= 8
  }

  /// Puts a number with a fraction at a place, which is behind it then.
  @inline(__always)
  static func put(
    _ number: DecimalDigits, to target: inout MutableSpan<UInt8>, at place: inout Int
  ) {
    if number.isNegative {
      target[place] = Byte.hyphen
      place &+= 1
    }
    let unit = number.fractionUnit
    let (whole, fraction) = number.digits.quotientAndRemainder(dividingBy: unit)
    put(digitsOf: whole, to: &target, at: &place)
    target[place] = 0x2E
    place &+= 1
    var rest = fraction
    var scale = unit
    // The digits that are left over at the end are zeros.
    while scale > 100_000_000 {
      let step = scale / 100_000_000
      let (digits, next) = rest.quotientAndRemainder(dividingBy: step)
      put(Self.digits(of: digits) | zeros, to: &target, at: place)
      place &+= 8
      rest = next
      scale = step
    }
    put(Self.digits(of: rest * (100_000_000 / scale)) | zeros, to: &target, at: place)
    place &+= number.fractionCount & 7 == 0 ? 8 : number.fractionCount & 7
  }

  /// Puts the digits of a number of at most eight.
  @inline(__always)
  private static func putFirst(
    _ value: UInt64, to target: inout MutableSpan<UInt8>, at place: inout Int
  ) {
    let digits = digits(of: value)
    let blank = Swift.min(digits.trailingZeroBitCount >> 3, 7)
    put((digits | zeros) >> UInt64(blank &* 8), to: &target, at: place)
    place &+= 8 &- blank
  }

  /// `00000000`.
  private static var zeros: UInt64 { 0x3030_3030_3030_3030 }

  /// The eight digits of a number: it is halved, and each half again, in lanes of one word.
  @inline(__always)
  private static func digits(of value: UInt64) -> UInt64 {
    let (high, low) = value.quotientAndRemainder(dividingBy: 10_000)
    let fours = high | low &<< 32
    // x × 10486 ÷ 2²⁰ is x ÷ 100 for all x of four digits, and x × 103 ÷ 2¹⁰ is x ÷ 10 for all of two.
    let hundreds = (fours &* 10_486) &>> 20 & 0x0000_007F_0000_007F
    let twos = hundreds | (fours &- hundreds &* 100) &<< 16
    let tens = (twos &* 103) &>> 10 & 0x000F_000F_000F_000F
    return tens | (twos &- tens &* 10) &<< 8
  }

  /// Puts the bytes of a word at a place, the lowest first.
  @inline(__always)
  static func put(_ word: UInt64, to target: inout MutableSpan<UInt8>, at place: Int) {
    // With this known no byte is checked alone, and one instruction stores all.
    precondition(place >= 0 && place <= target.count &- 8)
    target[place] = UInt8(truncatingIfNeeded: word)
    target[place &+ 1] = UInt8(truncatingIfNeeded: word &>> 8)
    target[place &+ 2] = UInt8(truncatingIfNeeded: word &>> 16)
    target[place &+ 3] = UInt8(truncatingIfNeeded: word &>> 24)
    target[place &+ 4] = UInt8(truncatingIfNeeded: word &>> 32)
    target[place &+ 5] = UInt8(truncatingIfNeeded: word &>> 40)
    target[place &+ 6] = UInt8(truncatingIfNeeded: word &>> 48)
    target[place &+ 7] = UInt8(truncatingIfNeeded: word &>> 56)
  }
}
