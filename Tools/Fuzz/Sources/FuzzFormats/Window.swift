/// The bytes of a text that are available to an incremental reader.
struct Window {
  let text: [UInt8]
  let chunk: Int
  private(set) var from = 0
  private(set) var to: Int

  init(_ text: [UInt8], _ chunk: Int?) {
    self.text = text
    self.chunk = chunk ?? text.count
    to = Swift.min(self.chunk, text.count)
  }

  var isComplete: Bool { to == text.count }

  mutating func move(_ count: Int) {
    from += count
    to = Swift.min(text.count, to + chunk)
  }
}

/// Collects written bytes.
final class ByteSink {
  var bytes: [UInt8] = []
}
