internal import CSQLite

extension StatementCursor {
  /// Has a parameter refer to `bytes` where they are, while `body` runs.
  ///
  /// Afterwards the run is over and the parameter NULL: the engine has no address of them left.
  ///
  /// - Parameter body: Is told the code of binding.
  func withBound<Result: ~Copyable, Failure: Error>(
    _ bytes: Span<UInt8>, asText isText: Bool, at index: Int32,
    _ body: (Int32) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try unsafe bytes.withUnsafeBytes { (bytes) throws(Failure) in
      let code = unsafe bind(lent: bytes, asText: isText, at: index)
      defer {
        if code == SQLITE_OK {
          reset()
          _ = bindNull(at: index)
        }
      }
      return try body(code)
    }
  }

  private func bind(
    lent bytes: UnsafeRawBufferPointer, asText isText: Bool, at index: Int32
  ) -> Int32 {
    // No bytes have no address to speak of, and a NULL address would bind NULL.
    guard let start = bytes.baseAddress, unsafe !bytes.isEmpty else {
      return unsafe isText
        ? holt_bind_text(pointer, index, "", 0, 0) : sqlite3_bind_zeroblob(pointer, index, 0)
    }
    return unsafe isText
      ? holt_bind_text(pointer, index, start, UInt64(bytes.count), 1)
      : holt_bind_blob(pointer, index, start, UInt64(bytes.count), 1)
  }
}
