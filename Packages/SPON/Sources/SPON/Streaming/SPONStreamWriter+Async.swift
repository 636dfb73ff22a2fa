extension SPONStreamWriter {
  /// Writes an asynchronous sequence of values as an array, and passes its text on in chunks.
  ///
  /// ```swift
  /// var writer = SPONStreamWriter()
  /// try await writer.writeArray(of: rows) { chunk in try await connection.send(chunk) }
  /// try writer.finish()
  /// ```
  ///
  /// The next value is requested after `sink` has returned. The first chunk includes text that was
  /// written before. All text has been passed on when the method returns. After an error, the array
  /// remains open.
  ///
  /// - Parameters:
  ///   - values: The elements.
  ///   - chunkSize: The number of bytes to collect before they are passed on. A chunk is longer if
  ///     its last value exceeds the size.
  ///   - sink: A closure that receives each chunk, which is not empty.
  /// - Throws: ``SPONError``, as ``beginArray()`` and ``write(_:)`` do, errors of `values` and
  ///   `sink`, and `CancellationError` if the task is cancelled.
  public mutating func writeArray<Values: AsyncSequence>(
    of values: Values, chunkSize: Int = 65_536, to sink: ([UInt8]) async throws -> Void
  ) async throws where Values.Element == SPONValue {
    try beginArray()
    for try await value in values {
      try Task.checkCancellation()
      try write(value)
      if pendingCount >= chunkSize { try await sink(take()) }
    }
    // Many sequences end early in a cancelled task.
    try Task.checkCancellation()
    try end()
    try await sink(take())
  }
}
