/// A window into an input, for readers whose caller passes all available bytes.
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
  /// The available bytes.
  private(set) var bytes: [UInt8] = []
  /// A Boolean value that indicates whether the available bytes include the end of the input.
  private(set) var isAtEnd = false
  /// The next piece, read ahead to detect the end of the input.
  private var next: [UInt8]?

  init(_ input: SourceSession.ByteInput) throws(ProviderError) {
    self.input = input
    bytes = try input.next() ?? []
    next = try input.next()
    isAtEnd = next == nil
  }

  /// Drops the first bytes, and appends at least the number of bytes that remain, so that repeated
  /// scans of a long value take linear time.
  mutating func refill(dropping count: Int) throws(ProviderError) {
    let remainingCount = bytes.count - count
    if remainingCount == 0, let piece = next {
      bytes = piece
    } else {
      bytes.removeSubrange(..<count)
      if let piece = next { bytes.append(contentsOf: piece) }
    }
    next = isAtEnd ? nil : try input.next()
    while let piece = next, bytes.count < 2 * remainingCount {
      bytes.append(contentsOf: piece)
      next = try input.next()
    }
    isAtEnd = next == nil
  }
}
