import Fuzzing
import LSPWire

/// Tests that the messages in a stream don't depend on the sizes of its chunks, and that no message is
/// longer than the stream.
func fuzzFraming(_ bytes: [UInt8]) {
  let whole = split(bytes, by: bytes.count)
  for size in [1, 7, 4096] {
    let parts = split(bytes, by: size)
    expect(parts.bodies == whole.bodies, "other messages are found in chunks of \(size) bytes")
    expect(parts.failure == whole.failure, "another failure is found in chunks of \(size) bytes")
  }
  expect(whole.bodies.reduce(0) { $0 + $1.count } <= bytes.count, "a message is too long")
  for body in whole.bodies { _ = IncomingMessage(body) }
}

private func split(
  _ bytes: [UInt8], by size: Int
) -> (bodies: [[UInt8]], failure: MessageReader.Failure?) {
  var reader = MessageReader()
  var bodies: [[UInt8]] = []
  for start in stride(from: 0, to: bytes.count, by: max(size, 1)) {
    reader.append(bytes[start..<min(start + size, bytes.count)])
    do throws(MessageReader.Failure) {
      while let body = try reader.next() { bodies.append(body) }
    } catch {
      return (bodies, error)
    }
  }
  return (bodies, nil)
}
