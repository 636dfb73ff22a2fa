internal import Primitives

/// Appends a key and its value with a single capacity check.
extension ByteBuffer {
  /// Bytes that are written often. The first sixteen, which suffice for most keys, are stored as
  /// two words.
  struct Piece {
    let low: UInt64
    let high: UInt64
    /// The range of all bytes, in the array of all pieces.
    let range: Range<Int>

    /// - Parameter range: The range of the piece in `bytes`.
    init(_ bytes: [UInt8], _ range: Range<Int>) {
      func word(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
      }
      low = word(bytes[range].prefix(8))
      high = word(bytes[range].dropFirst(8).prefix(8))
      self.range = range
    }

    /// The required capacity, including a byte before the piece, and the bytes that are written
    /// beyond its end.
    @inline(__always)
    var reservedCount: Int { Swift.max(16, range.count) &+ 1 }
  }

  /// Writes a piece at an offset, and advances the offset.
  @inline(__always)
  private static func write(
    _ piece: Piece, of bytes: [UInt8], behind first: UInt8?,
    to target: inout MutableSpan<UInt8>, at position: inout Int
  ) {
    if let first {
      target[position] = first
      position &+= 1
    }
    write(piece.low, to: &target, at: position)
    write(piece.high, to: &target, at: position &+ 8)
    let length = piece.range.count
    if length > 16 {
      for index in 16..<length {
        target[position &+ index] = bytes[piece.range.lowerBound &+ index]
      }
    }
    position &+= length
  }

  /// Appends a piece without its last bytes.
  mutating func append(_ piece: Piece, of bytes: [UInt8], dropLast: Int, behind first: UInt8?) {
    reserve(piece.reservedCount)
    var position = used
    var target = storage.mutableElementSpan
    Self.write(piece, of: bytes, behind: first, to: &target, at: &position)
    used = position &- dropLast
  }

  /// Appends a piece and an integer.
  @inline(__always)
  mutating func append(
    _ piece: Piece, of bytes: [UInt8], behind first: UInt8?, _ value: Int64, then last: UInt8
  ) {
    reserve(piece.reservedCount &+ Self.maxDigitRoom &+ 2)
    var position = used
    var target = storage.mutableElementSpan
    Self.write(piece, of: bytes, behind: first, to: &target, at: &position)
    if value < 0 {
      target[position] = Byte.hyphen
      position &+= 1
    }
    Self.write(digitsOf: value.magnitude, to: &target, at: &position)
    target[position] = last
    used = position &+ 1
  }

  /// Appends a piece and a number with a fraction.
  @inline(__always)
  mutating func append(
    _ piece: Piece, of bytes: [UInt8], behind first: UInt8?, _ value: DecimalDigits,
    then last: UInt8
  ) {
    reserve(piece.reservedCount &+ Self.maxDigitRoom * 2 &+ 3)
    var position = used
    var target = storage.mutableElementSpan
    Self.write(piece, of: bytes, behind: first, to: &target, at: &position)
    Self.write(value, to: &target, at: &position)
    target[position] = last
    used = position &+ 1
  }

  /// Appends a piece and a Bool.
  @inline(__always)
  mutating func append(
    _ piece: Piece, of bytes: [UInt8], behind first: UInt8?, _ value: Bool, then last: UInt8
  ) {
    reserve(piece.reservedCount &+ 9)
    var position = used
    var target = storage.mutableElementSpan
    Self.write(piece, of: bytes, behind: first, to: &target, at: &position)
    // "true" or "false".
    Self.write(value ? 0x6575_7274 : 0x65_736C_6166, to: &target, at: position)
    position &+= value ? 4 : 5
    target[position] = last
    used = position &+ 1
  }

  /// Appends a piece, a text and a backtick.
  ///
  /// - Returns: Whether the text contains no backticks or ampersands; otherwise no byte is
  ///   appended.
  @inline(__always)
  mutating func append(
    _ piece: Piece, of bytes: [UInt8], behind first: UInt8?, unescaped text: Span<UInt8>
  ) -> Bool {
    let count = text.count
    reserve(piece.reservedCount &+ count &+ 1)
    var position = used
    var target = storage.mutableElementSpan
    Self.write(piece, of: bytes, behind: first, to: &target, at: &position)
    // The precondition removes the bounds checks, and the loop has no early exit, so that it is
    // vectorized.
    precondition(position >= 0 && count <= target.count &- position)
    var matches: UInt8 = 0
    for index in 0..<count {
      let byte = text[index]
      target[position &+ index] = byte
      matches |= (byte == Byte.backtick ? 1 : 0) | (byte == Byte.ampersand ? 1 : 0)
    }
    guard matches == 0 else { return false }
    position &+= count
    target[position] = Byte.backtick
    used = position &+ 1
    return true
  }
}
