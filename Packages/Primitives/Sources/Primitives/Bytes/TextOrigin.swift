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
    guard count > 0 else { return }
    lineBreaks += bytes.count(of: 0x0A, first: count)
    var last = count - 1
    if carriageReturnsBreak {
      let returns = bytes.count(of: 0x0D, first: count)
      if returns > 0 || endsInCarriageReturn {
        // A line feed after a carriage return belongs to the same line end.
        lineBreaks += returns - bytes.lineEndPairCount(first: count)
        if endsInCarriageReturn, bytes[0] == 0x0A { lineBreaks -= 1 }
      }
      endsInCarriageReturn = bytes[last] == 0x0D
      while last >= 0, bytes[last] != 0x0A, bytes[last] != 0x0D { last -= 1 }
    } else {
      while last >= 0, bytes[last] != 0x0A { last -= 1 }
    }
    column = last >= 0 ? count - 1 - last : column + count
    offset += count
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
