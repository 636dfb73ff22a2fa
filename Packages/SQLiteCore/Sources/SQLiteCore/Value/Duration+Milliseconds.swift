extension Duration {
  /// The duration in milliseconds, clamped to 0 and the maximum that SQLite can wait.
  var wholeMilliseconds: Int32 {
    let (seconds, attoseconds) = components
    let limit = Int64(Int32.max)
    guard seconds < limit / 1_000 else { return Int32.max }
    return Int32(clamping: max(0, seconds * 1_000 + attoseconds / 1_000_000_000_000_000))
  }
}
