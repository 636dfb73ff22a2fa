internal import Primitives

/// A key and its value, for which room is made once.
extension ByteBuffer {
  /// Some bytes that are written often: as many as a key mostly has are held as two words.
  struct Piece {
    let low: UInt64
    let high: UInt64
    /// Where all of them are, among those of other pieces.
    let place: Range<Int>

    /// - Parameter place: What to take of the bytes.
    init(_ bytes: [UInt8], _ place: Range<Int>) {
      func word(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
      }
      low = word(bytes[place].prefix(8))
      high = word(bytes[place].dropFirst(8).prefix(8))
      self.place = place
    }

    /// The room that it takes, with a byte before it and what is written beyond it.
    @inline(__always)
    var room: Int { Swift.max(16, place.count) &+ 1 }
  }

  /// Puts a piece at a place, which is behind it then.
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
    reserve(piece.room &+ Self.mostDigits &+ 2)
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
    reserve(piece.room &+ Self.mostDigits * 2 &+ 3)
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
    // "true", or "false".
    Self.put(value ? 0x6575_7274 : 0x65_736C_6166, to: &target, at: place)
    place &+= value ? 4 : 5
    target[place] = last
    used = place &+ 1
  }

  /// Appends a piece, a text and a backtick.
  ///
  /// - Returns: Whether neither a backtick nor an ampersand is in the text; else nothing is appended.
  @inline(__always)
  mutating func append(
    _ piece: Piece, of bytes: [UInt8], behind first: UInt8?, unescaped text: Span<UInt8>
  ) -> Bool {
    let count = text.count
    reserve(piece.room &+ count &+ 1)
    var place = used
    var target = storage.mutableElementSpan
    Self.put(piece, of: bytes, behind: first, to: &target, at: &place)
    // With this known no byte is checked alone, so that many are copied together; nor is there a way out.
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
