internal import CSQLite

extension String {
  /// The text of these bytes; `nil` where they are not UTF-8.
  @inline(__always)
  init?(exactly bytes: Span<UInt8>) {
    let text: String? = unsafe bytes.withUnsafeBufferPointer { buffer in
      guard let start = buffer.baseAddress else { return "" }
      let encoding = unsafe holt_encoding_of(start, buffer.count)
      guard encoding != HOLT_NOT_UTF8 else { return nil }
      // Where the library can be told so, it does not validate the bytes again.
      if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
        return unsafe String(
          copying: UTF8Span(unchecked: buffer.span, isKnownASCII: encoding == HOLT_ASCII))
      }
      return unsafe String(decoding: buffer, as: UTF8.self)
    }
    guard let text else { return nil }
    self = text
  }
}

extension Span<UInt8> {
  /// Whether the bytes are a text.
  var isUTF8: Bool {
    unsafe withUnsafeBufferPointer { buffer in
      guard let start = buffer.baseAddress else { return true }
      return unsafe holt_encoding_of(start, buffer.count) != HOLT_NOT_UTF8
    }
  }
}
