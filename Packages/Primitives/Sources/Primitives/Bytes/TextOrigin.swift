/// The position in a text at which the available bytes begin, after earlier bytes were dropped.
public struct TextOrigin: Hashable, Sendable {
  /// The number of dropped bytes.
  private var offset = 0
  /// The number of line ends in them.
  private var lineBreaks = 0
  /// The number of dropped bytes after the last line break.
  private var column = 0
  /// Indicates whether a carriage return without a line feed also ends a line.
  private let carriageReturnsBreak: Bool
  /// Indicates whether the last dropped byte is a carriage return.
  private var endsInCarriageReturn = false

  public init(carriageReturnsBreak: Bool) {
    self.carriageReturnsBreak = carriageReturnsBreak
  }

  /// Drops the first `count` available bytes.
  public mutating func advance(_ count: Int, in bytes: Span<UInt8>) {
    var at = 0
    if !carriageReturnsBreak {
      var lineStart: Int?
      while at &+ 8 <= count {
        let difference = bytes.word(at: at) ^ ByteWord.filled(0x0A)
        let found = ByteWord.zeros(difference)
        if found != 0 {
          lineBreaks &+= found.nonzeroBitCount
          lineStart = at &+ 8 &- found.leadingZeroBitCount &>> 3
        }
        at &+= 8
      }
      column = lineStart.map { at &- $0 } ?? column &+ at
    }
    take(at..<count, of: bytes)
    offset += count
  }

  private mutating func take(_ range: Range<Int>, of bytes: Span<UInt8>) {
    for index in range {
      let byte = bytes[index]
      if byte == 0x0A, endsInCarriageReturn {
        column = 0
      } else if byte == 0x0A || byte == 0x0D && carriageReturnsBreak {
        lineBreaks += 1
        column = 0
      } else {
        column += 1
      }
      endsInCarriageReturn = carriageReturnsBreak && byte == 0x0D
    }
  }

  /// Returns the position of an available byte.
  ///
  /// - Complexity: O(*n*) in the number of available bytes before it. Lines are counted only when a
  ///   position is needed.
  public func position(
    of place: Int, in bytes: Span<UInt8>
  ) -> DataErrorPlace.Position {
    var copy = self
    copy.advance(Swift.min(place, bytes.count), in: bytes)
    return DataErrorPlace.Position(
      byteOffset: copy.offset, line: copy.lineBreaks + 1, column: copy.column + 1)
  }
}
