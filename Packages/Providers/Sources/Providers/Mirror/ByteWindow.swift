/// The part of an input that a reader is at, for readers that are handed all bytes at hand by their caller.
///
/// ```swift
/// var window = try ByteWindow(input)
/// reader.isComplete = window.isAtEnd
/// let event = try reader.next(in: window.bytes.span)
/// if event == .incomplete {
///   let count = reader.position
///   reader.discard(count, in: window.bytes.span)
///   try window.refill(dropping: count)
/// }
/// ```
struct ByteWindow {
  private let input: SourceSession.ByteInput
  /// The bytes at hand.
  private(set) var bytes: [UInt8] = []
  /// Whether the bytes at hand end where the input does.
  private(set) var isAtEnd = false
  /// The piece behind them: by it, it is known whether there is one.
  private var next: [UInt8]?

  init(_ input: SourceSession.ByteInput) throws(ProviderError) {
    self.input = input
    bytes = try input.next() ?? []
    next = try input.next()
    isAtEnd = next == nil
  }

  /// Gives up the first bytes, and takes as many more as there are left, at least, so that what is long is not
  /// looked through again and again.
  mutating func refill(dropping count: Int) throws(ProviderError) {
    let kept = bytes.count - count
    if kept == 0, let piece = next {
      bytes = piece
    } else {
      bytes.removeSubrange(..<count)
      if let piece = next { bytes.append(contentsOf: piece) }
    }
    next = isAtEnd ? nil : try input.next()
    while let piece = next, bytes.count < 2 * kept {
      bytes.append(contentsOf: piece)
      next = try input.next()
    }
    isAtEnd = next == nil
  }
}
