internal import Primitives

/// Appends a key and its value with a single capacity check.
extension ByteBuffer {
  /// Bytes that are written often. The first sixteen, which suffice for most keys, are stored as
  /// two words.
  struct Piece {
    let low: UInt64
    let high: UInt64
    /// The range of all bytes, in the array of all pieces.
    let place: Range<Int>

    /// - Parameter place: The range of the piece in `bytes`.
    init(_ bytes: [UInt8], _ place: Range<Int>) {
      func word(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
      }
      low = word(bytes[place].prefix(8))
      high = word(bytes[place].dropFirst(8).prefix(8))
      self.place = place
    }

    /// The required capacity, including a byte before the piece, and the bytes that are written
    /// beyond its end.
    @inline(__always)
    var room: Int { Swift.max(16, place.count) &+ 1 }
  }

  /// Writes a piece at an offset, and advances the offset.
  @inline(__always)
  private static func put(
    _ piece: Piece, of bytes: [UInt8], behind first: UInt8?,
    to target: inout MutableSpan<UInt8>, at place: inout Int
  ) {
    if let first {
      target[place] = first
      place &+= 1
    }
    put(piece.low, to: &target, at: place)
    put(piece.high, to: &target, at: place &+ 8)
    let length = piece.place.count
    if length > 16 {
      for index in 16..<length {
        target[place &+ index] = bytes[piece.place.lowerBound &+ index]
      }
    }
    place &+= length
  }

  /// Appends a piece without its last bytes.
  mutating func append(_ piece: Piece, of bytes: [UInt8], dropLast: Int, behind first: UInt8?) {
    reserve(piece.room)
    var place = used
    var target = storage.mutableElementSpan
    Self.put(piece, of: bytes, behind: first, to: &target, at: &place)
    used = place &- dropLast
  }

  /// Appends a piece and an integer.
  @inline(__always)
  mutating func append(
    _ piece: Piece, of bytes: [UInt8], behind first: UInt8?, _ value: Int64, then last: UInt8
  ) {
    reserve(piece.room &+ Self.maxDigitRoom &+ 2)
    var place = used
    var target = storage.mutableElementSpan
    Self.put(piece, of: bytes, behind: first, to: &target, at: &place)
    if value < 0 {
      target[place] = Byte.hyphen
      place &+= 1
    }
    Self.put(digitsOf: value.magnitude, to: &target, at: &place)
    target[place] = last
    used = place &+ 1
  }

  /// Appends a piece and a number with a fraction.
  @inline(__always)
  mutating func append(
    _ piece: Piece, of bytes: [UInt8], behind first: UInt8?, _ value: DecimalDigits,
    then last: UInt8
  ) {
    reserve(piece.room &+ Self.maxDigitRoom * 2 &+ 3)
    var place = used
    var target = storage.mutableElementSpan
    Self.put(piece, of: bytes, behind: first, to: &target, at: &place)
    Self.put(value, to: &target, at: &place)
    target[place] = last
    used = place &+ 1
  }

  /// Appends a piece and a Bool.
  @inline(__always)
  mutating func append(
    _ piece: Piece, of bytes: [UInt8], behind first: UInt8?, _ value: Bool, then last: UInt8
  ) {
    reserve(piece.room &+ 9)
    var place = used
    var target = storage.mutableElementSpan
    Self.put(piece, of: bytes, behind: first, to: &target, at: &place)
    // "true" or "false".
    Self.put(value ? 0x6575_7274 : 0x65_736C_6166, to: &target, at: place)
    place &+= value ? 4 : 5
    target[place] = last
    used = place &+ 1
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
    reserve(piece.room &+ count &+ 1)
    var place = used
    var target = storage.mutableElementSpan
    Self.put(piece, of: bytes, behind: first, to: &target, at: &place)
    // The precondition removes the bounds checks, and the loop has no early exit, so that it is
    // vectorized.
    precondition(place >= 0 && count <= target.count &- place)
    var found: UInt8 = 0
    for index in 0..<count {
      let byte = text[index]
      target[place &+ index] = byte
      found |= (byte == Byte.backtick ? 1 : 0) | (byte == Byte.ampersand ? 1 : 0)
    }
    guard found == 0 else { return false }
    place &+= count
    target[place] = Byte.backtick
    used = place &+ 1
    return true
  }
}
