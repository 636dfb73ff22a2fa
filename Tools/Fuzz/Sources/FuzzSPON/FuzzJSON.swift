import Foundation
import Fuzzing
import SPON

/// Parses JSON, compares the verdict with Foundation's, and tests that the value round-trips.
func fuzzJSON(_ bytes: [UInt8]) {
  do {
    let value = try SPONValue(json: bytes, style: .typed)
    for formatting in [SPONValue.Formatting.canonical, .prettyPrinted] {
      let text = try value.jsonBytes(.typed, formatting: formatting)
      expect(
        try SPONValue(json: text, style: .typed) == value,
        "typed JSON is parsed as a different value")
    }
    expectPlainJSON(value)
  } catch {
    expectErrorPosition(error, bytes)
  }
  do {
    let value = try SPONValue(json: bytes, style: .plain)
    let text = try value.jsonBytes(.typed)
    expect(
      try SPONValue(json: text, style: .typed) == value, "typed JSON is parsed as a different value"
    )
    let plain = try value.jsonBytes(.plain)
    // A decimal number with an integer value is read as an integer.
    expect(
      try SPONValue(json: plain, style: .plain).jsonBytes(.plain) == plain,
      "plain JSON is not stable")
    expect(
      isAcceptedByFoundation(bytes) || mayExceedFoundationLimits(value, bytes),
      "Foundation rejects valid JSON")
  } catch {
    expectErrorPosition(error, bytes)
    guard error.code == .invalidJSON, !error.message.contains("surrogates") else { return }
    expect(
      !isAcceptedByFoundation(bytes) || isNonstandardJSON(bytes),
      "only Foundation accepts this: \(error)")
  }
}

private func expectPlainJSON(_ value: SPONValue) {
  do {
    let plain = try value.jsonBytes(.plain)
    _ = try SPONValue(json: plain, style: .plain)
  } catch {
    expect(
      error.code == .notRepresentable,
      "plain JSON can't be written or parsed: \(error)")
  }
}

private func expectErrorPosition(_ error: any Error, _ bytes: [UInt8]) {
  guard let error = error as? SPONError else { fail("unexpected error type: \(error)") }
  let offset = error.position?.byteOffset ?? -1
  expect((0...bytes.count).contains(offset), "an error has no valid position: \(error)")
}

private func isAcceptedByFoundation(_ bytes: [UInt8]) -> Bool {
  (try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)) != nil
}

/// Returns whether Foundation may reject the JSON text: RFC 8259 does not specify the range of
/// numbers and the maximum depth.
private func mayExceedFoundationLimits(_ value: SPONValue, _ bytes: [UInt8]) -> Bool {
  bytes.contains(0x65) || bytes.contains(0x45) || bytes.count > 300
}

/// Returns whether Foundation may accept the text although it is not JSON according to RFC 8259:
/// text in an encoding other than UTF-8, which is recognized by zero bytes; text with a byte order
/// mark; a trailing comma.
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
