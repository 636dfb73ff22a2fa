import Foundation
import Fuzzing
import SPON

/// Reads a text in JSON as Foundation does, and writes and reads again what was read.
func fuzzJSON(_ bytes: [UInt8]) {
  do {
    let value = try SPONValue(json: bytes, style: .typed)
    for formatting in [SPONValue.Formatting.canonical, .prettyPrinted] {
      let text = try value.jsonBytes(.typed, formatting: formatting)
      expect(
        try SPONValue(json: text, style: .typed) == value, "typed JSON is read as another value")
    }
    expectPlainJSON(value)
  } catch {
    expectErrorPosition(error, bytes)
  }
  do {
    let value = try SPONValue(json: bytes, style: .plain)
    let text = try value.jsonBytes(.typed)
    expect(try SPONValue(json: text, style: .typed) == value, "typed JSON is read as another value")
    let plain = try value.jsonBytes(.plain)
    // A decimal number that is an integer is read as one.
    expect(
      try SPONValue(json: plain, style: .plain).jsonBytes(.plain) == plain,
      "plain JSON is another text")
    expect(
      isAcceptedByFoundation(bytes) || mayExceedFoundationLimits(value, bytes),
      "Foundation refuses JSON")
  } catch {
    expectErrorPosition(error, bytes)
    guard error.code == .invalidJSON, !error.message.contains("surrogates") else { return }
    expect(
      !isAcceptedByFoundation(bytes) || isNonstandardJSON(bytes),
      "only Foundation takes this: \(error)")
  }
}

private func expectPlainJSON(_ value: SPONValue) {
  do {
    let plain = try value.jsonBytes(.plain)
    _ = try SPONValue(json: plain, style: .plain)
  } catch {
    expect(
      error.code == .notRepresentable,
      "plain JSON is not written or not read: \(error)")
  }
}

private func expectErrorPosition(_ error: any Error, _ bytes: [UInt8]) {
  guard let error = error as? SPONError else { fail("another error: \(error)") }
  let offset = error.position?.byteOffset ?? -1
  expect((0...bytes.count).contains(offset), "an error has no place in the text: \(error)")
}

private func isAcceptedByFoundation(_ bytes: [UInt8]) -> Bool {
  (try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)) != nil
}

/// Whether a text is JSON that Foundation may refuse: RFC 8259 leaves the range of numbers open.
private func mayExceedFoundationLimits(_ value: SPONValue, _ bytes: [UInt8]) -> Bool {
  bytes.contains(0x65) || bytes.contains(0x45) || bytes.count > 300
}

/// Whether a text is not JSON by RFC 8259, and Foundation may take it: in an encoding that is not UTF-8,
/// which it recognizes by zeros; behind a byte order mark; with a comma behind the last value.
private func isNonstandardJSON(_ bytes: [UInt8]) -> Bool {
  let solid = bytes.filter { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
  for (comma, next) in zip(solid, solid.dropFirst())
  where comma == 0x2C && (next == 0x5D || next == 0x7D) {
    return true
  }
  return bytes.contains(0) || bytes.starts(with: [0xEF, 0xBB, 0xBF])
    || bytes.starts(with: [0xFE, 0xFF])
    || bytes.starts(with: [0xFF, 0xFE])
}
