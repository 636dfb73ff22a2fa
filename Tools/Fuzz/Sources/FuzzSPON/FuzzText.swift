import Fuzzing
import SPON

/// Parses a text with each set of rules, and tests that the value round-trips.
func fuzzText(_ bytes: [UInt8]) {
  let value = read(bytes, .standard)
  let strict = read(bytes, .strict)
  let lenient = read(bytes, .lenient)
  expect(strict == nil || strict == value, "strict rules produce a different value")
  if let value { expectRoundTrip(value) }
  // Lenient rules may produce a different value for objects with an ambiguous type name.
  if let lenient, lenient != value { expectRoundTrip(lenient) }
}

/// Parses a text. Returns `nil` if it is rejected, and tests that the error has a position in the
/// text.
private func read(_ bytes: [UInt8], _ rules: SPONValue.Rules) -> SPONValue? {
  do {
    return try SPONValue(parsing: bytes, rules: rules)
  } catch {
    let offset = error.position?.byteOffset ?? -1
    expect((0...bytes.count).contains(offset), "an error has no valid position: \(error)")
    return nil
  }
}

private func expectRoundTrip(_ value: SPONValue) {
  do {
    let canonical = try value.bytes(.canonical)
    let back = try SPONValue(parsing: canonical, rules: .strict)
    expect(
      back == value && back.hashValue == value.hashValue,
      "the canonical text is parsed as a different value")
    expect(try back.bytes(.canonical) == canonical, "there are two canonical forms")
    if canonical.count < 1_000, !hasAmbiguousTypeName(canonical) {
      expect(
        try SPONValue(parsing: canonical, rules: .lenient) == value,
        "lenient rules parse a different value")
    }
    let pretty = try value.bytes(.prettyPrinted)
    expect(
      try SPONValue(parsing: pretty) == value,
      "the pretty-printed text is parsed as a different value")
    let marked = try value.bytes(version: .two)
    expect(
      try SPONValue(parsing: marked) == value, "the version 2 text is parsed as a different value")
  } catch {
    fail("the written text is rejected: \(error)")
  }
  expectVersion1(value)
}

/// Returns whether the text contains a type name that lenient rules can't distinguish from a text
/// followed by a pair.
private func hasAmbiguousTypeName(_ text: [UInt8]) -> Bool {
  String(decoding: text, as: UTF8.self).split(separator: "@obj:").dropFirst()
    .contains { $0.prefix { $0 != "<" }.contains("=") }
}

/// Tests that a value either has no version 1 form, or one that round-trips.
private func expectVersion1(_ value: SPONValue) {
  guard let text = try? value.bytes(version: .one) else { return }
  guard let back = try? SPONValue(parsing: text) else {
    fail("the written version 1 text is rejected")
  }
  expect((try? back.bytes(version: .one)) == text, "the version 1 text is not stable")
}
