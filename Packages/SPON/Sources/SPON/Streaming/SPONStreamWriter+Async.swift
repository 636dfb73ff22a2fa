extension SPONStreamWriter {
  /// Writes an array of values as they come, and hands out its text in chunks.
  ///
  /// ```swift
  /// var writer = SPONStreamWriter()
  /// try await writer.writeArray(of: rows) { chunk in try await connection.send(chunk) }
  /// try writer.finish()
  /// ```
  ///
  /// The next value is asked for once `sink` has returned. What was written before is handed out with
  /// the first chunk, and everything at the end. After an error the array remains open.
  ///
  /// - Parameters:
  ///   - values: The elements.
  ///   - chunkSize: How many bytes are collected before they are handed out. A chunk has more, where
  ///     its last value does.
  ///   - sink: Takes a chunk, which is not empty.
  /// - Throws: ``SPONError``, as ``beginArray()`` and ``write(_:)`` do, what `values` and `sink` throw,
  ///   and `CancellationError` once the task is cancelled.
  public mutating func writeArray<Values: AsyncSequence>(
    of values: Values, chunkSize: Int = 65_536, to sink: ([UInt8]) async throws -> Void
  ) async throws where Values.Element == SPONValue {
    try beginArray()
    for try await value in values {
      try Task.checkCancellation()
      try write(value)
      if pendingCount >= chunkSize { try await sink(take()) }
    }
    // Of many sequences the end is also what a cancelled task gets.
    try Task.checkCancellation()
    try end()
    try await sink(take())
  }
}
